// Calendar computations for the coordinator, which has no calendar of its own: date strings of
// moments, the keys between two keys of a date histogram, coarser roundings.
//
// The request is a sequence of operations (primitives as in query/plan/opcodes.def, Rounding as in
// query/aggs/frame/agg_plan.h, moments as f64 milliseconds). The reply is the sequence of results.
//   u8 0 texts     opt format (empty: strict_date_optional_time), opt time_zone, list<f64>
//                  -> u32 count, str each
//   u8 1 sequence  Rounding, f64 first, f64 last (keys), u32 limit -> list<f64> the keys from first
//                  to last, both included
//   u8 2 round     Rounding, list<f64> -> list<f64>
//   u8 3 exact     as `texts`; each string must parse to the same moment in that format and zone
#pragma once

#include <cstdint>
#include <vector>

#include "base/coding.h"
#include "base/status.h"

namespace quarry {

/// illegal_argument_exception for bad formats, zones and intervals and for strings that are not
/// exact, too_many_buckets_exception for a sequence longer than its limit, parsing_exception for
/// malformed bytes. Thread-safe; needs no engine.
Result<std::vector<uint8_t>> date_table(Bytes request);

}  // namespace quarry
