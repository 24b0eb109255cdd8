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
  explicit ConstantWeight(float score) : score_(score) {}
  uint64_t cost(const Leaf& leaf) override;
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override;
  int64_t count(const Leaf& leaf) override;
  bool counts_first(const Leaf& /*leaf*/) override { return true; }
  float bound() const override { return score_; }
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
  explicit AllDocsWeight(float score) : score_(score) {}
  uint64_t cost(const Leaf& leaf) override { return leaf.max_doc; }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override;
  int64_t count(const Leaf& leaf) override { return leaf.live_count; }
  float bound() const override { return score_; }
  bool matches_everything() const override { return true; }
  Explanation explain(const Leaf& leaf, uint32_t doc) override;
  std::string describe() const override { return "*:*"; }

 private:
  float score_;
};

/// match_none, unknown fields, and values that no document can have.
class NoDocsWeight final : public Weight {
 public:
  explicit NoDocsWeight(std::string why) : why_(std::move(why)) {}
  uint64_t cost(const Leaf&) override { return 0; }
  ScorerPtr scorer(const Leaf&, uint64_t) override { return nullptr; }
  int64_t count(const Leaf&) override { return 0; }
  float bound() const override { return 0; }
  bool matches_nothing() const override { return true; }
  Explanation explain(const Leaf&, uint32_t) override { return Explanation::no_match(describe()); }
  std::string describe() const override { return "MatchNoDocsQuery(\"" + why_ + "\")"; }

 private:
  std::string why_;
};

WeightPtr make_no_docs(std::string why);

}  // namespace quarry
