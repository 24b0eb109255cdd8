// knn: the documents of the shard with the nearest vectors to a given one, scored by similarity.
// Checks a knn clause against the mapping and searches the segments of the shard.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/status.h"
#include "mapping/vectors/vector_bytes.h"
#include "query/nested/nested_query.h"
#include "query/nested/nested_space.h"
#include "query/plan/clause_table.h"
#include "query/plan/leaves.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/scored_docs.h"
#include "query/vectors/vector_clause.h"
#include "query/vectors/vector_searchers.h"

namespace quarry {
namespace {

// Score bounds that order clauses: 1 plus the rounding error of rows, or above all other scores.
constexpr float kLargestUnitScore = 1.001F;
constexpr float kLargestOpenScore = 1e30F;

struct KnnClause {
  std::string_view name;
  std::vector<float> vector;
  uint32_t k = 0;
  uint32_t num_candidates = 0;
  float similarity = 0;
  std::optional<PlanNode> filter;
  std::optional<PlanNode> root_filter;
};

// Bits of the plan: which filters follow.
constexpr uint8_t kKnnFilter = 1;
constexpr uint8_t kKnnRootFilter = 2;

Result<KnnClause> read_knn_clause(PlanReader& reader) {
  KnnClause clause;
  clause.name = reader.get_string();
  if (!reader.get_floats(clause.vector)) return malformed_clause("knn");
  clause.k = reader.get<uint32_t>();
  clause.num_candidates = reader.get<uint32_t>();
  clause.similarity = reader.get<float>();
  const auto filters = reader.get<uint8_t>();
  if (reader.failed() || filters > (kKnnFilter | kKnnRootFilter) || std::isinf(clause.similarity)) {
    return malformed_clause("knn");
  }
  if ((filters & kKnnFilter) != 0) {
    QUARRY_ASSIGN_OR_RETURN(clause.filter, read_node(reader));
  }
  if ((filters & kKnnRootFilter) != 0) {
    QUARRY_ASSIGN_OR_RETURN(clause.root_filter, read_node(reader));
  }
  return clause;
}

/// Checks the parts of the request that do not depend on the index.
Status check_numbers(const KnnClause& clause) {
  QUARRY_RETURN_IF_ERROR(check_knn_limits("knn", clause.k, clause.num_candidates));
  for (size_t dim = 0; dim < clause.vector.size(); dim++) {
    const float value = clause.vector[dim];
    if (std::isfinite(value)) continue;
    return illegal_argument(std::string("[knn] element_type [float] vectors do not support ") +
                            (std::isnan(value) ? "NaN" : "infinite") + " values but found [" +
                            (std::isnan(value) ? "NaN"
                             : value > 0       ? "Infinity"
                                               : "-Infinity") +
                            "] at dim [" + std::to_string(dim) + "] of [query_vector];" +
                            vector_preview(clause.vector));
  }
  return {};
}

/// The field, null if it is unmapped.
Result<const Field*> vector_field(Compiler& compiler, const KnnClause& clause) {
  const ResolvedField resolved = compiler.resolve(clause.name);
  if (resolved.kind == ResolvedField::Kind::kUnmapped) return static_cast<const Field*>(nullptr);
  const bool is_field = resolved.kind == ResolvedField::Kind::kField;
  if (!is_field || !resolved.field->has_vectors()) {
    const std::string_view type =
        is_field ? field_type_name(resolved.field->type) : std::string_view(clause.name);
    return illegal_argument("[knn] queries are only supported on [dense_vector] fields, [" +
                            std::string(clause.name) + "] is of type [" + std::string(type) + "]");
  }
  if (resolved.field->vector.index == VectorIndex::kNone) {
    return illegal_argument("to perform knn search on field [" + resolved.field->name +
                            "], its mapping must have [index] set to [true]");
  }
  return resolved.field;
}

Status check_vector(const KnnClause& clause, const Field& field, const VectorOptions& options) {
  const size_t dims = clause.vector.size();
  if (dims != options.dims) {
    return illegal_argument("query_vector has " + std::to_string(dims) + " dimension" +
                            (dims == 1 ? "" : "s") + ", field [" + field.name +
                            "] is mapped with dims [" + std::to_string(options.dims) + "]");
  }
  if (options.bytes) {
    const std::string why = no_bytes(clause.vector);
    if (!why.empty()) {
      return illegal_argument("[knn] field [" + field.name + "]: " + why + " of [query_vector];" +
                              vector_preview(clause.vector));
    }
  }
  const bool zero = std::all_of(clause.vector.begin(), clause.vector.end(),
                                [](float value) { return value == 0; });
  if (zero && options.similarity == VectorSimilarity::kCosine) {
    return illegal_argument("The [cosine] similarity of field [" + field.name +
                            "] does not support vectors with zero magnitude." +
                            vector_preview(clause.vector));
  }
  return {};
}

/// Whose vectors are compared, and which documents are found by them.
struct KnnLevels {
  uint32_t vectors = 0;      // Field::level of the documents that have the vectors
  uint32_t outer = 0;        // that of the documents of which each counts once, which filters match
  bool finds_outer = false;  // the outer documents are found, not those that have the vectors
};

Result<KnnLevels> levels_of(const Compiler& compiler, const Field& field) {
  const Mapping& mapping = compiler.mapping();
  const uint32_t level = compiler.level();
  if (is_inside(mapping, field.level, level)) return KnnLevels{field.level, level, true};
  if (field.level != level) {
    return illegal_argument("[knn] the field [" + field.name + "] is not inside [" +
                            mapping.nested_objects()[level - 1].path +
                            "], whose nested documents the enclosing clause searches");
  }
  if (level == 0) return KnnLevels();
  return KnnLevels{level, compiler.outer_level(), false};
}

/// The parameters of a checked search.
struct KnnTarget {
  const Field& field;
  PreparedVector query;
  uint32_t k;
  uint32_t num_candidates;
  std::optional<float> min_score;
  WeightPtr filter;       // of the outer documents; null: none
  WeightPtr root_filter;  // of whole documents; null: none
  float boost;
  KnnLevels levels;
  const Mapping& mapping;

