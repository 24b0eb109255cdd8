// Intersects the parts first, and reads positions only of documents that may still compete.
#include "query/phrase/phrase_scorer.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "query/scorers/join_strategy.h"

namespace quarry {

PhrasePostings::PhrasePostings(const InvertedField& field, const std::vector<uint32_t>& ordinals) {
  cursors_.reserve(ordinals.size());
  for (const uint32_t ordinal : ordinals) {
    cursors_.push_back(
        std::make_unique<PostingsCursor>(field.source(), field.terms().info(ordinal)));
    cost_ += cursors_.back()->doc_freq();
  }
  source_ = &field.source();
}

PostingsCursor* PhrasePostings::bounds() {
  if (bounds_ == nullptr && cursors_.size() == 1)
    bounds_ = std::make_unique<PostingsCursor>(*source_, cursors_[0]->info());
  return bounds_.get();
}

uint32_t PhrasePostings::advance(uint32_t target) {
  if (cursors_.size() == 1) {
    started_ = true;
    return doc_ = cursors_[0]->advance(target);
  }
  uint32_t least = kNoMoreDocs;
  for (const auto& cursor : cursors_) {
    const bool stale = !started_ || cursor->doc() < target;
    least = std::min(least, stale ? cursor->advance(target) : cursor->doc());
  }
  started_ = true;
  return doc_ = least;
}

uint32_t PhrasePostings::freq() {
  uint32_t total = 0;
  for (const auto& cursor : cursors_) total += cursor->doc() == doc_ ? cursor->freq() : 0;
  return total;
}

PartPositions PhrasePostings::positions() {
  if (cursors_.size() == 1) return cursors_[0]->positions_in(positions_);
  positions_.clear();
  for (const auto& cursor : cursors_) {
    if (cursor->doc() == doc_) cursor->positions(positions_);
  }
  std::sort(positions_.begin(), positions_.end());
  positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
  return positions_;
}

void PhrasePostings::match_window(uint32_t begin, uint32_t end, uint64_t* bits) {
  for (const auto& cursor : cursors_) cursor->collect_range(begin, end, bits);
}

PostingsWork PhrasePostings::work() const {
  PostingsWork total;
  for (const auto& cursor : cursors_) total.add(cursor->work());
  return total;
}

PhraseScorer::PhraseScorer(const PhraseShape& shape, std::vector<PhrasePostings> parts,
                           const uint8_t* norms, const TermSimilarity& similarity, bool scored,
                           const Leaf& leaf)
    : shape_(shape),
      parts_(std::move(parts)),
      positions_(parts_.size()),
      sloppy_(shape, *leaf.stop),
      norms_(norms),
      similarity_(similarity),
      scored_(scored),
      counters_(leaf.counters),
      stop_(*leaf.stop) {
  for (PhrasePostings& part : parts_) order_.push_back(&part);
  std::stable_sort(
      order_.begin(), order_.end(),
      [](const PhrasePostings* a, const PhrasePostings* b) { return a->cost() < b->cost(); });
  for (size_t i = 1; i < order_.size(); i++) {
    if (PostingsCursor* cursor = order_[i]->single(); cursor != nullptr) others_.push_back(cursor);
  }
  set_two_phase(true);
  set_listed(order_[0]->single() != nullptr && !dense());
}

PhraseScorer::~PhraseScorer() {
  for (const PhrasePostings& part : parts_) counters_->postings.add(part.work());
}

uint32_t PhraseScorer::align(uint32_t target) {
  size_t i = 0;
  while (i < order_.size() && target != kNoMoreDocs) {
    if (stop_.step()) return move(kNoMoreDocs);
    if (i == 0 && threshold_ != kNoThreshold) {
      target = skip_low_blocks(target);
      if (target == kNoMoreDocs) break;
    }
    PhrasePostings& part = *order_[i];
    const uint32_t found = part.advance_to(target);
    // Checks the rarest part first, before the others are looked up.
    if (i == 0 && found == target && bounded() && !may_compete(found, part.freq())) {
      target = found + 1;
      continue;
    }
    i = found == target ? i + 1 : 0;
    target = found;
  }
  return move(target);
}

uint32_t PhraseScorer::block_end(uint32_t target) {
  uint32_t end = kNoMoreDocs;
  for (PhrasePostings& part : parts_) {
    if (part.bounds() == nullptr || !part.bounds()->shallow_advance(target)) continue;
    const uint32_t last = part.bounds()->block_last_doc();
    if (last != kNoMoreDocs) end = std::min(end, last + 1);
  }
  return end;
}

float PhraseScorer::window_bound(uint32_t begin, uint32_t end) {
  if (!scored_) return 0;
  float least = similarity_.bound();
  if (shape_.slop > 0) return least;
  for (PhrasePostings& part : parts_) {
    PostingsCursor* cursor = part.bounds();
    if (cursor == nullptr) continue;
    float best = 0;
    for (uint32_t at = begin; at < end && cursor->shallow_advance(at);) {
      for (const Impact& impact : cursor->block_impacts()) {
        const uint8_t norm = norms_ == nullptr ? kNoNorms : impact.norm;
        best = std::max(best, similarity_.score(static_cast<float>(impact.freq), norm));
      }
      const uint32_t last = cursor->block_last_doc();
      if (last >= end - 1) break;
      at = last + 1;
    }
    least = std::min(least, best);
  }
  return least;
}

void PhraseScorer::set_threshold(float threshold) {
  threshold_ = threshold;
  checked_to_ = 0;
}

uint32_t PhraseScorer::skip_low_blocks(uint32_t target) {
  while (target != kNoMoreDocs && target >= checked_to_) {
    const uint32_t end = block_end(target);
    if (window_bound(target, end) > threshold_) {
      checked_to_ = end;
      return target;
    }
    target = end;
  }
  return target;
}

/// A phrase occurs at most as often as its rarest term in the document.
bool PhraseScorer::may_compete(uint32_t doc, uint32_t freq) const {
  const uint8_t norm = norms_ == nullptr ? kNoNorms : norms_[doc];
  return similarity_.score(static_cast<float>(freq), norm) > threshold_;
}

/// Reads the positions of the parts; of three or more parts, those of the two rarest first. False
/// if these do not occur at their distance in the current document, or if the search has to stop.
/// This rejects most documents without the phrase, without reading the positions of more frequent
/// words.
bool PhraseScorer::read_positions() {
  if (shape_.slop > 0 || parts_.size() <= 2) {
    for (size_t i = 0; i < parts_.size(); i++) {
      if (!read_part(i)) return false;
    }
    return true;
  }
  const auto place = [this](size_t rank) {
    return static_cast<size_t>(order_[rank] - parts_.data());
  };
  const auto [first, second] = std::minmax({place(0), place(1)});
  if (!read_part(first) || !read_part(second)) return false;
  const uint32_t distance = shape_.offsets[second] - shape_.offsets[first];
  if (!stand_apart(positions_[first], positions_[second], distance)) return false;
  for (size_t i = 0; i < parts_.size(); i++) {
    if (i != first && i != second && !read_part(i)) return false;
  }
  return true;
}

/// False if the search has to stop.
bool PhraseScorer::read_part(size_t part) {
  positions_[part] = parts_[part].positions();
  return !stop_.step(static_cast<uint32_t>(positions_[part].size()));
}

bool PhraseScorer::matches() {
  if (bounded()) {
    uint32_t least = UINT32_MAX;
    for (PhrasePostings& part : parts_) least = std::min(least, part.freq());
    if (!may_compete(doc(), least)) return false;
  }
  if (!read_positions()) return false;
  if (shape_.slop == 0) {
    frequency_ =
        static_cast<float>(count_exact(shape_, positions_, scored_ ? UINT32_MAX : 1, stop_));
  } else {
    frequency_ = sloppy_.frequency(positions_, !scored_);
  }
  return frequency_ > 0 && !stop_.stopped();
}

bool PhraseScorer::dense() const {
  uint64_t postings = 0;
  for (const PhrasePostings& part : parts_) postings += part.cost();
  return join::gathers_phrase_bits(postings, order_[0]->cost());
}

std::span<const uint64_t> PhraseScorer::candidates(uint32_t begin, uint32_t end) {
  return window_.of(order_, begin, end);
}

bool PhraseScorer::matches_at(uint32_t doc) {
  if (stop_.step()) return false;
  for (PhrasePostings& part : parts_) {
    if (part.advance_to(doc) != doc) return false;
  }
  move(doc);
  return matches();
}

void PhraseScorer::match_window(uint32_t begin, uint32_t end, uint64_t* bits) {
  if (!dense()) return Scorer::match_window(begin, end, bits);
  const std::span<const uint64_t> words = candidates(begin, end);
  for (size_t i = 0; i < words.size(); i++) {
    for (uint64_t left = words[i]; left != 0; left &= left - 1) {
      const auto at = static_cast<uint32_t>(i * 64) + static_cast<uint32_t>(std::countr_zero(left));
      if (matches_at(begin + at)) bits[i] |= left & (~left + 1);
    }
  }
}

void PhraseScorer::run_blocks(uint32_t from, const Leaf& leaf, Collector& collector,
                              StopCheck& stop) {
  PostingsCursor& lead = *order_[0]->single();
  uint32_t docs[kBlockDocs];
  while (!collector.done() && !stop.expired()) {
    from = collector.next_competitive(from);
    set_threshold(collector.threshold());
    if (threshold_ == kNoThreshold) {
      const uint32_t count = lead.list_from(from, docs);
      if (count == 0) return;
      from = docs[count - 1] + 1;
      collect_listed({docs, count}, leaf, collector);
      continue;
    }
    from = skip_low_blocks(from);
    if (from == kNoMoreDocs || !lead.shallow_advance(from)) return;
    PostingsCursor::Block block = lead.decode_block();
    if (block.docs.empty()) return;
    uint32_t end = block.docs.back() + 1;
    if (checked_to_ < end) {
      // The bounds are valid only up to the end of another part's block.
      end = checked_to_;
      const auto behind = std::lower_bound(block.docs.begin(), block.docs.end(), end);
      const auto count = static_cast<size_t>(behind - block.docs.begin());
      block = {block.docs.first(count), block.freqs.first(count)};
    }
    collect_listed({docs, select(block, from, docs)}, leaf, collector);
    from = end;
  }
}

/// Writes the documents of the block from `from` on that may still compete, judged by the frequency
/// of the rarest part.
uint32_t PhraseScorer::select(const PostingsCursor::Block& block, uint32_t from,
                              uint32_t* out) const {
  float scores[kBlockDocs];
  similarity_.score_block(block.docs, block.freqs, norms_, scores);
  uint32_t count = 0;
  BlockSelection selected(block.docs, {scores, block.docs.size()}, from, kNoMoreDocs, threshold_);
  while (!selected.empty()) out[count++] = block.docs[selected.pop()];
  return count;
}

uint32_t PhraseScorer::list_matches(uint32_t from, uint32_t* out) {
  PostingsCursor* lead = order_[0]->single();
  if (lead == nullptr) return Scorer::list_matches(from, out);
  // Documents up to lead_to_ were listed already, even those without the phrase.
  while (const uint32_t listed = lead->list_from(std::max(from, lead_to_), out)) {
    lead_to_ = out[listed - 1] + 1;
    uint32_t count = 0;
    for (std::span<uint32_t> docs(out, listed); !docs.empty();) {
      for (const uint32_t doc : take_common(docs, others_)) {
        out[count] = doc;
        count += matches_at(doc) ? 1 : 0;
      }
    }
    if (count > 0) return count;
  }
  return 0;
}

void PhraseScorer::collect_listed(std::span<uint32_t> docs, const Leaf& leaf,
                                  Collector& collector) {
  while (!docs.empty()) {
    for (const uint32_t doc : take_common(docs, others_)) {
      if ((leaf.live != nullptr && !leaf.live->test(doc)) || !matches_at(doc)) continue;
      counters_->docs_scored++;
      const float value = score();
      if (!(value > threshold_)) continue;
      collector.collect(doc, value);
      threshold_ = collector.threshold();
      if (collector.done()) return;
    }
  }
}

float PhraseScorer::frequency() {
  for (size_t i = 0; i < parts_.size(); i++) {
    if (!read_part(i)) return 0;
  }
  if (shape_.slop > 0) return sloppy_.frequency(positions_, false);
  return static_cast<float>(count_exact(shape_, positions_, UINT32_MAX, stop_));
}

}  // namespace quarry
