// The body of an update: {"doc": …, "upsert": …, …}, and what it makes of a document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "json/merge.h"
#include "json/source_filter.h"
#include "shard/version_check.h"
#include "shard/write_operation.h"

namespace quarry {

/// Views point into the body. An absent object is empty.
struct UpdateRequest {
  std::string_view doc;
  std::string_view upsert;
  std::string_view source;  // raw JSON of `_source`
  bool doc_as_upsert = false;
  bool detect_noop = true;
  std::optional<int64_t> if_seq_no;
  std::optional<int64_t> if_primary_term;
};

/// x_content_parse_exception for malformed JSON and for keys that nobody knows;
/// illegal_argument_exception for scripts, which are not supported;
/// action_request_validation_exception when there is no doc.
Result<UpdateRequest> read_update_request(std::string_view body);

/// action_request_validation_exception for an update of one version that would also make a document.
Status check_condition(const WriteOperation& operation, const UpdateRequest& request);

/// The document after the update; `changed` false when detect_noop finds nothing to do. `existing`: the
/// source of `current` where that exists. document_missing_exception where there is nothing to update,
/// version_conflict_engine_exception for another if_seq_no.
Result<MergedDocument> apply_update(const WriteOperation& operation, const UpdateRequest& request,
                                    const CurrentDocument& current, std::string_view existing);

/// `_source` of an update as a filter; nothing when the answer shall carry no document (false, null, empty).
Result<std::optional<SourceFilter>> read_source_spec(std::string_view raw);

}  // namespace quarry
