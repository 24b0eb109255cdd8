#include "engine/check/lost_sections.h"

#include <algorithm>
#include <string_view>

#include "json/value.h"
#include "store/lz4_block.h"

namespace quarry {
namespace {

// Of section_file.cc: sections begin at multiples of 64, the first of them behind the header.
constexpr size_t kAlignment = 64;
// Of stored_source.cc.
constexpr uint32_t kSourceMagic = 0x43525351;
constexpr uint16_t kSourceVersion = 1;
constexpr size_t kSourceHead = 16;
/// Where none of so many blocks decompresses to documents, there are no blocks.
constexpr uint32_t kTriedBlocks = 16;
/// The first document begins within so many bytes of its block.
constexpr size_t kBlockStart = 24;
/// More than this would be no block that a writer makes of one document.
constexpr uint32_t kLargestBlock = uint32_t{1} << 31;

/// An index of stored documents, read without its blocks.
class SourceIndex {
 public:
  /// Of no blocks when `bytes` do not begin with one.
  explicit SourceIndex(Bytes bytes) {
    ByteReader reader(bytes);
    if (reader.get<uint32_t>() != kSourceMagic || reader.get<uint16_t>() != kSourceVersion) return;
    reader.get<uint16_t>();
    const uint64_t docs = reader.get<uint32_t>();
    const uint64_t blocks = reader.get<uint32_t>();
    const uint64_t length = kSourceHead + (blocks + 1) * 12 + blocks * 4 + docs * 2;
    if (reader.failed() || docs == 0 || blocks == 0 || length > bytes.size()) return;
    bytes_ = bytes.first(static_cast<size_t>(length));
    docs_ = static_cast<uint32_t>(docs);
    blocks_ = static_cast<uint32_t>(blocks);
    if (!ascending()) blocks_ = 0;
  }
  uint32_t blocks() const { return blocks_; }
  uint32_t docs() const { return docs_; }
  Bytes bytes() const { return bytes_; }
  uint64_t offset(uint32_t block) const { return at<uint64_t>(kSourceHead + size_t{8} * block); }
  uint32_t first_doc(uint32_t block) const {
    return at<uint32_t>(kSourceHead + size_t{8} * (blocks_ + size_t{1}) + size_t{4} * block);
  }
  uint32_t raw_size(uint32_t block) const {
    return at<uint32_t>(kSourceHead + size_t{12} * (blocks_ + size_t{1}) + size_t{4} * block);
  }
  uint16_t end(uint32_t doc) const { return at<uint16_t>(bytes_.size() - size_t{2} * (docs_ - doc)); }

 private:
  template <typename T>
  T at(size_t offset) const {
    return load<T>(bytes_.data() + offset);
  }
  bool ascending() const {
    if (offset(0) != 0 || first_doc(0) != 0 || first_doc(blocks_) != docs_) return false;
    for (uint32_t i = 0; i < blocks_; i++) {
      if (offset(i) > offset(i + 1) || first_doc(i) >= first_doc(i + 1)) return false;
    }
    return true;
  }

  Bytes bytes_;
  uint32_t docs_ = 0;
  uint32_t blocks_ = 0;
};

/// Whether the documents of `block` are there, should the blocks begin with `blocks`.
bool holds_documents(Bytes blocks, const SourceIndex& index, uint32_t block) {
  const uint64_t begin = index.offset(block);
  const uint64_t end = index.offset(block + 1);
  const uint32_t raw_size = index.raw_size(block);
  if (end > blocks.size() || raw_size > std::min((end - begin) * kLz4MaxExpansion, uint64_t{kLargestBlock})) {
    return false;
  }
  const Bytes stored = blocks.subspan(begin, end - begin);
  std::vector<uint8_t> raw(stored.begin(), stored.end());
  if (stored.size() != raw_size) {
    raw.resize(raw_size);
    if (!lz4_decompress(stored, raw)) return false;
  }
  size_t from = 0;
  for (uint32_t doc = index.first_doc(block); doc < index.first_doc(block + 1); doc++) {
    const size_t to = doc + 1 == index.first_doc(block + 1) ? raw.size() : index.end(doc);
    if (to < from || to > raw.size()) return false;
    const auto json = JsonValue::parse(as_text(Bytes(raw).subspan(from, to - from)), kMaxJsonDepth * 4);
    if (!json.ok() || !json->is_object()) return false;
    from = to;
  }
  return true;
}

/// Cheap, because most places are wrong. LZ4 begins with a token and the document's own bytes.
bool may_begin(Bytes blocks) {
  const Bytes start = blocks.first(std::min(blocks.size(), kBlockStart));
  return std::find(start.begin(), start.end(), '{') != start.end();
}

bool begins(Bytes blocks, const SourceIndex& index) {
  // Should the first one be damaged, others may be whole.
  for (uint32_t i = 0; i < std::min(index.blocks(), kTriedBlocks); i++) {
    if (holds_documents(blocks, index, i)) return true;
  }
  return false;
}

}  // namespace

Bytes find_source_index(Bytes sidx) {
  for (size_t at = kAlignment; at < sidx.size(); at += kAlignment) {
    const SourceIndex index(sidx.subspan(at));
    if (index.blocks() > 0) return index.bytes();
  }
  return {};
}

std::optional<StoredSource> find_stored(Bytes data, Bytes index_bytes, std::vector<uint8_t>& room) {
  const SourceIndex index(index_bytes);
  if (index.blocks() == 0) return std::nullopt;
  const uint64_t length = index.offset(index.blocks());
  for (size_t at = kAlignment; at < data.size(); at += kAlignment) {
    Bytes blocks = data.subspan(at);
    if (!may_begin(blocks) || !begins(blocks, index)) continue;
    if (blocks.size() < length) {
      room.assign(blocks.begin(), blocks.end());
      room.resize(static_cast<size_t>(length));
      blocks = room;
    }
    auto stored = StoredSource::open(blocks.first(static_cast<size_t>(length)), index.bytes(), index.docs());
    if (stored.ok()) return std::move(*stored);
  }
  return std::nullopt;
}

std::optional<IdTable> find_id_table(Bytes ids) {
  if (ids.size() <= kAlignment) return std::nullopt;
  const Bytes section = ids.subspan(kAlignment);
  // Behind it come padding, one row of the table and the tail, or what is left of them.
  const size_t most = std::min(3 * kAlignment, section.size());
  for (size_t behind = 0; behind <= most; behind++) {
    auto table = IdTable::open(section.first(section.size() - behind));
    if (table.ok()) return std::move(*table);
  }
  return std::nullopt;
}

}  // namespace quarry
