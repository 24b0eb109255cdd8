// Rounds dates by arithmetic, by the calendar, or by a list of the keys between two dates.
#include "query/aggs/histogram/rounding.h"

#include <algorithm>

#include "mapping/dates/calendar.h"
#include "mapping/dates/date_math.h"

namespace quarry {
namespace {

constexpr size_t kMaxListed = 65536;
constexpr uint64_t kMaxEven = 4096;  // a row of more counters takes longer than few documents
constexpr int64_t kLimit = kMaxMoment / 2;  // leaves room for offsets and one more interval

DateUnit unit_of(uint8_t unit) { return static_cast<DateUnit>(unit - 1); }

int64_t to_ms(int32_t offset_seconds) { return int64_t{1000} * offset_seconds; }

}  // namespace

Result<Rounding> Rounding::make(const RoundingSpec& spec) {
  Rounding rounding;
  rounding.spec_ = spec;
  if (spec.unit == 0 && (spec.fixed_ms < 1 || spec.fixed_ms > kLimit)) {
    return Status(ErrorType::kIllegalArgument,
                  "Zero or negative time interval not supported, use at least [1ms]");
  }
  if (spec.offset_ms > kLimit || spec.offset_ms < -kLimit) {
    return Status(ErrorType::kIllegalArgument, "[offset] is beyond what dates can hold");
  }
  if (!spec.time_zone.empty()) {
    QUARRY_ASSIGN_OR_RETURN(rounding.zone_, TimeZone::find(spec.time_zone));
    if (rounding.zone_->is_fixed() && rounding.zone_->offset_at(0) == 0) rounding.zone_ = nullptr;
  }
  return rounding;
}

int64_t Rounding::calculate(int64_t utc_ms) const {
  const int64_t moved = std::clamp(utc_ms, -kLimit, kLimit) - spec_.offset_ms;
  return round_moment(moved) + spec_.offset_ms;
}

bool Rounding::of_days() const { return spec_.unit >= 1 && unit_of(spec_.unit) <= DateUnit::kDay; }

int64_t Rounding::start_of(int64_t local_ms) const {
  return spec_.unit == 0 ? floor_div(local_ms, spec_.fixed_ms) * spec_.fixed_ms
                         : local_start(local_ms, unit_of(spec_.unit));
}

int64_t Rounding::round_moment(int64_t utc_ms) const {
  if (zone_ == nullptr) return start_of(utc_ms);
  const LastChange change = zone_->last_change(utc_ms);
  const int32_t offset = change ? change->after : zone_->first_offset();
  const int64_t start = start_of(utc_ms + to_ms(offset));
  if (of_days()) return day_start(start, change);
  return spec_.unit == 0 ? interval_start(start, change) : hour_start(start, change);
}

/// The first instant at which clocks show midnight; if they skip midnight, the change that skips
/// it.
int64_t Rounding::day_start(int64_t local_ms, LastChange change) const {
  for (; change; change = zone_->last_change(change->at_ms - 1)) {
    const int64_t shown_before = change->at_ms + to_ms(change->before);
    const int64_t shown_after = change->at_ms + to_ms(change->after);
    if (local_ms >= std::max(shown_before, shown_after)) return local_ms - to_ms(change->after);
    if (local_ms >= shown_before) return change->at_ms;
  }
  return local_ms - to_ms(zone_->first_offset());
}

/// Clocks that are set back into an hour start that hour again as a separate one. If clocks skip
/// into or out of the middle of an hour, its part belongs to the hour before.
int64_t Rounding::hour_start(int64_t local_ms, LastChange change) const {
  for (; change; change = zone_->last_change(change->at_ms - 1)) {
    const int64_t shown_before = change->at_ms + to_ms(change->before);
    const int64_t shown_after = change->at_ms + to_ms(change->after);
    const int64_t back_ms = shown_before - shown_after;
    if (local_ms >= std::max(shown_before, shown_after)) return local_ms - to_ms(change->after);
    if (back_ms < 0) {
      local_ms = start_of(shown_before - 1);
    } else if (local_ms >= shown_after || back_ms >= unit_ms(unit_of(spec_.unit))) {
      return local_ms - to_ms(change->after);
    }
  }
  return local_ms - to_ms(zone_->first_offset());
}

/// An interval that starts in skipped local time starts at the change. An interval that clocks are
/// set back into the middle of continues the interval before.
int64_t Rounding::interval_start(int64_t local_ms, LastChange change) const {
  for (; change; change = zone_->last_change(change->at_ms - 1)) {
    const int64_t shown_before = change->at_ms + to_ms(change->before);
    const int64_t shown_after = change->at_ms + to_ms(change->after);
    if (local_ms >= std::max(shown_before, shown_after)) return local_ms - to_ms(change->after);
    if (shown_after > shown_before) {
      if (local_ms >= shown_before) return change->at_ms;
    } else if (local_ms >= shown_after) {
      return local_ms - to_ms(change->after);
    } else {
      local_ms = start_of(shown_before - 1);
    }
  }
  return local_ms - to_ms(zone_->first_offset());
}

int64_t Rounding::next(int64_t key) const {
  const int64_t moved = std::clamp(key, -kLimit, kLimit) - spec_.offset_ms;
  return std::max(next_key(moved), moved + 1) + spec_.offset_ms;
}

int64_t Rounding::next_key(int64_t key) const {
  if (of_days()) {
    const int64_t local = zone_ == nullptr ? key : zone_->to_local(key);
    const int64_t start = add_units(start_of(local), unit_of(spec_.unit), 1, nullptr);
    // Time zone offsets are less than a day.
    return zone_ == nullptr ? start : day_start(start, zone_->last_change(start + kMsPerDay));
  }
  // When clocks are set back, a step may end in the same hour or interval, or before it; the probe
  // then moves further. If a step skips keys, it moves back to the first of them.
  int64_t probe = key + length();
  int64_t start = round_moment(probe);
  for (int tries = 0; start <= key && tries < 48; tries++) {
    probe += std::min(length(), kMsPerHour);
    start = round_moment(probe);
  }
  for (int64_t before = start; before > key; before = round_moment(start - 1)) start = before;
  return start;
}

bool Rounding::even() const {
  return (spec_.unit == 0 || spec_.unit > 4) && (zone_ == nullptr || zone_->is_fixed());
}

int64_t Rounding::length() const {
  return spec_.unit == 0 ? spec_.fixed_ms : unit_ms(unit_of(spec_.unit));
}

/// Lists the keys from that of `low` to the first one above `high`. Months, quarters and years in
/// UTC are computed from the lengths of months, because a table may have hundreds of keys and every
/// segment needs one.
void Rounding::fill(int64_t low, int64_t high) {
  constexpr int32_t kMonths[] = {0, 12, 3, 1};  // months per unit
  const bool months = zone_ == nullptr && spec_.unit >= 1 && spec_.unit <= 3 && low > -kLimit / 2 &&
                      high < kLimit / 2;
  int64_t key = first_;
  CivilDate date = civil_from_days(floor_div(key - spec_.offset_ms, kMsPerDay));
  while (starts_.size() <= kMaxListed) {
    starts_.push_back(key);
    if (key > high) return;
    if (!months) key = next(key);
    for (int32_t left = months ? kMonths[spec_.unit] : 0; left > 0; left--) {
      key += days_in_month(date.year, date.month) * kMsPerDay;
      date = date.month == 12 ? CivilDate{date.year + 1, 1, 1}
                              : CivilDate{date.year, date.month + 1, 1};
    }
  }
  starts_.clear();
}

void Rounding::prepare(int64_t low, int64_t high) {
  starts_.clear();
  places_ = 0;
  if (low > high) return;
  low = std::clamp(low, -kLimit, kLimit);
  last_ = std::clamp(high, -kLimit, kLimit);
  first_ = round(low);
  length_ = length();
  if (even()) {
    const uint64_t away = static_cast<uint64_t>(last_) - static_cast<uint64_t>(first_);
    const uint64_t keys = away / static_cast<uint64_t>(length_) + 1;
    places_ = keys <= kMaxEven ? static_cast<size_t>(keys) : 0;
    return;
  }
  // A day that repeats has another day in between.
  if (zone_ != nullptr && of_days() &&
      zone_->repeats_days(low - spec_.offset_ms - kMsPerDay, last_ - spec_.offset_ms)) {
    return;
  }
  fill(low, last_);
  if (starts_.empty()) return;
  places_ = starts_.size() - 1;
  keys_per_ms_ = static_cast<double>(places_) /
                 (static_cast<double>(starts_.back()) - static_cast<double>(starts_.front()));
}

}  // namespace quarry
