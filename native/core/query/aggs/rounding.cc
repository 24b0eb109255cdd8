// Rounding by arithmetic, by the calendar, or by a table of the keys between two moments.
#include "query/aggs/rounding.h"

#include <algorithm>

#include "mapping/calendar.h"
#include "mapping/date_math.h"

namespace quarry {
namespace {

constexpr size_t kMaxTable = 65536;
constexpr int64_t kLimit = kMaxMoment / 2;  // room for offsets and one more interval

DateUnit unit_of(uint8_t unit) { return static_cast<DateUnit>(unit - 1); }

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

int64_t Rounding::round(int64_t utc_ms) const {
  const int64_t moved = std::clamp(utc_ms, -kLimit, kLimit) - spec_.offset_ms;
  return round_local(moved) + spec_.offset_ms;
}

int64_t Rounding::round_local(int64_t utc_ms) const {
  return spec_.unit == 0 ? round_fixed(utc_ms)
                         : round_down(utc_ms, unit_of(spec_.unit), zone_.get());
}

int64_t Rounding::round_fixed(int64_t utc_ms) const {
  const int64_t offset = zone_ == nullptr ? 0 : int64_t{1000} * zone_->offset_at(utc_ms);
  const int64_t local = floor_div(utc_ms + offset, spec_.fixed_ms) * spec_.fixed_ms;
  const int64_t start = local - offset;
  if (zone_ == nullptr || int64_t{1000} * zone_->offset_at(start) == offset) return start;
  // The clock changed since: what came before the change is rounded by the clock of then, and a
  // time that the change skipped is the change itself.
  const int64_t change = last_change(start, utc_ms);
  const int64_t before = local - int64_t{1000} * zone_->offset_at(change - 1);
  return before >= change ? change : round_fixed(change - 1);
}

/// The first moment in (low, high] with the offset of `high`, when there is one change in between.
int64_t Rounding::last_change(int64_t low, int64_t high) const {
  const int32_t offset = zone_->offset_at(high);
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (zone_->offset_at(middle) == offset ? high : low) = middle;
  }
  return high;
}

int64_t Rounding::next(int64_t key) const {
  const int64_t moved = std::clamp(key, -kLimit, kLimit) - spec_.offset_ms;
  int64_t probe = spec_.unit == 0 ? moved + spec_.fixed_ms
                                  : add_units(moved, unit_of(spec_.unit), 1, zone_.get());
  // A day of 25 hours: a step that ends in the same unit is taken a little further.
  const int64_t step = spec_.unit == 0 ? std::min(spec_.fixed_ms, kMsPerHour) : kMsPerHour;
  int64_t start = round_local(probe);
  for (int tries = 0; start <= moved && tries < 48; tries++) {
    probe += step;
    start = round_local(probe);
  }
  return std::max(start, moved + 1) + spec_.offset_ms;
}

bool Rounding::simple() const {
  if (spec_.unit == 0 || spec_.unit > 4) return zone_ == nullptr || zone_->is_fixed();
  return false;
}

/// The keys from that of `low` to behind `high`. Months, quarters and years of UTC follow from the
/// lengths of months: a table may have hundreds, and every segment asks for one.
void Rounding::fill(int64_t low, int64_t high) {
  constexpr int32_t kMonths[] = {0, 12, 3, 1};  // by unit
  const bool months = zone_ == nullptr && spec_.unit >= 1 && spec_.unit <= 3 &&
                      low > -kLimit / 2 && high < kLimit / 2;
  int64_t key = round(low);
  CivilDate date = civil_from_days(floor_div(key - spec_.offset_ms, kMsPerDay));
  while (starts_.size() <= kMaxTable) {
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
  if (simple() || low > high) return;
  if (!starts_.empty() && starts_.front() <= low && starts_.back() > high) return;
  if (!starts_.empty()) {
    low = std::min(low, starts_.front());
    high = std::max(high, starts_.back() - 1);
  }
  starts_.clear();
  fill(low, high);
  if (starts_.empty()) return;
  keys_per_ms_ = static_cast<double>(starts_.size() - 1) /
                 static_cast<double>(starts_.back() - starts_.front());
}

size_t Rounding::place_of(int64_t utc_ms) const {
  if (starts_.empty() || utc_ms < starts_.front() || utc_ms >= starts_.back()) return table_size();
  // Keys are about evenly spaced, so a guess is a step or two away.
  const double guess = static_cast<double>(utc_ms - starts_.front()) * keys_per_ms_;
  size_t at = std::min(static_cast<size_t>(guess), starts_.size() - 2);
  while (utc_ms < starts_[at]) at--;
  while (utc_ms >= starts_[at + 1]) at++;
  return at;
}

int64_t Rounding::round_quickly(int64_t utc_ms) const {
  const size_t place = place_of(utc_ms);
  return place < table_size() ? starts_[place] : round(utc_ms);
}

}  // namespace quarry
