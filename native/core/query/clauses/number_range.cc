// Ranges over number columns: a bit set built by zones, or a check of each candidate if another
// clause leads.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "mapping/values/numeric.h"
#include "query/clauses/range_query.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/doc_runs.h"
#include "query/scorers/join_strategy.h"

namespace quarry {
namespace {

/// What the zones of a column say about a range.
struct RangeCost {
  uint64_t candidates = 0;  // estimate
  uint64_t bits = 0;        // DocSet::bits_cost() of NumberRangeScorer
};

/// Proposes every document of the zones that may hold a match; matches() reads the column where the
/// bounds of the zone do not decide.
class NumberRangeScorer final : public Scorer {
 public:
  NumberRangeScorer(const Column& column, int64_t low, int64_t high, float score,
                    const RangeCost& cost)
      : column_(column), low_(low), high_(high), score_(score), cost_(cost.candidates) {
    set_two_phase(true);
    set_bits_cost(cost.bits);
  }

  uint32_t next() override { return advance(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override {
    while (target < column_.max_doc() && !exhausted_) {
      const uint32_t zone = target / kZoneDocs;
      if (zone != zone_) {
        zone_ = zone;
        fit_ = fit(zone);
      }
      if (fit_ != Fit::kNone) return move(target);
      target = (zone + 1) * kZoneDocs;
    }
    return move(kNoMoreDocs);
  }
  bool matches() override { return fit_ == Fit::kAll || column_.matches_range(doc(), low_, high_); }
  float score() override { return score_; }
  uint64_t cost() const override { return cost_; }
  float bound() const override { return score_; }
  void set_threshold(float threshold) override { exhausted_ = score_ <= threshold; }
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits) override {
    end = std::min(end, column_.max_doc());
    for (uint32_t doc = begin; doc < end;) {
      const uint32_t zone = doc / kZoneDocs;
      const uint32_t stop =
          static_cast<uint32_t>(std::min<uint64_t>(end, (uint64_t{zone} + 1) * kZoneDocs));
      const Fit here = fit(zone);
      if (here == Fit::kAll) set_bits(bits, doc - begin, stop - begin);
      if (here == Fit::kSome) probe(doc, stop, begin, bits);
      doc = stop;
    }
  }

 private:
  /// Reads the column for [doc, stop), which lies in one zone; bit 0 stands for `begin`.
  void probe(uint32_t doc, uint32_t stop, uint32_t begin, uint64_t* bits) const {
    const auto put = [=](uint32_t at, bool matches) {
      bits[(at - begin) / 64] |= uint64_t{matches} << ((at - begin) % 64);
    };
    if (!column_.dense() || column_.multi_valued()) {
      for (; doc < stop; doc++) put(doc, column_.matches_range(doc, low_, high_));
      return;
    }
    int64_t values[kZoneDocs];
    column_.decode(doc, stop - doc, 0, values);
    for (uint32_t i = 0; doc + i < stop; i++)
      put(doc + i, (values[i] >= low_) & (values[i] <= high_));
  }

  /// What the bounds of a zone imply: no, some or all of its documents match.
  enum class Fit : uint8_t { kNone, kSome, kAll };

  Fit fit(uint32_t zone) const {
    const Column::Zone range = column_.zone(zone);
    if (range.min > high_ || range.max < low_) return Fit::kNone;
    return column_.dense() && range.min >= low_ && range.max <= high_ ? Fit::kAll : Fit::kSome;
  }

  const Column& column_;
  int64_t low_;
  int64_t high_;
  float score_;
  uint64_t cost_;
  uint32_t zone_ = UINT32_MAX;
  Fit fit_ = Fit::kNone;
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
    if (const DocRuns* few = runs(leaf); few != nullptr) return make_runs_scorer(*few, score_);
    if (join::probes_column(lead_cost, leaf.max_doc)) {
      return std::make_unique<NumberRangeScorer>(*column, low_, high_, score_,
                                                 cost_of(leaf, *column));
    }
    return make_doc_id_set_scorer(set(leaf), score_);
  }
  LeafPlan plan(const Leaf& leaf, Counting counting) override {
    LeafPlan plan{.runs = runs(leaf), .counts_first = true};
    if (counting != Counting::kNone) plan.count = count_matches(leaf, plan.runs, counting);
    return plan;
  }
  std::string describe() const override {
    return field_.name + ":[" + column_to_json(field_, low_) + " TO " +
           column_to_json(field_, high_) + "]";
  }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    Bitset bits(leaf.max_doc);
    if (const Column* column = find(leaf); column != nullptr)
      column->collect_range(low_, high_, bits, leaf.stop);
    return std::make_shared<DocIdSet>(std::move(bits));
  }
  uint64_t estimate(const Leaf& leaf) override {
    const Column* column = find(leaf);
    if (column == nullptr) return 0;
    return cost_of(leaf, *column).candidates;
  }

