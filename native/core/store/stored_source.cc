// Format of the two sections. All integers little-endian.
//
// blocks: the blocks one after another.
//   version 1: each is LZ4 (lz4_block.h), or raw where LZ4 would not be smaller.
//   version 2 (packed_source.h): varint size of the text, varint bytes that it takes here, varint
//     number of its dictionary (0: none; from 1 on), the text as LZ4 with that dictionary, or raw
//     when both sizes are equal. Then the runs for the marks in the text (number_runs.h), in their
//     order, to the end of the block.
// index:
//   u32 magic "QSRC", u16 version, u16 zero
//   u32 documents, u32 blocks B
//   version 2: u32 dictionaries D, u32 zero
//   u64 offset[B + 1]     into `blocks`, ascending from 0; the last one is the length of `blocks`
//   u32 first_doc[B + 1]  strictly ascending from 0; the last one is the number of documents
//   version 1: u32 raw_size[B]   bytes of the block once decompressed; equal to the stored length:
//                         the block is raw
//   version 2: u32 dictionary_end[D]   offset in the dictionaries, which end the index; ascending
//                         by at most 65,535
//   u16 end[documents]    where the document ends in its raw block, or in its text; not descending
//                         within a block. The last document of a block ends at the block's end,
//                         whatever is stored here (the end of a long document in a block of its
//                         own does not fit 16 bits).
//   version 2: the dictionaries
#include "store/stored_source.h"

#include <algorithm>
#include <utility>

#include "store/lz4_block.h"

namespace quarry {
namespace {

constexpr uint32_t kStoredSourceMagic = 0x43525351;  // "QSRC"
constexpr uint16_t kStoredSourceVersion = 1;
constexpr uint16_t kPackedVersion = 2;
/// Limit of a text, equal to that of a document.
constexpr uint64_t kMaxRawBytes = uint64_t{1} << 31;
constexpr size_t kSinkBytes = size_t{1} << 20;
static_assert(StoredSourceWriter::kBlockBytes <= UINT16_MAX, "ends are 16 bits");

Status corrupt_source(const std::string& what) {
  return {ErrorType::kCorrupt, "stored source: " + what};
}

Status broken(uint32_t doc) {
  return corrupt_source("the block of document " + std::to_string(doc) + " does not decompress");
}

}  // namespace

struct StoredSourceWriter::State {
  ByteSink sink;
  uint64_t sunk = 0;            // bytes passed to the sink
  std::vector<uint8_t> blocks;  // blocks not passed to the sink yet
  std::vector<uint64_t> offsets{0};
  std::vector<uint32_t> first_docs{0};
  std::vector<uint32_t> raw_sizes;
  std::vector<uint16_t> ends;
  std::string open;  // the block being filled

