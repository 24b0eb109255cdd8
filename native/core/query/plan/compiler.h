// Turns plan nodes into weights: field names, shard-wide term statistics, limits and what all
// clauses share.
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

inline constexpr uint32_t kMaxPatternLength = 1000;  // characters of a wildcard, or of a regexp of an aggregation

/// What a clause is compiled for: its boost (all enclosing ones multiplied in), and whether anybody
/// reads its score.
struct Scope {
  float boost = 1;
  bool scores = true;
  Scope without_scores() const { return {boost, false}; }
  Scope boosted(float factor) const { return {boost * factor, scores}; }
};

/// What a field name of a query means.
struct ResolvedField {
  enum class Kind : uint8_t { kUnmapped, kField, kId, kIndexName };
  Kind kind = Kind::kUnmapped;
  const Field* field = nullptr;  // kField
  std::string prefix;            // of every term: "key\0" below a flattened field
};

/// One term over all shards of the index, and where it is in the segments of the shard under
/// search.
struct TermState {
  uint64_t doc_freq = 0;
  uint64_t total_term_freq = 0;
  std::vector<TermPlace> found;  // by Leaf::ord; empty where they are kept
  TermPlacesPtr kept;            // null: nothing is
  const TermPlace& place(const Leaf& leaf) const {
    return kept != nullptr ? kept->place(leaf) : found[leaf.ord];
  }
};

/// A clause with a `_name`, for matched_queries.
struct NamedClause {
  std::string name;
  PlanNode node;
};

/// One per search and leg; not thread-safe. Views of the plan's bytes must outlive it.
class Compiler {
 public:
  /// `progress` must outlive the weights as well.
  Compiler(const SearchContext& context, int64_t now_ms, SearchProgress& progress);

  /// A query node: boost and _name are read here, the rest by the clause's own file.
  Result<WeightPtr> compile(const PlanNode& node, Scope scope);
  /// The same without scores, through the filter cache where that pays.
  Result<WeightPtr> compile_filter(const PlanNode& node);

  const SearchContext& context() const { return context_; }
  const Mapping& mapping() const { return *context_.mapping; }
  int64_t now_ms() const { return now_ms_; }
  SearchProgress& progress() const { return progress_; }
  const std::vector<NamedClause>& named() const { return named_; }
  /// What the analysis of all texts of the query may cost.
  AnalysisBudget& analysis() { return analysis_; }
  /// Forgets the clauses counted so far: what follows is a query of its own.
  void start_over() { clauses_ = 0; }
  /// Counts clauses towards kMaxClauses.
  Status count_clauses(uint64_t count = 1);
  /// Clauses for terms that no document has are kept as they are: highlighting may look for them in
  /// other fields.
  void keep_absent_terms() { keeps_absent_terms_ = true; }
  bool keeps_absent_terms() const { return keeps_absent_terms_; }
  /// Called by clauses that read the clock: what contains them is not cached.
  void depends_on_now() { uncached_++; }
  /// Called by clauses whose documents in a segment depend on other segments or on deletions: the
  /// same.
  void depends_on_snapshot() { uncached_++; }
  /// Called by clauses that mean something else within other clauses: the same.
  void depends_on_surroundings() { uncached_++; }
  /// In which dates of terms are read that name none; empty: UTC. The zone before.
  std::string_view set_time_zone(std::string_view zone) { return std::exchange(time_zone_, zone); }
  std::string_view time_zone() const { return time_zone_; }
  /// `status`, which will not be wrapped by error_of().
  Status refuse(Status status);
  /// What a search says when compile() failed with `status`: "failed to create query: …", but for
  /// errors that name the query already.
  Status error_of(const Status& status) const;

  ResolvedField resolve(std::string_view name);
  /// A field of a type's name that no document has, for sorts on unmapped fields; null for an
  /// unknown type.
  const Field* stand_in(std::string_view name, std::string_view type);
  /// Ok, or the refusal for a field whose terms or numbers nobody can look up.
  static Status check_searchable(const Field& field);

  // Statistics, over all shards of the index.
  const FieldTotals& totals(const std::string& field) { return statistics(field).totals; }
  std::shared_ptr<const NormTable> norm_table(const Field& field);
  TermState term(std::string_view field, std::string_view text) const;
  uint64_t max_doc() const;
  /// Whether what is found out about the terms of the shard's segments together is kept (filter_cache.h).
  bool keeps_joint() const { return !joint_segments_.empty(); }
  /// The shard's own segments, and those of all shards if there are others; empty unless keeps_joint().
  const SegmentList& joint_segments() const { return joint_segments_; }
  /// take(segment) for those of all shards of the index.
  template <typename Take>
  void each_segment(Take take) const {
    const auto of_shard = [&take](const ShardView& shard) {
      for (const SegmentView& view : shard.segments) take(*view.segment);
    };
    for (const ShardView* shard : context_.all_shards) of_shard(*shard);
    if (context_.all_shards.empty()) of_shard(*context_.view);
  }
  /// The weight's similarity facts, without idf.
  SimilarityFacts similarity_facts(const Field& field, float boost);

 private:
  /// Whether the budget of the call ends before columns of an internal field could be built.
  bool out_of_budget_for(std::string_view name);
  Result<WeightPtr> dispatch(PlanOp op, ByteReader& reader, Scope scope);
  struct FieldStatistics {
    FieldTotals totals;
    std::shared_ptr<const NormTable> norms;  // null: nobody asked yet
  };

  void list_joint_segments();
  FieldStatistics& statistics(const std::string& field);
  TermState look_up(std::string_view field, std::string_view text) const;

  const SearchContext& context_;
  int64_t now_ms_;
  SearchProgress& progress_;
  uint32_t depth_ = 0;
  uint64_t clauses_ = 0;
  uint64_t uncached_ = 0;  // clauses that no filter cache may hold
  AnalysisBudget analysis_;
  std::string_view time_zone_;
  bool refused_ = false;
  bool keeps_absent_terms_ = false;
  SegmentList joint_segments_;
  std::map<std::string, FieldStatistics, std::less<>> statistics_;
  std::map<std::string, std::unique_ptr<Field>, std::less<>> internal_fields_;
  std::vector<NamedClause> named_;
};

/// Refusals that several clauses give.
Status malformed_clause(std::string_view name);
Status wrong_type(std::string_view query, std::string_view allowed, const Field& field);

/// The term a value is indexed under (keyword normalizer applied), without the prefix of a
/// flattened key.
Result<std::string> index_form(const Field& field, std::string_view text, AnalysisBudget& budget);

}  // namespace quarry
