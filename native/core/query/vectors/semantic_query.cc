// semantic: the documents of the shard whose text in a semantic_text field is semantically nearest
// to a text, scored by similarity.
// Checks a semantic clause against the mapping, embeds its text and searches the segments of the
// shard.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/status.h"
#include "query/plan/clause_table.h"
#include "query/plan/leaves.h"
#include "query/plan/word_weights.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/scored_docs.h"
#include "query/vectors/semantic_search.h"
#include "query/vectors/vector_clause.h"
#include "query/vectors/vector_searchers.h"

namespace quarry {
namespace {

// Above any score: 1 plus the rounding error of rows.
constexpr float kLargestScore = 1.001F;

struct RemoteVector {
  std::string_view embedder;
  std::vector<float> vector;
};

struct SemanticClause {
  std::string_view name;
  std::string_view text;
  std::vector<RemoteVector> vectors;
  uint32_t k = 0;
  uint32_t num_candidates = 0;
  bool passages = true;  // false: the vectors of whole texts alone rank
  std::optional<PlanNode> filter;
};

Result<SemanticClause> read_semantic_clause(PlanReader& reader) {
  SemanticClause clause;
  clause.name = reader.get_string();
  clause.text = reader.get_string();
  const auto vectors = reader.get<uint32_t>();
  for (uint32_t i = 0; i < vectors && !reader.failed(); i++) {
    RemoteVector& remote = clause.vectors.emplace_back();
    remote.embedder = reader.get_string();
    if (!reader.get_floats(remote.vector)) return malformed_clause("semantic");
  }
  clause.k = reader.get<uint32_t>();
  clause.num_candidates = reader.get<uint32_t>();
  const auto passages = reader.get<uint8_t>();
  const auto filters = reader.get<uint8_t>();
  if (reader.failed() || passages > 1 || filters > 1) return malformed_clause("semantic");
  clause.passages = passages == 1;
  if (filters == 1) {
    QUARRY_ASSIGN_OR_RETURN(clause.filter, read_node(reader));
  }
  return clause;
}

/// The field, null if it is unmapped.
Result<const Field*> semantic_field(Compiler& compiler, const SemanticClause& clause) {
  const ResolvedField resolved = compiler.resolve(clause.name);
  if (resolved.kind == ResolvedField::Kind::kUnmapped) return static_cast<const Field*>(nullptr);
  const bool is_field = resolved.kind == ResolvedField::Kind::kField;
  if (is_field && resolved.field->semantic) return resolved.field;
  const std::string_view type =
      is_field ? field_type_name(resolved.field->type) : std::string_view(clause.name);
  return illegal_argument("[semantic] queries are only supported on [semantic_text] fields, [" +
                          std::string(clause.name) + "] is of type [" + std::string(type) + "]");
}

/// A text embedded by the embedder of a field. An empty vector means that it has no direction.
struct EmbeddedQuery {
  std::vector<float> vector;
  std::vector<WordWeights::Word> words;  // built-in embedder only
  uint64_t doc_count = 0;
};

Result<EmbeddedQuery> embed(Compiler& compiler, const Field& field, std::string_view text,
                            uint32_t dims) {
  EmbeddedQuery query;
  query.vector.resize(dims);
  WordWeights weights(compiler, field, text);
  EmbedderPool::Lease embedder =
      EmbedderPool::lend(VectorSearcherPool::embedders(compiler.context().searchers));
  const auto weigh = [&weights](const LexicalTerm& term) { return weights.weigh(term); };
  if (!embedder->embed(text, query.vector, weigh, field.semantic->recipe)) query.vector.clear();
  QUARRY_RETURN_IF_ERROR(weights.status());
  query.words = weights.words();
  query.doc_count = weights.doc_count();
  return query;
}

Status check_remote(const std::vector<float>& vector, const Field& field, uint32_t dims) {
  const std::string what = "[semantic] the vector that embedder [" + field.semantic->embedder +
                           "] gave for the query of field [" + field.name + "] has ";
  if (vector.size() != dims) {
    return illegal_argument(what + std::to_string(vector.size()) +
                            " dimensions, the field has dims [" + std::to_string(dims) + "]");
  }
  const bool finite =
      std::all_of(vector.begin(), vector.end(), [](float value) { return std::isfinite(value); });
  if (!finite)
    return illegal_argument(what + "values that are no finite numbers." + vector_preview(vector));
  const bool zero =
      std::all_of(vector.begin(), vector.end(), [](float value) { return value == 0; });
  return zero ? illegal_argument(what + "length 0, so no direction." + vector_preview(vector))
              : Status();
}

Result<EmbeddedQuery> take_remote(SemanticClause& clause, const Field& field, uint32_t dims) {
  const std::string& embedder = field.semantic->embedder;
  for (RemoteVector& remote : clause.vectors) {
    if (remote.embedder != embedder) continue;
    QUARRY_RETURN_IF_ERROR(check_remote(remote.vector, field, dims));
    EmbeddedQuery query;
    query.vector = std::move(remote.vector);
    return query;
  }
  return illegal_argument(
      "[semantic] field [" + field.name + "] is embedded by [" + embedder +
      "], of which the search carries no vector: another embedder may have replaced it "
      "meanwhile, send the search again");
}

/// The parameters of a checked search.
struct SemanticTarget {
  const Field& field;
  std::string_view vectors;   // names of the fields that hold them
  std::string_view passages;  // empty: they do not rank
  PreparedVector query;
  std::vector<WordWeights::Word> words;
  uint64_t doc_count;
  uint32_t k;
  uint32_t num_candidates;
  WeightPtr filter;  // null: none
  float boost;
};

class SemanticWeight final : public ScoredDocsWeight {
 public:
  SemanticWeight(const Compiler& compiler, SemanticTarget wanted)
      : ScoredDocsWeight(kLargestScore * wanted.boost),
        searchers_(compiler.context().searchers),
        wanted_(std::move(wanted)),
        search_(make_leaves(*compiler.context().view, compiler.progress()), wanted_.vectors,
                wanted_.passages, wanted_.query, compiler.progress()) {}

