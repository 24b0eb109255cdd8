// Compares the ranges of a segment with the range of the query.
#include "query/clauses/range_field_query.h"

#include <utility>
#include <vector>

#include "mapping/values/range_value.h"
#include "query/clauses/range_query.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/postings_union.h"

namespace quarry {
namespace {

constexpr uint32_t kStepsPerRangeTerm = 16;

class RangeFieldWeight final : public ConstantWeight {
 public:
  RangeFieldWeight(const Field& field, std::string low, std::string high, RangeRelation relation,
                   float boost)
      : ConstantWeight(boost),
        field_(field),
        low_(std::move(low)),
        high_(std::move(high)),
        relation_(relation) {}
  std::string describe() const override {
    static constexpr std::string_view kNames[] = {"INTERSECTS", "CONTAINS", "WITHIN"};
    return field_.name + ":<ranges:" + std::string(kNames[static_cast<size_t>(relation_)]) + ">";
  }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    std::vector<uint32_t> ordinals;
    const SegmentField* field = leaf.segment->field(field_.name);
    if (field == nullptr || field->inverted == nullptr) {
      return std::make_shared<DocIdSet>(std::move(ordinals), leaf.max_doc);
    }
    const TermDictionary& terms = field->inverted->terms();
    // Terms ascend by their low ends, so no later range starts early enough.
    const std::string& last_low = relation_ == RangeRelation::kContains ? low_ : high_;
    for (uint32_t i = 0; i < terms.size() && !leaf.stop->step(kStepsPerRangeTerm); i++) {
      const RangeEnds ends = range_ends(field_, terms.term(i));
      if (ends.low > last_low) break;
      if (fits(ends)) ordinals.push_back(i);
    }
    return union_of_terms(leaf, *field, field_.indexed, ordinals);
  }

 private:
  bool fits(const RangeEnds& ends) const {
    if (ends.low.empty()) return false;
    switch (relation_) {
      case RangeRelation::kContains:
        return ends.low <= low_ && ends.high >= high_;
      case RangeRelation::kWithin:
        return ends.low >= low_ && ends.high <= high_;
      default:
        return ends.low <= high_ && ends.high >= low_;
    }
  }

  const Field& field_;
  std::string low_;
  std::string high_;
  RangeRelation relation_;
};

}  // namespace

WeightPtr make_range_match(const Field& field, std::string low, std::string high,
                           RangeRelation relation, float boost) {
  if (low > high) return make_no_docs("empty range of field [" + field.name + "]");
  return std::make_unique<RangeFieldWeight>(field, std::move(low), std::move(high), relation,
                                            boost);
}

Result<WeightPtr> make_range_term(Compiler& compiler, const Field& field, const Scalar& value,
                                  float boost) {
  if (field.ends->is_date() && mentions_now(value.text)) compiler.depends_on_now();
  const EndText end{value.text, value.quoted(), false};
  QUARRY_ASSIGN_OR_RETURN(std::string low,
                          query_end(field, end, BoundKind::kLower, {}, {}, compiler.now_ms()));
  QUARRY_ASSIGN_OR_RETURN(std::string high,
                          query_end(field, end, BoundKind::kUpper, {}, {}, compiler.now_ms()));
  if (low.empty() || high.empty()) return make_no_docs("value [" + value.text + "] is in no range");
  return make_range_match(field, std::move(low), std::move(high), RangeRelation::kIntersects,
                          boost);
}

}  // namespace quarry
