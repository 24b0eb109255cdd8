// group_score: scores a document by its group, the documents with the same value of a keyword: the
// sum over several queries of the best score that each has within the group.
// The weight runs every query once over the whole shard and keeps the best score of each group;
// afterwards the score of a document is a look at the column of its group.
#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "query/plan/clause_table.h"
#include "query/plan/leaves.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/document_matches.h"
#include "query/vectors/vector_clause.h"

namespace quarry {
namespace {

constexpr uint32_t kNoGroup = std::numeric_limits<uint32_t>::max();
/// The place of a value that was looked up among those of all segments: none has a number.
constexpr uint32_t kNoneFound = kNoGroup - 1;
/// Documents of a segment whose groups of their own are numbered in one block of memory.
constexpr uint32_t kPageDocs = 1024;

/// The groups of the documents of all segments. Of several values of a document the smallest
/// counts; a document without a value is a group of its own.
class Groups {
 public:
  Groups(const std::vector<Leaf>& leaves, std::string_view field) {
    for (const Leaf& leaf : leaves) {
      const SegmentField* held = leaf.segment->field(field);
      SegmentGroups part;
      part.alone.resize((leaf.max_doc + kPageDocs - 1) / kPageDocs);
      if (held != nullptr && held->column != nullptr && held->inverted != nullptr) {
        part.column = held->column;
        part.inverted = held->inverted;
        part.by_ordinal.assign(held->inverted->terms().size(), kNoGroup);
      }
      parts_.push_back(std::move(part));
    }
  }

  /// Numbers are given in the order of the first calls. `leaf` is one of the constructor's.
  uint32_t group_of(const Leaf& leaf, uint32_t doc) {
    SegmentGroups& part = parts_[leaf.ord];
    if (const uint32_t* group = place(part, doc))
      return *group != kNoGroup ? *group : add(part, doc);
    Page& page = part.alone[doc / kPageDocs];
    if (page.empty()) page.assign(kPageDocs, kNoGroup);
    uint32_t& group = page[doc % kPageDocs];
    if (group == kNoGroup) group = count_++;
    return group;
  }
  /// kNoGroup if group_of() was called for no document of the group, in whatever segment. Must be
  /// called after the last group_of().
  uint32_t known_group(const Leaf& leaf, uint32_t doc) {
    SegmentGroups& part = parts_[leaf.ord];
    if (uint32_t* group = place(part, doc)) {
      if (*group == kNoGroup) *group = find(part, doc);
      return *group == kNoneFound ? kNoGroup : *group;
    }
    const Page& page = part.alone[doc / kPageDocs];
    return page.empty() ? kNoGroup : page[doc % kPageDocs];
  }
  uint32_t count() const { return count_; }

 private:
  using Page = std::vector<uint32_t>;
  struct SegmentGroups {
    const Column* column = nullptr;
    const InvertedField* inverted = nullptr;
    std::vector<uint32_t> by_ordinal;
    std::vector<Page> alone;  // by document; empty: none of its documents has a number
  };

  /// Null if the document has no value.
  static uint32_t* place(SegmentGroups& part, uint32_t doc) {
    if (part.column == nullptr || !part.column->has(doc)) return nullptr;
    const auto ordinal = static_cast<uint64_t>(part.column->value(doc));
    return ordinal < part.by_ordinal.size() ? &part.by_ordinal[ordinal] : nullptr;
  }
  uint32_t add(SegmentGroups& part, uint32_t doc) {
    const auto [at, added] = by_value_.try_emplace(value_of(part, doc), count_);
    if (added) count_++;
    *place(part, doc) = at->second;
    return at->second;
  }
  uint32_t find(const SegmentGroups& part, uint32_t doc) const {
    const auto at = by_value_.find(value_of(part, doc));
    return at == by_value_.end() ? kNoneFound : at->second;
  }
  static std::string value_of(const SegmentGroups& part, uint32_t doc) {
    return std::string(part.inverted->terms().term(static_cast<uint32_t>(part.column->value(doc))));
  }

  std::vector<SegmentGroups> parts_;  // by Leaf::ord
  std::unordered_map<std::string, uint32_t> by_value_;
  uint32_t count_ = 0;
};

/// The documents of a segment whose group has a score.
class GroupScorer final : public Scorer {
 public:
  GroupScorer(const Leaf& leaf, Groups& groups, const std::vector<float>& scores, float bound)
      : leaf_(leaf), groups_(groups), scores_(scores), bound_(bound) {}

