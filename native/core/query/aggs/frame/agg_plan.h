// The common parts of aggregation nodes in a plan. Every node (opcodes.def) starts with its head
// and ends with its children.
//
// Head: str type ("avg"), str name; both are for messages only.
// Source: str field, scalar missing (null: none), opt value_type, opt format, opt time_zone; the
//   last two apply to reading values, not to printing them.
// Rounding: u8 unit (0 fixed_ms, 1 year, 2 quarter, 3 month, 4 week, 5 day, 6 hour, 7 minute,
//   8 second), i64 fixed_ms, opt time_zone, i64 offset_ms.
// Order: u8 by (0 _count, 1 _key, 2 a metric), u8 descending, list<u32> path (child of this node,
//   child of that one …), u8 property (OrderProperty), f64 argument.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/plan/plan.h"

namespace quarry {

struct AggHead {
  std::string type;
  std::string name;
};

struct AggSource {
  std::string field;
  Scalar missing;
  std::string value_type;
  std::string format;
  std::string time_zone;
  bool has_missing() const { return missing.kind != Scalar::Kind::kNull; }
};

struct RoundingSpec {
  uint8_t unit = 0;
  int64_t fixed_ms = 0;
  std::string time_zone;
  int64_t offset_ms = 0;
};

enum class OrderProperty : uint8_t {
  kCount,
  kSum,
  kMin,
  kMax,
  kAvg,
  kSumOfSquares,
  kVariance,
  kStdDeviation,
  kVarianceSampling,
  kStdDeviationSampling,
  kDocCount,
  kValue,
  kPercentile,
  kPercentileRank,
  kStdBound,          // `argument` deviations above the mean
  kStdBoundSampling,  // the same for a sample
  kTopMetric,         // number `argument` of the metrics of a top_metrics
};

enum class OrderBy : uint8_t { kCount, kKey, kMetric };

struct AggOrder {
  OrderBy by = OrderBy::kCount;
  bool descending = true;
  std::vector<uint32_t> path;
  OrderProperty property = OrderProperty::kValue;
  double argument = 0;
};

inline constexpr uint32_t kMaxAggDepth = 64;
inline constexpr uint32_t kMaxAggListItems = 1U << 20;

// Readers; the reader fails on malformed input.
/// A list count; the reader fails if that many items cannot fit in the remaining bytes.
uint32_t read_agg_count(PlanReader& reader, size_t min_item_bytes);
bool read_agg_flag(PlanReader& reader);
AggHead read_agg_head(PlanReader& reader);
AggSource read_agg_source(PlanReader& reader);
RoundingSpec read_rounding(PlanReader& reader);
std::vector<AggOrder> read_agg_orders(PlanReader& reader);
std::vector<Scalar> read_scalars(PlanReader& reader);

}  // namespace quarry
