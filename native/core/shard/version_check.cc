#include "shard/version_check.h"

#include <string>

namespace quarry {
namespace {

Status conflict(std::string_view id, const std::string& explanation) {
  return {ErrorType::kVersionConflict,
          "[" + std::string(id) + "]: version conflict, " + explanation};
}

std::string bracketed(int64_t number) { return "[" + std::to_string(number) + "]"; }
std::string bracketed(uint64_t number) { return "[" + std::to_string(number) + "]"; }

Result<uint64_t> next_internal(const WriteOperation& operation, const CurrentDocument& current) {
  const uint64_t version = current.version.version;
  if (operation.type == OpType::kCreate && current.exists()) {
    return conflict(operation.id,
                    "document already exists (current version " + bracketed(version) + ")");
  }
  if (operation.version && !current.exists()) {
    return conflict(operation.id, "document does not exist (expected version " +
                                      bracketed(*operation.version) + ")");
  }
  if (operation.version && *operation.version != static_cast<int64_t>(version)) {
    return conflict(operation.id, "current version " + bracketed(version) +
                                      " is different than the one provided " +
                                      bracketed(*operation.version));
  }
  return current.known ? version + 1 : 1;
}

Result<uint64_t> next_external(const WriteOperation& operation, const CurrentDocument& current) {
  const bool equal_is_fine = operation.version_type == VersionType::kExternalGte;
  if (!operation.version || *operation.version < 0) {
    return Status(ErrorType::kActionRequestValidation,
                  "Validation Failed: 1: illegal version value " +
                      bracketed(operation.version.value_or(-3)) + " for version type [" +
                      (equal_is_fine ? "EXTERNAL_GTE" : "EXTERNAL") + "];");
  }
  if (operation.type == OpType::kCreate) {
    return Status(ErrorType::kActionRequestValidation,
                  "Validation Failed: 1: create operations only support internal versioning. use "
                  "index instead;");
  }
  const auto wanted = static_cast<uint64_t>(*operation.version);
  const uint64_t version = current.version.version;
  const bool too_old = equal_is_fine ? version > wanted : version >= wanted;
  if (!current.known || !too_old) return wanted;
  return conflict(operation.id, "current version " + bracketed(version) +
                                    (equal_is_fine ? " is higher than the one provided "
                                                   : " is higher or equal to the one provided ") +
                                    bracketed(wanted));
}

}  // namespace

Status check_seq_no(const WriteOperation& operation, const CurrentDocument& current) {
  if (!operation.if_seq_no && !operation.if_primary_term) return {};
  const int64_t seq_no = operation.if_seq_no.value_or(-2);  // -2: unassigned, as in Elasticsearch
  const int64_t term = operation.if_primary_term.value_or(0);
  const std::string required =
      "required seqNo " + bracketed(seq_no) + ", primary term " + bracketed(term) + ".";
  if (!current.exists()) {
    return conflict(operation.id, required + " but no document was found");
  }
  const bool same = static_cast<int64_t>(current.version.seq_no) == seq_no &&
                    static_cast<int64_t>(current.version.primary_term) == term;
  if (same) return {};
  return conflict(operation.id, required + " current document has seqNo " +
                                    bracketed(current.version.seq_no) + " and primary term " +
                                    bracketed(uint64_t{current.version.primary_term}));
}

Result<uint64_t> next_version(const WriteOperation& operation, const CurrentDocument& current) {
  QUARRY_RETURN_IF_ERROR(check_seq_no(operation, current));
  if (operation.version_type == VersionType::kInternal) return next_internal(operation, current);
  return next_external(operation, current);
}

}  // namespace quarry
