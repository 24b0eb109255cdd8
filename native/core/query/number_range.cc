// Ranges over number columns: a bit set by zones, or a check of each candidate when another clause
// leads.
#include <algorithm>
#include <utility>

#include "mapping/numeric.h"
#include "query/constant_weight.h"
#include "query/range_query.h"

namespace quarry {
namespace {

constexpr uint64_t kScanPerProbe =
    8;  // a sequential column value costs about an eighth of a random one

/// Proposes every document of zones that may hold a match; matches() reads the column.
class NumberRangeScorer final : public Scorer {
 public:
  NumberRangeScorer(const Column& column, int64_t low, int64_t high, float score, uint64_t cost)
      : column_(column), low_(low), high_(high), score_(score), cost_(cost) {}

  uint32_t next() override { return advance(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override {
    while (target < column_.max_doc() && !exhausted_) {
      const uint32_t zone = target / kZoneDocs;
      if (zone != zone_) {
        const Column::Zone range = column_.zone(zone);
        zone_ = zone;
        zone_matches_ = range.min <= high_ && range.max >= low_;
      }
      if (zone_matches_) return move(target);
      target = (zone + 1) * kZoneDocs;
    }
    return move(kNoMoreDocs);
  }
  bool two_phase() const override { return true; }
  bool matches() override { return column_.matches_range(doc(), low_, high_); }
  float score() override { return score_; }
  uint64_t cost() const override { return cost_; }
  float bound() const override { return score_; }
  void set_threshold(float threshold) override { exhausted_ = score_ <= threshold; }

 private:
  const Column& column_;
  int64_t low_;
  int64_t high_;
  float score_;
  uint64_t cost_;
  uint32_t zone_ = UINT32_MAX;
  bool zone_matches_ = false;
  bool exhausted_ = false;
};

class NumberRangeWeight final : public ConstantWeight {
 public:
  NumberRangeWeight(const Field& field, int64_t low, int64_t high, float boost)
      : ConstantWeight(boost), field_(field), low_(low), high_(high) {}

  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    const Column* column = find(leaf);
    if (column == nullptr) return nullptr;
    if (covers(*column)) return make_all_docs_scorer(leaf.max_doc, score_);
    if (lead_cost * kScanPerProbe < leaf.max_doc) {
      return std::make_unique<NumberRangeScorer>(*column, low_, high_, score_, estimate(leaf));
    }
    return make_doc_set_scorer(set(leaf), score_);
  }
  int64_t count(const Leaf& leaf) override {
    const Column* column = find(leaf);
    if (column == nullptr) return 0;
    return covers(*column) ? leaf.live_count : ConstantWeight::count(leaf);
  }
  std::string describe() const override {
    return field_.name + ":[" + column_to_json(field_, low_) + " TO " +
           column_to_json(field_, high_) + "]";
  }

 protected:
  DocSetPtr build(const Leaf& leaf) override {
    Bitset bits(leaf.max_doc);
    if (const Column* column = find(leaf); column != nullptr)
      column->collect_range(low_, high_, bits);
    return std::make_shared<DocSet>(std::move(bits));
  }
  uint64_t estimate(const Leaf& leaf) override {
    const Column* column = find(leaf);
    if (column == nullptr) return 0;
    uint64_t total = 0;
    for (uint32_t i = 0; i < column->zone_count(); i++) {
      const Column::Zone zone = column->zone(i);
      if (zone.min > high_ || zone.max < low_) continue;
      total += zone.min >= low_ && zone.max <= high_ ? kZoneDocs : kZoneDocs / 2;
    }
    return std::min<uint64_t>(total, leaf.max_doc);
  }

 private:
  /// Null when no document of the segment is in the range.
  const Column* find(const Leaf& leaf) const {
    const SegmentField* field = leaf.segment->field(field_.name);
    if (field == nullptr || field->column == nullptr) return nullptr;
    const Column::Zone bounds = field->column->bounds();
    return bounds.min > high_ || bounds.max < low_ ? nullptr : field->column;
  }
  bool covers(const Column& column) const {
    return column.dense() && column.bounds().min >= low_ && column.bounds().max <= high_;
  }

  const Field& field_;
  int64_t low_;
  int64_t high_;
};

}  // namespace

WeightPtr make_number_range(const Field& field, int64_t low, int64_t high, float boost) {
  if (low > high) return make_no_docs("empty range of field [" + field.name + "]");
  return std::make_unique<NumberRangeWeight>(field, low, high, boost);
}

}  // namespace quarry
