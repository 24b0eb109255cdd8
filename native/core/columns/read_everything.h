// For tests and fuzz targets: reads all data of a column and checks the guarantees that hold even
// for damaged bytes.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "columns/column.h"

namespace quarry::testing {

/// Returns false when a value is outside bounds() or two ways of reading it differ.
inline bool read_everything(const Column& column) {
  const uint32_t max_doc = column.max_doc();
  const Column::Zone bounds = column.bounds();
  std::vector<int64_t> decoded(max_doc);
  column.decode(0, max_doc, 0, decoded.data());
  Bitset present(max_doc);
  column.collect_present(present);
  uint64_t values = 0;
  for (uint32_t doc = 0; doc < max_doc; ++doc) {
    const uint32_t count = column.count(doc);
    if (column.has(doc) != (count > 0) || present.test(doc) != (count > 0)) return false;
    if (decoded[doc] != column.value(doc)) return false;
    for (uint32_t i = 0; i < count; ++i) {
      const int64_t value = column.value(doc, i);
      if (value < bounds.min || value > bounds.max) return false;
    }
    values += count;
  }
  Bitset out(max_doc);
  const int64_t middle = bounds.min / 2 + bounds.max / 2;
  column.collect_range(std::numeric_limits<int64_t>::min(), middle, out);
  column.collect_range(middle, bounds.max, out);
  for (uint32_t index = 0; index < column.zone_count(); ++index) {
    const Column::Zone zone = column.zone(index);
    column.collect_range(zone.min, zone.max, out);
  }
  out.subtract(present);
  return values == column.value_count() && out.count() == 0;
}

}  // namespace quarry::testing
