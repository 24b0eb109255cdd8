// How aggregations by key count the documents of a segment, in three parts.
//
// * A keyer maps a document to the keys of its values. A key is an integer; the keys of one
//   aggregation ascend as those of the reply do. Rounding (dates) and NumberKeyer (numbers) are the
//   keyers of histogram, date_histogram, auto_date_histogram and the sources of composite; TermKeys
//   and TermNumbering are those of terms. Where few keys are possible, a keyer numbers them: the
//   key at place 0 to the key at places() - 1.
// * A counter holds the documents of each owner (bucket of the parent) and key. There are two: an
//   array with a cell for each owner and place (place_counting.h, TermCounts), and a hash table
//   for any keys (BucketTable, and TermCounts for few documents). Aggregations with others below
//   them count by bucket, whose number comes from the same array or table.
// * A decorator adds a whole segment, whatever the query, without a look at its documents: counts
//   that are cached (find_counts() of segment_totals.h) and the term frequencies of a dictionary
//   (LeafTerms::count_by_frequency()). It is asked first and may decline.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "mapping/values/numeric.h"

namespace quarry {

/// `Value` is a moment in milliseconds or a number.
template <typename K, typename Value>
concept Keyer = requires(K keyer, const K known, Value value, int64_t key, size_t place) {
  { known.round(value) } -> std::same_as<int64_t>;  // the key of a value
  { known.next(key) } -> std::same_as<int64_t>;     // the key after another
  keyer.prepare(value, value);  // numbers the keys of the values between two, if they are few
  { known.places() } -> std::same_as<size_t>;
  { typename K::Finder(known)(value) } -> std::same_as<size_t>;  // the place of a value
  { known.key_at(place) } -> std::same_as<int64_t>;
};

/// Intervals of equal width. A key is the quotient floor((value - offset) / interval), as a
/// sortable number.
class NumberKeyer {
 public:
  class Finder;

  NumberKeyer() = default;
  NumberKeyer(double interval, double offset) : interval_(interval), offset_(offset) {}

  double interval() const { return interval_; }
  double offset() const { return offset_; }
  double quotient(double value) const { return std::floor((value - offset_) / interval_); }
  /// The start of an interval, without the offset.
  double start(int64_t key) const { return double_from_sortable(key) * interval_; }

  int64_t round(double value) const { return to_key(quotient(value)); }
  int64_t next(int64_t key) const {
    const double last = double_from_sortable(key);
    return to_key(std::fmax(last + 1, std::nextafter(last, kInfinity)));
  }
  void prepare(double low, double high) {
    first_ = quotient(low);
    const double keys = quotient(high) - first_ + 1;
    places_ = keys >= 1 && keys <= kMaxPlaces ? static_cast<size_t>(keys) : 0;
  }
  size_t places() const { return places_; }
  size_t place_of(double value) const { return static_cast<size_t>(quotient(value) - first_); }
  int64_t key_at(size_t place) const { return to_key(first_ + static_cast<double>(place)); }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kMaxPlaces = 4096;  // a row of more takes longer than few documents

  /// + 0.0: -0.0 and 0.0 belong to the same interval.
  static int64_t to_key(double quotient) { return sortable_from_double(quotient + 0.0); }

  double interval_ = 1;
  double offset_ = 0;
  double first_ = 0;
  size_t places_ = 0;
};

class NumberKeyer::Finder {
 public:
  explicit Finder(const NumberKeyer& keyer) : keyer_(keyer) {}
  size_t operator()(double value) const { return keyer_.place_of(value); }

 private:
  NumberKeyer keyer_;
};

static_assert(Keyer<NumberKeyer, double>);

}  // namespace quarry
