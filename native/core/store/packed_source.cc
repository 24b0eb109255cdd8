// Writes the format that stored_source.cc describes as version 2.
#include "store/packed_source.h"

#include <utility>

namespace quarry {
namespace {

constexpr uint32_t kPackedSourceMagic = 0x43525351;  // "QSRC"
constexpr uint16_t kPackedSourceVersion = 2;
constexpr size_t kPackedSinkBytes = size_t{1} << 20;
static_assert(PackedSourceWriter::kTextBytes <= UINT16_MAX, "ends are 16 bits");

}  // namespace

PackedSourceWriter::PackedSourceWriter(std::string dictionary, ByteSink sink)
    : dictionary_(std::move(dictionary)), lz4_(as_bytes(dictionary_)), sink_(std::move(sink)) {
  if (dictionary_.empty()) return;
  dictionaries_ = dictionary_;
  dictionary_ends_.push_back(static_cast<uint32_t>(dictionaries_.size()));
}

uint32_t PackedSourceWriter::add_dictionaries(const StoredSource& stored) {
  const auto added = static_cast<uint32_t>(dictionary_ends_.size());
  for (uint32_t number = 1; number <= stored.dictionary_count(); number++) {
    dictionaries_.append(as_text(stored.dictionary(number)));
    dictionary_ends_.push_back(static_cast<uint32_t>(dictionaries_.size()));
  }
  return added;
}

void PackedSourceWriter::add(std::string_view source) {
  next_text_.clear();
  next_runs_.clear();
  numbers_.pack(source, next_text_, next_runs_);
  if (text_.size() + next_text_.size() > kTextBytes) close_block();
  text_.append(next_text_);
  runs_.insert(runs_.end(), next_runs_.begin(), next_runs_.end());
  ends_.push_back(static_cast<uint16_t>(text_.size()));
  if (text_.size() >= kTextBytes || runs_.size() >= kRunBytes) close_block();
}

void PackedSourceWriter::close_block() {
  if (first_docs_.back() == ends_.size()) return;
  packed_.clear();
  const bool smaller = lz4_.compress(as_bytes(text_), packed_);
  const Bytes stored = smaller ? Bytes(packed_) : as_bytes(text_);
  ByteWriter head;
  head.put_varint(text_.size());
  head.put_varint(stored.size());
  head.put_varint(smaller && !dictionary_.empty() ? 1 : 0);
  for (const Bytes part : {head.view(), stored, Bytes(runs_)}) {
    blocks_.insert(blocks_.end(), part.begin(), part.end());
  }
  text_.clear();
  runs_.clear();
  end_block();
}

void PackedSourceWriter::end_block() {
  offsets_.push_back(sunk_ + blocks_.size());
  first_docs_.push_back(static_cast<uint32_t>(ends_.size()));
  if (sink_ == nullptr || blocks_.size() < kPackedSinkBytes) return;
  sink_(blocks_);
  sunk_ += blocks_.size();
  blocks_.clear();
}

void PackedSourceWriter::add_block(const StoredBlock& block, uint32_t added) {
  close_block();
  ByteWriter head;
  head.put_varint(block.raw_size);
  head.put_varint(block.bytes.size());
  head.put_varint(block.dictionary == 0 ? 0 : block.dictionary + added);
  for (const Bytes part : {head.view(), block.bytes, block.runs}) {
    blocks_.insert(blocks_.end(), part.begin(), part.end());
  }
  for (uint32_t i = 0; i < block.doc_count; i++) {
    ends_.push_back(load<uint16_t>(block.ends.data() + size_t{2} * i));
  }
  end_block();
}

StoredSections PackedSourceWriter::finish() {
  close_block();
  if (sink_ != nullptr) {
    sink_(blocks_);
    blocks_.clear();
  }
  ByteWriter index;
  index.reserve(24 + offsets_.size() * 12 + dictionary_ends_.size() * 4 + ends_.size() * 2 +
                dictionaries_.size());
  index.put(kPackedSourceMagic);
  index.put(kPackedSourceVersion);
  index.put(uint16_t{0});
  index.put(static_cast<uint32_t>(ends_.size()));
  index.put(static_cast<uint32_t>(first_docs_.size() - 1));
  index.put(static_cast<uint32_t>(dictionary_ends_.size()));
  index.put(uint32_t{0});
  for (const uint64_t offset : offsets_) index.put(offset);
  for (const uint32_t doc : first_docs_) index.put(doc);
  for (const uint32_t end : dictionary_ends_) index.put(end);
  for (const uint16_t end : ends_) index.put(end);
  index.put_bytes(dictionaries_);
  return {std::move(blocks_), index.take()};
}

}  // namespace quarry
