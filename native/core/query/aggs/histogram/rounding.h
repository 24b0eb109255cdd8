// Rounds dates down to the start of the calendar unit or fixed interval that contains them, in the
// local time of a time zone.
#pragma once

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
  /// illegal_argument_exception for intervals below a millisecond and unknown zones.
  static Result<Rounding> make(const RoundingSpec& spec);

  int64_t round(int64_t utc_ms) const;
  /// The key that follows `key`.
  int64_t next(int64_t key) const;
  /// Builds the table of keys for values in [low, high], if there are not too many.
  void prepare(int64_t low, int64_t high);
  /// round(), with the table if it covers the value.
  int64_t round_quickly(int64_t utc_ms) const;
  /// The table of prepare(): keys by place, and the place of a date, which is table_size() for
  /// dates outside the table.
  size_t table_size() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  int64_t key_at(size_t place) const { return starts_[place]; }
  int64_t end_at(size_t place) const { return starts_[place + 1]; }
  size_t place_of(int64_t utc_ms) const;

 private:
  /// round() and next() for dates without the offset of the request.
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
  /// True if rounding is plain arithmetic, so that there is nothing to prepare.
  bool simple() const;

  RoundingSpec spec_;
  std::shared_ptr<const TimeZone> zone_;  // null: UTC
  std::vector<int64_t> starts_;           // ascending keys; the last is above every value
  double keys_per_ms_ = 0;                // of starts_, on average
};

}  // namespace quarry