  std::string describe() const override {
    return "SemanticQuery:" + wanted_.field.name + "[" + std::to_string(wanted_.k) + "]";
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override;

 protected:
  const ScoredDocs& found() override {
    if (!searched_) search();
    return found_;
  }

 private:
  void search();

  VectorSearcherPool* searchers_;
  SemanticTarget wanted_;
  SemanticSearch search_;
  bool searched_ = false;
  ScoredDocs found_;
};

void SemanticWeight::search() {
  searched_ = true;
  VectorSearcherPool::Lease searcher = VectorSearcherPool::lend(searchers_);
  std::vector<VectorHit> hits =
      search_.run(wanted_.k, wanted_.num_candidates, wanted_.filter.get(), *searcher);
  std::sort(hits.begin(), hits.end(),
            [](const VectorHit& a, const VectorHit& b) { return a.doc < b.doc; });
  for (const VectorHit& hit : hits) {
    found_.docs.push_back(hit.doc);
    found_.scores.push_back(hit.score * wanted_.boost);
  }
}

Explanation SemanticWeight::explain(const Leaf& leaf, uint32_t doc) {
  Explanation all = ScoredDocsWeight::explain(leaf, doc);
  const std::optional<SemanticSimilarity> near = search_.similarity(leaf.base + doc);
  if (!all.match || !near) return all;
  const auto cosine = [](double score) { return 2 * score - 1; };
  all.description += ", boost * (1 + c) / 2 with c, the ";
  all.description += near->passage ? "mean of:" : "cosine:";
  all.details.push_back(
      Explanation::matched(cosine(near->whole), "cosine of the whole text and the query"));
  if (near->passage) {
    all.details.push_back(
        Explanation::matched(cosine(*near->passage), "cosine of its best passage and the query"));
  }
  if (!wanted_.field.semantic->remote) {
    all.details.push_back(explain_weights(wanted_.words, wanted_.doc_count));
  }
  return all;
}

}  // namespace

Result<WeightPtr> compile_semantic(PlanReader& reader, Compiler& compiler, Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(SemanticClause clause, read_semantic_clause(reader));
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  compiler.depends_on_snapshot();
  Status refused = check_knn_limits("semantic", clause.k, clause.num_candidates);
  if (!refused.ok()) return compiler.refuse(refused);
  const Result<const Field*> found = semantic_field(compiler, clause);
  if (!found.ok()) return compiler.refuse(found.status());
  WeightPtr filter;
  if (clause.filter) {
    QUARRY_ASSIGN_OR_RETURN(filter, compiler.compile_filter(*clause.filter));
  }
  if (*found == nullptr) return make_no_docs("unmapped field");
  const Field& field = **found;
  const Field& vectors = compiler.mapping().field(field.semantic->vector);
  QUARRY_ASSIGN_OR_RETURN(const VectorOptions options, kept_options(compiler, vectors));
  if (options.dims == 0) return make_no_docs("no document has a vector");
  Result<EmbeddedQuery> query = field.semantic->remote
                                    ? take_remote(clause, field, options.dims)
                                    : embed(compiler, field, clause.text, options.dims);
  if (!query.ok()) return compiler.refuse(query.status());
  if (filter != nullptr && filter->matches_nothing()) return filter;
  if (query->vector.empty()) return make_no_docs("no word of the text has a meaning");
  std::string_view passages;
  if (clause.passages) passages = compiler.mapping().field(field.semantic->passages).name;
  return WeightPtr(std::make_unique<SemanticWeight>(
      compiler,
      SemanticTarget{field, vectors.name, passages, PreparedVector(options, query->vector),
                     std::move(query->words), query->doc_count, clause.k, clause.num_candidates,
                     std::move(filter), scope.boost}));
}

}  // namespace quarry
