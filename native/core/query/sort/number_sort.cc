// Sort keys over number columns.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "mapping/dates/date_format.h"
#include "mapping/dates/date_number.h"
#include "mapping/values/numeric.h"
#include "query/nested/nested_sort.h"
#include "query/sort/sort_key.h"

namespace quarry {
namespace {

/// The double with the fewest digits that identifies the same float32, so that 1.1 sorts and prints
/// as 1.1.
double widen_float(double value) {
  char buffer[64];
  const auto printed = std::to_chars(buffer, buffer + sizeof(buffer), static_cast<float>(value));
  double wide = value;
  std::from_chars(buffer, printed.ptr, wide);
  return wide;
}

class NumberSort final : public SortSource {
 public:
  explicit NumberSort(NumberSortSpec spec)
      : spec_(std::move(spec)), kind_(number_kind(*spec_.field)) {
    doubles_ = spec_.as_double || (kind_ == NumberKind::kDouble && !spec_.as_integer);
    const FloatKind precision = spec_.field->traits().precision;
    narrow_ = precision == FloatKind::kSingle || precision == FloatKind::kHalf;
    as_stored_ = doubles_
                     ? kind_ == NumberKind::kDouble && !narrow_
                     : kind_ != NumberKind::kDouble && !spec_.milliseconds && !spec_.nanoseconds;
    largest_ =
        spec_.mode == SortMode::kMax || (spec_.mode == SortMode::kDefault && spec_.descending);
    missing_ = spec_.has_missing_value ? spec_.missing_value
                                       : missing_number(doubles_, spec_.bits32,
                                                        spec_.missing_first != spec_.descending);
  }

  void start_leaf(const Leaf& leaf) override {
    const SegmentField* field = leaf.segment->field(spec_.field->name);
    column_ = field == nullptr ? nullptr : field->column;
    max_doc_ = leaf.max_doc;
    if (spec_.nested != nullptr) spec_.nested->start_leaf(leaf);
    std::fill(checked_to_, checked_to_ + kAnchors, 0);
  }
  void set_anchor(Anchor anchor, const SortValue& value) override {
    anchors_[anchor] = ordered(value.number);
    checked_to_[anchor] = 0;
    if (anchor == kAfter) has_after_ = true;
  }
  int compare(Anchor anchor, uint32_t doc, float /*score*/) override {
    const int64_t own = ordered(number(doc));
    return own < anchors_[anchor] ? -1 : own > anchors_[anchor] ? 1 : 0;
  }
  SortValue value(uint32_t doc, float /*score*/) override { return {false, number(doc), {}}; }
  int compare_values(const SortValue& a, const SortValue& b) const override {
    const int64_t left = ordered(a.number);
    const int64_t right = ordered(b.number);
    return left < right ? -1 : left > right ? 1 : 0;
  }

  uint32_t next_competitive(Anchor anchor, uint32_t doc, bool or_equal) override {
    if (!zones_bound_values()) return doc;
    while (doc < max_doc_ && doc >= checked_to_[anchor]) {
      const int64_t best = best_of_zone(doc / kZoneDocs);
      const uint32_t end = (doc / kZoneDocs + 1) * kZoneDocs;
      if (best < anchors_[anchor] || (or_equal && best == anchors_[anchor])) {
        checked_to_[anchor] = end;
        return doc;
      }
      doc = end;
    }
    return doc < max_doc_ ? doc : kNoMoreDocs;
  }
  void add_zones(uint32_t leaf, std::vector<SortZone>& out) const override;
  bool is_better(const SortZone& zone) const override { return zone.best < anchors_[kSeed]; }

  bool follows(const IndexSortKey& key) const override {
    const bool one_value = spec_.mode == SortMode::kDefault || spec_.mode == SortMode::kMin ||
                           spec_.mode == SortMode::kMax;
    const bool converted =
        spec_.as_double || spec_.as_integer || spec_.nanoseconds || spec_.milliseconds;
    return key.field == spec_.field->name && key.descending == spec_.descending && one_value &&
           key.largest == largest_ && !converted && spec_.nested == nullptr &&
           !spec_.has_missing_value && key.missing_first == spec_.missing_first &&
           spec_.bits32 == spec_.field->traits().missing_32_bits;
  }
  Result<SortValue> parse(const Scalar& scalar) const override;
  SortColumn make_column() const override {
    SortColumn column;
    if (spec_.format != nullptr) {
      column.kind = SortColumnKind::kFormatted;
    } else if (doubles_) {
      column.kind = SortColumnKind::kDouble;
    } else if (kind_ == NumberKind::kUnsigned) {
      column.kind = SortColumnKind::kUnsigned;
    } else {
      column.kind = kind_ == NumberKind::kBoolean ? SortColumnKind::kBoolean : SortColumnKind::kInt;
    }
    return column;
  }
  void append(const SortValue& value, SortColumn& column) const override;

 private:
  static constexpr int64_t kSmallest = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

