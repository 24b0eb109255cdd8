// Conjunction of the parts first, positions only of documents that may still compete.
#include "query/phrase_scorer.h"

#include <algorithm>
#include <utility>

namespace quarry {

PhrasePostings::PhrasePostings(const InvertedField& field, const std::vector<uint32_t>& ordinals) {
  for (const uint32_t ordinal : ordinals) {
    cursors_.push_back(std::make_unique<PostingsCursor>(field.postings(ordinal)));
    cost_ += cursors_.back()->doc_freq();
  }
  if (ordinals.size() == 1) bounds_ = std::make_unique<PostingsCursor>(field.postings(ordinals[0]));
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

void PhrasePostings::positions(PartPositions& out) {
  out.clear();
  for (const auto& cursor : cursors_) {
    if (cursor->doc() == doc_) cursor->positions(out);
  }
  if (cursors_.size() == 1) return;
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

uint64_t PhrasePostings::blocks_decoded() const {
  uint64_t total = 0;
  for (const auto& cursor : cursors_) total += cursor->blocks_decoded();
  return total;
}

PhraseScorer::PhraseScorer(const PhraseShape& shape, std::vector<PhrasePostings> parts,
                           const uint8_t* norms, const TermSimilarity& similarity, bool scored,
                           WorkCounters* counters)
    : shape_(shape),
      parts_(std::move(parts)),
      positions_(parts_.size()),
      sloppy_(shape),
      norms_(norms),
      similarity_(similarity),
      scored_(scored),
      counters_(counters) {
  for (PhrasePostings& part : parts_) order_.push_back(&part);
  std::stable_sort(
      order_.begin(), order_.end(),
      [](const PhrasePostings* a, const PhrasePostings* b) { return a->cost() < b->cost(); });
}

PhraseScorer::~PhraseScorer() {
  for (const PhrasePostings& part : parts_) counters_->blocks_decoded += part.blocks_decoded();
}

uint32_t PhraseScorer::align(uint32_t target) {
  size_t i = 0;
  while (i < order_.size() && target != kNoMoreDocs) {
    if (i == 0 && threshold_ != kNoThreshold) {
      target = skip_low_blocks(target);
      if (target == kNoMoreDocs) break;
    }
    PhrasePostings& part = *order_[i];
    const uint32_t found = part.before(target) ? part.advance(target) : part.doc();
    // The rarest part alone, before the others are looked up.
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

/// A phrase occurs at most as often as its rarest term does in the document.
bool PhraseScorer::may_compete(uint32_t doc, uint32_t freq) const {
  const uint8_t norm = norms_ == nullptr ? kNoNorms : norms_[doc];
  return similarity_.score(static_cast<float>(freq), norm) > threshold_;
}

bool PhraseScorer::matches() {
  if (bounded()) {
    uint32_t least = UINT32_MAX;
    for (PhrasePostings& part : parts_) least = std::min(least, part.freq());
    if (!may_compete(doc(), least)) return false;
  }
  for (size_t i = 0; i < parts_.size(); i++) parts_[i].positions(positions_[i]);
  if (shape_.slop == 0) {
    frequency_ = static_cast<float>(count_exact(shape_, positions_, scored_ ? UINT32_MAX : 1));
  } else {
    frequency_ = sloppy_.frequency(positions_, !scored_);
  }
  return frequency_ > 0;
}

float PhraseScorer::frequency() {
  for (size_t i = 0; i < parts_.size(); i++) parts_[i].positions(positions_[i]);
  if (shape_.slop > 0) return sloppy_.frequency(positions_, false);
  return static_cast<float>(count_exact(shape_, positions_, UINT32_MAX));
}

}  // namespace quarry
