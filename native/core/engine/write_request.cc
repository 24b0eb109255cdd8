#include "engine/write_request.h"

#include <algorithm>
#include <unordered_set>

#include "json/utf8_check.h"

namespace quarry {
namespace {

constexpr size_t kMaxIdBytes = 512;

enum OperationFlags : uint8_t {
  kHasIfSeqNo = 1,
  kHasIfPrimaryTerm = 2,
  kHasVersion = 4,
  kDetectNoopOff = 8,
  kDocAsUpsert = 16,
  kAutoId = 32,
};

enum BulkFlags : uint32_t { kBulkHasRouting = 2, kBulkTypes = 4 };

Status malformed_write(std::string_view what) {
  return {ErrorType::kIllegalArgument, "malformed " + std::string(what)};
}

AddressedOperation read_operation(ByteReader& reader) {
  AddressedOperation item;
  WriteOperation& operation = item.operation;
  operation.type = reader.get<OpType>();
  operation.version_type = reader.get<VersionType>();
  const auto flags = reader.get<uint8_t>();
  reader.get<uint8_t>();
  item.index = reader.get<uint32_t>();
  reader.get<uint32_t>();
  const auto if_seq_no = reader.get<int64_t>();
  const auto if_primary_term = reader.get<int64_t>();
  const auto version = reader.get<int64_t>();
  operation.id = reader.get_string();
  operation.routing = reader.get_string();
  operation.source = reader.get_string();
  operation.source_filter = reader.get_string();
  if ((flags & kHasIfSeqNo) != 0) operation.if_seq_no = if_seq_no;
  if ((flags & kHasIfPrimaryTerm) != 0) operation.if_primary_term = if_primary_term;
  if ((flags & kHasVersion) != 0) operation.version = version;
  operation.detect_noop = (flags & kDetectNoopOff) == 0;
  operation.doc_as_upsert = (flags & kDocAsUpsert) != 0;
  operation.auto_id = (flags & kAutoId) != 0;
  return item;
}

bool is_known(const WriteOperation& operation) {
  return operation.type <= OpType::kDelete && operation.version_type <= VersionType::kExternalGte;
}

/// Collects faults as "Validation Failed: 1: …;2: …;", in the format of Elasticsearch.
class Complaints {
 public:
  void add(const std::string& what) { text_ += std::to_string(++count_) + ": " + what + ";"; }
  Status status() const {
    if (count_ == 0) return {};
    return {ErrorType::kActionRequestValidation, "Validation Failed: " + text_};
  }