  int64_t ordered(int64_t number) const { return spec_.descending ? ~number : number; }

  [[gnu::always_inline]] int64_t convert(int64_t value) const {
    return as_stored_ ? value : converted(value);
  }
  int64_t converted(int64_t value) const {
    if (doubles_ && kind_ == NumberKind::kDouble) {
      return narrow_ ? sortable_from_double(widen_float(double_from_sortable(value))) : value;
    }
    if (doubles_) return sortable_from_double(column_to_double(*spec_.field, value));
    if (kind_ == NumberKind::kDouble) return to_integer(double_from_sortable(value));
    if (spec_.milliseconds) return nanos_to_ms(value);
    return spec_.nanoseconds ? to_nanoseconds(value) : value;
  }
  static int64_t to_nanoseconds(int64_t ms) {
    return std::clamp(ms, kSmallest / kNanosPerMs, kLargest / kNanosPerMs) * kNanosPerMs;
  }
  /// Formats a sort value as text.
  std::string formatted(int64_t value) const {
    const bool nanos =
        spec_.nanoseconds || (spec_.field->traits().nanoseconds && !spec_.milliseconds);
    if (!nanos) return spec_.format->format(value);
    const int64_t ms = nanos_to_ms(value);
    return spec_.format->format(ms, nullptr, static_cast<int32_t>(value - ms * kNanosPerMs));
  }
  static int64_t to_integer(double value) {
    if (std::isnan(value)) return 0;
    if (value >= 9223372036854775807.0) return kLargest;
    return value <= -9223372036854775808.0 ? kSmallest : static_cast<int64_t>(value);
  }

  /// Combines the values of all nested documents of `doc`.
  int64_t nested_number(uint32_t doc) const {
    std::vector<int64_t>& values = nested_values_;
    values.clear();
    spec_.nested->each(doc, [&](uint32_t nested) {
      const uint32_t count = column_ == nullptr ? 0 : column_->count(nested);
      for (uint32_t i = 0; i < count; i++) values.push_back(convert(column_->value(nested, i)));
      return count > 0;
    });
    if (values.empty()) return missing_;
    if (spec_.mode != SortMode::kSum && spec_.mode != SortMode::kAvg) {
      return largest_ ? *std::max_element(values.begin(), values.end())
                      : *std::min_element(values.begin(), values.end());
    }
    return sum_of(values);
  }
  int64_t sum_of(const std::vector<int64_t>& values) const {
    const bool average = spec_.mode == SortMode::kAvg;
    const auto count = static_cast<double>(values.size());
    if (doubles_) {
      double sum = 0;
      for (const int64_t value : values) sum += double_from_sortable(value);
      return sortable_from_double(average ? sum / count : sum);
    }
    uint64_t sum = 0;  // wraps around like Java's long
    for (const int64_t value : values) sum += static_cast<uint64_t>(value);
    const auto total = static_cast<int64_t>(sum);
    return average ? to_integer(std::floor(static_cast<double>(total) / count + 0.5)) : total;
  }

  int64_t number(uint32_t doc) const {
    if (spec_.nested != nullptr) return nested_number(doc);
    const uint32_t count = column_ == nullptr ? 0 : column_->count(doc);
    if (count == 0) return missing_;
    switch (spec_.mode) {
      case SortMode::kSum:
      case SortMode::kAvg:
        return combine(doc, count);
      case SortMode::kMedian:
        return median(doc, count);
      default:
        return convert(column_->value(doc, largest_ ? count - 1 : 0));
    }
  }
  int64_t combine(uint32_t doc, uint32_t count) const {
    if (count == 1) return convert(column_->value(doc));
    if (doubles_) {
      double sum = 0;
      for (uint32_t i = 0; i < count; i++)
        sum += double_from_sortable(convert(column_->value(doc, i)));
      return sortable_from_double(spec_.mode == SortMode::kAvg ? sum / count : sum);
    }
    uint64_t sum = 0;  // wraps around like Java's long
    for (uint32_t i = 0; i < count; i++)
      sum += static_cast<uint64_t>(convert(column_->value(doc, i)));
    const auto total = static_cast<int64_t>(sum);
    if (spec_.mode == SortMode::kSum) return total;
    return to_integer(std::floor(static_cast<double>(total) / count + 0.5));
  }
  int64_t median(uint32_t doc, uint32_t count) const {
    const int64_t upper = convert(column_->value(doc, count / 2));
    if (count % 2 == 1) return upper;
    const int64_t lower = convert(column_->value(doc, count / 2 - 1));
    if (doubles_)
      return sortable_from_double((double_from_sortable(lower) + double_from_sortable(upper)) / 2);
    return to_integer(
        std::floor((static_cast<double>(lower) + static_cast<double>(upper)) / 2 + 0.5));
  }

