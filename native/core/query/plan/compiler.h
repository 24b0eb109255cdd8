// Compiles plan nodes into weights. Resolves field names, keeps index-wide term statistics and
// limits, and holds the state that all clauses of a query share.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/phrase/term_places.h"
#include "query/plan/query.h"
#include "query/vectors/similarity_score.h"
#include "text/analysis/analysis_budget.h"

namespace quarry {

// In characters; for wildcard patterns and for the regexps of aggregations.
inline constexpr uint32_t kMaxPatternLength = 1000;

/// What a clause is compiled for: its boost (the product of all enclosing boosts), and whether its
/// score is read.
struct Scope {
  float boost = 1;
  bool scores = true;
  Scope without_scores() const { return {boost, false}; }
  Scope boosted(float factor) const { return {boost * factor, scores}; }
};

/// What a field name of a query refers to.
struct ResolvedField {
  enum class Kind : uint8_t { kUnmapped, kField, kId, kIndexName };
  Kind kind = Kind::kUnmapped;
  const Field* field = nullptr;  // set for kField
  std::string prefix;            // of every term: "key\0" below a flattened field
};

/// The statistics of one term over all shards of the index, and its place in each segment of the
/// shard under search.
struct TermState {
  uint64_t doc_freq = 0;
  uint64_t total_term_freq = 0;
  std::vector<TermPlace> found;  // by Leaf::ord; empty if `kept` is set
  TermPlacesPtr kept;  // the same places as an entry of the filter cache; null: not cached
  const TermPlace& place(const Leaf& leaf) const {
    return kept != nullptr ? kept->place(leaf) : found[leaf.ord];
  }
};

/// A clause with a `_name`, which matched_queries reports.
struct NamedClause {
  std::string name;
  PlanNode node;
};

/// One instance per search and leg; not thread-safe. Views of the plan's bytes must outlive it.
class Compiler {
 public:
  /// `progress` must outlive the compiler and its weights.
  Compiler(const SearchContext& context, int64_t now_ms, SearchProgress& progress);

  /// Compiles a query node. Boost and _name are read here, the rest by the clause's own file.
  Result<WeightPtr> compile(const PlanNode& node, Scope scope);
  /// Compiles a node without scores, through the filter cache where caching pays.
  Result<WeightPtr> compile_filter(const PlanNode& node);

  const SearchContext& context() const { return context_; }
  const Mapping& mapping() const { return *context_.mapping; }
  int64_t now_ms() const { return now_ms_; }
  SearchProgress& progress() const { return progress_; }
  const std::vector<NamedClause>& named() const { return named_; }
  /// Limits the cost of analyzing all text of the query.
  AnalysisBudget& analysis() { return analysis_; }
  /// Resets the clause count: the next node is a query of its own.
  void start_over() { clauses_ = 0; }
  /// Adds to the clause count; too_many_clauses above max_clauses().
  Status count_clauses(uint64_t count = 1);
  /// Keeps clauses whose terms no document contains, because highlighting may look for them in
  /// other fields.
  void keep_absent_terms() { keeps_absent_terms_ = true; }
  bool keeps_absent_terms() const { return keeps_absent_terms_; }
  /// Called by clauses that read the clock: a clause that contains one is not cached.
  void depends_on_now() { uncached_++; }
  /// Called by clauses whose matches in a segment depend on other segments or on deletions; they
  /// are not cached either.
  void depends_on_snapshot() { uncached_++; }
  /// Called by clauses whose meaning depends on the enclosing clauses; they are not cached either.
  void depends_on_surroundings() { uncached_++; }
  /// Called by clauses that run a script to find their matches. They are not cached, because that
  /// runs it on documents that other clauses exclude, and enclosing clauses run it last
  /// (Weight::runs_script).
  void depends_on_script() {
    uncached_++;
    scripts_++;
  }
  /// Sets the time zone for dates in terms that name no zone; empty: UTC. Returns the previous
  /// zone.
  std::string_view set_time_zone(std::string_view zone) { return std::exchange(time_zone_, zone); }
  std::string_view time_zone() const { return time_zone_; }
  /// Field::level of the documents that the clause being compiled matches. set_level() returns the
  /// previous level.
  uint32_t level() const { return level_; }
  uint32_t set_level(uint32_t level) { return std::exchange(level_, level); }
  /// The level of the documents that the enclosing `nested` clause matches; 0 without one.
  uint32_t outer_level() const { return outer_level_; }
  uint32_t set_outer_level(uint32_t level) { return std::exchange(outer_level_, level); }
  /// Returns `status` and excludes it from the wrapping that error_of() does.
  Status refuse(Status status);
  /// The error of a search whose compile() failed with `status`: "failed to create query: …",
  /// except for errors that name the query already.
  Status error_of(const Status& status) const;

