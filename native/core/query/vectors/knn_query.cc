// Checks a knn clause against the mapping and searches the segments of the shard.
#include "query/vectors/knn_query.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/status.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/leaves.h"
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
};

Result<KnnClause> read_knn_clause(ByteReader& reader) {
  KnnClause clause;
  clause.name = reader.get_string();
  if (!read_floats(reader, clause.vector)) return malformed_clause("knn");
  clause.k = reader.get<uint32_t>();
  clause.num_candidates = reader.get<uint32_t>();
  clause.similarity = reader.get<float>();
  const auto filters = reader.get<uint8_t>();
  if (reader.failed() || filters > 1 || std::isinf(clause.similarity)) {
    return malformed_clause("knn");
  }
  if (filters == 1) {
    QUARRY_ASSIGN_OR_RETURN(clause.filter, read_node(reader));
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
  const bool zero = std::all_of(clause.vector.begin(), clause.vector.end(),
                                [](float value) { return value == 0; });
  if (zero && options.similarity == VectorSimilarity::kCosine) {
    return illegal_argument("The [cosine] similarity of field [" + field.name +
                            "] does not support vectors with zero magnitude." +
                            vector_preview(clause.vector));
  }
  return {};
}

/// The parameters of a checked search.
struct KnnTarget {
  const Field& field;
  PreparedVector query;
  uint32_t k;
  uint32_t num_candidates;
  std::optional<float> min_score;
  WeightPtr filter;  // null: none
  float boost;
};

class KnnWeight final : public ScoredDocsWeight {
 public:
  KnnWeight(const Compiler& compiler, KnnTarget wanted)
      : view_(*compiler.context().view),
        searchers_(compiler.context().searchers),
        progress_(compiler.progress()),
        wanted_(std::move(wanted)) {}

  float bound() const override {
    switch (wanted_.query.options().similarity) {
      case VectorSimilarity::kCosine:
      case VectorSimilarity::kL2Norm:
        return kLargestUnitScore * wanted_.boost;
      case VectorSimilarity::kDotProduct:
      case VectorSimilarity::kMaxInnerProduct:
        break;
    }
    return kLargestOpenScore;
  }
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
  void search_leaf(const Leaf& leaf, VectorSearcher& searcher, TopVectors& top);

  const ShardView& view_;
  VectorSearcherPool* searchers_;
  SearchProgress& progress_;
  KnnTarget wanted_;
  bool searched_ = false;
  ScoredDocs found_;
};

void KnnWeight::search() {
  searched_ = true;
  TopVectors top(wanted_.k, wanted_.min_score);
  {
    VectorSearcherPool::Lease searcher = VectorSearcherPool::lend(searchers_);
    for (const Leaf& leaf : make_leaves(view_, progress_)) {
      if (progress_.stop.expired()) break;
      search_leaf(leaf, *searcher, top);
    }
  }
  std::vector<VectorHit> hits = top.take();
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

}  // namespace

Result<WeightPtr> compile_knn(ByteReader& reader, Compiler& compiler, Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(const KnnClause clause, read_knn_clause(reader));
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  compiler.depends_on_snapshot();
  if (Status refused = check_numbers(clause); !refused.ok()) return compiler.refuse(refused);
  const Result<const Field*> field = vector_field(compiler, clause);
  if (!field.ok()) return compiler.refuse(field.status());
  WeightPtr filter;
  if (clause.filter) {
    QUARRY_ASSIGN_OR_RETURN(filter, compiler.compile_filter(*clause.filter));
  }
  if (*field == nullptr) return make_no_docs("unmapped field");
  QUARRY_ASSIGN_OR_RETURN(const VectorOptions options, kept_options(compiler, **field));
  if (options.dims == 0) return make_no_docs("no document has a vector");
  if (Status refused = check_vector(clause, **field, options); !refused.ok()) {
    return compiler.refuse(refused);
  }
  if (filter != nullptr && filter->matches_nothing()) return filter;
  PreparedVector query(options, clause.vector);
  std::optional<float> min_score;
  if (!std::isnan(clause.similarity)) min_score = query.score_of_similarity(clause.similarity);
  return WeightPtr(std::make_unique<KnnWeight>(
      compiler, KnnTarget{**field, std::move(query), clause.k, clause.num_candidates, min_score,
                          std::move(filter), scope.boost}));
}

}  // namespace quarry
