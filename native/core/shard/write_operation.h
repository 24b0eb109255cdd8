// One document operation as executed by the shard, and its result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "json/bulk_reader.h"

namespace quarry {

/// The numbers are those of the item results (engine/item_results.h).
enum class WriteResult : uint8_t {
  kCreated = 0,
  kUpdated = 1,
  kDeleted = 2,
  kNotFound = 3,
  kNoop = 4,
  kError = 5,
};

/// Views point into the request, which must outlive the call.
struct WriteOperation {
  OpType type = OpType::kIndex;
  VersionType version_type = VersionType::kInternal;
  bool auto_id = false;  // the id is newly generated, so no document has it
  bool detect_noop = true;
  bool doc_as_upsert = false;
  std::string_view id;
  std::string_view routing;
  std::string_view source;             // update: the whole update body
  std::string_view dynamic_templates;  // raw JSON: new fields to template names; empty: none
  std::string_view source_filter;      // update: raw JSON of `_source`; empty: none
  std::optional<int64_t> if_seq_no;
  std::optional<int64_t> if_primary_term;
  std::optional<int64_t> version;
};

struct WriteOutcome {
  WriteResult result = WriteResult::kError;
  uint16_t http_status = 500;
  uint32_t primary_term = 0;
  uint64_t version = 0;
  uint64_t seq_no = 0;
  Status error;
  std::string get_source;  // update with `_source`

  static WriteOutcome failed(Status status) {
    WriteOutcome outcome;
    outcome.http_status = error_http_status(status.type());
    outcome.error = std::move(status);
    return outcome;
  }
};

}  // namespace quarry
