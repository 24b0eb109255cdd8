#include "postings/postings.h"

#include <algorithm>

#include "postings/doc_block.h"

namespace quarry {
namespace {

// The largest number that count_below() can compare.
constexpr uint32_t kBehindAll = std::numeric_limits<int32_t>::max();

}  // namespace

void PostingsCursor::reset(const PostingsSource& source, const TermInfo& info) {
  source_ = &source;
  info_ = info;
  doc_ = kNoMoreDocs;
  block_ = kBeforeFirst;
  index_ = kBeforeFirst;
  ready_ = 0;
  view_ = 0;
  block_count_ = (info.doc_freq + kBlockDocs - 1) / kBlockDocs;
  docs_of_ = freqs_of_ = starts_of_ = counted_ = kNotLoaded;
  single_last_ = info.doc_freq == 1 ? info.doc : source.max_doc - 1;
  single_impacts_ = 0;
  work_ = {};
}

uint32_t PostingsCursor::size_of(uint32_t block) const {
  return std::min(kBlockDocs, info_.doc_freq - block * kBlockDocs);
}

void PostingsCursor::fail() {
  block_count_ = 0;
  ready_ = 0;
  docs_of_ = freqs_of_ = starts_of_ = kNotLoaded;
}

uint32_t PostingsCursor::end() {
  block_ = view_ = block_count_;
  index_ = kBeforeFirst;
  ready_ = 0;
  return doc_ = kNoMoreDocs;
}

// ---- documents ----

bool PostingsCursor::read_short(uint64_t at, uint32_t count, uint32_t before, uint32_t block) {
  uint32_t* freqs = source_->has_freqs ? freqs_ : nullptr;
  if (!get_short_block(source_->postings, at, count, before, source_->max_doc, docs_, freqs))
    return false;
  if (freqs != nullptr) freqs_of_ = block;
  return true;
}

bool PostingsCursor::read_single_head() {
  if (single_impacts_ != 0) return true;
  single_docs_at_ = info_.postings_offset;
  if (!source_->blocks.flags().impacts) {
    impacts_[0][0] = {1, 1};
    single_impacts_ = 1;
    return true;
  }
  if (info_.postings_offset > source_->postings.size()) return false;
  ByteReader reader(source_->postings.subspan(info_.postings_offset));
  const uint32_t count = reader.get<uint8_t>();
  if (count == 0 || count > kMaxImpacts) return false;
  for (uint32_t i = 0; i < count; ++i) {
    const auto norm = reader.get<uint8_t>();
    impacts_[0][i] = {static_cast<uint32_t>(reader.get_varint()), norm};
  }
  if (reader.failed()) return false;
  single_impacts_ = count;
  single_docs_at_ += reader.position();
  return true;
}

bool PostingsCursor::read_single_block() {
  if (info_.doc_freq == 1) {
    docs_[0] = info_.doc;
    freqs_[0] = static_cast<uint32_t>(std::min<uint64_t>(info_.total_term_freq, kNoMoreDocs));
    if (source_->has_freqs) freqs_of_ = 0;
    return true;
  }
  if (!read_single_head() || !read_short(single_docs_at_, info_.doc_freq, kNoDocBefore, 0))
    return false;
  single_last_ = docs_[info_.doc_freq - 1];
  return true;
}

bool PostingsCursor::read_docs(uint32_t block) {
  if (!blocked()) return read_single_block();
  const BlockTable& table = source_->blocks;
  const uint32_t before = block == 0 ? kNoDocBefore : last_doc(block - 1);
  const uint32_t count = size_of(block);
  const uint64_t at = table.postings_offset(entry(block));
  if (count == kBlockDocs) {
    return get_full_block(source_->postings, at, table.encoding(entry(block)), before,
                          last_doc(block), docs_);
  }
  return read_short(at, count, before, block) && docs_[count - 1] == last_doc(block);
}

void PostingsCursor::count_block(uint32_t block) {
  counted_ = block;
  work_.blocks++;
  if (blocked() && size_of(block) == kBlockDocs)
    work_.bytes += full_block_bytes(source_->blocks.encoding(entry(block)));
}

bool PostingsCursor::load_docs(uint32_t block) {
  if (docs_of_ == block) return true;
  if (block >= block_count_) return false;
  if (!read_docs(block)) {
    fail();
    return false;
  }
  // The entries after a short block are larger than any target, so that advance() can search a
  // whole block.
  const uint32_t size = size_of(block);
  if (size > kFewDocs) std::fill(docs_ + size, docs_ + kBlockDocs, kBehindAll);
  docs_of_ = block;
  ready_ = block == block_ ? size : 0;
  if (counted_ != block) count_block(block);
  return true;
}

uint32_t PostingsCursor::enter_block(uint32_t block, uint32_t index) {
  block_ = block;
  index_ = index;
  ready_ = size_of(block);
  view_ = std::max(view_, block);
  return doc_ = docs_[index];
}

uint32_t PostingsCursor::next_block() {
  // decode_block() may have replaced the block of doc_ in docs_.
  const bool inside = block_ < block_count_ && index_ + 1 < size_of(block_);
  const uint32_t block = inside ? block_ : block_ + 1;
  if (block >= block_count_ || !load_docs(block)) return end();
  return enter_block(block, inside ? index_ + 1 : 0);
}

uint32_t PostingsCursor::find_block(uint32_t from, uint32_t target) {
  if (from >= block_count_) return block_count_;
  if (!blocked()) {
    if (info_.doc_freq > 1 && !load_docs(0)) return block_count_;
    return single_last_ >= target ? 0 : block_count_;
  }
  if (last_doc(from) >= target) return from;
  // Galloping: `from` ends before the target; the step is doubled until a block does not.
  uint32_t step = 1;
  while (step < block_count_ - from && last_doc(from + step) < target) {
    from += step;
    step *= 2;
  }
  uint32_t first = from + 1;
  for (uint32_t left = std::min(step, block_count_ - from) - 1; left > 0;) {
    const uint32_t half = left / 2;
    const bool right = last_doc(first + half) < target;
    first = right ? first + half + 1 : first;
    left = right ? left - half - 1 : half;
  }
  return first;
}

uint32_t PostingsCursor::advance(uint32_t target) {
  const bool here = index_ + 1 < ready_ && target <= docs_[ready_ - 1];
  const uint32_t block = here ? block_ : find_block(block_ == kBeforeFirst ? 0 : block_, target);
  if (block >= block_count_ || !load_docs(block)) return end();
  const uint32_t count = size_of(block);
  if (count > kFewDocs) return enter_block(block, count_below(docs_, target));
  const uint32_t* found = std::lower_bound(docs_, docs_ + count, target);
  return enter_block(block, static_cast<uint32_t>(found - docs_));
}

// ---- frequencies and positions ----

void PostingsCursor::load_freqs(uint32_t block) {
  if (freqs_of_ == block) return;
  freqs_of_ = block;
  if (!source_->has_freqs) {
    std::fill(std::begin(freqs_), std::end(freqs_), 1);
    return;
  }
  // Short blocks contain their frequencies with their documents, so this block is full.
  const BlockTable& table = source_->blocks;
  const uint32_t at = entry(block);
  const uint64_t offset = table.postings_offset(at) + full_block_bytes(table.encoding(at));
  if (!get_patched(source_->postings, offset, kBlockDocs, table.freqs(at), freqs_)) {
    fail();
    std::fill(std::begin(freqs_), std::end(freqs_), 0);
  }
  work_.bytes += patched_bytes(kBlockDocs, table.freqs(at));
  for (uint32_t& freq : freqs_) freq++;
}

uint32_t PostingsCursor::load_freq() {
  if (doc_ == kNoMoreDocs || !source_->has_freqs || !load_docs(block_)) return 1;
  load_freqs(block_);
  return freqs_[index_];
}

bool PostingsCursor::load_positions() {
  if (!load_docs(block_)) return false;
  load_freqs(block_);
  if (block_count_ == 0) return false;
  if (starts_of_ == block_) return true;
  const uint32_t last = size_of(block_) - 1;
  std::fill(freqs_ + last + 1, freqs_ + kBlockDocs, 0);
  sum_before(freqs_, starts_);
  const uint64_t at =
      blocked() ? source_->blocks.positions_offset(entry(block_)) : info_.positions_offset;
  run_.reset(source_->positions, at, starts_[last] + freqs_[last]);
  starts_of_ = block_;
  return true;
}

std::span<const uint32_t> PostingsCursor::positions_in(std::vector<uint32_t>& buffer) {
  const bool whole = doc_ != kNoMoreDocs && block_ < block_count_ && source_->has_positions &&
                     info_.total_term_freq > 1;
  if (whole && ((starts_of_ == block_ && freqs_of_ == block_) || load_positions())) {
    const uint32_t count = freqs_[index_];
    if (const uint32_t* gaps = run_.gaps(starts_[index_], count); gaps != nullptr) {
      if (buffer.size() < count) buffer.resize(kBlockDocs);
      uint64_t position = 0;
      for (uint32_t i = 0; i < count; ++i) {
        position += gaps[i];
        buffer[i] = static_cast<uint32_t>(position);
      }
      work_.positions += count;
      if (position <= kNoMoreDocs) return std::span(buffer).first(count);
      fail();
      return {};
    }
  }
  buffer.clear();
  positions(buffer);
  return buffer;
}

void PostingsCursor::positions(std::vector<uint32_t>& out) {
  if (doc_ == kNoMoreDocs || block_ >= block_count_ || !source_->has_positions) return;
  work_.positions += info_.total_term_freq == 1 ? 1 : freq();
  if (info_.total_term_freq == 1) {
    out.push_back(static_cast<uint32_t>(info_.positions_offset));
    return;
  }
  const bool ready = (starts_of_ == block_ && freqs_of_ == block_) || load_positions();
  if (!ready || !run_.read(starts_[index_], freqs_[index_], out)) fail();
}

}  // namespace quarry
