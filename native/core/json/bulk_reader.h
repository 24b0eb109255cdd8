// Reads an NDJSON bulk body into actions and their sources without copying. The syntax of the whole
// body is checked before anything is executed: an action line that cannot be parsed refuses the
// request.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace quarry {

enum class OpType : uint8_t { kIndex = 0, kCreate = 1, kUpdate = 2, kDelete = 3 };
std::string_view op_type_name(OpType type);
enum class VersionType : uint8_t { kInternal = 0, kExternal = 1, kExternalGte = 2 };

/// One operation. Views point into the body, or into `BulkBody::strings` if unescaping was needed.
struct BulkAction {
  OpType type = OpType::kIndex;
  bool has_index = false;
  bool has_id = false;
  std::string_view index;
  std::string_view id;
  std::string_view routing;
  std::optional<int64_t> if_seq_no;
  std::optional<int64_t> if_primary_term;
  std::optional<int64_t> version;
  VersionType version_type = VersionType::kInternal;
  uint32_t retry_on_conflict = 0;
  bool require_alias = false;
  uint32_t refusal = 0;                // index into BulkBody::refusals plus 1; 0: the line is valid
  std::string_view dynamic_templates;  // raw JSON object, empty when absent
  std::string_view source_filter;  // raw JSON of the line's `_source`, empty when absent (update)
  std::string_view source;         // raw line, empty for delete
  uint32_t line = 0;               // 1-based number of the action line
};

struct BulkBody {
  std::vector<BulkAction> actions;
  std::deque<std::string> strings;  // never move once added
  std::vector<Status> refusals;     // of single lines
};

struct BulkForm {
  /// Whether `_type` is a parameter, as in version 7 of Elasticsearch.
  bool types = false;
};

/// Blank lines before an action line are skipped, lines may end in \r\n, parameters that are null
/// are ignored, and so are keys after the action. The error is x_content_parse_exception for an
/// action line that is not JSON, and illegal_argument_exception for a missing final newline, a
/// malformed action line, an unknown action or parameter, and a missing source line, in the wording
/// of Elasticsearch: "Malformed action/metadata line [3], expected START_OBJECT but found
/// [VALUE_STRING]". A valid line with a request that is not supported (a pipeline, a data stream, a
/// version of an update) is refused alone. An empty body has no actions; the caller decides whether
/// that is an error.
Result<BulkBody> read_bulk(std::string_view body, BulkForm form = {});

}  // namespace quarry
