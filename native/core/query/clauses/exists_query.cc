// exists: documents with any value of a field; an object's name or a pattern stands for all fields
// below it.
// Determines which documents of a segment have a field.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "mapping/schema/version_fields.h"
#include "query/fetch/metadata_fields.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/postings_union.h"

namespace quarry {
namespace {

class ExistsWeight final : public ConstantWeight {
 public:
  ExistsWeight(std::string name, std::vector<std::string> fields, float boost)
      : ConstantWeight(boost), name_(std::move(name)), fields_(std::move(fields)) {}

  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    if (everywhere(leaf)) return make_all_docs_scorer(leaf.max_doc, score_);
    return ConstantWeight::scorer(leaf, lead_cost);
  }
  LeafPlan plan(const Leaf& leaf, Counting counting) override {
    if (counting != Counting::kNone && everywhere(leaf))
      return {.count = leaf.live_count, .counts_first = true};
    return ConstantWeight::plan(leaf, counting);
  }
  std::string describe() const override { return "FieldExistsQuery [field=" + name_ + "]"; }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    Bitset bits(leaf.max_doc);
    for (const std::string& name : fields_) {
      const SegmentField* field = leaf.segment->field(name);
      if (field != nullptr) leaf.segment->collect_present(*field, bits, leaf.stop);
    }
    return std::make_shared<DocIdSet>(std::move(bits));
  }
  uint64_t estimate(const Leaf& leaf) override {
    const bool any = std::any_of(fields_.begin(), fields_.end(), [&leaf](const std::string& name) {
      return leaf.segment->field(name) != nullptr;
    });
    return any ? leaf.max_doc : 0;
  }

 private:
  bool everywhere(const Leaf& leaf) const {
    return std::any_of(fields_.begin(), fields_.end(), [&leaf](const std::string& name) {
      const SegmentField* field = leaf.segment->field(name);
      return field != nullptr && field->present_everywhere;
    });
  }

  std::string name_;
  std::vector<std::string> fields_;
};

/// A key below a flattened field exists if any of its values does.
class FlattenedKeyWeight final : public ConstantWeight {
 public:
  FlattenedKeyWeight(const Field& field, std::string prefix, float boost)
      : ConstantWeight(boost), field_(field), prefix_(std::move(prefix)) {}
  std::string describe() const override { return field_.name + ":" + prefix_ + "*"; }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    const SegmentField* field = leaf.segment->field(field_.name);
    if (field == nullptr || field->inverted == nullptr) {
      return std::make_shared<DocIdSet>(std::vector<uint32_t>{}, leaf.max_doc);
    }
    const TermDictionary::Range range = field->inverted->terms().prefix_range(prefix_);
    return union_of_term_range(leaf, *field, field_.indexed, range.begin, range.end);
  }

 private:
  const Field& field_;
  std::string prefix_;
};

bool is_in_every_document(std::string_view name) {
  return name == kSeqNoField || name == kVersionField;
}

}  // namespace

Result<WeightPtr> compile_exists(PlanReader& reader, Compiler& compiler, Scope scope) {
  const std::string name(reader.get_string());
  if (reader.failed()) return malformed_clause("exists");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  if (is_not_searchable(name)) {
    return Status(ErrorType::kQueryShard, "The " + name + " field is not searchable");
  }
  const ResolvedField resolved = compiler.resolve(name);
  if (resolved.kind == ResolvedField::Kind::kId ||
      resolved.kind == ResolvedField::Kind::kIndexName || is_in_every_document(name)) {
    return WeightPtr(std::make_unique<AllDocsWeight>(scope.boost));
  }
  if (!resolved.prefix.empty()) {
    return WeightPtr(
        std::make_unique<FlattenedKeyWeight>(*resolved.field, resolved.prefix, scope.boost));
  }
  std::vector<std::string> fields;
  if (resolved.kind == ResolvedField::Kind::kField) {
    const std::string_view refusal = resolved.field->traits().no_exists;
    if (!refusal.empty()) return illegal_argument(field_message(refusal, *resolved.field));
    fields.push_back(resolved.field->name);
  } else {
    const bool object = compiler.mapping().is_object(name);
    for (const Field* field : compiler.mapping().match(object ? name + ".*" : name))
      fields.push_back(field->name);
  }
  if (fields.empty()) return make_no_docs("No field \"" + name + "\" exists in mappings.");
  return WeightPtr(std::make_unique<ExistsWeight>(name, std::move(fields), scope.boost));
}

}  // namespace quarry
