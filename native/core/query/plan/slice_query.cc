// slice: one of `max` disjoint parts of all documents. The part follows from the _id, so that a
// document is in the same part in every snapshot.
#include <string>
#include <utility>

#include "base/hash.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

constexpr uint32_t kStepsPerSlicedId = 8;

class SliceWeight final : public ConstantWeight {
 public:
  SliceWeight(uint32_t id, uint32_t max, float boost) : ConstantWeight(boost), id_(id), max_(max) {}
  std::string describe() const override {
    return "slice " + std::to_string(id_) + " of " + std::to_string(max_);
  }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    Bitset bits(leaf.max_doc);
    IdBuffer buffer;
    for (uint32_t doc = 0; doc < leaf.max_doc && !leaf.stop->step(kStepsPerSlicedId); doc++) {
      if (hash64(leaf.segment->ids().id(doc, buffer)) % max_ == id_) bits.set(doc);
    }
    return std::make_shared<DocIdSet>(std::move(bits));
  }
  uint64_t estimate(const Leaf& leaf) override { return leaf.max_doc / max_ + 1; }

 private:
  uint32_t id_;
  uint32_t max_;
};

}  // namespace

Result<WeightPtr> compile_slice(PlanReader& reader, Compiler& compiler, Scope scope) {
  const auto id = reader.get<uint32_t>();
  const auto max = reader.get<uint32_t>();
  if (reader.failed() || id >= max) return malformed_clause("slice");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  return WeightPtr(std::make_unique<SliceWeight>(id, max, scope.boost));
}

}  // namespace quarry