  bool zones_bound_values() const {
    const bool picks_one = spec_.mode == SortMode::kDefault || spec_.mode == SortMode::kMin ||
                           spec_.mode == SortMode::kMax;
    return column_ != nullptr && spec_.nested == nullptr && (picks_one || !column_->multi_valued());
  }
  int64_t best_of_zone(uint32_t index) const {
    const Column::Zone zone = column_->zone(index);
    int64_t best = kLargest;
    if (zone.min <= zone.max) best = ordered(convert(spec_.descending ? zone.max : zone.min));
    return column_->dense() ? best : std::min(best, ordered(missing_));
  }

  NumberSortSpec spec_;
  NumberKind kind_;
  bool doubles_ = false;
  bool as_stored_ = false;  // values are sorted as columns hold them
  bool narrow_ = false;
  bool largest_ = false;
  int64_t missing_ = 0;
  const Column* column_ = nullptr;
  uint32_t max_doc_ = 0;
  uint32_t checked_to_[kAnchors] = {};  // zones before it may hold competitive documents
  bool has_after_ = false;
  int64_t anchors_[kAnchors] = {};
  mutable std::vector<int64_t> nested_values_;  // scratch memory of nested_number()
};

void NumberSort::add_zones(uint32_t leaf, std::vector<SortZone>& out) const {
  if (!zones_bound_values()) return;
  out.reserve(out.size() + column_->zone_count());
  for (uint32_t i = 0; i < column_->zone_count(); i++) {
    const Column::Zone range = column_->zone(i);
    if (range.min > range.max) continue;
    const int64_t worst = ordered(convert(spec_.descending ? range.min : range.max));
    if (has_after_ && worst < anchors_[kAfter]) continue;
    const int64_t best = ordered(convert(spec_.descending ? range.max : range.min));
    out.push_back({best, i * kZoneDocs, std::min(max_doc_, (i + 1) * kZoneDocs), leaf});
  }
}

Result<SortValue> NumberSort::parse(const Scalar& scalar) const {
  if (scalar.kind == Scalar::Kind::kNull) return SortValue{false, missing_, {}};
  const std::string& text = scalar.text;
  const char* end = text.data() + text.size();
  if (kind_ == NumberKind::kBoolean && (text == "true" || text == "false")) {
    return SortValue{false, text == "true" ? 1 : 0, {}};
  }
  if (doubles_) {
    QUARRY_ASSIGN_OR_RETURN(const double value,
                            search_after_number<double>(text, spec_.field->name));
    return SortValue{false, sortable_from_double(value), {}};
  }
  if (kind_ == NumberKind::kUnsigned) {
    QUARRY_ASSIGN_OR_RETURN(const uint64_t value,
                            search_after_number<uint64_t>(text, spec_.field->name));
    return SortValue{false, static_cast<int64_t>(value ^ (uint64_t{1} << 63)), {}};
  }
  int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  // A number is the value itself, whatever format dates have.
  if ((spec_.format == nullptr || !scalar.quoted()) && error == std::errc() && rest == end)
    return SortValue{false, value, {}};
  if (kind_ != NumberKind::kDate) return bad_search_after(spec_.field->name);
  if (!scalar.quoted()) {
    if (const std::optional<int64_t> moment = read_date_number(text))
      return SortValue{false, *moment, {}};
    return bad_search_after(spec_.field->name);
  }
  const std::string_view format =
      spec_.format == nullptr ? std::string_view() : spec_.format->text();
  const Result<Bound> bound =
      parse_bound(*spec_.field, text, scalar.quoted(), BoundKind::kExact, false, format, {}, 0);
  if (!bound.ok() || bound->none) return bad_search_after(spec_.field->name);
  return SortValue{false, convert(bound->value), {}};
}

void NumberSort::append(const SortValue& value, SortColumn& column) const {
  const bool absent = column.kind == SortColumnKind::kFormatted &&
                      (value.number == kSmallest || value.number == kLargest);
  column.nulls.push_back(absent ? 1 : 0);
  switch (column.kind) {
    case SortColumnKind::kDouble:
      column.doubles.push_back(double_from_sortable(value.number));
      break;
    case SortColumnKind::kUnsigned:
      column.ints.push_back(
          static_cast<int64_t>(static_cast<uint64_t>(value.number) ^ (uint64_t{1} << 63)));
      break;
    case SortColumnKind::kFormatted: {
      uint64_t bits = static_cast<uint64_t>(value.number) ^ (uint64_t{1} << 63);
      std::string key(8, '\0');
      for (size_t i = 8; i-- > 0; bits >>= 8) key[i] = static_cast<char>(bits & 0xff);
      column.strings.push_back(std::move(key));
      column.texts.push_back(absent ? std::string() : formatted(value.number));
      break;
    }
    default:
      column.ints.push_back(value.number);
      break;
  }
}

}  // namespace

std::unique_ptr<SortSource> make_number_sort(NumberSortSpec spec) {
  return std::make_unique<NumberSort>(std::move(spec));
}

}  // namespace quarry
