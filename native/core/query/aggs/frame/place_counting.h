// Counts dates, given as codes of a column, by their place in a table of keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "query/aggs/frame/place_index.h"
#include "query/aggs/histogram/rounding.h"

namespace quarry {

/// Finds the place of a code's date in the table of keys. Adjacent documents mostly lie in the same
/// interval, so the last one is kept: `place`, from `low` on, `span` long.
struct PlaceFinder {
  const Rounding* rounding;
  int64_t base;
  uint64_t step;
  uint64_t low = 0;
  uint64_t span = 0;
  size_t place = 0;

  size_t of(uint64_t code) {
    const uint64_t moment = static_cast<uint64_t>(base) + step * code;
    if (moment - low >= span) turn_to(static_cast<int64_t>(moment));
    return place;
  }
  void turn_to(int64_t moment) {
    place = std::min(rounding->place_of(moment), rounding->table_size() - 1);
    low = static_cast<uint64_t>(rounding->key_at(place));
    span = static_cast<uint64_t>(rounding->end_at(place)) - low;
  }
};

/// Counts codes by place.
struct PlaceCounter {
  PlaceFinder finder;
  uint32_t* counts;
  size_t place = 0;
  uint32_t run = 0;  // counted at `place`, but not yet in `counts`

  [[gnu::always_inline]] void operator()(uint32_t /*doc*/, uint64_t code) {
    const size_t at = finder.of(code);
    if (at != place) flush();
    place = at;
    run++;
  }
  void flush() {
    counts[place] += run;
    run = 0;
  }
};

/// Lists the index of each code's counter; every owner has a row of counters.
struct CellLister {
  const PlaceIndex* index;
  const uint32_t* owners;  // by entry; null: all 0
  size_t row;
  uint32_t* cells;

  [[gnu::always_inline]] void operator()(size_t entry, uint64_t code) {
    const size_t owner = owners == nullptr ? 0 : owners[entry];
    cells[entry] =
        static_cast<uint32_t>(owner * row + index->place_of(static_cast<uint32_t>(code)));
  }
};

/// Adds one to counts[cell] for every cell. Adjacent cells are often equal, and their additions
/// would wait for each other; so four distant cells are processed alternately.
inline void count_cells(std::span<const uint32_t> cells, uint32_t* counts) {
  const size_t quarter = cells.size() / 4;
  const uint32_t* const from = cells.data();
  for (size_t i = 0; i < quarter; i++) {
    counts[from[i]]++;
    counts[from[i + quarter]]++;
    counts[from[i + 2 * quarter]]++;
    counts[from[i + 3 * quarter]]++;
  }
  for (size_t i = 4 * quarter; i < cells.size(); i++) counts[from[i]]++;
}

}  // namespace quarry
