// The points that an aggregation by place reads: those of a field, or `missing` for documents
// without one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "query/aggs/frame/aggregator.h"
#include "query/aggs/frame/kinds.h"

namespace quarry {

class PointSource {
 public:
  /// illegal_argument_exception for fields of other types and without doc values; parse_exception
  /// for an invalid `missing`. A field that no mapping has holds no points.
  static Result<PointSource> make(const AggNode& node, const AggSource& source);

  void start_leaf(const Leaf& leaf);
  /// Calls take(packed) for each point of the document, ascending.
  template <typename Take>
  void each(uint32_t doc, Take take) const {
    if (column_ != nullptr && column_->has(doc)) {
      column_->each(doc, take);
    } else if (missing_) {
      take(*missing_);
    }
  }

 private:
  std::string field_;  // empty: unmapped
  std::optional<int64_t> missing_;
  const Column* column_ = nullptr;  // of the segment; null: no document has a point
};

}  // namespace quarry