  bool filtered() const { return filter != nullptr || root_filter != nullptr; }
};

float score_bound(const KnnTarget& wanted) {
  switch (wanted.query.options().similarity) {
    case VectorSimilarity::kCosine:
    case VectorSimilarity::kL2Norm:
    case VectorSimilarity::kByteDotProduct:
      return kLargestUnitScore * wanted.boost;
    case VectorSimilarity::kDotProduct:
    case VectorSimilarity::kMaxInnerProduct:
      break;
  }
  return kLargestOpenScore;
}

class KnnWeight final : public ScoredDocsWeight {
 public:
  KnnWeight(const Compiler& compiler, KnnTarget wanted)
      : ScoredDocsWeight(score_bound(wanted)),
        context_(compiler.context()),
        view_(*compiler.context().view),
        searchers_(compiler.context().searchers),
        progress_(compiler.progress()),
        wanted_(std::move(wanted)) {}

  std::string describe() const override {
    return "KnnFloatVectorQuery:" + wanted_.field.name + "[" +
           float_text(static_cast<double>(wanted_.query.vector()[0])) + ",...][" +
           std::to_string(wanted_.k) + "]";
  }

 protected:
  const ScoredDocs& found() override {
    if (!searched_) search();
    return found_;
  }

 private:
  void search();
  std::vector<VectorHit> search_whole();
  void search_leaf(const Leaf& leaf, VectorSearcher& searcher, TopVectors& top);

  /// A segment whose nested documents are searched.
  struct NestedSegment {
    Leaf leaf;
    const VectorColumn* column = nullptr;
    Bitset live;      // nested documents; size 0: all are live
    Bitset matching;  // size 0: there is no filter
  };
  std::vector<VectorHit> search_nested();
  std::vector<NestedSegment> nested_segments();
  bool fill_nested(NestedSegment& part);
  std::vector<VectorHit> nearest_rows(const std::vector<NestedSegment>& parts, uint32_t count,
                                      TopOf of);
  const Bitset* outer_docs(const Leaf& leaf) const {
    return docs_at(wanted_.mapping, *leaf.segment->nested(), wanted_.levels.outer);
  }
  std::vector<VectorHit> best_of_outer(const std::vector<NestedSegment>& parts,
                                       const std::vector<VectorHit>& rows) const;

