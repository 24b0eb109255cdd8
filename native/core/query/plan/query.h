// The interfaces of search execution. A compiled clause is a Weight (one per search, with
// index-wide statistics). A Weight creates a Scorer per segment, which is a DocSet (doc_set.h) with
// scores. A BulkScorer collects a whole segment at once.
#pragma once

#include <cstdint>
#include <memory>
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
#include "query/scorers/doc_set.h"
#include "query/scorers/leaf.h"
#include "query/scorers/match_sink.h"
#include "query/scorers/score_window.h"

namespace quarry {

class TermScorer;  // query/scorers/term_scorer.h

/// The documents of one segment that match a clause, with their scores.
class Scorer : public DocSet {
 public:
  /// Score of the current, confirmed document; called at most once per document.
  virtual float score() = 0;

  // Bounds, for pruning. The arguments never decrease from call to call.
  /// Upper bound of the scores of all documents of the segment.
  virtual float bound() const = 0;
  /// First document after the block that contains `target` (where window_bound() changes).
  virtual uint32_t block_end(uint32_t target) {
    return target < kNoMoreDocs ? kNoMoreDocs : target;
  }
  /// Upper bound of the scores of all documents in [begin, end).
  virtual float window_bound(uint32_t /*begin*/, uint32_t /*end*/) { return bound(); }
  /// From now on, documents that do not score above `threshold` may be skipped. Called only on the
  /// outermost scorer, which is then no longer called for bounds.
  virtual void set_threshold(float /*threshold*/) {}

  /// Adds the scores of all matches in [begin, end) to `window`; `begin` >= the previous `end`.
  virtual void score_window(uint32_t begin, uint32_t end, ScoreWindow& window);
};

using ScorerPtr = std::unique_ptr<Scorer>;

/// Documents [begin, end); see query/scorers/doc_runs.h.
struct DocRun {
  uint32_t begin = 0;
  uint32_t end = 0;
};

/// Collects all hits of one segment.
class BulkScorer {
 public:
  virtual ~BulkScorer() = default;
  virtual void run(Collector& collector, StopCheck& stop) = 0;
};

/// The term that a clause of a single term looks for; valid as long as the clause.
struct SingleTerm {
  std::string_view field;
  std::string_view text;  // as indexed
};

/// The clause of a single term, for callers that walk its postings block by block.
class TermClause {
 public:
  virtual ~TermClause() = default;
  virtual SingleTerm term() const = 0;
  /// Null if the segment lacks the term.
  virtual std::unique_ptr<TermScorer> term_scorer(const Leaf& leaf) = 0;
  /// Writes the live documents of the term, ascending, to `out`, which has room for the cost of the
  /// clause, and returns their number; fewer when `stop` expires.
  virtual uint32_t list_live(const Leaf& leaf, StopCheck& stop, uint32_t* out) = 0;
};

/// How much a LeafPlan may spend on the number of matches.
enum class Counting : uint8_t {
  kNone,
  kKnown,    // only what is available without walking the postings
  kQuickly,  // also what costs a few blocks, for searches that count their hits
};

/// What a clause offers in one segment besides a scorer.
struct LeafPlan {
  int64_t count = -1;  // the exact number of live matches, if it was determined
  /// The matches, deleted ones included, as a few runs; null if that takes too many runs or is not
  /// cheap to determine. Valid as long as the weight.
  const std::vector<DocRun>* runs = nullptr;
  /// Gathering the matches as bits or lists is so cheap that counting them first, and scoring only
  /// documents that may be shown, is faster than scoring all. Of no meaning once `count` is known.
  bool counts_first = false;
};

/// A compiled clause. Used by one search on one thread; may keep state per segment.
class Weight {
 public:
  Weight() = default;
  Weight(const Weight&) = delete;
  Weight& operator=(const Weight&) = delete;
  virtual ~Weight() = default;

  /// Estimated upper bound of the number of matches in the segment; 0 only if there are none.
  virtual uint64_t cost(const Leaf& leaf) = 0;
  /// Null if nothing matches. `lead_cost`: estimated number of documents the scorer is advanced to.
  virtual ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) = 0;
  /// Null: use scorer() instead.
  virtual std::unique_ptr<BulkScorer> bulk_scorer(const Leaf& /*leaf*/) { return nullptr; }
  virtual LeafPlan plan(const Leaf& /*leaf*/, Counting /*counting*/) { return {}; }
  virtual Explanation explain(const Leaf& leaf, uint32_t doc) = 0;
  /// Reports to `sink` what the clause looks for in the text of a document that it matches.
  virtual void report_matches(const Leaf& /*leaf*/, uint32_t /*doc*/, MatchSink& /*sink*/) {}
  /// The clause in the notation of explanations ("title:fox").
  virtual std::string describe() const = 0;

  int64_t count(const Leaf& leaf) { return plan(leaf, Counting::kKnown).count; }
  /// Upper bound of the scores of all documents of the index. It is shard-wide, so that it orders
  /// clauses alike in every segment.
  float bound() const noexcept { return bound_; }
  bool matches_nothing() const noexcept { return extent_ == Extent::kNothing; }
  bool matches_everything() const noexcept { return extent_ == Extent::kEverything; }
  /// True if the documents are listed on first use, so that iterating over them needs no stop
  /// checks.
  bool is_list() const noexcept { return is_list_; }
  /// True if the clause, or one inside it, runs a script to find its matches: its scorer is asked
  /// only about documents that the clauses around it have.
  bool runs_script() const noexcept { return runs_script_; }
  void set_runs_script() noexcept { runs_script_ = true; }
  /// The clause itself, if it is one of a single term, else null.
  TermClause* term_clause() const noexcept { return term_clause_; }

 protected:
  enum class Extent : uint8_t { kSome, kNothing, kEverything };

  // Set while the weight is made.
  void set_bound(float bound) noexcept { bound_ = bound; }
  void set_extent(Extent extent) noexcept { extent_ = extent; }
  /// The clause matches nothing or everything where `other` does.
  void set_extent_of(const Weight& other) noexcept { extent_ = other.extent_; }
  void set_list() noexcept { is_list_ = true; }
  void set_term_clause(TermClause* clause) noexcept { term_clause_ = clause; }

 private:
  float bound_ = 0;
  Extent extent_ = Extent::kSome;
  bool is_list_ = false;
  bool runs_script_ = false;
  TermClause* term_clause_ = nullptr;
};

using WeightPtr = std::unique_ptr<Weight>;

/// Sets every match of the segment, which `bits` has room for, until the search has to stop. The
/// scorer has not moved yet.
void set_matches(Scorer& scorer, StopCheck& stop, Bitset& bits);

/// Feeds the matches of `scorer` to `collector`, honouring live documents and its threshold.
void run_scorer(Scorer& scorer, const Leaf& leaf, Collector& collector, StopCheck& stop);

/// An upper bound of a float32 sum of `count` terms that may be added in any order.
float sum_upper_bound(double sum, size_t count) noexcept;

}  // namespace quarry
