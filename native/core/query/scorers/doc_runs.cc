// Counting within runs of documents, and the scorer over them.
#include "query/scorers/doc_runs.h"

#include <algorithm>
#include <utility>

#include "query/scorers/doc_id_set.h"
#include "query/scorers/join_strategy.h"

namespace quarry {
namespace {

constexpr uint32_t kWindow = 32768;  // documents; their bits fit in the L1 cache

class RunsScorer final : public Scorer {
 public:
  RunsScorer(DocRuns runs, float score) : runs_(std::move(runs)), score_(score) {
    for (const DocRun& run : runs_) cost_ += run.end - run.begin;
    set_bits_cost(runs_.size() + cost_ / 64);
  }
  uint32_t next() override { return advance(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override {
    while (at_ < runs_.size() && runs_[at_].end <= target) at_++;
    if (at_ == runs_.size() || exhausted_) return move(kNoMoreDocs);
    return move(std::max(target, runs_[at_].begin));
  }
  float score() override { return score_; }
  float bound() const override { return score_; }
  void set_threshold(float threshold) override { exhausted_ = score_ <= threshold; }
  uint64_t cost() const override { return cost_; }
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits) override {
    for (const DocRun& run : runs_) {
      if (run.end > begin && run.begin < end)
        set_bits(bits, std::max(run.begin, begin) - begin, std::min(run.end, end) - begin);
    }
  }

 private:
  DocRuns runs_;
  float score_;
  uint64_t cost_ = 0;
  size_t at_ = 0;
  bool exhausted_ = false;
};

/// Counts the documents of one window that are in the postings and live.
uint64_t count_window(PostingsCursor& cursor, uint32_t begin, uint32_t end, const Bitset& live) {
  uint64_t found[kWindow / 64];
  uint64_t alive[kWindow / 64];
  const size_t words = (end - begin + 63) / 64;
  std::fill(found, found + words, 0);
  std::fill(alive, alive + words, 0);
  cursor.collect_range(begin, end, found);
  copy_bits(live, begin, end, alive);
  for (size_t i = 0; i < words; i++) found[i] &= alive[i];
  return count_bits({found, words});
}

/// Counts document by document: rare documents have their bits too far apart.
uint64_t count_singly(PostingsCursor& cursor, uint32_t begin, uint32_t end, const Bitset& live) {
  uint64_t count = 0;
  while (begin < end && cursor.shallow_advance(begin)) {
    std::span<const uint32_t> docs = cursor.decode_docs();
    if (docs.empty()) break;
    const uint32_t next = docs.back() + 1;
    const auto from =
        docs.front() < begin ? std::lower_bound(docs.begin(), docs.end(), begin) : docs.begin();
    const auto to = next > end ? std::lower_bound(from, docs.end(), end) : docs.end();
    for (auto at = from; at != to; ++at) count += live.test(*at) ? 1 : 0;
    begin = next;
  }
  return count;
}

uint64_t count_live_between(uint32_t begin, uint32_t end, const Bitset& live) {
  uint64_t words[kWindow / 64];
  const size_t count = (end - begin + 63) / 64;
  std::fill(words, words + count, 0);
  copy_bits(live, begin, end, words);
  return count_bits({words, count});
}

/// Sums `count_of(begin, end)` over windows of the runs.
template <typename Count>
uint64_t sum_windows(const DocRuns& runs, Count count_of) {
  uint64_t count = 0;
  for (const DocRun& run : runs) {
    for (uint32_t begin = run.begin; begin < run.end;) {
      const uint32_t end = begin + std::min(kWindow, run.end - begin);
      count += count_of(begin, end);
      begin = end;
    }
  }
  return count;
}

}  // namespace

DocRuns shared_runs(const DocRuns& a, const DocRuns& b) {
  DocRuns out;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const uint32_t begin = std::max(a[i].begin, b[j].begin);
    const uint32_t end = std::min(a[i].end, b[j].end);
    if (begin < end) out.push_back({begin, end});
    (a[i].end < b[j].end ? i : j)++;
  }
  return out;
}

uint64_t count_in_runs(PostingsCursor& cursor, const DocRuns& runs, const Bitset* live) {
  uint64_t count = 0;
  if (live != nullptr && join::is_rare_term(cursor.doc_freq(), live->size())) {
    for (const DocRun& run : runs) count += count_singly(cursor, run.begin, run.end, *live);
    return count;
  }
  if (live != nullptr) {
    return sum_windows(runs, [&cursor, live](uint32_t begin, uint32_t end) {
      return count_window(cursor, begin, end, *live);
    });
  }
  for (const DocRun& run : runs) {
    const uint32_t before = cursor.rank(run.begin);
    count += cursor.rank(run.end) - before;
  }
  return count;
}

uint64_t count_in_runs(const DocRuns& runs, const Bitset* live) {
  if (live != nullptr) {
    return sum_windows(runs, [live](uint32_t begin, uint32_t end) {
      return count_live_between(begin, end, *live);
    });
  }
  uint64_t count = 0;
  for (const DocRun& run : runs) count += run.end - run.begin;
  return count;
}

ScorerPtr make_runs_scorer(DocRuns runs, float score) {
  if (runs.empty()) return nullptr;
  return std::make_unique<RunsScorer>(std::move(runs), score);
}

}  // namespace quarry
