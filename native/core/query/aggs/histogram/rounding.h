// Rounds dates down to the start of the calendar unit or fixed interval that contains them, in the
// local time of a time zone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "mapping/dates/time_zone.h"
#include "query/aggs/frame/agg_plan.h"

namespace quarry {

/// Keys are milliseconds in UTC with the offset added.
class Rounding {
 public:
  class Finder;

  /// illegal_argument_exception for intervals below a millisecond and unknown zones.
  static Result<Rounding> make(const RoundingSpec& spec);

  /// Looks the key up if it has a place.
  int64_t round(int64_t utc_ms) const {
    const bool listed = !starts_.empty() && utc_ms >= first_ && utc_ms <= last_;
    return listed ? starts_[place_of(utc_ms)] : calculate(utc_ms);
  }
  /// The key that follows `key`.
  int64_t next(int64_t key) const;
  /// Numbers the keys of the dates from `low` to `high`: place 0 is the key of `low`. There are no
  /// places if the keys are too many, or if one of them does not hold consecutive dates.
  void prepare(int64_t low, int64_t high);
  size_t places() const { return places_; }
  int64_t key_at(size_t place) const {
    return starts_.empty() ? first_ + static_cast<int64_t>(place) * length_ : starts_[place];
  }
  int64_t end_at(size_t place) const {
    return starts_.empty() ? key_at(place) + length_ : starts_[place + 1];
  }
  /// The place of a date; that of the nearest date between `low` and `high` for all others.
  /// Requires places. Keys of calendar units are nearly evenly spaced, so a guess is off by one
  /// place, which is corrected without a branch: dates of documents are in no order.
  size_t place_of(int64_t utc_ms) const {
    const int64_t moment = std::clamp(utc_ms, first_, last_);
    const uint64_t away = static_cast<uint64_t>(moment) - static_cast<uint64_t>(first_);
    if (starts_.empty()) return static_cast<size_t>(away / static_cast<uint64_t>(length_));
    const double guess = static_cast<double>(static_cast<int64_t>(away)) * keys_per_ms_;
    size_t at = std::min(static_cast<size_t>(guess), places_ - 1);
    at -= moment < starts_[at] ? 1 : 0;
    at += moment >= starts_[at + 1] ? 1 : 0;
    while (moment < starts_[at]) at--;
    while (moment >= starts_[at + 1]) at++;
    return at;
  }

 private:
  int64_t calculate(int64_t utc_ms) const;
  /// calculate() and next() for dates without the offset of the request.
  int64_t round_moment(int64_t utc_ms) const;
  int64_t next_key(int64_t key) const;
  /// The local start of the unit or interval that contains a local time.
  int64_t start_of(int64_t local_ms) const;
  using LastChange = std::optional<OffsetChange>;
  /// Convert a local start to UTC. `change` is the latest offset change that may apply; earlier
  /// ones are looked up.
  int64_t day_start(int64_t local_ms, LastChange change) const;
  int64_t hour_start(int64_t local_ms, LastChange change) const;
  int64_t interval_start(int64_t local_ms, LastChange change) const;
  /// True for units from years to days, which start at midnight.
  bool of_days() const;
  void fill(int64_t low, int64_t high);
  /// True if all intervals have the same length and rounding is plain arithmetic.
  bool even() const;
  /// The length of intervals that even() is true for, and of units below a day.
  int64_t length() const;

  RoundingSpec spec_;
  std::shared_ptr<const TimeZone> zone_;  // null: UTC
  size_t places_ = 0;
  int64_t first_ = 0;            // the key at place 0
  int64_t last_ = 0;             // the last date that has a place
  int64_t length_ = 1;           // of even intervals, whose keys are not listed
  std::vector<int64_t> starts_;  // by place, and one above every date; empty: keys are even
  double keys_per_ms_ = 0;       // of starts_, on average
};

/// Finds places one after the other. Adjacent documents mostly lie in the same interval, so the
/// last one is kept.
class Rounding::Finder {
 public:
  explicit Finder(const Rounding& rounding) : rounding_(&rounding) {}
  size_t operator()(int64_t utc_ms) {
    if (static_cast<uint64_t>(utc_ms) - low_ >= span_) {
      place_ = rounding_->place_of(utc_ms);
      low_ = static_cast<uint64_t>(rounding_->key_at(place_));
      span_ = static_cast<uint64_t>(rounding_->end_at(place_)) - low_;
    }
    return place_;
  }

 private:
  const Rounding* rounding_;
  uint64_t low_ = 0;
  uint64_t span_ = 0;
  size_t place_ = 0;
};

}  // namespace quarry