  const SearchContext& context_;
  const ShardView& view_;
  VectorSearcherPool* searchers_;
  SearchProgress& progress_;
  KnnTarget wanted_;
  bool searched_ = false;
  ScoredDocs found_;
};

std::vector<VectorHit> KnnWeight::search_whole() {
  TopVectors top(wanted_.k, wanted_.min_score);
  VectorSearcherPool::Lease searcher = VectorSearcherPool::lend(searchers_);
  for (const Leaf& leaf : make_leaves(view_, progress_)) {
    if (progress_.stop.expired()) break;
    search_leaf(leaf, *searcher, top);
  }
  return top.take();
}

void KnnWeight::search() {
  searched_ = true;
  std::vector<VectorHit> hits = wanted_.levels.vectors == 0 ? search_whole() : search_nested();
  std::sort(hits.begin(), hits.end(),
            [](const VectorHit& a, const VectorHit& b) { return a.doc < b.doc; });
  for (const VectorHit& hit : hits) {
    found_.docs.push_back(hit.doc);
    found_.scores.push_back(hit.score * wanted_.boost);
  }
}

void KnnWeight::search_leaf(const Leaf& leaf, VectorSearcher& searcher, TopVectors& top) {
  const SegmentField* field = leaf.segment->field(wanted_.field.name);
  if (field == nullptr || field->vectors == nullptr) return;
  VectorSegment segment;
  segment.column = field->vectors;
  segment.base = leaf.base;
  segment.live = leaf.live;
  Bitset matching;
  if (!fill_filter(wanted_.filter.get(), leaf, matching)) return;
  if (progress_.stop.stopped()) return;  // the filter is incomplete
  if (wanted_.filter != nullptr) segment.filter = &matching;
  searcher.search(segment, wanted_.query, wanted_.num_candidates, top, progress_.stop,
                  progress_.counters.vectors);
}

/// A filtered search compares all rows that pass, and keeps the best of each document. A walk finds
/// rows: those of one document may be the nearest of all, so that a list of rows holds few
/// documents, and lists become deeper until they hold enough.
std::vector<VectorHit> KnnWeight::search_nested() {
  constexpr uint64_t kFirstDepth = 64;
  constexpr uint64_t kDeeper = 4;
  const std::vector<NestedSegment> parts = nested_segments();
  // Of those inside the documents of a page all are found.
  if (context_.inside != nullptr) {
    uint32_t all = 0;
    for (const NestedSegment& part : parts) all += part.matching.count();
    if (all == 0) return {};
    const std::vector<VectorHit> rows = nearest_rows(parts, all, TopOf::kRows);
    return wanted_.levels.finds_outer ? best_of_outer(parts, rows) : rows;
  }
  if (wanted_.filtered()) {
    return best_of_outer(parts, nearest_rows(parts, wanted_.k, TopOf::kOuterDocs));
  }
  for (uint64_t depth = 2 * uint64_t{wanted_.k} + kFirstDepth;; depth *= kDeeper) {
    const auto reach = static_cast<uint32_t>(std::min<uint64_t>(depth, UINT32_MAX));
    const std::vector<VectorHit> rows = nearest_rows(parts, reach, TopOf::kRows);
    std::vector<VectorHit> best = best_of_outer(parts, rows);
    const bool settled = best.size() >= wanted_.k || rows.size() < reach;
    if (!settled && !progress_.stop.stopped()) continue;
    if (best.size() > wanted_.k) best.resize(wanted_.k);
    return best;
  }
}

std::vector<KnnWeight::NestedSegment> KnnWeight::nested_segments() {
  std::vector<NestedSegment> parts;
  for (const Leaf& leaf : make_leaves(view_, progress_)) {
    const SegmentField* field = leaf.segment->field(wanted_.field.name);
    if (field == nullptr || field->vectors == nullptr || leaf.segment->nested() == nullptr)
      continue;
    NestedSegment part{leaf, field->vectors, {}, {}};
    if (fill_nested(part)) parts.push_back(std::move(part));
    if (progress_.stop.stopped()) return {};  // a filter is incomplete
  }
  return parts;
}

/// Takes out of `docs` what the filter does not match; null: all match. False: none do.
bool narrow(Weight* filter, const Leaf& leaf, Bitset& docs) {
  if (filter == nullptr) return true;
  Bitset matching;
  if (!fill_filter(filter, leaf, matching)) return false;
  docs.intersect(matching);
  return true;
}

/// Selects the nested documents of live documents that the filter matches; false: there are none.
bool KnnWeight::fill_nested(NestedSegment& part) {
  const Leaf& leaf = part.leaf;
  const NestedDocs& nested = *leaf.segment->nested();
  const Bitset* all = docs_at(wanted_.mapping, nested, wanted_.levels.vectors);
  const Bitset* outer = outer_docs(leaf);
  if (all == nullptr || outer == nullptr) return false;
  if (context_.inside != nullptr) {
    part.matching = Bitset(leaf.max_doc);
    const std::vector<uint32_t>& around = *context_.inside;
    for (auto doc = std::lower_bound(around.begin(), around.end(), leaf.base);
         doc != around.end() && *doc - leaf.base < leaf.max_doc; ++doc) {
      const uint32_t end = *doc - leaf.base;
      set_bits(part.matching.words().data(), first_inside(nested, end), end);
    }
    part.matching.intersect(*all);
    return true;
  }
  const Bitset& roots = nested.roots();
  if (wanted_.filtered()) {
    Bitset shown = leaf.live != nullptr ? *leaf.live : roots;
    if (!narrow(wanted_.root_filter.get(), leaf, shown)) return false;
    Bitset bounds = roots;
    if (wanted_.levels.outer != 0) {
      shown = docs_inside(shown, roots);
      bounds.unite(*outer);
    }
    Bitset matching = *outer;
    matching.intersect(shown);
    if (!narrow(wanted_.filter.get(), leaf, matching)) return false;
    part.matching = docs_inside(matching, bounds);
    part.matching.intersect(*all);
    return true;
  }
  if (leaf.live == nullptr || leaf.live_count == nested.root_count()) return true;
  Bitset dead = roots;
  dead.subtract(*leaf.live);
  part.live = *all;
  part.live.subtract(docs_inside(dead, roots));
  return true;
}

std::vector<VectorHit> KnnWeight::nearest_rows(const std::vector<NestedSegment>& parts,
                                               uint32_t count, TopOf of) {
  TopVectors top(count, wanted_.min_score, of);
  VectorSearcherPool::Lease searcher = VectorSearcherPool::lend(searchers_);
  for (const NestedSegment& part : parts) {
    if (progress_.stop.expired()) break;
    const VectorSegment segment = {
        part.column, part.leaf.base, part.live.size() == 0 ? nullptr : &part.live,
        part.matching.size() == 0 ? nullptr : &part.matching, outer_docs(part.leaf)};
    searcher->search(segment, wanted_.query, wanted_.num_candidates, top, progress_.stop,
                     progress_.counters.vectors);
  }
  return top.take();
}

/// The best row of each outer document, in the order of `rows`.
std::vector<VectorHit> KnnWeight::best_of_outer(const std::vector<NestedSegment>& parts,
                                                const std::vector<VectorHit>& rows) const {
  std::vector<VectorHit> best;
  std::unordered_set<uint32_t> seen;
  for (const VectorHit& row : rows) {
    const auto after =
        std::upper_bound(parts.begin(), parts.end(), row.doc,
                         [](uint32_t doc, const auto& part) { return doc < part.leaf.base; });
    const Leaf& leaf = (after - 1)->leaf;
    const uint32_t doc = leaf.base + outer_docs(leaf)->next(row.doc - leaf.base);
    if (!seen.insert(doc).second) continue;
    best.push_back({wanted_.levels.finds_outer ? doc : row.doc, row.score});
  }
  return best;
}

/// A filter of documents of `level`; null: there is none.
Result<WeightPtr> compile_knn_filter(Compiler& compiler, const std::optional<PlanNode>& filter,
                                     uint32_t level) {
  if (!filter) return WeightPtr();
  const uint32_t before = compiler.set_level(level);
  Result<WeightPtr> weight = compiler.compile_filter(*filter);
  compiler.set_level(before);
  return weight;
}

}  // namespace

Result<WeightPtr> compile_knn(PlanReader& reader, Compiler& compiler, Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(const KnnClause clause, read_knn_clause(reader));
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  compiler.depends_on_snapshot();
  if (Status refused = check_numbers(clause); !refused.ok()) return compiler.refuse(refused);
  const Result<const Field*> field = vector_field(compiler, clause);
  if (!field.ok()) return compiler.refuse(field.status());
  KnnLevels levels;
  if (*field != nullptr) {
    const Result<KnnLevels> found = levels_of(compiler, **field);
    if (!found.ok()) return compiler.refuse(found.status());
    levels = *found;
  }
  QUARRY_ASSIGN_OR_RETURN(WeightPtr filter,
                          compile_knn_filter(compiler, clause.filter, levels.outer));
  QUARRY_ASSIGN_OR_RETURN(WeightPtr root_filter,
                          compile_knn_filter(compiler, clause.root_filter, 0));
  if (*field == nullptr) return make_no_docs("unmapped field");
  QUARRY_ASSIGN_OR_RETURN(const VectorOptions options, kept_options(compiler, **field));
  if (options.dims == 0) return make_no_docs("no document has a vector");
  if (Status refused = check_vector(clause, **field, options); !refused.ok()) {
    return compiler.refuse(refused);
  }
  if (filter != nullptr && filter->matches_nothing()) return filter;
  if (root_filter != nullptr && root_filter->matches_nothing()) return root_filter;
  PreparedVector query(options, clause.vector);
  std::optional<float> min_score;
  if (!std::isnan(clause.similarity)) min_score = query.score_of_similarity(clause.similarity);
  return WeightPtr(std::make_unique<KnnWeight>(
      compiler, KnnTarget{**field, std::move(query), clause.k, clause.num_candidates, min_score,
                          std::move(filter), std::move(root_filter), scope.boost, levels,
                          compiler.mapping()}));
}

}  // namespace quarry
