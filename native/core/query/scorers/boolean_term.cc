// Counts the values of the index's boolean columns, once per segment if there is a cache.
#include "query/scorers/boolean_term.h"

#include <memory>
#include <string>
#include <utility>

#include "query/cache/filter_cache.h"
#include "query/clauses/range_query.h"

namespace quarry {
namespace {

// Counting fewer documents is as fast as looking the count up.
constexpr uint32_t kLeastCachedDocs = 4096;

/// The number of documents with a value, with false and with true.
struct BooleanCounts {
  uint64_t docs = 0;
  uint64_t with[2] = {0, 0};
};

uint64_t count_value(const Column& column, int64_t value, StopCheck& stop) {
  Bitset bits(column.max_doc());
  column.collect_range(value, value, bits, &stop);
  return bits.count();
}

BooleanCounts count_column(const Column& column, StopCheck& stop) {
  BooleanCounts counts;
  counts.docs = column.doc_count();
  const Column::Zone bounds = column.bounds();
  counts.with[1] =
      bounds.min == bounds.max ? (bounds.min != 0 ? counts.docs : 0) : count_value(column, 1, stop);
  counts.with[0] =
      column.multi_valued() ? count_value(column, 0, stop) : counts.docs - counts.with[1];
  return counts;
}

BooleanCounts count_segment(FilterCache* cache, const std::shared_ptr<const Segment>& segment,
                            const std::string& name, StopCheck& stop) {
  const SegmentField* field = segment->field(name);
  if (field == nullptr || field->column == nullptr) return {};
  if (cache == nullptr || segment->max_doc() < kLeastCachedDocs)
    return count_column(*field->column, stop);
  const std::string key = "boolean " + name;
  const FilterCache::Counted known = cache->find_totals(segment, key);
  if (known.totals != nullptr && known.totals->size() == 3)
    return {(*known.totals)[0], {(*known.totals)[1], (*known.totals)[2]}};
  const BooleanCounts counts = count_column(*field->column, stop);
  if (known.requested_before && !stop.stopped()) {
    cache->put_totals(segment, key,
                      std::make_shared<const SegmentTotals>(
                          SegmentTotals{counts.docs, counts.with[0], counts.with[1]}));
  }
  return counts;
}

/// Counts over all shards of the index, deleted documents included, like the statistics of terms.
BooleanCounts count_index(const SearchContext& context, const std::string& name, StopCheck& stop) {
  BooleanCounts sum;
  const auto add = [&](const ShardView& view) {
    for (const SegmentView& segment : view.segments) {
      const BooleanCounts counts = count_segment(context.filters, segment.segment, name, stop);
      sum.docs += counts.docs;
      sum.with[0] += counts.with[0];
      sum.with[1] += counts.with[1];
    }
  };
  for (const ShardView* shard : context.all_shards) add(*shard);
  if (context.all_shards.empty()) add(*context.view);
  return sum;
}

/// Matches the documents of a range with the score that the range was made with; explained as a
/// term.
class BooleanTermWeight final : public Weight {
 public:
  BooleanTermWeight(WeightPtr docs, const Field& field, bool value, const SimilarityFacts& facts,
                    Explanation idf_detail, TermSimilarity similarity)
      : docs_(std::move(docs)),
        name_(field.name + (value ? ":true" : ":false")),
        facts_(facts),
        idf_detail_(std::move(idf_detail)),
        similarity_(std::move(similarity)) {
    set_bound(docs_->bound());
  }
  uint64_t cost(const Leaf& leaf) override { return docs_->cost(leaf); }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    return docs_->scorer(leaf, lead_cost);
  }
  LeafPlan plan(const Leaf& leaf, Counting counting) override {
    return docs_->plan(leaf, counting);
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    if (!docs_->explain(leaf, doc).match) return Explanation::no_match("no matching term");
    return explain_similarity(
        facts_, idf_detail_, similarity_, 1.0F, kNoNorms,
        "weight(" + describe() + " in " + std::to_string(doc) + "), result of:");
  }
  std::string describe() const override { return name_; }

 private:
  WeightPtr docs_;
  std::string name_;
  SimilarityFacts facts_;
  Explanation idf_detail_;
  TermSimilarity similarity_;
};

}  // namespace

WeightPtr make_boolean_term(Compiler& compiler, const Field& field, bool value, Scope scope) {
  const int64_t stored = value ? 1 : 0;
  if (!scope.scores || !field.indexed) return make_number_range(field, stored, stored, scope.boost);
  const BooleanCounts counts =
      count_index(compiler.context(), field.name, compiler.progress().stop);
  SimilarityFacts facts;
  facts.similarity = field.similarity;
  facts.totals = {counts.docs, counts.with[0] + counts.with[1]};
  facts.boost = scope.boost;
  facts.idf = inverse_document_frequency(counts.with[stored], counts.docs);
  const TermSimilarity similarity(facts, find_norm_table(facts.similarity, facts.totals));
  WeightPtr docs = make_number_range(field, stored, stored, similarity.score(1.0F, kNoNorms));
  return std::make_unique<BooleanTermWeight>(std::move(docs), field, value, facts,
                                             explain_idf(counts.with[stored], counts.docs),
                                             similarity);
}

}  // namespace quarry
