// The three interfaces of search execution. A compiled clause is a Weight (one per search,
// shard-wide statistics); a Weight makes a Scorer per segment, which walks the matching documents;
// a BulkScorer drives a whole segment at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bitset.h"
#include "base/status.h"
#include "base/stop_check.h"
#include "postings/postings.h"
#include "query/plan/collector.h"
#include "query/plan/explanation.h"
#include "query/plan/search.h"
#include "query/plan/search_progress.h"
#include "query/scorers/leaf.h"
#include "query/scorers/mark_sink.h"
#include "query/scorers/score_window.h"

namespace quarry {

class TermScorer;  // query/scorers/term_scorer.h

/// Walks the documents of one segment that match a clause, ascending, deleted ones included. Not
/// thread-safe. A two-phase scorer proposes candidates; matches() confirms the current one.
class Scorer {
 public:
  Scorer() = default;
  Scorer(const Scorer&) = delete;
  Scorer& operator=(const Scorer&) = delete;
  virtual ~Scorer() = default;

  /// Current candidate; meaningless before the first move, kNoMoreDocs at the end.
  uint32_t doc() const noexcept { return static_cast<uint32_t>(at_); }
  bool before(uint32_t target) const noexcept { return at_ < static_cast<int64_t>(target); }
  virtual uint32_t next() = 0;
  /// First candidate >= `target`, which lies behind doc().
  virtual uint32_t advance(uint32_t target) = 0;
  uint32_t advance_to(uint32_t target) { return before(target) ? advance(target) : doc(); }

  virtual bool two_phase() const { return false; }
  virtual bool matches() { return true; }
  uint32_t next_match() { return confirm(next()); }
  uint32_t advance_match(uint32_t target) { return confirm(advance_to(target)); }

  /// Score of the current, confirmed document; at most once per document.
  virtual float score() = 0;
  /// About how many candidates there are.
  virtual uint64_t cost() const = 0;

  // Bounds, for pruning. Arguments never decrease from call to call.
  /// At least the score of any document of the segment.
  virtual float bound() const = 0;
  /// First document behind the block that holds `target` (where window_bound would change).
  virtual uint32_t block_end(uint32_t target) {
    return target < kNoMoreDocs ? kNoMoreDocs : target;
  }
  /// At least the score of any document in [begin, end).
  virtual float window_bound(uint32_t /*begin*/, uint32_t /*end*/) { return bound(); }
  /// From now on documents that do not score above `threshold` may be left out. Called on the
  /// outermost scorer only, and then nobody else asks it for bounds.
  virtual void set_threshold(float /*threshold*/) {}

  // Many documents at once.
  /// Adds the scores of all matches in [begin, end) to `window`; begin >= the last end.
  virtual void score_window(uint32_t begin, uint32_t end, ScoreWindow& window);
  /// Sets bit doc - begin for all matches in [begin, end); begin >= the last end.
  virtual void match_window(uint32_t begin, uint32_t end, uint64_t* bits);
  /// Writes the first matches >= `from`, ascending, up to kBlockDocs of them, and returns how many
  /// they are: 0 at the end. `from` ascends from call to call; doc() may stay behind.
  virtual uint32_t list_matches(uint32_t from, uint32_t* out);
  /// Whether list_matches() is the way to count, where match_window() would only make bits of it.
  virtual bool is_listed() const { return false; }
  /// Keeps those of `docs`, ascending from call to call, that match, in their place at the front,
  /// and returns how many they are. doc() may stay behind.
  virtual uint32_t keep_matches(std::span<uint32_t> docs);
  /// What match_window() over the whole segment costs, in documents of postings gathered.
  virtual uint64_t bits_cost() const { return kDocsPerCandidate * cost(); }

  /// Walking to a candidate costs as much as gathering so many documents of postings.
  static constexpr uint64_t kDocsPerCandidate = 16;

 protected:
  uint32_t move(uint32_t doc) noexcept {
    at_ = doc;
    return doc;
  }

 private:
  uint32_t confirm(uint32_t doc) {
    while (doc != kNoMoreDocs && !matches()) doc = next();
    return doc;
  }