  ResolvedField resolve(std::string_view name);
  /// A field of the named type that no document has, for sorts on unmapped fields; null for an
  /// unknown type. It lives as long as the compiler.
  const Field* stand_in(std::string_view name, std::string_view type);
  /// Ok, or the error for a field whose terms or numbers cannot be searched.
  static Status check_searchable(const Field& field);

  // Statistics over all shards of the index.
  const FieldTotals& totals(const std::string& field) { return statistics(field).totals; }
  std::shared_ptr<const NormTable> norm_table(const Field& field);
  TermState term(std::string_view field, std::string_view text) const;
  uint64_t max_doc() const;
  /// Whether results about terms over all segments of the shard are cached (filter_cache.h).
  bool keeps_joint() const { return !joint_segments_.empty(); }
  /// The shard's own segments, followed by those of all shards if there are other shards; empty
  /// unless keeps_joint().
  const SegmentList& joint_segments() const { return joint_segments_; }
  /// Calls take(segment) for the segments of all shards of the index.
  template <typename Take>
  void each_segment(Take take) const {
    const auto of_shard = [&take](const ShardView& shard) {
      for (const SegmentView& view : shard.segments) take(*view.segment);
    };
    for (const ShardView* shard : context_.all_shards) of_shard(*shard);
    if (context_.all_shards.empty()) of_shard(*context_.view);
  }
  /// Similarity facts of the field and boost, without idf.
  SimilarityFacts similarity_facts(const Field& field, float boost);

 private:
  /// Whether the budget of the call ends before columns of an internal field could be built.
  bool out_of_budget_for(std::string_view name);
  struct FieldStatistics {
    FieldTotals totals;
    std::shared_ptr<const NormTable> norms;  // null: not requested yet
  };

  void list_joint_segments();
  FieldStatistics& statistics(const std::string& field);
  TermState look_up(std::string_view field, std::string_view text) const;

  const SearchContext& context_;
  int64_t now_ms_;
  SearchProgress& progress_;
  uint32_t depth_ = 0;
  uint64_t clauses_ = 0;
  uint64_t uncached_ = 0;  // clauses that must not enter the filter cache
  uint64_t scripts_ = 0;   // those of them that run a script
  AnalysisBudget analysis_;
  std::string_view time_zone_;
  uint32_t level_ = 0;
  uint32_t outer_level_ = 0;
  bool refused_ = false;
  bool keeps_absent_terms_ = false;
  SegmentList joint_segments_;
  std::map<std::string, FieldStatistics, std::less<>> statistics_;
  std::map<std::string, std::unique_ptr<Field>, std::less<>> internal_fields_;
  std::vector<std::unique_ptr<Field>> stand_ins_;
  std::vector<NamedClause> named_;
};

/// Errors that several clauses return.
Status malformed_clause(std::string_view name);
Status wrong_type(std::string_view query, std::string_view allowed, const Field& field);

/// The text that a value is indexed as (keyword normalizer applied); patterns are compared with it.
Result<std::string> index_form(const Field& field, std::string_view text, AnalysisBudget& budget);
/// The term that a value is indexed under, without the prefix of a flattened key.
Result<std::string> index_term(const Field& field, std::string_view text, AnalysisBudget& budget);

}  // namespace quarry
