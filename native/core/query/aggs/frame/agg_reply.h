// Encoding of the partial results of a shard's aggregations, which src/query/aggs/ reduces.
//
// The section starts 8-aligned in its shard reply (offset: hits.h): u32 top-level nodes, u32 0,
// then partial nodes in prefix order, each 8-aligned:
//   0 u16 opcode of the plan's node   2 u8 kind (ValueKind)   3 u8 flags (1: cut, some buckets are
//   omitted)   4 u32 owners N   8 u32 buckets B   12 u32 extra   16 u32 bytes of this node and all
//   its children   20 u32 0
// then str format (kind kDate: formats of the mapping; else empty), the columns below, each
// 8-aligned, and for kinds with buckets the children in the plan's order: owner j of a child is
// bucket j of its parent. Top-level nodes have one owner. Buckets are grouped by owner. Counts are
// f64 that hold whole numbers.
//
// Key column by kind: 1, 4, 5: i64[B]; 3: u64[B]; 2: f64[B]; 6: string column; 7: two string
// columns, order keys (compared bytewise), then the strings to print; 0: nothing (B is 0). String
// column: u32 end[B], bytes.
//
//   stats           f64 count[N], sum[N], sum_delta[N], min[N] (inf: none), max[N] (-inf); with
//                   squares: f64 squares[N], squares_delta[N]. Value = sum + delta (Kahan).
//   value_count     f64 count[N]
//   weighted_avg    f64 sum[N], sum_delta[N], weight[N], weight_delta[N]
//   cardinality     extra = p. u8 sketch[N], u32 length[N], then per owner 8-aligned: 0: u64
//                   hash[length]; 1: u8 register[length = 2^p] (hyper_log_log.h); 2: nothing,
//                   `length` is the number of different values
//   percentiles     u8 exact[N], u32 points[N], f64 min[N], f64 max[N], f64 mean[all points],
//                   f64 weight[all points], ascending per owner. exact: the values themselves
//   top_hits        extra = sort keys. u32 hits[N], f64 total[N], f64 max_score[N] (NaN: none),
//                   then one leg as in hits.h with the hits of all owners
//   terms           u32 buckets[N], f64 other[N] (documents of buckets that were cut), f64 error[N]
//                   (maximum count of a cut bucket; -1: unknown), key column, f64 count[B];
//                   with background: f64 background[B], f64 superset[N], f64 subset[N]
//   histogram       u32 buckets[N], f64 quotient[B] ascending (key = quotient * interval + offset),
//                   f64 count[B]
//   date_histogram  f64 bounds[4] (extended min and max, hard min and max; NaN: none), u32
//                   buckets[N], f64 key[B] ascending, f64 count[B]
//   range           extra = R. f64 from[R], f64 to[R] (NaN: open), or for addresses string columns
//                   from[R], to[R] ("": open); f64 count[N * R], B = N * R
//   filters         extra = F. f64 count[N * F], B = N * F
//   missing, global, sampler   f64 count[N], B = N
//   composite       extra = sources. u32 buckets[N], f64 count[B], then per source: u8 kind,
//                   8-aligned str format, u8 null[B], key column
//   multi_terms     extra = sources. u32 buckets[N], f64 other[N], f64 error[N] (as terms), f64
//                   count[B], then the columns of composite
//   top_metrics     extra = metrics. u32 hits[N], one leg as in hits.h with the hits of all owners,
//                   B = hits, then a column of composite for each metric
//   geo_grid        u32 buckets[N], i64 key[B] (geo_grid_agg.cc), f64 count[B]; best first
//   geo_distance    as range
//   geo_bounds      f64 top[N], bottom[N], east_left[N], east_right[N], west_left[N],
//                   west_right[N]: of longitudes >= 0 and of others; infinite without points
//   geo_centroid    f64 count[N], lat[N], lat_delta[N], lon[N], lon_delta[N]: sums as in stats
//   auto_date_histogram  u8 rounding[N], u32 buckets[N], f64 key[B] ascending, f64 count[B]
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "query/plan/plan.h"

namespace quarry {

enum class ValueKind : uint8_t {
  kUnmapped,
  kLong,
  kDouble,
  kUnsigned,
  kBoolean,
  kDate,
  kString,
  kEncoded  // strings whose terms are printed otherwise, such as addresses
};

/// Maximum number of buckets in the reply of one shard; more are a too_many_buckets_exception.
inline constexpr uint64_t kMaxPartialBuckets = uint64_t{1} << 20;

/// Maximum bytes of keys in the reply of one shard. A key of text has up to 32 KiB, and may be that
/// of many buckets of many aggregations.
inline constexpr uint64_t kMaxKeyBytes = uint64_t{256} << 20;

/// Encodes the section node by node.
class AggWriter {
 public:
  struct Head {
    PlanOp op = PlanOp::kAggs;
    ValueKind kind = ValueKind::kUnmapped;
    bool cut = false;
    size_t owners = 0;
    size_t buckets = 0;
    uint32_t extra = 0;
    std::string_view format;
  };
  /// Returns the argument for end().
  size_t begin(const Head& head);
  void end(size_t node);

  template <typename T>
  void column(std::span<const T> values) {
    out_.align(8);
    out_.put_bytes(Bytes(reinterpret_cast<const uint8_t*>(values.data()), values.size_bytes()));
  }
  template <typename T>
  void column(const std::vector<T>& values) {
    column(std::span<const T>(values));
  }
  /// Writes nothing if there are too many keys.
  void texts(const std::vector<std::string>& texts);
  /// The keys are too many: circuit_breaking_exception.
  void refuse_keys();
  ByteWriter& bytes() { return out_; }

  /// too_many_buckets_exception once there are too many buckets, circuit_breaking_exception once
  /// their keys are too long; nothing more has to be written then.
  const Status& status() const { return status_; }
  std::vector<uint8_t> take() { return out_.take(); }

 private:
  ByteWriter out_;
  uint64_t buckets_ = 0;
  uint64_t key_bytes_ = 0;
  Status status_;
};

}  // namespace quarry
