// Sort keys whose value is the score of a query of its own, whatever the search finds the documents
// by.
#include <utility>

#include "mapping/values/numeric.h"
#include "query/scorers/document_matches.h"
#include "query/sort/sort_key.h"

namespace quarry {
namespace {

class QuerySort final : public SortSource {
 public:
  QuerySort(WeightPtr weight, bool descending)
      : weight_(std::move(weight)), descending_(descending) {}
  void start_leaf(const Leaf& leaf) override {
    leaf_ = &leaf;
    scorer_ = nullptr;
    has_last_ = false;
  }
  void set_anchor(Anchor anchor, const SortValue& value) override { anchors_[anchor] = value; }
  int compare(Anchor anchor, uint32_t doc, float score) override {
    return compare_values(value(doc, score), anchors_[anchor]);
  }
  SortValue value(uint32_t doc, float /*score*/) override {
    if (has_last_ && doc == last_doc_) return last_;
    // A scorer only moves forward.
    if (!has_last_ || doc < last_doc_) scorer_ = weight_->scorer(*leaf_, 1);
    has_last_ = true;
    last_doc_ = doc;
    last_ = {.null = !matches(doc), .number = 0, .text = {}};
    if (!last_.null) last_.number = sortable_from_double(scorer_->score());
    return last_;
  }
  int compare_values(const SortValue& a, const SortValue& b) const override {
    if (a.null || b.null) return a.null == b.null ? 0 : a.null ? 1 : -1;
    const int order = a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
    return descending_ ? -order : order;
  }
  Result<SortValue> parse(const Scalar& scalar) const override {
    if (scalar.kind == Scalar::Kind::kNull) return SortValue{true, 0, {}};
    QUARRY_ASSIGN_OR_RETURN(const float value, search_after_number<float>(scalar.text, "_query"));
    return SortValue{false, sortable_from_double(value), {}};
  }
  SortColumn make_column() const override {
    SortColumn column;
    column.kind = SortColumnKind::kScore;
    return column;
  }
  void append(const SortValue& value, SortColumn& column) const override {
    column.nulls.push_back(value.null ? 1 : 0);
    column.doubles.push_back(value.null ? 0 : double_from_sortable(value.number));
  }

 private:
  bool matches(uint32_t doc) { return scorer_ != nullptr && has_match(*scorer_, doc); }

  WeightPtr weight_;
  bool descending_;
  const Leaf* leaf_ = nullptr;
  ScorerPtr scorer_ = nullptr;  // null: nothing in the segment matches
  bool has_last_ = false;       // since the start of the segment
  uint32_t last_doc_ = 0;
  SortValue last_;
  SortValue anchors_[kAnchors];
};

}  // namespace

Result<std::unique_ptr<SortSource>> make_query_sort(Compiler& compiler, const PlanNode& query,
                                                    bool descending) {
  compiler.start_over();
  QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, compiler.compile(query, {1.0F, true}));
  return std::unique_ptr<SortSource>(std::make_unique<QuerySort>(std::move(weight), descending));
}

}  // namespace quarry
