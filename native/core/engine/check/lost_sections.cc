#include "engine/check/lost_sections.h"

#include <algorithm>
#include <string_view>

#include "json/value.h"

namespace quarry {
namespace {

// As in section_file.cc: sections begin at multiples of 64, the first one after the header.
constexpr size_t kAlignment = 64;
/// When none of this many blocks decompresses to documents, the place holds no blocks.
constexpr uint32_t kTriedBlocks = 16;
/// The first document begins within this many bytes of its block.
constexpr size_t kBlockStart = 24;

/// Whether all documents of `block` decompress.
bool holds_documents(const StoredSource& stored, StoredSource::Cursor& cursor, uint32_t index) {
  const StoredBlock block = stored.block(index);
  for (uint32_t i = 0; i < block.doc_count; i++) {
    const auto source = cursor.get(block.first_doc + i);
    if (!source.ok()) return false;
    const auto json = JsonValue::parse(*source, kMaxJsonDepth * 4);
    if (!json.ok() || !json->is_object()) return false;
  }
  return block.doc_count > 0;
}

/// A cheap test, because most places are wrong. An unpacked block is LZ4, which begins with a token
/// and the bytes of the document itself; a packed block has a header that is checked elsewhere.
bool may_begin(const StoredSource& stored, Bytes blocks) {
  if (stored.packed()) return true;
  const Bytes start = blocks.first(std::min(blocks.size(), kBlockStart));
  return std::find(start.begin(), start.end(), '{') != start.end();
}

bool begins(const StoredSource& stored) {
  StoredSource::Cursor cursor(stored);
  // If the first block is damaged, others may be intact.
  for (uint32_t i = 0; i < std::min(stored.block_count(), kTriedBlocks); i++) {
    if (holds_documents(stored, cursor, i)) return true;
  }
  return false;
}

}  // namespace

Bytes find_source_index(Bytes sidx) {
  for (size_t at = kAlignment; at < sidx.size(); at += kAlignment) {
    const Bytes index = StoredSource::find_index(sidx.subspan(at));
    if (!index.empty()) return index;
  }
  return {};
}

std::optional<StoredSource> find_stored(Bytes data, Bytes index, std::vector<uint8_t>& room) {
  StoredSource tried = StoredSource::of_index(index);
  if (tried.block_count() == 0) return std::nullopt;
  const uint64_t length = tried.expected_bytes();
  for (size_t at = kAlignment; at < data.size(); at += kAlignment) {
    Bytes blocks = data.subspan(at);
    tried.try_blocks(blocks);
    if (!may_begin(tried, blocks) || !begins(tried)) continue;
    if (blocks.size() < length) {
      room.assign(blocks.begin(), blocks.end());
      room.resize(static_cast<size_t>(length));
      blocks = room;
    }
    auto stored =
        StoredSource::open(blocks.first(static_cast<size_t>(length)), index, tried.max_doc());
    if (stored.ok()) return std::move(*stored);
  }
  return std::nullopt;
}

std::optional<IdTable> find_id_table(Bytes ids) {
  if (ids.size() <= kAlignment) return std::nullopt;
  const Bytes section = ids.subspan(kAlignment);
  // The section is followed by padding, one row of the table and the tail, or by the remains of
  // them.
  const size_t most = std::min(3 * kAlignment, section.size());
  for (size_t behind = 0; behind <= most; behind++) {
    auto table = IdTable::open(section.first(section.size() - behind));
    if (table.ok()) return std::move(*table);
  }
  return std::nullopt;
}

}  // namespace quarry