  void add_end() { ends.push_back(static_cast<uint16_t>(open.size())); }
  bool block_is_open() const { return first_docs.back() != ends.size(); }
  void close_block() {
    if (!block_is_open()) return;
    if (!lz4_compress(as_bytes(open), blocks)) {
      const Bytes raw = as_bytes(open);
      blocks.insert(blocks.end(), raw.begin(), raw.end());
    }
    end_block(static_cast<uint32_t>(open.size()));
    open.clear();
  }
  void end_block(uint32_t raw_size) {
    raw_sizes.push_back(raw_size);
    offsets.push_back(sunk + blocks.size());
    first_docs.push_back(static_cast<uint32_t>(ends.size()));
    if (sink != nullptr && blocks.size() >= kSinkBytes) sink_blocks();
  }
  void sink_blocks() {
    sink(blocks);
    sunk += blocks.size();
    blocks.clear();
  }
};

StoredSourceWriter::StoredSourceWriter(ByteSink sink) : state_(std::make_unique<State>()) {
  state_->sink = std::move(sink);
}
StoredSourceWriter::~StoredSourceWriter() = default;

void StoredSourceWriter::add(std::string_view source) {
  State& state = *state_;
  if (state.block_is_open() && state.open.size() + source.size() > kBlockBytes) state.close_block();
  state.open.append(source);
  state.add_end();
  if (state.open.size() >= kBlockBytes) state.close_block();
}

void StoredSourceWriter::add_block(const StoredBlock& block) {
  State& state = *state_;
  state.close_block();
  state.blocks.insert(state.blocks.end(), block.bytes.begin(), block.bytes.end());
  for (uint32_t i = 0; i < block.doc_count; i++) {
    state.ends.push_back(load<uint16_t>(block.ends.data() + size_t{2} * i));
  }
  state.end_block(block.raw_size);
}

StoredSections StoredSourceWriter::finish() {
  State& state = *state_;
  state.close_block();
  if (state.sink != nullptr) state.sink_blocks();
  ByteWriter index;
  index.reserve(16 + state.offsets.size() * 16 + state.ends.size() * 2);
  index.put(kStoredSourceMagic);
  index.put(kStoredSourceVersion);
  index.put(uint16_t{0});
  index.put(static_cast<uint32_t>(state.ends.size()));
  index.put(static_cast<uint32_t>(state.raw_sizes.size()));
  for (const uint64_t offset : state.offsets) index.put(offset);
  for (const uint32_t doc : state.first_docs) index.put(doc);
  for (const uint32_t size : state.raw_sizes) index.put(size);
  for (const uint16_t end : state.ends) index.put(end);
  return {std::move(state.blocks), index.take()};
}

/// Locates the parts of an index without checking their content. Other bytes may follow the index.
Status StoredSource::read_index(Bytes index) {
  ByteReader reader(index);
  if (reader.get<uint32_t>() != kStoredSourceMagic)
    return corrupt_source("the index has a wrong magic number");
  const auto version = reader.get<uint16_t>();
  if (version != kStoredSourceVersion && version != kPackedVersion) {
    return corrupt_source("unknown version " + std::to_string(version));
  }
  if (reader.get<uint16_t>() != 0) return corrupt_source("reserved bytes are not zero");
  packed_ = version == kPackedVersion;
  max_doc_ = reader.get<uint32_t>();
  block_count_ = reader.get<uint32_t>();
  if (packed_) {
    dictionary_count_ = reader.get<uint32_t>();
    if (reader.get<uint32_t>() != 0) return corrupt_source("reserved bytes are not zero");
  }
  const size_t block_count = block_count_;
  offsets_ = reader.get_bytes((block_count + 1) * 8).data();
  first_docs_ = reader.get_bytes((block_count + 1) * 4).data();
  if (packed_) {
    dictionary_ends_ = reader.get_bytes(size_t{dictionary_count_} * 4).data();
  } else {
    raw_sizes_ = reader.get_bytes(block_count * 4).data();
  }
  ends_ = reader.get_bytes(size_t{2} * max_doc_).data();
  if (dictionary_count_ > 0 && !reader.failed()) {
    dictionaries_ =
        reader.get_bytes(load<uint32_t>(dictionary_ends_ + size_t{4} * (dictionary_count_ - 1)));
  }
  if (reader.failed()) return corrupt_source("the index has a wrong length");
  index_bytes_ = reader.position();
  return check_dictionaries();
}

Status StoredSource::check_dictionaries() const {
  uint32_t begin = 0;
  for (uint32_t i = 0; i < dictionary_count_; i++) {
    const auto end = load<uint32_t>(dictionary_ends_ + size_t{4} * i);
    if (end < begin || end - begin > kLz4Window)
      return corrupt_source("dictionaries have impossible bounds");
    begin = end;
  }
  return {};
}

Result<StoredSource> StoredSource::open(Bytes blocks, Bytes index, uint32_t max_doc) {
  StoredSource stored;
  QUARRY_RETURN_IF_ERROR(stored.read_index(index));
  if (stored.index_bytes_ != index.size()) return corrupt_source("the index has a wrong length");
  if (stored.max_doc_ != max_doc)
    return corrupt_source("holds another number of documents than the segment");
  stored.blocks_ = blocks;
  QUARRY_RETURN_IF_ERROR(stored.check_blocks());
  if (stored.expected_bytes() != blocks.size())
    return corrupt_source("the blocks have another length");
  return stored;
}

StoredSource StoredSource::of_index(Bytes index) {
  StoredSource stored;
  if (!stored.read_index(index).ok() || !stored.check_blocks().ok()) return {};
  return stored;
}

Bytes StoredSource::find_index(Bytes bytes) {
  StoredSource stored;
  const bool found =
      stored.read_index(bytes).ok() && stored.block_count_ > 0 && stored.check_blocks().ok();
  return found ? bytes.first(stored.index_bytes_) : Bytes();
}

uint64_t StoredSource::expected_bytes() const {
  return offsets_ == nullptr ? 0 : load<uint64_t>(offsets_ + size_t{8} * block_count_);
}

/// Checks the block table except the ends of the blocks.
Status StoredSource::check_blocks() const {
  if (load<uint64_t>(offsets_) != 0 || load<uint32_t>(first_docs_) != 0) {
    return corrupt_source("the first block does not start at 0");
  }
  for (uint32_t i = 0; i < block_count_; i++) {
    const auto begin = load<uint64_t>(offsets_ + size_t{8} * i);
    const auto end = load<uint64_t>(offsets_ + size_t{8} * i + 8);
    const auto first = load<uint32_t>(first_docs_ + size_t{4} * i);
    const auto next = load<uint32_t>(first_docs_ + size_t{4} * i + 4);
    bool sane = begin <= end && first < next && next <= max_doc_;
    if (!packed_) {
      const auto raw = load<uint32_t>(raw_sizes_ + size_t{4} * i);
      sane = sane && end - begin <= raw && raw <= (end - begin) * kLz4MaxExpansion;
    }
    if (!sane) return corrupt_source("block " + std::to_string(i) + " has impossible bounds");
  }
  const bool complete = load<uint32_t>(first_docs_ + size_t{4} * block_count_) == max_doc_;
  return complete ? Status() : corrupt_source("the blocks do not cover all documents");
}

Bytes StoredSource::dictionary(uint32_t number) const {
  const auto end_of = [this](uint32_t i) {
    return load<uint32_t>(dictionary_ends_ + size_t{4} * i);
  };
  const uint32_t begin = number == 1 ? 0 : end_of(number - 2);
  const uint32_t end = end_of(number - 1);
  // As in block(): checked when opened, but the file may have been cut since then.
  return begin <= end && end <= dictionaries_.size() ? dictionaries_.subspan(begin, end - begin)
                                                     : Bytes();
}

StoredBlock StoredSource::block(uint32_t index) const {
  StoredBlock block;
  const auto begin = load<uint64_t>(offsets_ + size_t{8} * index);
  const auto end = load<uint64_t>(offsets_ + size_t{8} * index + 8);
  const auto first = load<uint32_t>(first_docs_ + size_t{4} * index);
  const auto next = load<uint32_t>(first_docs_ + size_t{4} * index + 4);
  // open() has checked the order; a mapped file that was cut since then reads as zeros.
  if (begin > end || end > blocks_.size() || first >= next || next > max_doc_) return block;
  const Bytes bytes = blocks_.subspan(begin, end - begin);
  if (packed_) {
    if (!read_head(bytes, block)) return {};
  } else {
    block.raw_size = load<uint32_t>(raw_sizes_ + size_t{4} * index);
    block.bytes = bytes;
  }
  block.first_doc = first;
  block.doc_count = next - first;
  block.ends = {ends_ + size_t{2} * block.first_doc, size_t{2} * block.doc_count};
  return block;
}

/// Reads the head of a packed block.
bool StoredSource::read_head(Bytes bytes, StoredBlock& block) const {
  ByteReader reader(bytes);
  const uint64_t raw_size = reader.get_varint();
  const uint64_t stored_size = reader.get_varint();
  const uint64_t dictionary = reader.get_varint();
  if (stored_size > reader.remaining() || stored_size > raw_size ||
      raw_size > std::min(stored_size * kLz4MaxExpansion, kMaxRawBytes) ||
      dictionary > dictionary_count_) {
    return false;
  }
  block.raw_size = static_cast<uint32_t>(raw_size);
  block.dictionary = static_cast<uint32_t>(dictionary);
  block.bytes = reader.get_bytes(static_cast<size_t>(stored_size));
  block.runs = reader.get_bytes(reader.remaining());
  return !reader.failed();
}

uint32_t StoredSource::block_of(uint32_t doc) const {
  uint32_t low = 0;
  uint32_t high = block_count_ - 1;
  while (low < high) {  // the last block that starts at or before `doc`
    const uint32_t middle = high - (high - low) / 2;
    if (load<uint32_t>(first_docs_ + size_t{4} * middle) <= doc) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

Result<StoredSource::Slice> StoredSource::slice(const StoredBlock& block, uint32_t doc) const {
  const uint32_t at = doc - block.first_doc;
  if (doc < block.first_doc || at >= block.doc_count) {
    return corrupt_source("the block of document " + std::to_string(doc) +
                          " cannot be read any more");
  }
  Slice slice;
  if (at > 0) slice.begin = load<uint16_t>(block.ends.data() + size_t{2} * (at - 1));
  const bool last = at + 1 == block.doc_count;
  slice.end = last ? block.raw_size : load<uint16_t>(block.ends.data() + size_t{2} * at);
  if (slice.begin <= slice.end && slice.end <= block.raw_size) return slice;
  return corrupt_source("document " + std::to_string(doc) + " has impossible bounds");
}

Bytes StoredSource::dictionary_of(const StoredBlock& block) const {
  return block.dictionary == 0 ? Bytes() : dictionary(block.dictionary);
}

Status StoredSource::get(uint32_t doc, std::string& out) const {
  if (doc >= max_doc_) return corrupt_source("there is no document " + std::to_string(doc));
  const StoredBlock block = this->block(block_of(doc));
  QUARRY_ASSIGN_OR_RETURN(const Slice slice, this->slice(block, doc));
  std::unique_ptr<uint8_t[]> room;
  Bytes raw = block.bytes;
  if (raw.size() != block.raw_size) {
    // Only the part up to the end of the document is decompressed.
    room = std::make_unique_for_overwrite<uint8_t[]>(slice.end);
    const std::span<uint8_t> start(room.get(), slice.end);
    if (!lz4_decompress_start(block.bytes, start, dictionary_of(block))) return broken(doc);
    raw = start;
  }
  const std::string_view text = as_text(raw.subspan(slice.begin, slice.end - slice.begin));
  if (block.runs.empty()) {
    out.append(text);
    return {};
  }
  NumberUnpacker unpacker(block.runs);
  if (unpacker.skip(as_text(raw.first(slice.begin))) && unpacker.unpack(text, out)) return {};
  return corrupt_source("the numbers of document " + std::to_string(doc) + " cannot be read");
}

Result<std::string_view> StoredSource::Cursor::get(uint32_t doc) {
  if (doc >= stored_->max_doc_)
    return corrupt_source("there is no document " + std::to_string(doc));
  const uint32_t index = stored_->block_of(doc);
  const StoredBlock block = stored_->block(index);
  QUARRY_ASSIGN_OR_RETURN(const Slice slice, stored_->slice(block, doc));
  const bool raw = block.bytes.size() == block.raw_size;
  if (index != block_) {
    block_ = UINT32_MAX;
    bytes_.resize(raw ? 0 : block.raw_size);
    if (!raw && !lz4_decompress(block.bytes, bytes_, stored_->dictionary_of(block)))
      return broken(doc);
    block_ = index;
    unpacked_ = UINT32_MAX;
  }
  const std::string_view all = as_text(raw ? block.bytes : Bytes(bytes_));
  const std::string_view text = all.substr(slice.begin, slice.end - slice.begin);
  if (block.runs.empty()) return text;
  if (unpacked_ > slice.begin) {
    unpacker_ = NumberUnpacker(block.runs);
    unpacked_ = 0;
  }
  document_.clear();
  const bool read = unpacker_.skip(all.substr(unpacked_, slice.begin - unpacked_)) &&
                    unpacker_.unpack(text, document_);
  unpacked_ = read ? slice.end : UINT32_MAX;
  if (!read)
    return corrupt_source("the numbers of document " + std::to_string(doc) + " cannot be read");
  return std::string_view(document_);
}

}  // namespace quarry
