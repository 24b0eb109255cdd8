// The body of an update request: {"doc": …, "upsert": …, …}, and its application to a document.
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

/// Views point into the body. An absent object is an empty view.
struct UpdateRequest {
  std::string_view doc;
  std::string_view upsert;
  std::string_view source;  // raw JSON of `_source`
  bool doc_as_upsert = false;
  bool detect_noop = true;
  std::optional<int64_t> if_seq_no;
  std::optional<int64_t> if_primary_term;
};

/// x_content_parse_exception for malformed JSON and for unknown keys; illegal_argument_exception
/// for scripts, which are not supported; action_request_validation_exception when there is no doc.
Result<UpdateRequest> read_update_request(std::string_view body);

/// action_request_validation_exception for an update with a version condition that could also
/// create the document.
Status check_condition(const WriteOperation& operation, const UpdateRequest& request);

/// The document after the update; `changed` is false when detect_noop finds no change. `existing`:
/// the source of `current` if that exists. document_missing_exception when there is nothing to
/// update, version_conflict_engine_exception when if_seq_no does not match.
Result<MergedDocument> apply_update(const WriteOperation& operation, const UpdateRequest& request,
                                    const CurrentDocument& current, std::string_view existing);

/// `_source` of an update as a filter; empty when the response shall contain no document (false,
/// null, empty).
Result<std::optional<SourceFilter>> read_source_spec(std::string_view raw);

}  // namespace quarry
