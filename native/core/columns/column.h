// Doc values: per document zero, one or more values of a field, in columns of byte-aligned widths with min/max per zone.
// Numbers are int64 in the field's sortable encoding (mapping/numeric.h); keyword and ip columns hold term ordinals.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/bitset.h"
#include "base/coding.h"
#include "base/status.h"

namespace quarry {

inline constexpr uint32_t kZoneDocs = 1024;

/// Collects values in increasing docId order. Values of one document: any order; kept ascending, duplicates kept
/// for numbers (`unique` false) and dropped for ordinals (`unique` true).
class ColumnWriter {
 public:
  explicit ColumnWriter(bool unique) : unique_(unique) {}
  void add(uint32_t doc, int64_t value);
  bool empty() const { return values_.empty(); }
  /// The section for a segment of `max_doc` documents. The writer is spent.
  std::vector<uint8_t> finish(uint32_t max_doc);

 private:
  bool unique_;
  std::vector<uint32_t> docs_;
  std::vector<int64_t> values_;
};

/// Reader over a column section whose bytes must outlive it. Thread-safe. docs < max_doc().
class Column {
 public:
  struct Zone {
    int64_t min = std::numeric_limits<int64_t>::max();  // min > max: no value in the zone
    int64_t max = std::numeric_limits<int64_t>::min();
  };

  Column() = default;
  static Result<Column> open(Bytes section, uint32_t max_doc);

  uint32_t max_doc() const { return max_doc_; }
  bool multi_valued() const { return multi_valued_; }
  /// True when every document has a value.
  bool dense() const { return dense_; }
  uint64_t value_count() const { return value_count_; }
  /// Documents with at least one value.
  uint32_t doc_count() const { return doc_count_; }
  /// Smallest and largest value of the segment.
  Zone bounds() const { return bounds_; }
  uint32_t zone_count() const { return (max_doc_ + kZoneDocs - 1) / kZoneDocs; }
  Zone zone(uint32_t index) const;

  bool has(uint32_t doc) const noexcept;
  /// Number of values of `doc`.
  uint32_t count(uint32_t doc) const noexcept;
  /// The `index`-th smallest value of `doc`, index < count(doc).
  int64_t value(uint32_t doc, uint32_t index = 0) const noexcept;
  /// Single-valued columns: values of documents [first, first + count) to `out`; documents without one yield `missing`.
  void decode(uint32_t first, uint32_t count, int64_t missing, int64_t* out) const noexcept;

  /// Sets in `out` (size max_doc) every document with some value in [low, high]; skips zones that cannot match.
  void collect_range(int64_t low, int64_t high, Bitset& out) const;
  /// True when some value of `doc` is in [low, high].
  bool matches_range(uint32_t doc, int64_t low, int64_t high) const noexcept;
  /// Sets every document with a value.
  void collect_present(Bitset& out) const;

 private:
  uint32_t max_doc_ = 0;
  bool multi_valued_ = false;
  bool dense_ = false;
  uint64_t value_count_ = 0;
  uint32_t doc_count_ = 0;
  Zone bounds_;
};

}  // namespace quarry
