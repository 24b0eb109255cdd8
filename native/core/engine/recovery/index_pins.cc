#include "engine/recovery/index_pins.h"

#include <utility>

#include "base/map_faults.h"
#include "json/value.h"
#include "segment/file_key.h"
#include "shard/segment_files.h"
#include "shard/snapshot.h"

namespace quarry {

Result<std::shared_ptr<const IndexPin>> IndexPin::make(std::string description,
                                                       std::vector<ShardPin> shards) {
  auto pin = std::make_shared<IndexPin>();
  pin->description_ = std::move(description);
  pin->shards_ = std::move(shards);
  pin->manifests_.reserve(pin->shards_.size());
  for (uint32_t number = 0; number < pin->shards_.size(); number++) {
    const ShardPin& shard = pin->shards_[number];
    for (size_t i = 0; i < shard.segments.size(); i++) {
      const ManifestSegment& listed = shard.manifest.segments[i];
      pin->documents_ += listed.live_count;
      QUARRY_RETURN_IF_ERROR(pin->add_segment(number, listed.file_number, *shard.segments[i],
                                              shard.coded_vectors[i].get()));
    }
    pin->manifests_.push_back(encode_manifest(shard.manifest));
    pin->files_.push_back({number, "MANIFEST", "", pin->manifests_.back(), false});
  }
  QUARRY_RETURN_IF_ERROR(pin->sound());
  return std::shared_ptr<const IndexPin>(std::move(pin));
}

Status IndexPin::sound() const {
  for (const ShardPin& shard : shards_) {
    for (const auto& segment : shard.segments) QUARRY_RETURN_IF_ERROR(quarry::sound(*segment));
    for (const auto& vectors : shard.coded_vectors) {
      if (vectors != nullptr) QUARRY_RETURN_IF_ERROR(sound_map(vectors->bytes()));
    }
  }
  return {};
}

Status IndexPin::add_segment(uint32_t shard, uint64_t number, const Segment& segment,
                             const ByteSource* vectors) {
  const bool mapped = segment.mapped();
  const auto add = [&](FileKind kind, Bytes bytes) {
    return add_file(shard, segment_file_name(number, kind), kind, bytes, mapped);
  };
  QUARRY_RETURN_IF_ERROR(add(FileKind::kData, segment.data_bytes()));
  QUARRY_RETURN_IF_ERROR(add(FileKind::kSidx, segment.sidx_bytes()));
  QUARRY_RETURN_IF_ERROR(add(FileKind::kIds, segment.ids_bytes()));
  return vectors == nullptr ? Status() : add(FileKind::kVectors, vectors->bytes());
}

Status IndexPin::add_file(uint32_t shard, const std::string& name, FileKind kind, Bytes bytes,
                          bool mapped) {
  QUARRY_ASSIGN_OR_RETURN(std::string key, file_key(bytes, kind));
  files_.push_back({shard, name, std::move(key), bytes, mapped});
  return {};
}

std::string IndexPin::to_json(uint32_t pin) const {
  std::string json = R"({"pin":)" + std::to_string(pin) + R"(,"documents":)" +
                     std::to_string(documents_) + R"(,"description":)" + description_ +
                     R"(,"files":[)";
  for (const PinnedFile& file : files_) {
    if (&file != files_.data()) json += ',';
    json += R"({"shard":)" + std::to_string(file.shard) + R"(,"name":)";
    append_json_string(json, file.name);
    json += R"(,"key":)";
    append_json_string(json, file.key);
    json += R"(,"bytes":)" + std::to_string(file.bytes.size()) + "}";
  }
  return json + "]}";
}

uint32_t IndexPins::add(std::shared_ptr<const IndexPin> pin) {
  const std::lock_guard lock(mutex_);
  const uint32_t number = next_++;
  by_number_[number] = std::move(pin);
  return number;
}

std::shared_ptr<const IndexPin> IndexPins::find(uint32_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second;
}

void IndexPins::erase(uint32_t number) {
  std::shared_ptr<const IndexPin> gone;  // released after the lock
  const std::lock_guard lock(mutex_);
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return;
  gone = std::move(found->second);
  by_number_.erase(found);
}

}  // namespace quarry
