#include "shard/manifest.h"

#include <algorithm>

#include "base/crc32c.h"

namespace quarry {
namespace {

enum class LiveKind : uint8_t { kAll = 0, kDeletedList = 1, kBits = 2 };

/// Share of deleted documents below which a list is smaller: a list takes at most a few bytes per
/// deleted document, bits take an eighth of a byte per document.
constexpr uint32_t kListShare = 32;

void put_live(ByteWriter& out, const ManifestSegment& segment) {
  const uint32_t deleted = segment.docs - segment.live_count;
  if (segment.live == nullptr || deleted == 0) {
    out.put(LiveKind::kAll);
    return;
  }
  if (deleted > segment.docs / kListShare) {
    out.put(LiveKind::kBits);
    for (const uint64_t word : segment.live->words()) out.put(word);
    return;
  }
  out.put(LiveKind::kDeletedList);
  out.put_varint(deleted);
  Bitset dead = *segment.live;
  dead.flip();
  uint32_t next = 0;
  for (uint32_t doc = dead.next(0); doc < dead.size(); doc = dead.next(doc + 1)) {
    out.put_varint(doc - next);
    next = doc + 1;
  }
}

bool get_deleted_list(ByteReader& reader, Bitset& live) {
  const uint64_t count = reader.get_varint();
  if (count > live.size()) return false;
  uint64_t next = 0;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t gap = reader.get_varint();
    if (reader.failed() || gap >= live.size() || next + gap >= live.size()) return false;
    live.clear(static_cast<uint32_t>(next + gap));
    next += gap + 1;
  }
  return true;
}

bool get_live(ByteReader& reader, ManifestSegment& segment) {
  const auto kind = reader.get<LiveKind>();
  segment.live_count = segment.docs;
  if (kind == LiveKind::kAll) return true;
  Bitset live;
  if (kind == LiveKind::kBits) {
    const Bytes words = reader.get_bytes((size_t{segment.docs} + 63) / 64 * 8);
    if (reader.failed()) return false;
    std::vector<uint64_t> values(words.size() / 8);
    std::copy_n(words.data(), words.size(), reinterpret_cast<uint8_t*>(values.data()));
    live = Bitset(std::move(values), segment.docs);
  } else {
    // The checksum has been verified, so the number of documents can be trusted for the allocation.
    live = Bitset(segment.docs, true);
    if (kind != LiveKind::kDeletedList || !get_deleted_list(reader, live)) return false;
  }
  segment.live_count = live.count();
  segment.live = std::make_shared<const Bitset>(std::move(live));
  return true;
}

bool get_segment(ByteReader& reader, uint32_t version, ManifestSegment& segment) {
  segment.file_number = reader.get<uint64_t>();
  segment.bytes = reader.get<uint64_t>();
  segment.docs = reader.get<uint32_t>();
  if (version >= 2) {
    segment.vectors.count = reader.get_varint();
    segment.vectors.row_bytes = reader.get_varint();
    segment.vectors.code_bytes = reader.get_varint();
    segment.vectors.graph_bytes = reader.get_varint();
  }
  return segment.file_number != 0 && get_live(reader, segment) && !reader.failed();
}

std::pair<std::string, Tombstone> get_tombstone(ByteReader& reader) {
  std::pair<std::string, Tombstone> item;
  item.first = reader.get_string();
  item.second.version.version = reader.get<uint64_t>();
  item.second.version.seq_no = reader.get<uint64_t>();
  item.second.version.primary_term = reader.get<uint32_t>();
  item.second.deleted_at_ms = reader.get<int64_t>();
  return item;
}

Status corrupt_manifest(std::string_view what) {
  return {ErrorType::kCorrupt, "the manifest " + std::string(what)};
}

}  // namespace

std::vector<uint8_t> encode_manifest(const Manifest& manifest) {
  ByteWriter out;
  out.put(kManifestMagic);
  out.put(kManifestVersion);
  out.put(manifest.covered);
  out.put(manifest.next_file_number);
  out.put(static_cast<uint32_t>(manifest.segments.size()));
  for (const ManifestSegment& segment : manifest.segments) {
    out.put(segment.file_number);
    out.put(segment.bytes);
    out.put(segment.docs);
    out.put_varint(segment.vectors.count);
    out.put_varint(segment.vectors.row_bytes);
    out.put_varint(segment.vectors.code_bytes);
    out.put_varint(segment.vectors.graph_bytes);
    put_live(out, segment);
  }
  out.put(static_cast<uint32_t>(manifest.tombstones.size()));
  for (const auto& [id, tombstone] : manifest.tombstones) {
    out.put_string(id);
    out.put(tombstone.version.version);
    out.put(tombstone.version.seq_no);
    out.put(tombstone.version.primary_term);
    out.put(tombstone.deleted_at_ms);
  }
  out.put(crc32c(out.view()));
  return out.take();
}

Result<Manifest> decode_manifest(Bytes bytes) {
  constexpr size_t kCrcBytes = sizeof(uint32_t);
  if (bytes.size() < kCrcBytes) return corrupt_manifest("is cut off");
  const Bytes content = bytes.first(bytes.size() - kCrcBytes);
  if (crc32c(content) != load<uint32_t>(bytes.data() + content.size())) {
    return corrupt_manifest("does not match its checksum");
  }
  ByteReader reader(content);
  if (reader.get<uint64_t>() != kManifestMagic) return corrupt_manifest("has an unknown format");
  const auto version = reader.get<uint32_t>();
  if (version == 0 || version > kManifestVersion) {
    return corrupt_manifest("has version [" + std::to_string(version) +
                            "], this release reads up to [" + std::to_string(kManifestVersion) +
                            "]");
  }
  Manifest manifest;
  manifest.covered = reader.get<uint64_t>();
  manifest.next_file_number = reader.get<uint64_t>();
  const auto segments = reader.get<uint32_t>();
  for (uint32_t i = 0; i < segments && !reader.failed(); i++) {
    if (!get_segment(reader, version, manifest.segments.emplace_back())) {
      return corrupt_manifest("has a bad segment");
    }
  }
  const auto tombstones = reader.get<uint32_t>();
  for (uint32_t i = 0; i < tombstones && !reader.failed(); i++) {
    manifest.tombstones.push_back(get_tombstone(reader));
  }
  if (reader.failed() || !reader.done()) return corrupt_manifest("has the wrong length");
  return manifest;
}

}  // namespace quarry
