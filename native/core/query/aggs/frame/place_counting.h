// Counts the documents of a segment in an array by place (keyer.h), in loops over the codes of a
// column.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/aggs/frame/doc_portions.h"

namespace quarry {

/// Up to this number of places, each place has several counters.
inline constexpr size_t kFewPlaces = 1024;
inline constexpr uint32_t kCountLanes = 4;

/// Adjacent documents often have the same place. With several counters per place their additions
/// do not wait for each other.
template <typename PlaceOf>
struct LaneCounter {
  PlaceOf place_of;
  uint32_t* counts;
  uint32_t lane = 0;

  [[gnu::always_inline]] void operator()(uint32_t /*doc*/, uint64_t code) {
    counts[kCountLanes * place_of(code) + lane]++;
    lane = (lane + 1) & (kCountLanes - 1);
  }
};

/// Adds the codes of all documents to `counts`, by place_of(code), which is below `places`.
template <typename PlaceOf>
void count_places(const LeafDocs& docs, const ColumnCodes& codes, size_t places, uint32_t* counts,
                  PlaceOf place_of) {
  const bool few = places <= kFewPlaces && places <= docs.count;
  std::vector<uint32_t> lanes(few ? kCountLanes * places : 0);
  for (DocPortions portions(docs); portions.next();) {
    if (few) {
      portions.each(codes, LaneCounter<PlaceOf>{place_of, lanes.data()});
    } else {
      portions.each(
          codes, [place_of, counts](uint32_t, uint64_t code) mutable { counts[place_of(code)]++; });
    }
  }
  for (size_t at = 0; at < lanes.size(); at++) counts[at / kCountLanes] += lanes[at];
}

/// The same for places that mostly stay the same from one document to the next.
template <typename PlaceOf>
struct RunCounter {
  PlaceOf place_of;
  uint32_t* counts;
  size_t place = 0;
  uint32_t run = 0;  // counted at `place`, but not yet in `counts`

  [[gnu::always_inline]] void operator()(uint32_t /*doc*/, uint64_t code) {
    const size_t at = place_of(code);
    if (at != place) flush();
    place = at;
    run++;
  }
  void flush() {
    counts[place] += run;
    run = 0;
  }
};

template <typename PlaceOf>
void count_runs(const LeafDocs& docs, const ColumnCodes& codes, uint32_t* counts,
                PlaceOf place_of) {
  for (DocPortions portions(docs); portions.next();)
    portions.each(codes, RunCounter<PlaceOf>{place_of, counts}).flush();
}

/// Adds one to counts[cell] for every cell. Adjacent cells are often equal, and their additions
/// would wait for each other; so four distant cells are processed alternately.
template <typename Count>
void count_cells(std::span<const uint32_t> cells, Count* counts) {
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