 private:
  int count_ = 0;
  std::string text_;
};

Status contradicts_alias(std::string_view alias, std::string_view own, std::string_view given) {
  return {ErrorType::kIllegalArgument,
          "Alias [" + std::string(alias) + "] has index routing associated with it [" +
              std::string(own) + "], and was provided with routing value [" + std::string(given) +
              "], rejecting operation"};
}

}  // namespace

Status not_an_alias(std::string_view name) {
  const std::string quoted = "[" + std::string(name) + "]";
  return {ErrorType::kIndexNotFound, "no such index " + quoted +
                                         " and [require_alias] request flag is [true] and " +
                                         quoted + " is not an alias"};
}

std::string id_complaint(std::string_view id) {
  if (id.empty()) return "id is missing";
  if (id.size() > kMaxIdBytes) {
    return "id [" + std::string(id) + "] is too long, must be no longer than " +
           std::to_string(kMaxIdBytes) + " bytes but was: " + std::to_string(id.size());
  }
  return valid_utf8(id) ? std::string() : "id is not valid UTF-8";
}

Result<BulkRequest> BulkRequest::read(Bytes header, Bytes body) {
  BulkRequest request;
  QUARRY_RETURN_IF_ERROR(request.read_header(header));
  QUARRY_ASSIGN_OR_RETURN(request.body_, read_bulk(as_text(body), request.form_));
  QUARRY_RETURN_IF_ERROR(request.validate());
  return request;
}

Status BulkRequest::read_header(Bytes header) {
  ByteReader reader(header);
  if (reader.get<uint32_t>() != kBulkMagic) return malformed_write("bulk header");
  const auto flags = reader.get<uint32_t>();
  default_index_ = reader.get_string();
  const bool has_source = reader.get<uint8_t>() != 0;
  default_source_ = reader.get_string();
  if (!has_source) default_source_ = {};
  if (!read_names(reader)) return malformed_write("bulk header");
  if ((flags & kBulkHasRouting) != 0) read_routing(reader);
  form_.types = (flags & kBulkTypes) != 0;
  return reader.failed() || !reader.done() ? malformed_write("bulk header") : Status();
}

/// False when the error type of a refusal does not exist.
bool BulkRequest::read_names(ByteReader& reader) {
  const auto names = reader.get<uint32_t>();
  for (uint32_t i = 0; i < names && !reader.failed(); i++) {
    Target& target = names_[reader.get_string()];
    target.index = reader.get<uint32_t>();
    if (target.index != kNoIndex) continue;
    const auto type = reader.get<uint16_t>();
    const std::string_view reason = reader.get_string();
    if (type == 0 || type >= error_type_count()) return false;
    target.refusal = Status(static_cast<ErrorType>(type), std::string(reason));
  }
  return true;
}

void BulkRequest::read_routing(ByteReader& reader) {
  default_routing_ = reader.get_string();
  const auto aliases = reader.get<uint32_t>();
  for (uint32_t i = 0; i < aliases && !reader.failed(); i++) {
    const std::string_view name = reader.get_string();
    const std::string_view routing = reader.get_string();
    const auto found = names_.find(name);
    if (found != names_.end()) found->second.routing = routing;
  }
}

Status BulkRequest::validate() const {
  Complaints complaints;
  if (body_.actions.empty()) complaints.add("no requests added");
  for (const BulkAction& action : body_.actions) {
    if (name_of(action).empty()) complaints.add("index is missing");
  }
  return complaints.status();
}

/// The fault of a line that does not depend on its index; only the item of this line fails.
Status BulkRequest::refusal_of(const BulkAction& action) const {
  if (action.refusal != 0) return body_.refusals[action.refusal - 1];
  const bool makes_id = action.type == OpType::kIndex || action.type == OpType::kCreate;
  if (makes_id && !action.has_id) return {};
  if (makes_id && action.id.empty()) {
    return {ErrorType::kIllegalArgument, "if _id is specified it must not be empty"};
  }
  const std::string complaint = id_complaint(action.id);
  if (complaint.empty()) return {};
  return {ErrorType::kActionRequestValidation, "Validation Failed: 1: " + complaint + ";"};
}

std::vector<std::string_view> BulkRequest::missing_names() const {
  std::vector<std::string_view> missing;
  std::unordered_set<std::string_view> seen;
  for (const BulkAction& action : body_.actions) {
    const std::string_view name = name_of(action);
    // No index is created for a line that requires an alias.
    if (action.require_alias || names_.contains(name) || !seen.insert(name).second) continue;
    missing.push_back(name);
  }
  return missing;
}

AddressedOperation BulkRequest::operation(size_t at) const {
  const BulkAction& action = body_.actions[at];
  AddressedOperation item;
  item.name = name_of(action);
  WriteOperation& operation = item.operation;
  operation.routing = action.routing.empty() ? default_routing_ : action.routing;
  const auto found = names_.find(item.name);
  if (found == names_.end()) {
    item.refusal = not_an_alias(item.name);
  } else {
    item.index = found->second.index;
    item.refusal = found->second.refusal;
    const std::string_view alias = found->second.routing;
    if (!alias.empty() && !operation.routing.empty() && operation.routing != alias) {
      item.refusal = contradicts_alias(item.name, alias, operation.routing);
    }
    if (!alias.empty()) operation.routing = alias;
  }
  if (item.refusal.ok()) item.refusal = refusal_of(action);
  operation.type = action.type;
  operation.version_type = action.version_type;
  const bool makes_id = action.type == OpType::kIndex || action.type == OpType::kCreate;
  operation.auto_id = !action.has_id && makes_id;
  operation.id = action.id;
  operation.source = action.source;
  operation.dynamic_templates = action.dynamic_templates;
  if (action.type == OpType::kUpdate) {
    operation.source_filter = action.source_filter.empty() ? default_source_ : action.source_filter;
  }
  operation.if_seq_no = action.if_seq_no;
  operation.if_primary_term = action.if_primary_term;
  operation.version = action.version;
  item.require_alias = action.require_alias;
  return item;
}

Result<std::vector<AddressedOperation>> read_operations(Bytes bytes) {
  ByteReader reader(bytes);
  if (reader.get<uint32_t>() != kOpsMagic) return malformed_write("write operations");
  const auto count = reader.get<uint32_t>();
  std::vector<AddressedOperation> items;
  for (uint32_t i = 0; i < count && !reader.failed(); i++) {
    items.push_back(read_operation(reader));
    AddressedOperation& item = items.back();
    if (!is_known(item.operation)) return malformed_write("write operations");
    if (item.operation.auto_id && item.operation.id.empty()) continue;
    const std::string complaint = id_complaint(item.operation.id);
    if (complaint.empty()) continue;
    item.refusal =
        Status(ErrorType::kActionRequestValidation, "Validation Failed: 1: " + complaint + ";");
  }
  if (reader.failed() || !reader.done()) return malformed_write("write operations");
  return items;
}

}  // namespace quarry
