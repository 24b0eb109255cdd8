#include "engine/catalog/node_identity.h"

#include "base/random.h"
#include "engine/maintenance/checked_json.h"

namespace quarry {
namespace {

constexpr uint32_t kBlock = 64;

bool holds_data(FileSystem& files, const std::string& data_dir) {
  const auto filled = [&files](const std::string& dir) {
    const auto names = files.list(dir);
    return names.ok() && !names->empty();
  };
  return filled(data_dir + "/indices") || filled(data_dir + "/wal");
}

}  // namespace

Result<NodeIdentity> NodeIdentity::open(FileSystem& files, const std::string& data_dir) {
  NodeIdentity identity;
  identity.files_ = &files;
  identity.path_ = data_dir + "/NODE";
  if (!files.exists(identity.path_) && !files.exists(copy_path(identity.path_))) {
    // A new identity would not match the log, and would assign used index numbers again.
    if (holds_data(files, data_dir)) {
      return Status(ErrorType::kCorrupt,
                    "[" + identity.path_ +
                        "] is missing, though the folder holds data: put it back, or save the "
                        "documents with `quarry check " +
                        data_dir + " --salvage OUT`");
    }
    identity.uuid_ = random_uuid();
    QUARRY_RETURN_IF_ERROR(identity.save(identity.next_));
    return identity;
  }
  QUARRY_ASSIGN_OR_RETURN(const CopiedJson read, read_copied_json(files, identity.path_));
  identity.damage_ = read.damage;
  const JsonValue& json = read.json;
  const JsonValue* uuid = json.find("uuid");
  const JsonValue* next = json.find("next_index_number");
  const auto number = next == nullptr ? std::nullopt : next->as_int();
  if (uuid == nullptr || !number || *number < 1 || *number >= UINT32_MAX) {
    return Status(ErrorType::kCorrupt, "[" + identity.path_ + "] lacks a valid identity");
  }
  identity.uuid_ = uuid->text();
  identity.next_ = static_cast<uint32_t>(*number);
  identity.block_end_ = identity.next_;
  const bool whole = identity.damage_.ok() && files.exists(copy_path(identity.path_));
  if (!whole) QUARRY_RETURN_IF_ERROR(identity.save(identity.next_));
  return identity;
}

Result<uint32_t> NodeIdentity::take_index_number() {
  if (next_ == block_end_) QUARRY_RETURN_IF_ERROR(save(block_end_ + kBlock));
  return next_++;
}

Status NodeIdentity::save(uint32_t next_block) {
  JsonValue json = JsonValue::object();
  json.set("format", JsonValue::number("1"));
  json.set("uuid", JsonValue::string(uuid_));
  json.set("next_index_number", JsonValue::number(std::to_string(next_block)));
  QUARRY_RETURN_IF_ERROR(write_checked_json(*files_, path_, json.to_json()));
  block_end_ = next_block;
  return {};
}

}  // namespace quarry
