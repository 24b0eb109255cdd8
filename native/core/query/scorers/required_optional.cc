// The scorers for bool with must and should, and for bool with must_not.
#include "query/scorers/required_optional.h"

#include <algorithm>
#include <utility>

#include "query/scorers/document_matches.h"

namespace quarry {
namespace {

class RequiredOptionalScorer final : public Scorer {
 public:
  RequiredOptionalScorer(ScorerPtr required, ScorerPtr optional)
      : required_(std::move(required)), optional_(std::move(optional)) {
    set_two_phase(required_->two_phase());
  }

  uint32_t next() override { return skip(required_->next()); }
  uint32_t advance(uint32_t target) override { return skip(required_->advance_to(target)); }
  bool matches() override { return required_->matches(); }
  float score() override {
    const auto sum = static_cast<double>(required_->score());
    if (!has_match(*optional_, doc())) return static_cast<float>(sum);
    return static_cast<float>(sum + static_cast<double>(optional_->score()));
  }
  uint64_t cost() const override { return required_->cost(); }
  float bound() const override {
    return static_cast<float>(static_cast<double>(required_->bound()) +
                              static_cast<double>(optional_->bound()));
  }
  uint32_t block_end(uint32_t target) override {
    return std::min(required_->block_end(target), optional_->block_end(target));
  }
  float window_bound(uint32_t begin, uint32_t end) override {
    return static_cast<float>(static_cast<double>(required_->window_bound(begin, end)) +
                              static_cast<double>(optional_->window_bound(begin, end)));
  }
  void set_threshold(float threshold) override {
    threshold_ = threshold;
    checked_to_ = 0;
  }

 private:
  uint32_t skip(uint32_t doc) {
    while (threshold_ != kNoThreshold && doc != kNoMoreDocs && doc >= checked_to_) {
      const uint32_t end = block_end(doc);
      if (window_bound(doc, end) > threshold_) {
        checked_to_ = end;
      } else {
        doc = end == kNoMoreDocs ? kNoMoreDocs : required_->advance_to(end);
      }
    }
    return move(doc);
  }

  ScorerPtr required_;
  ScorerPtr optional_;
  float threshold_ = kNoThreshold;
  uint32_t checked_to_ = 0;
};

class RequiredExcludedScorer final : public Scorer {
 public:
  RequiredExcludedScorer(ScorerPtr required, ScorerPtr excluded, const StopCheck& stop)
      : required_(std::move(required)), excluded_(std::move(excluded)), stop_(stop) {
    set_two_phase(true);
  }

  uint32_t next() override { return move(required_->next()); }
  uint32_t advance(uint32_t target) override { return move(required_->advance_to(target)); }
  bool matches() override {
    // A clause that was stopped matches nothing, so it cannot exclude the document.
    return required_->matches() && !has_match(*excluded_, doc()) && !stop_.stopped();
  }
  float score() override { return required_->score(); }
  uint64_t cost() const override { return required_->cost(); }
  float bound() const override { return required_->bound(); }
  uint32_t block_end(uint32_t target) override { return required_->block_end(target); }
  float window_bound(uint32_t begin, uint32_t end) override {
    return required_->window_bound(begin, end);
  }
  void set_threshold(float threshold) override { required_->set_threshold(threshold); }

 private:
  ScorerPtr required_;
  ScorerPtr excluded_;
  const StopCheck& stop_;
};

}  // namespace

ScorerPtr make_required_optional(ScorerPtr required, ScorerPtr optional) {
  if (optional == nullptr) return required;
  return std::make_unique<RequiredOptionalScorer>(std::move(required), std::move(optional));
}

ScorerPtr make_required_excluded(ScorerPtr required, ScorerPtr excluded, const Leaf& leaf) {
  if (excluded == nullptr) return required;
  return std::make_unique<RequiredExcludedScorer>(std::move(required), std::move(excluded),
                                                  *leaf.stop);
}

}  // namespace quarry
