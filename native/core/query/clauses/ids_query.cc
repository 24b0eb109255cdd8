// Looks ids up in the id table of each segment.
#include "query/clauses/ids_query.h"

#include <algorithm>
#include <utility>

#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

constexpr uint32_t kStepsPerIdLookup = 32;
constexpr uint64_t kNanosPerId = 50;  // to read the clause

class IdsWeight final : public ConstantWeight {
 public:
  IdsWeight(std::vector<std::string> ids, float boost)
      : ConstantWeight(boost), ids_(std::move(ids)) {}
  std::string describe() const override {
    std::string text = "_id:(";
    for (size_t i = 0; i < ids_.size(); i++) text += (i > 0 ? " " : "") + ids_[i];
    return text + ")";
  }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    std::vector<uint32_t> docs;
    for (const std::string& id : ids_) {
      if (leaf.stop->step(kStepsPerIdLookup)) break;
      const auto root = leaf.segment->ids().find(id);
      if (!root) continue;
      // Nested documents have the id of their root.
      const NestedDocs* nested = leaf.segment->nested();
      for (uint32_t doc = nested == nullptr ? *root : nested->block_begin(*root); doc <= *root;
           doc++) {
        docs.push_back(doc);
      }
    }
    std::sort(docs.begin(), docs.end());
    docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
    return std::make_shared<DocIdSet>(std::move(docs), leaf.max_doc);
  }
  uint64_t estimate(const Leaf& leaf) override { return set(leaf)->count(); }

 private:
  std::vector<std::string> ids_;
};

}  // namespace

WeightPtr make_ids_weight(std::vector<std::string> ids, float boost) {
  if (ids.empty()) return make_no_docs("Missing ids in \"ids\" query.");
  return std::make_unique<IdsWeight>(std::move(ids), boost);
}

Result<WeightPtr> compile_ids(PlanReader& reader, Compiler& compiler, Scope scope) {
  const auto count = reader.get<uint32_t>();
  if (count > reader.remaining() / 4) return malformed_clause("ids");
  if (compiler.progress().stop.out_of_budget_within(kNanosPerId * count)) return budget_ended();
  std::vector<std::string> ids;
  for (uint32_t i = 0; i < count; i++) ids.emplace_back(reader.get_string());
  if (reader.failed()) return malformed_clause("ids");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  return make_ids_weight(std::move(ids), scope.boost);
}

}  // namespace quarry
