// Clauses with a constant score over document sets.
#include "query/scorers/constant_weight.h"

namespace quarry {

const DocIdSetPtr& ConstantWeight::set(const Leaf& leaf) {
  if (sets_.size() <= leaf.ord) sets_.resize(leaf.ord + 1);
  DocIdSetPtr& set = sets_[leaf.ord];
  if (set == nullptr) set = build(leaf);
  return set;
}

uint64_t ConstantWeight::cost(const Leaf& leaf) {
  const bool built = leaf.ord < sets_.size() && sets_[leaf.ord] != nullptr;
  return built ? sets_[leaf.ord]->count() : estimate(leaf);
}

ScorerPtr ConstantWeight::scorer(const Leaf& leaf, uint64_t /*lead_cost*/) {
  return make_doc_id_set_scorer(set(leaf), score_);
}

LeafPlan ConstantWeight::plan(const Leaf& leaf, Counting counting) {
  LeafPlan plan{.counts_first = true};
  if (counting != Counting::kNone)
    plan.count = static_cast<int64_t>(count_live(*set(leaf), leaf.live));
  return plan;
}

Explanation ConstantWeight::explain(const Leaf& leaf, uint32_t doc) {
  const ScorerPtr found = scorer(leaf, 1);
  if (found == nullptr || found->advance_match(doc) != doc) {
    return Explanation::no_match(describe() + " doesn't match id " + std::to_string(doc));
  }
  return Explanation::matched(score_, describe());
}

ScorerPtr AllDocsWeight::scorer(const Leaf& leaf, uint64_t /*lead_cost*/) {
  return make_all_docs_scorer(leaf.max_doc, score_);
}

Explanation AllDocsWeight::explain(const Leaf& /*leaf*/, uint32_t /*doc*/) {
  return Explanation::matched(score_, "*:*");
}

WeightPtr make_no_docs(std::string why) { return std::make_unique<NoDocsWeight>(std::move(why)); }

}  // namespace quarry
