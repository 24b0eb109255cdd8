// Base of clauses that match a set of documents with one constant score, and the two simplest of
// these clauses.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "query/plan/query.h"
#include "query/scorers/doc_id_set.h"

namespace quarry {

/// The set is built on first use, once per segment.
class ConstantWeight : public Weight {
 public:
  explicit ConstantWeight(float score) : score_(score) { set_bound(score); }
  uint64_t cost(const Leaf& leaf) override;
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override;
  LeafPlan plan(const Leaf& leaf, Counting counting) override;
  Explanation explain(const Leaf& leaf, uint32_t doc) override;

 protected:
  /// Never null.
  virtual DocIdSetPtr build(const Leaf& leaf) = 0;
  /// Estimated upper bound of the number of documents of build(), if that is cheaper than building.
  virtual uint64_t estimate(const Leaf& leaf) { return leaf.max_doc; }
  const DocIdSetPtr& set(const Leaf& leaf);

  float score_;

 private:
  std::vector<DocIdSetPtr> sets_;  // by Leaf::ord
};

/// match_all, and every clause that is found to match all documents.
class AllDocsWeight final : public Weight {
 public:
  explicit AllDocsWeight(float score) : score_(score) {
    set_bound(score);
    set_extent(Extent::kEverything);
  }
  uint64_t cost(const Leaf& leaf) override { return leaf.max_doc; }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override;
  LeafPlan plan(const Leaf& leaf, Counting /*counting*/) override {
    return {.count = leaf.live_count};
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override;
  std::string describe() const override { return "*:*"; }

 private:
  float score_;
};

/// match_none, unknown fields, and values that no document can have.
class NoDocsWeight final : public Weight {
 public:
  explicit NoDocsWeight(std::string why) : why_(std::move(why)) { set_extent(Extent::kNothing); }
  uint64_t cost(const Leaf&) override { return 0; }
  ScorerPtr scorer(const Leaf&, uint64_t) override { return nullptr; }
  LeafPlan plan(const Leaf&, Counting) override { return {.count = 0}; }
  Explanation explain(const Leaf&, uint32_t) override { return Explanation::no_match(describe()); }
  std::string describe() const override { return "MatchNoDocsQuery(\"" + why_ + "\")"; }

 private:
  std::string why_;
};

WeightPtr make_no_docs(std::string why);

}  // namespace quarry
