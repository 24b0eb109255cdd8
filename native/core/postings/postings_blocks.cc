// Block-level operations of the cursor: bounds, whole blocks, windows of bits, and the documents
// that several terms have in common.
#include <algorithm>
#include <utility>

#include "postings/doc_block.h"
#include "postings/postings.h"

namespace quarry {
namespace {

/// Sets the bits of documents that may share words. It alternates between the quarters of a block,
/// so that a store seldom depends on the previous one.
void set_bits_of(std::span<const uint32_t> docs, uint32_t first, uint64_t* words) {
  const auto put = [first, words](uint32_t doc) {
    words[(doc - first) / 64] |= uint64_t{1} << ((doc - first) % 64);
  };
  constexpr size_t kQuarter = kBlockDocs / 4;
  if (docs.size() == kBlockDocs) {
    for (size_t i = 0; i < kQuarter; i++) {
      put(docs[i]);
      put(docs[i + kQuarter]);
      put(docs[i + 2 * kQuarter]);
      put(docs[i + 3 * kQuarter]);
    }
    return;
  }
  for (const uint32_t doc : docs) put(doc);
}

}  // namespace

bool PostingsCursor::shallow_advance(uint32_t target) {
  view_ = find_block(view_, target);
  return view_ < block_count_;
}

std::span<const Impact> PostingsCursor::single_impacts() {
  if (info_.doc_freq == 1) {
    const bool kept = source_->blocks.flags().impacts;
    const auto freq = static_cast<uint32_t>(std::min<uint64_t>(info_.total_term_freq, kNoMoreDocs));
    impacts_[0][0] = kept ? Impact{freq, info_.norm} : Impact{1, 1};
    single_impacts_ = 1;
  } else if (!read_single_head()) {
    fail();
    return {};
  }
  return {impacts_[0], single_impacts_};
}

std::span<const Impact> PostingsCursor::block_impacts() {
  if (view_ >= block_count_) return {};
  if (!blocked()) return single_impacts();
  return {impacts_[kBlockLevel],
          source_->blocks.block_impacts(entry(view_), impacts_[kBlockLevel])};
}

uint32_t PostingsCursor::group_in_view() const {
  return info_.first_group + (block_count_ <= kGroupBlocks ? 0 : 1 + view_ / kGroupBlocks);
}

uint32_t PostingsCursor::group_last_doc() const {
  if (view_ >= block_count_) return kNoMoreDocs;
  return blocked() ? source_->blocks.group_last_doc(group_in_view()) : single_last_;
}

std::span<const Impact> PostingsCursor::group_impacts() {
  if (view_ >= block_count_) return {};
  if (!blocked()) return single_impacts();
  return {impacts_[kGroupLevel],
          source_->blocks.group_impacts(group_in_view(), impacts_[kGroupLevel])};
}

std::span<const Impact> PostingsCursor::term_impacts() {
  if (block_count_ == 0) return {};
  if (!blocked()) return single_impacts();
  return {impacts_[kTermLevel],
          source_->blocks.group_impacts(info_.first_group, impacts_[kTermLevel])};
}

std::span<const uint32_t> PostingsCursor::decode_docs() {
  if (view_ >= block_count_ || !load_docs(view_)) return {};
  return std::span(docs_).first(size_of(view_));
}

void PostingsCursor::collect_block(uint32_t first, std::span<uint64_t> words) {
  if (view_ >= block_count_) return;
  if (blocked() && size_of(view_) == kBlockDocs && docs_of_ != view_) {
    const BlockTable& table = source_->blocks;
    const uint32_t before = view_ == 0 ? kNoDocBefore : last_doc(view_ - 1);
    if (merge_bitset_block(source_->postings, table.postings_offset(entry(view_)),
                           table.encoding(entry(view_)), before, last_doc(view_), first, words)) {
      count_block(view_);
      return;
    }
  }
  std::span<const uint32_t> docs = decode_docs();
  if (docs.empty()) return;
  const uint64_t end = first + uint64_t{64} * words.size();
  if (docs.front() < first || docs.back() >= end) {
    const auto begin = std::lower_bound(docs.begin(), docs.end(), first);
    docs = {begin, std::lower_bound(begin, docs.end(), end)};
    if (docs.empty()) return;
  }
  set_bits_of(docs, first, words.data());
}

void PostingsCursor::collect_range(uint32_t begin, uint32_t end, uint64_t* bits) {
  const uint32_t first = begin;
  const size_t words = (end - first + 63) / 64;
  while (begin < end && shallow_advance(begin)) {
    collect_block(first, {bits, words});
    const uint32_t last = block_last_doc();
    if (last >= end - 1) break;
    begin = last + 1;
  }
  // Whole blocks were added, so bits after the end are cleared.
  if ((end - first) % 64 != 0) bits[words - 1] &= (uint64_t{1} << ((end - first) % 64)) - 1;
}

uint32_t PostingsCursor::list_from(uint32_t target, uint32_t* out) {
  if (target == kNoMoreDocs || !shallow_advance(target)) return 0;
  const std::span<const uint32_t> docs = decode_docs();
  if (docs.empty()) return 0;
  const auto begin =
      docs.front() >= target ? docs.begin() : std::lower_bound(docs.begin(), docs.end(), target);
  return static_cast<uint32_t>(std::copy(begin, docs.end(), out) - out);
}

/// Writes those of `wanted` that the block in view has; none of them may be before or after the
/// block. There are no unpredictable branches, so that lookups of several documents overlap.
uint32_t PostingsCursor::keep_in_view(std::span<const uint32_t> wanted, uint32_t* out) {
  if (blocked() && size_of(view_) == kBlockDocs && docs_of_ != view_) {
    const uint32_t before = view_ == 0 ? kNoDocBefore : last_doc(view_ - 1);
    const BlockTable& table = source_->blocks;
    const int64_t kept =
        keep_in_bitset_block(source_->postings, table.postings_offset(entry(view_)),
                             table.encoding(entry(view_)), before, wanted, out);
    if (kept >= 0) {
      if (counted_ != view_) count_block(view_);
      return static_cast<uint32_t>(kept);
    }
  }
  if (!load_docs(view_)) return 0;
  const uint32_t count = size_of(view_);
  uint32_t* at = out;
  for (const uint32_t doc : wanted) {
    // The place is a valid index, since the last document is at least as large.
    const auto place =
        count > kFewDocs
            ? count_below(docs_, doc)
            : static_cast<uint32_t>(std::lower_bound(docs_, docs_ + count, doc) - docs_);
    *at = doc;
    at += docs_[place] == doc ? 1 : 0;
  }
  return static_cast<uint32_t>(at - out);
}

uint32_t PostingsCursor::keep_common(std::span<uint32_t> docs) {
  uint32_t kept = 0;
  for (size_t i = 0; i < docs.size() && shallow_advance(docs[i]);) {
    const uint32_t last = block_last_doc();
    size_t end = i + 1;
    while (end < docs.size() && docs[end] <= last) end++;
    kept += keep_in_view(docs.subspan(i, end - i), docs.data() + kept);
    i = end;
  }
  return kept;
}

std::span<uint32_t> take_common(std::span<uint32_t>& docs,
                                std::span<PostingsCursor* const> others) {
  std::span<uint32_t> taken = std::exchange(docs, {});
  if (taken.empty() || others.empty()) return taken;
  if (!others[0]->shallow_advance(taken.front())) return {};
  const auto end = std::upper_bound(taken.begin(), taken.end(), others[0]->block_last_doc());
  docs = {end, taken.end()};
  taken = {taken.begin(), end};
  for (PostingsCursor* other : others) {
    if (taken.empty()) break;
    taken = taken.first(other->keep_common(taken));
  }
  return taken;
}

uint32_t PostingsCursor::rank(uint32_t target) {
  if (!shallow_advance(target)) return info_.doc_freq;
  const std::span<const uint32_t> docs = decode_docs();
  const auto found = std::lower_bound(docs.begin(), docs.end(), target);
  return view_ * kBlockDocs + static_cast<uint32_t>(found - docs.begin());
}

PostingsCursor::Block PostingsCursor::decode_block() {
  if (view_ >= block_count_ || !load_docs(view_)) return {};
  load_freqs(view_);
  if (block_count_ == 0) return {};
  const size_t count = size_of(view_);
  return {std::span(docs_).first(count), std::span(freqs_).first(count)};
}

}  // namespace quarry