  int64_t at_ = -1;
};

using ScorerPtr = std::unique_ptr<Scorer>;

/// Documents [begin, end); query/scorers/doc_runs.h.
struct DocRun {
  uint32_t begin = 0;
  uint32_t end = 0;
};

/// Drives all hits of one segment into a collector.
class BulkScorer {
 public:
  virtual ~BulkScorer() = default;
  virtual void run(Collector& collector, StopCheck& stop) = 0;
};

/// What a clause of one term looks for; valid as long as the clause.
struct LoneTerm {
  std::string_view field;
  std::string_view text;  // as indexed
};

/// A compiled clause. One search, one thread; may keep state per segment.
class Weight {
 public:
  Weight() = default;
  Weight(const Weight&) = delete;
  Weight& operator=(const Weight&) = delete;
  virtual ~Weight() = default;

  /// At most how many documents of the segment match, about; 0 only when none does.
  virtual uint64_t cost(const Leaf& leaf) = 0;
  /// Null when nothing matches. `lead_cost`: how many documents will be asked about, at most.
  virtual ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) = 0;
  /// A lone term, for those who go through its postings block by block; null: it is none, or the
  /// segment lacks it.
  virtual std::unique_ptr<TermScorer> term_scorer(const Leaf& leaf);
  /// What it looks for, if that is one term, whose documents list_live() writes.
  virtual std::optional<LoneTerm> lone_term() const { return std::nullopt; }
  /// Writes the live matches, ascending, to `out`, which has room for cost(leaf) of them, and returns how many they
  /// are; fewer when `stop` says so. Only of a lone term.
  virtual uint32_t list_live(const Leaf& /*leaf*/, StopCheck& /*stop*/, uint32_t* /*out*/) { return 0; }
  /// Null: walk scorer() instead.
  virtual std::unique_ptr<BulkScorer> bulk_scorer(const Leaf& /*leaf*/) { return nullptr; }
  /// Exact number of live matches when it is known without walking, else -1.
  virtual int64_t count(const Leaf& /*leaf*/) { return -1; }
  /// The same for the work of a few blocks; asked only where somebody counts.
  virtual int64_t count_quickly(const Leaf& /*leaf*/) { return -1; }
  /// The matches, deleted ones included, as a few runs; null: that takes more of them, or is not
  /// cheap to find out. Valid as long as the weight.
  virtual const std::vector<DocRun>* runs(const Leaf& /*leaf*/) { return nullptr; }
  /// Gathering the matches as bits or lists costs so little that counting them first, and scoring only
  /// what may be shown, beats scoring all.
  virtual bool counts_first(const Leaf& /*leaf*/) { return false; }
  /// At least the score of any document of the index: shard-wide, so that it orders clauses alike
  /// in every segment.
  virtual float bound() const = 0;
  virtual bool matches_nothing() const { return false; }
  virtual bool matches_everything() const { return false; }
  /// Its documents are listed once they are asked for: nobody has to stop while walking them.
  virtual bool is_list() const { return false; }
  virtual Explanation explain(const Leaf& leaf, uint32_t doc) = 0;
  /// Tells `sink` what it looks for in the text of a document that it matches.
  virtual void mark(const Leaf& /*leaf*/, uint32_t /*doc*/, MarkSink& /*sink*/) {}
  /// The clause in the words of explanations ("title:fox").
  virtual std::string describe() const = 0;
};

using WeightPtr = std::unique_ptr<Weight>;

/// Drives `scorer` into `collector`, honouring live documents and the collector's threshold.
/// Sets every match of the segment, which `bits` has room for, until the search has to stop. The
/// scorer has not moved yet.
void set_matches(Scorer& scorer, StopCheck& stop, Bitset& bits);

void run_scorer(Scorer& scorer, const Leaf& leaf, Collector& collector, StopCheck& stop);

/// An upper bound of a float32 sum of `count` terms that may be added in another order.
float sum_upper_bound(double sum, size_t count) noexcept;

}  // namespace quarry