 private:
  static constexpr uint64_t kDocsPerProbe = 2;  // reading one value costs as much as 2 postings
  static constexpr uint32_t kMostZonesRead = 4;
  static constexpr size_t kMostRuns = 16;

  int64_t count_matches(const Leaf& leaf, const DocRuns* few, Counting counting) {
    const Column* column = find(leaf);
    if (column == nullptr) return 0;
    if (covers(*column)) return leaf.live_count;
    if (few == nullptr) return static_cast<int64_t>(count_live(*set(leaf), leaf.live));
    // Counting the live documents of runs visits all of their documents.
    const bool counts = leaf.live == nullptr || counting == Counting::kQuickly;
    return counts ? static_cast<int64_t>(count_in_runs(*few, leaf.live)) : -1;
  }

  const DocRuns* runs(const Leaf& leaf) {
    if (found_.size() <= leaf.ord) found_.resize(leaf.ord + 1);
    CachedRuns& found = found_[leaf.ord];
    if (!found.is_computed) {
      found.is_computed = true;
      const Column* column = find(leaf);
      if (column != nullptr && covers(*column)) found.runs = {{0, leaf.max_doc}};
      found.few = column == nullptr || !found.runs.empty() || find_runs(*column, found.runs);
    }
    return found.few ? &found.runs : nullptr;
  }

  /// The cached result of runs() for a segment.
  struct CachedRuns {
    bool is_computed = false;
    bool few = false;
    DocRuns runs;
  };

  /// False if there are many runs, or if many zones would have to be read.
  bool find_runs(const Column& column, DocRuns& out) const {
    if (!column.dense() || column.multi_valued()) return false;
    uint32_t read = 0;
    const auto put = [&out](uint32_t begin, uint32_t end) {
      if (!out.empty() && out.back().end == begin) {
        out.back().end = end;
      } else {
        out.push_back({begin, end});
      }
    };
    for (uint32_t i = 0; i < column.zone_count(); i++) {
      const Column::Zone zone = column.zone(i);
      if (zone.min > high_ || zone.max < low_) continue;
      const uint32_t begin = i * kZoneDocs;
      const uint32_t count = std::min(kZoneDocs, column.max_doc() - begin);
      if (zone.min >= low_ && zone.max <= high_) {
        put(begin, begin + count);
      } else if (++read > kMostZonesRead) {
        return false;
      } else {
        int64_t values[kZoneDocs];
        column.decode(begin, count, 0, values);
        for (uint32_t at = 0; at < count; at++) {
          if (values[at] >= low_ && values[at] <= high_) put(begin + at, begin + at + 1);
          if (out.size() > kMostRuns) return false;
        }
      }
      if (out.size() > kMostRuns) return false;
    }
    return true;
  }

  const RangeCost& cost_of(const Leaf& leaf, const Column& column) {
    if (costs_.size() <= leaf.ord) costs_.resize(leaf.ord + 1);
    std::optional<RangeCost>& known = costs_[leaf.ord];
    if (!known.has_value()) known = sum_zones(column, leaf.max_doc);
    return *known;
  }

  RangeCost sum_zones(const Column& column, uint32_t max_doc) const {
    RangeCost sum;
    for (uint32_t i = 0; i < column.zone_count(); i++) {
      const Column::Zone zone = column.zone(i);
      const bool outside = zone.min > high_ || zone.max < low_;
      const bool inside = zone.min >= low_ && zone.max <= high_;
      if (!outside) sum.candidates += inside ? kZoneDocs : kZoneDocs / 2;
      const bool settled = outside || (inside && column.dense());
      sum.bits += settled ? kZoneDocs / 64 : kDocsPerProbe * kZoneDocs;
    }
    sum.candidates = std::min<uint64_t>(sum.candidates, max_doc);
    return sum;
  }

  /// Null if no document of the segment is in the range.
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
  std::vector<std::optional<RangeCost>> costs_;  // by Leaf::ord
  std::vector<CachedRuns> found_;                // by Leaf::ord
};

}  // namespace

WeightPtr make_number_range(const Field& field, int64_t low, int64_t high, float boost) {
  if (low > high) return make_no_docs("empty range of field [" + field.name + "]");
  return std::make_unique<NumberRangeWeight>(field, low, high, boost);
}

}  // namespace quarry
