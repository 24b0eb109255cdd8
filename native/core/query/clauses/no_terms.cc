// The weight of text without terms.
#include "query/clauses/no_terms.h"

namespace quarry {
namespace {

class NoTermsWeight final : public Weight {
 public:
  NoTermsWeight() { set_extent(Extent::kNothing); }
  uint64_t cost(const Leaf&) override { return 0; }
  ScorerPtr scorer(const Leaf&, uint64_t) override { return nullptr; }
  LeafPlan plan(const Leaf&, Counting) override { return {.count = 0}; }
  Explanation explain(const Leaf&, uint32_t) override { return Explanation::no_match(describe()); }
  std::string describe() const override { return "MatchNoDocsQuery(\"the text has no terms\")"; }
};

}  // namespace

WeightPtr make_no_terms() { return std::make_unique<NoTermsWeight>(); }

bool is_no_terms(const Weight& weight) {
  return dynamic_cast<const NoTermsWeight*>(&weight) != nullptr;
}

}  // namespace quarry