  uint32_t next() override { return find(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override { return find(target); }
  float score() override { return score_; }
  uint64_t cost() const override { return leaf_.max_doc; }
  float bound() const override { return bound_; }

 private:
  uint32_t find(uint32_t doc) {
    for (; doc < leaf_.max_doc; doc++) {
      if (leaf_.stop->step()) break;
      const uint32_t group = groups_.known_group(leaf_, doc);
      score_ = group == kNoGroup ? 0 : scores_[group];
      if (score_ > 0) return move(doc);
    }
    return move(kNoMoreDocs);
  }

  const Leaf& leaf_;
  Groups& groups_;
  const std::vector<float>& scores_;
  const float bound_;
  float score_ = 0;
};

class GroupScoreWeight final : public Weight {
 public:
  GroupScoreWeight(const Compiler& compiler, const Field& field, std::vector<WeightPtr> queries,
                   WeightPtr filter)
      : progress_(compiler.progress()),
        leaves_(make_leaves(*compiler.context().view, compiler.progress())),
        field_(field),
        queries_(std::move(queries)),
        filter_(std::move(filter)),
        groups_(leaves_, field.name) {
    double sum = 0;
    for (const WeightPtr& query : queries_) sum += static_cast<double>(query->bound());
    set_bound(sum_upper_bound(sum, queries_.size()));
  }

  uint64_t cost(const Leaf& leaf) override { return leaf.max_doc; }
  ScorerPtr scorer(const Leaf& leaf, uint64_t /*lead_cost*/) override {
    if (!counted_) count_groups();
    return std::make_unique<GroupScorer>(leaves_[leaf.ord], groups_, scores_, bound());
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    const ScorerPtr group = scorer(leaf, 1);
    if (group->advance_match(doc) != doc) return Explanation::no_match("no score in the group");
    return Explanation::matched(
        static_cast<double>(group->score()),
        "sum over the queries of the best score among the documents with the same [" + field_.name +
            "]");
  }
  void report_matches(const Leaf& leaf, uint32_t doc, MatchSink& sink) override {
    for (const WeightPtr& query : queries_) report_document_matches(*query, leaf, doc, sink);
  }
  std::string describe() const override {
    return "GroupScoreQuery:" + field_.name + "[" + std::to_string(queries_.size()) + "]";
  }

 private:
  void count_groups() {
    counted_ = true;
    std::vector<Bitset> filters(leaves_.size());
    std::vector<bool> searched(leaves_.size());
    for (const Leaf& leaf : leaves_)
      searched[leaf.ord] = fill_filter(filter_.get(), leaf, filters[leaf.ord]);
    std::vector<float> best;
    for (const WeightPtr& query : queries_) {
      best.assign(groups_.count(), 0);
      for (const Leaf& leaf : leaves_) {
        if (searched[leaf.ord])
          keep_best(*query, leaf, filter_ == nullptr ? nullptr : &filters[leaf.ord], best);
      }
      scores_.resize(groups_.count());
      for (size_t group = 0; group < best.size(); group++) scores_[group] += best[group];
    }
  }

  void keep_best(Weight& query, const Leaf& leaf, const Bitset* filter, std::vector<float>& best) {
    const ScorerPtr scorer = query.scorer(leaf, leaf.max_doc);
    if (scorer == nullptr) return;
    for (uint32_t doc = scorer->next_match(); doc != kNoMoreDocs; doc = scorer->next_match()) {
      if (progress_.stop.step()) return;
      if (leaf.live != nullptr && !leaf.live->test(doc)) continue;
      if (filter != nullptr && !filter->test(doc)) continue;
      const uint32_t group = groups_.group_of(leaf, doc);
      if (group >= best.size()) best.resize(group + 1, 0);
      best[group] = std::max(best[group], scorer->score());
    }
  }

  SearchProgress& progress_;
  const std::vector<Leaf> leaves_;
  const Field& field_;
  const std::vector<WeightPtr> queries_;
  const WeightPtr filter_;  // null: none
  Groups groups_;
  std::vector<float> scores_;  // by group
  bool counted_ = false;
};

Status wrong_field(std::string_view name, std::string_view type) {
  return illegal_argument("[group_score] needs a [keyword] field with doc_values to group by, [" +
                          std::string(name) + "] is " + std::string(type));
}

}  // namespace

Result<WeightPtr> compile_group_score(PlanReader& reader, Compiler& compiler, Scope scope) {
  const std::string_view name = reader.get_string();
  const auto count = reader.get<uint32_t>();
  if (count > reader.remaining() / 8) return malformed_clause("group_score");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  compiler.depends_on_snapshot();
  std::vector<WeightPtr> queries;
  for (uint32_t i = 0; i < count; i++) {
    QUARRY_ASSIGN_OR_RETURN(const PlanNode node, read_node(reader));
    QUARRY_ASSIGN_OR_RETURN(WeightPtr query, compiler.compile(node, {scope.boost, true}));
    queries.push_back(std::move(query));
  }
  const auto filters = reader.get<uint8_t>();
  if (reader.failed() || filters > 1) return malformed_clause("group_score");
  WeightPtr filter;
  if (filters == 1) {
    QUARRY_ASSIGN_OR_RETURN(const PlanNode node, read_node(reader));
    QUARRY_ASSIGN_OR_RETURN(filter, compiler.compile_filter(node));
  }
  const ResolvedField resolved = compiler.resolve(name);
  if (resolved.kind == ResolvedField::Kind::kUnmapped)
    return compiler.refuse(wrong_field(name, "unmapped"));
  const bool is_field = resolved.kind == ResolvedField::Kind::kField;
  if (!is_field || !resolved.field->is_keyword() || !resolved.field->doc_values) {
    return compiler.refuse(wrong_field(
        name, is_field ? "of type [" + std::string(field_type_name(resolved.field->type)) + "]"
                       : "a metadata field"));
  }
  std::erase_if(queries, [](const WeightPtr& query) { return query->matches_nothing(); });
  if (queries.empty()) return make_no_docs("no query of [group_score] matches anything");
  return WeightPtr(std::make_unique<GroupScoreWeight>(compiler, *resolved.field, std::move(queries),
                                                      std::move(filter)));
}

}  // namespace quarry
