#include "mapping/vectors/vector_table.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash.h"

namespace quarry {
namespace {

enum class EntryKind : uint8_t { kVector = 0, kFailure = 1 };

uint64_t big_endian(const uint8_t* bytes) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value = value << 8 | bytes[i];
  return value;
}

}  // namespace

TextHash TextHash::of(std::string_view text) {
  const auto hash = hash128(text);
  return {big_endian(hash.data()), big_endian(hash.data() + 8)};
}

bool VectorTable::read_entries(ByteReader& reader, Entries& entries) {
  const auto dims = reader.get<uint32_t>();
  const auto count = reader.get<uint32_t>();
  for (uint32_t i = 0; i < count && !reader.failed(); i++) {
    TextHash text;
    text.high = reader.get<uint64_t>();
    text.low = reader.get<uint64_t>();
    const auto kind = reader.get<EntryKind>();
    Entry entry;
    if (kind == EntryKind::kVector) {
      entry.floats = reader.get_bytes(size_t{dims} * sizeof(float));
    } else if (kind == EntryKind::kFailure) {
      entry.failed = true;
      entry.reason = reader.get_string();
    } else {
      return false;
    }
    entries.try_emplace(text, entry);
  }
  return !reader.failed();
}

Result<VectorTable> VectorTable::read(Bytes bytes) {
  VectorTable table;
  if (bytes.empty()) return table;
  const Status malformed(ErrorType::kIllegalArgument, "malformed vectors of a write request");
  ByteReader reader(bytes);
  if (reader.get<uint32_t>() != kVectorsMagic) return malformed;
  const auto embedders = reader.get<uint32_t>();
  for (uint32_t i = 0; i < embedders && !reader.failed(); i++) {
    const std::string_view embedder = reader.get_string();
    if (!read_entries(reader, table.embedders_[embedder])) return malformed;
  }
  if (reader.failed() || !reader.done()) return malformed;
  return table;
}

const VectorTable::Entry* VectorTable::find(std::string_view embedder, const TextHash& text) const {
  const auto entries = embedders_.find(embedder);
  if (entries == embedders_.end()) return nullptr;
  const auto found = entries->second.find(text);
  return found == entries->second.end() ? nullptr : &found->second;
}

Status TableVectors::embed(const Field& field, std::string_view text, std::vector<float>& out) {
  if (!field.semantic->remote) return built_in_.embed(field, text, out);
  const TextHash hash = TextHash::of(text);
  const std::string& embedder = field.semantic->embedder;
  const VectorTable::Entry* entry = table_.find(embedder, hash);
  if (entry == nullptr) {
    return {ErrorType::kVersionConflict,
            "the document changed while its text was embedded, send it again"};
  }
  if (entry->failed) return {ErrorType::kInference, std::string(entry->reason)};
  if (entry->floats.empty()) {
    return {ErrorType::kIllegalArgument, "embedder [" + embedder + "] gave a vector without " +
                                             "dimensions for field [" + field.name + "]"};
  }
  out.resize(entry->floats.size() / sizeof(float));
  std::memcpy(out.data(), entry->floats.data(), entry->floats.size());
  const bool again = std::any_of(taken_.begin(), taken_.end(), [&](const Taken& taken) {
    return taken.text == hash && taken.embedder == embedder;
  });
  if (!again) taken_.push_back({embedder, hash, entry->floats});
  return {};
}

std::vector<uint8_t> TableVectors::taken() const {
  if (taken_.empty()) return {};
  // One list for each vector, since a document has few.
  ByteWriter out;
  out.put(kVectorsMagic);
  out.put(static_cast<uint32_t>(taken_.size()));
  for (const Taken& taken : taken_) {
    out.put_string(taken.embedder);
    out.put(static_cast<uint32_t>(taken.floats.size() / sizeof(float)));
    out.put(uint32_t{1});
    out.put(taken.text.high);
    out.put(taken.text.low);
    out.put(EntryKind::kVector);
    out.put_bytes(taken.floats);
  }
  return out.take();
}

}  // namespace quarry
