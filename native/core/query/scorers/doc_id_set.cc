// Dense and sparse document sets and their scorers.
#include "query/scorers/doc_id_set.h"

#include <algorithm>

#include "base/bit_list.h"

namespace quarry {
namespace {

constexpr uint32_t kDenseShare =
    32;  // a sorted u32 array is smaller than a bit set below one document in 32

constexpr uint32_t kStepsPerCollectedDoc = 4;

/// Base of scorers whose documents all score alike: once the score is not above the threshold, the
/// scorer is at its end.
class ConstantScorer : public Scorer {
 public:
  explicit ConstantScorer(float score) : score_(score) {}
  float score() final { return score_; }
  float bound() const final { return score_; }
  void set_threshold(float threshold) final { exhausted_ = score_ <= threshold; }

 protected:
  float score_;
  bool exhausted_ = false;
};

class BitsScorer final : public ConstantScorer {
 public:
  BitsScorer(DocIdSetPtr set, float score) : ConstantScorer(score), set_(std::move(set)) {
    set_bits_cost(set_->bits().words().size());
  }
  uint32_t next() override { return advance(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override {
    const Bitset& bits = set_->bits();
    const uint32_t found = exhausted_ ? bits.size() : bits.next(target);
    return move(found < bits.size() ? found : kNoMoreDocs);
  }
  uint64_t cost() const override { return set_->count(); }
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits) override {
    copy_bits(set_->bits(), begin, end, bits);
  }
  uint32_t keep_matches(std::span<uint32_t> docs) override {
    return exhausted_ ? 0 : keep_set(docs, set_->bits().words().data(), docs.data());
  }

 private:
  DocIdSetPtr set_;
};

class SparseScorer final : public ConstantScorer {
 public:
  SparseScorer(DocIdSetPtr set, float score) : ConstantScorer(score), set_(std::move(set)) {}
  uint32_t next() override { return take(started_ ? at_ + 1 : 0); }
  uint32_t advance(uint32_t target) override {
    const std::vector<uint32_t>& docs = set_->docs();
    size_t low = started_ ? at_ : 0;
    size_t step = 1;
    while (low + step < docs.size() && docs[low + step] < target) {
      low += step;
      step *= 2;
    }
    const size_t high = std::min(low + step + 1, docs.size());
    const auto first = docs.begin() + static_cast<std::ptrdiff_t>(std::min(low, docs.size()));
    const auto last = docs.begin() + static_cast<std::ptrdiff_t>(high);
    return take(static_cast<size_t>(std::lower_bound(first, last, target) - docs.begin()));
  }
  uint64_t cost() const override { return set_->count(); }

 private:
  uint32_t take(size_t index) {
    started_ = true;
    at_ = exhausted_ ? set_->docs().size() : index;
    return move(at_ < set_->docs().size() ? set_->docs()[at_] : kNoMoreDocs);
  }

  DocIdSetPtr set_;
  size_t at_ = 0;
  bool started_ = false;
};

class AllDocsScorer final : public ConstantScorer {
 public:
  AllDocsScorer(uint32_t max_doc, float score) : ConstantScorer(score), max_doc_(max_doc) {
    set_bits_cost(max_doc / 64);
  }
  uint32_t next() override { return advance(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override {
    return move(target < max_doc_ && !exhausted_ ? target : kNoMoreDocs);
  }
  uint64_t cost() const override { return max_doc_; }
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits) override {
    const uint32_t count = std::min(end, max_doc_) - std::min(begin, max_doc_);
    std::fill(bits, bits + count / 64, ~uint64_t{0});
    if (count % 64 != 0) bits[count / 64] |= (uint64_t{1} << (count % 64)) - 1;
  }

 private:
  uint32_t max_doc_;
};

}  // namespace

DocIdSet::DocIdSet(Bitset bits) : count_(static_cast<uint32_t>(count_bits(bits.words()))) {
  dense_ = count_ >= bits.size() / kDenseShare;
  if (dense_) {
    bits_ = std::move(bits);
    return;
  }
  docs_.reserve(count_);
  for (uint32_t doc = bits.next(0); doc < bits.size(); doc = bits.next(doc + 1))
    docs_.push_back(doc);
}

DocIdSet::DocIdSet(std::vector<uint32_t> docs, uint32_t max_doc)
    : count_(static_cast<uint32_t>(docs.size())) {
  dense_ = count_ >= max_doc / kDenseShare;
  if (!dense_) {
    docs_ = std::move(docs);
    return;
  }
  bits_ = Bitset(max_doc);
  for (const uint32_t doc : docs) bits_.set(doc);
}

ScorerPtr make_doc_id_set_scorer(DocIdSetPtr set, float score) {
  if (set == nullptr || set->count() == 0) return nullptr;
  if (set->dense()) return std::make_unique<BitsScorer>(std::move(set), score);
  return std::make_unique<SparseScorer>(std::move(set), score);
}

ScorerPtr make_all_docs_scorer(uint32_t max_doc, float score) {
  if (max_doc == 0) return nullptr;
  return std::make_unique<AllDocsScorer>(max_doc, score);
}

DocIdSetPtr collect_doc_id_set(Scorer& scorer, uint32_t max_doc, StopCheck& stop) {
  if (scorer.cost() < max_doc / kDenseShare) {
    std::vector<uint32_t> docs;
    for (uint32_t doc = scorer.next(); doc != kNoMoreDocs && !stop.step(kStepsPerCollectedDoc);
         doc = scorer.next()) {
      if (scorer.matches()) docs.push_back(doc);
    }
    return std::make_shared<DocIdSet>(std::move(docs), max_doc);
  }
  Bitset bits(max_doc);
  set_matches(scorer, stop, bits);
  return std::make_shared<DocIdSet>(std::move(bits));
}

uint64_t count_live(const DocIdSet& set, const Bitset* live) {
  if (live == nullptr) return set.count();
  if (set.dense()) return count_shared_bits(set.bits().words(), live->words());
  uint64_t count = 0;
  for (const uint32_t doc : set.docs()) count += live->test(doc) ? 1 : 0;
  return count;
}

void set_bits(uint64_t* bits, uint32_t from, uint32_t to) noexcept {
  if (from >= to) return;
  const uint32_t last = (to - 1) / 64;
  const uint64_t head = ~uint64_t{0} << (from % 64);
  const uint64_t tail = ~uint64_t{0} >> (63 - (to - 1) % 64);
  uint32_t at = from / 64;
  if (at == last) {
    bits[at] |= head & tail;
    return;
  }
  bits[at] |= head;
  while (++at < last) bits[at] = ~uint64_t{0};
  bits[last] |= tail;
}

void copy_bits(const Bitset& from, uint32_t begin, uint32_t end, uint64_t* bits) {
  end = std::min(end, from.size());
  if (begin >= end) return;
  const std::span<const uint64_t> words = from.words();
  const uint32_t shift = begin & 63;
  for (uint32_t done = 0; done < end - begin; done += 64) {
    const size_t at = (begin + done) >> 6;
    uint64_t word = words[at] >> shift;
    if (shift != 0 && at + 1 < words.size()) word |= words[at + 1] << (64 - shift);
    const uint32_t left = end - begin - done;
    if (left < 64) word &= (uint64_t{1} << left) - 1;
    bits[done >> 6] |= word;
  }
}

}  // namespace quarry
