// Iterates over the postings of one term, scores them and bounds their scores.
#include "query/scorers/term_scorer.h"

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace quarry {

TermScorer::TermScorer(const InvertedField& field, const TermInfo& term, const uint8_t* norms,
                       const TermSimilarity& similarity, WorkCounters* counters, TermWorkPool& pool)
    : TermScorer(field, term, 0.0F, counters, pool) {
  norms_ = norms;
  similarity_ = &similarity;
}

TermScorer::TermScorer(const InvertedField& field, const TermInfo& term, float constant,
                       WorkCounters* counters, TermWorkPool& pool)
    : field_(field),
      pool_(pool),
      work_(pool.take()),
      cursor_(work_->cursor),
      constant_(constant),
      counters_(counters) {
  cursor_.reset(field.source(), term);
  set_bits_cost(cost());
}

TermScorer::~TermScorer() {
  counters_->postings.add(cursor_.work());
  pool_.give_back(std::move(work_));
}

PostingsCursor& TermScorer::bounds() {
  if (bounds_ == nullptr) {
    bounds_ = &work_->bounds;
    bounds_->reset(field_.source(), cursor_.info());
  }
  return *bounds_;
}

uint32_t TermScorer::next() {
  if (threshold_ == kNoThreshold) return move(cursor_.next());
  return advance(before(0) ? 0 : doc() + 1);
}

uint32_t TermScorer::advance(uint32_t target) {
  if (threshold_ != kNoThreshold) target = skip_low_blocks(target);
  return move(target == kNoMoreDocs ? kNoMoreDocs : cursor_.advance(target));
}

float TermScorer::score() {
  if (similarity_ == nullptr) return constant_;
  return similarity_->score(static_cast<float>(cursor_.freq()), norm(doc()));
}

float TermScorer::bound() const {
  return similarity_ != nullptr ? similarity_->bound() : constant_;
}

float TermScorer::impact_bound(std::span<const Impact> impacts) const {
  float best = 0;
  for (const Impact& impact : impacts) {
    const uint8_t at = norms_ == nullptr ? kNoNorms : impact.norm;
    best = std::max(best, similarity_->score(static_cast<float>(impact.freq), at));
  }
  return best;
}

/// 0 if no document is left.
float TermScorer::single_bound() {
  if (cursor_.block_last_doc() == kNoMoreDocs) return 0;
  if (single_ < 0) single_ = impact_bound(cursor_.block_impacts());
  return single_;
}

uint32_t TermScorer::block_end(uint32_t target) {
  if (similarity_ == nullptr || target == kNoMoreDocs) return kNoMoreDocs;
  if (single()) {
    const uint32_t last = cursor_.block_last_doc();
    return last == kNoMoreDocs || target > last ? kNoMoreDocs : last + 1;
  }
  if (!bounds().shallow_advance(target)) return kNoMoreDocs;
  const uint32_t last = bounds().block_last_doc();
  return last == kNoMoreDocs ? kNoMoreDocs : last + 1;
}

/// The bound of the block that bounds() is at. It is cached, as adjacent windows often lie in one
/// block.
float TermScorer::bound_in_view() {
  const uint32_t last = bounds_->block_last_doc();
  if (last != bounded_last_ || last == kNoMoreDocs) {
    bounded_ = impact_bound(bounds_->block_impacts());
    bounded_last_ = last;
  }
  return bounded_;
}

float TermScorer::window_bound(uint32_t begin, uint32_t end) {
  if (similarity_ == nullptr) return constant_;
  if (single()) return begin < end && begin <= cursor_.block_last_doc() ? single_bound() : 0;
  float best = 0;
  while (begin < end && bounds().shallow_advance(begin)) {
    best = std::max(best, bound_in_view());
    const uint32_t last = bounds().block_last_doc();
    if (last >= end - 1) break;
    begin = last + 1;
  }
  return best;
}

TermScorer::ScoredBlock TermScorer::scored_block(uint32_t target) {
  if (target == kNoMoreDocs || !cursor_.shallow_advance(target)) return {};
  if (similarity_ == nullptr) {
    const std::span<const uint32_t> docs = cursor_.decode_docs();
    std::fill(work_->scores, work_->scores + docs.size(), constant_);
    return {docs, {work_->scores, docs.size()}};
  }
  const PostingsCursor::Block block = cursor_.decode_block();
  if (block.docs.empty()) return {};
  // Windows end within blocks, so the next window may start with the same block.
  if (block.docs.back() != scored_last_) {
    similarity_->score_block(block.docs, block.freqs, norms_, work_->scores);
    counters_->docs_scored += block.docs.size();
    scored_last_ = block.docs.back();
  }
  return {block.docs, {work_->scores, block.docs.size()}};
}

float TermScorer::bound_of_block(uint32_t target) {
  if (!cursor_.shallow_advance(target)) return -1;
  if (similarity_ == nullptr) return constant_;
  const std::span<const Impact> front = cursor_.block_impacts();
  seen_ = impact_bound(front);
  front_size_ = static_cast<uint32_t>(front.size());
  std::copy(front.begin(), front.end(), front_);
  // Reading the bound of a damaged block may end the cursor.
  const uint32_t last = cursor_.block_last_doc();
  seen_end_ = last == kNoMoreDocs ? 0 : last + 1;
  return seen_;
}

float TermScorer::segment_bound() {
  return similarity_ != nullptr ? impact_bound(cursor_.term_impacts()) : constant_;
}

uint32_t TermScorer::group_end(uint32_t target) {
  if (similarity_ != nullptr && single()) return block_end(target);
  if (target == kNoMoreDocs || !bounds().shallow_advance(target)) return kNoMoreDocs;
  const uint32_t last = bounds().group_last_doc();
  return last == kNoMoreDocs ? kNoMoreDocs : last + 1;
}

float TermScorer::group_bound() {
  if (similarity_ == nullptr) return constant_;
  return single() ? single_bound() : impact_bound(bounds().group_impacts());
}

void TermScorer::set_threshold(float threshold) {
  threshold_ = threshold;
  checked_to_ = 0;
}

/// First document >= `target` in a block that may score above the threshold.
uint32_t TermScorer::skip_low_blocks(uint32_t target) {
  if (similarity_ == nullptr) return constant_ > threshold_ ? target : kNoMoreDocs;
  if (single()) return single_bound() > threshold_ ? target : kNoMoreDocs;
  while (target >= checked_to_) {
    if (!bounds().shallow_advance(target)) return kNoMoreDocs;
    const uint32_t last = bounds().block_last_doc();
    if (last == kNoMoreDocs) return target;
    if (impact_bound(bounds().block_impacts()) > threshold_) {
      checked_to_ = last + 1;
      return target;
    }
    target = last + 1;
  }
  return target;
}

void TermScorer::score_window(uint32_t begin, uint32_t end, ScoreWindow& window) {
  while (begin < end) {
    const ScoredBlock block = scored_block(begin);
    if (block.docs.empty()) return;
    size_t i = 0;
    if (block.docs.front() < begin)
      i = static_cast<size_t>(std::lower_bound(block.docs.begin(), block.docs.end(), begin) -
                              block.docs.begin());
    for (; i < block.docs.size() && block.docs[i] < end; i++)
      window.add(block.docs[i], block.scores[i]);
    begin = block.docs.back() + 1;
  }
}

void TermScorer::match_window(uint32_t begin, uint32_t end, uint64_t* bits) {
  cursor_.collect_range(begin, end, bits);
}

uint32_t TermScorer::list_matches(uint32_t from, uint32_t* out) {
  return cursor_.list_from(from, out);
}

namespace {

/// Index of the first of `scores` from `from` on that is above `threshold`, or their number. Few
/// are above it, so eight are compared at once.
size_t next_above(std::span<const float> scores, size_t from, float threshold) {
  size_t i = from;
#if defined(__x86_64__)
  const __m128 limit = _mm_set1_ps(threshold);
  for (; i + 8 <= scores.size(); i += 8) {
    const __m128 low = _mm_cmpgt_ps(_mm_loadu_ps(scores.data() + i), limit);
    const __m128 high = _mm_cmpgt_ps(_mm_loadu_ps(scores.data() + i + 4), limit);
    const auto above = static_cast<uint32_t>(_mm_movemask_ps(low) | _mm_movemask_ps(high) << 4);
    if (above != 0) return i + static_cast<size_t>(std::countr_zero(above));
  }
#endif
  while (i < scores.size() && !(scores[i] > threshold)) i++;
  return i;
}

}  // namespace

bool TermScorer::collect_block(const Leaf& leaf, const ScoredBlock& block, Collector& collector) {
  float threshold = collector.threshold();
  for (size_t i = next_above(block.scores, 0, threshold); i < block.docs.size();
       i = next_above(block.scores, i + 1, threshold)) {
    const uint32_t doc = block.docs[i];
    if (leaf.live != nullptr && !leaf.live->test(doc)) continue;
    collector.collect(doc, block.scores[i]);
    threshold = collector.threshold();
    if (collector.done()) return false;
  }
  return true;
}

void TermScorer::run(const Leaf& leaf, Collector& collector, StopCheck& stop) {
  uint32_t from = 0;
  while (!collector.done() && !stop.step(kStepsPerBlock)) {
    threshold_ = collector.threshold();
    checked_to_ = 0;
    from = collector.next_competitive(from);
    if (threshold_ != kNoThreshold && from != kNoMoreDocs) from = skip_low_blocks(from);
    const ScoredBlock block = scored_block(from);
    if (block.docs.empty()) return;
    if (!collect_block(leaf, block, collector)) return;
    from = block.docs.back() + 1;
  }
}

}  // namespace quarry
