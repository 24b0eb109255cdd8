#include "engine/change_record.h"

#include <utility>

#include "engine/maintenance/checked_json.h"

namespace quarry {
namespace {

std::string list_json(const std::vector<uint32_t>& numbers) {
  std::string json = "[";
  for (const uint32_t number : numbers) {
    if (json.size() > 1) json += ',';
    json += std::to_string(number);
  }
  return json + "]";
}

Status read_numbers(const JsonValue* list, std::vector<uint32_t>& numbers) {
  if (list == nullptr || !list->is_array()) {
    return {ErrorType::kIllegalArgument, "a list of indexes is missing"};
  }
  for (const JsonValue& item : list->items()) {
    QUARRY_ASSIGN_OR_RETURN(const uint32_t number, read_index_number(&item));
    numbers.push_back(number);
  }
  return {};
}

std::string part(const JsonValue& change, std::string_view name) {
  const JsonValue* member = change.find(name);
  return member == nullptr || member->is_null() ? std::string() : member->to_json();
}

Status read_record(const JsonValue& json, ChangeRecord& record) {
  QUARRY_RETURN_IF_ERROR(read_numbers(json.find("born"), record.born));
  QUARRY_RETURN_IF_ERROR(read_numbers(json.find("dropped"), record.dropped));
  const JsonValue* changed = json.find("changed");
  if (changed == nullptr || !changed->is_array()) {
    return {ErrorType::kIllegalArgument, "a list of changes is missing"};
  }
  for (const JsonValue& item : changed->items()) {
    QUARRY_ASSIGN_OR_RETURN(const uint32_t number, read_index_number(item.find("index")));
    record.changed.push_back({number, part(item, "members"), part(item, "mappings")});
  }
  return {};
}

}  // namespace

Result<uint32_t> read_index_number(const JsonValue* member) {
  const auto value = member == nullptr ? std::nullopt : member->as_int();
  if (value && *value >= 1 && *value < UINT32_MAX) return static_cast<uint32_t>(*value);
  return Status(ErrorType::kIllegalArgument, "a number of an index is missing");
}

std::string ChangeRecord::to_json() const {
  std::string json = R"({"format":1,"born":)" + list_json(born) + R"(,"changed":[)";
  for (const Changed& change : changed) {
    if (&change != &changed.front()) json += ',';
    json += R"({"index":)" + std::to_string(change.index);
    if (!change.members.empty()) json += R"(,"members":)" + change.members;
    if (!change.mappings.empty()) json += R"(,"mappings":)" + change.mappings;
    json += '}';
  }
  return json + R"(],"dropped":)" + list_json(dropped) + "}";
}

Status ChangeRecord::write(FileSystem& files, const std::string& path) const {
  const std::string text = checked_json_text(to_json());
  return files.write_atomically(path, as_bytes(text));
}

Result<std::optional<ChangeRecord>> ChangeRecord::read(FileSystem& files, const std::string& path) {
  if (!files.exists(path)) return std::optional<ChangeRecord>();
  QUARRY_ASSIGN_OR_RETURN(const JsonValue json, read_checked_json(files, path));
  ChangeRecord record;
  const Status status = read_record(json, record);
  if (status.ok()) return std::optional(std::move(record));
  return Status(ErrorType::kCorrupt, "[" + path + "]: " + status.reason());
}

}  // namespace quarry
