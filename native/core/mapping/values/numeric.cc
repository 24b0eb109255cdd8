// Converts values of documents to column values and back to JSON. Bounds of queries are in
// number_bound.cc.
#include "mapping/values/numeric.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "json/number.h"
#include "json/value.h"
#include "mapping/dates/calendar.h"
#include "mapping/dates/date_format.h"
#include "mapping/schema/number_types.h"
#include "text/analysis/analyzer.h"

namespace quarry {

namespace {

std::string quote(std::string_view text) {
  return "For input string: \"" + std::string(text) + "\"";
}
std::string value_text(std::string_view text) { return "Value [" + std::string(text) + "] "; }

bool is_boolean(std::string_view text, bool quoted) {
  return !quoted && (text == "true" || text == "false");
}

Status not_numeric(std::string_view text) {
  return illegal_argument(std::string("Current token (") +
                          (text == "true" ? "VALUE_TRUE" : "VALUE_FALSE") +
                          ") not numeric, can not use numeric value accessors");
}

Status out_of_range(const IntegerType& type, std::string_view text, bool quoted) {
  if (quoted || type.max <= INT8_MAX)
    return illegal_argument(value_text(text) + "is out of range for " + std::string(type.article));
  return illegal_argument("Numeric value (" + std::string(text) + ") out of range of " +
                          std::string(type.java) + " (" + std::to_string(type.min) + " - " +
                          std::to_string(type.max) + ")");
}

Result<int64_t> parse_integer(const Field& field, const IntegerType& type, std::string_view text,
                              bool quoted) {
  if (is_boolean(text, quoted)) return not_numeric(text);
  if (quoted && !field.coerce)
    return illegal_argument(std::string(type.box) + " value passed as String");
  int64_t value = 0;
  const std::string_view spelling = number_spelling(field, text);
  const char* end = spelling.data() + spelling.size();
  const auto [at, error] = std::from_chars(spelling.data(), end, value);
  if (error != std::errc() || at != end) {
    const std::optional<Decimal> decimal = parse_decimal(spelling);
    if (!decimal) return illegal_argument(quote(text));
    const uint64_t limit = uint64_t{INT64_MAX} + (decimal->negative ? 1 : 0);
    if (decimal->huge || decimal->whole > limit) return out_of_range(type, text, quoted);
    if (decimal->fraction && !field.coerce) {
      return quoted ? illegal_argument(value_text(text) + "has a decimal part")
                    : illegal_argument(std::string(text) + " cannot be converted to " +
                                       std::string(type.box) + " without data loss");
    }
    value = static_cast<int64_t>(decimal->negative ? 0 - decimal->whole : decimal->whole);
  }
  if (value < type.min || value > type.max) return out_of_range(type, text, quoted);
  return value;
}

/// Parses a finite double.
Result<double> parse_float(const Field& field, std::string_view text, bool quoted) {
  if (is_boolean(text, quoted)) return not_numeric(text);
  if (quoted && !field.coerce) return illegal_argument("Double value passed as String");
  const std::optional<double> value = parse_double(number_spelling(field, text));
  if (!value) return illegal_argument(text.empty() ? "empty String" : quote(text));
  return *value;
}

Status not_finite(const Field& field, double value) {
  const bool scaled = field.traits().precision == FloatKind::kScaled;
  return illegal_argument("[" + std::string(field_type_name(field.type)) + "] " +
                          (scaled ? "only supports" : "supports only") +
                          " finite values, but got [" + format_double(value) + "]");
}

/// Rounds to the precision of the field's type.
double narrow(const Field& field, double value) {
  switch (field.traits().precision) {
    case FloatKind::kSingle:
      return static_cast<float>(value);
    case FloatKind::kHalf:
      return round_to_half(static_cast<float>(value));
    case FloatKind::kScaled:
      return std::floor(value * field.scaling_factor + 0.5) / field.scaling_factor;
    default:
      return value;
  }
}

Result<int64_t> parse_floating(const Field& field, std::string_view text, bool quoted) {
  QUARRY_ASSIGN_OR_RETURN(const double value, parse_float(field, text, quoted));
  const double stored = narrow(field, value);
  if (!std::isfinite(stored)) return not_finite(field, value);
  return sortable_from_double(stored);
}

Result<int64_t> parse_unsigned(std::string_view text, bool quoted) {
  if (is_boolean(text, quoted)) return not_numeric(text);
  const std::optional<Decimal> decimal = parse_decimal(text);
  if (!decimal) return illegal_argument(quote(text));
  if (decimal->fraction) return illegal_argument(value_text(text) + "has a decimal part");
  if (decimal->huge || (decimal->negative && decimal->whole != 0)) {
    return illegal_argument(value_text(text) + "is out of range for unsigned long");
  }
  return static_cast<int64_t>(decimal->whole ^ (uint64_t{1} << 63));
}

Result<int64_t> parse_boolean(std::string_view text, bool quoted) {
  if (text == "true") return 1;
  if (text == "false" || (quoted && text.empty())) return 0;
  if (!quoted) return illegal_argument("Current token (VALUE_NUMBER) not of boolean type");
  return illegal_argument("Failed to parse value [" + std::string(text) +
                          "] as only [true] or [false] are allowed.");
}

std::shared_ptr<const DateFormats> formats_of(const Field& field) {
  if (field.date_format != nullptr) return field.date_format;
  return DateFormats::compile(field.traits().nanoseconds ? kDefaultNanosFormat : kDefaultDateFormat)
      .value();
}

/// Formats "date[…]"; only trailing zeros of the time are omitted.
std::string moment_text(int64_t ms, int32_t below_ms) {
  return DateFormats::compile("strict_date_optional_time_nanos")
      .value()
      ->format(ms, nullptr, below_ms);
}

Result<int64_t> parse_date_value(const Field& field, std::string_view text) {
  if (text.empty()) return illegal_argument("cannot parse empty datetime");
  const std::shared_ptr<const DateFormats> formats = formats_of(field);
  int32_t below = 0;
  if (const std::optional<int64_t> ms = formats->parse(text, nullptr, false, &below)) {
    if (!field.traits().nanoseconds) return *ms;
    if (*ms < 0) {
      return illegal_argument(
          "date[" + moment_text(*ms, below) +
          "] is before the epoch in 1970 and cannot be stored in nanosecond resolution");
    }
    if (const std::optional<int64_t> nanos = to_nanos(*ms, below)) return *nanos;
    return illegal_argument(
        "date[" + moment_text(*ms, below) +
        "] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond "
        "resolution");
  }
  return illegal_argument("failed to parse date field [" + std::string(text) + "] with format [" +
                          formats->text() + "]");
}

/// The number of tokens that the analyzer produces; position gaps between them count unless the
/// mapping disables that.
Result<int64_t> count_tokens(const Field& field, std::string_view text, AnalysisBudget& budget) {
  TokenBuffer tokens;
  QUARRY_RETURN_IF_ERROR(field.analyzer->analyze(text, tokens, budget));
  if (field.counts_gaps) return int64_t{tokens.end_position};
  int64_t count = 0;
  for (size_t i = 0; i < tokens.tokens.size(); ++i) {
    if (i == 0 || tokens.tokens[i].position != tokens.tokens[i - 1].position) ++count;
  }
  return count;
}

Result<int64_t> parse_by_type(const Field& field, std::string_view text, bool quoted,
                              AnalysisBudget& budget) {
  if (field.traits().source == SourceForm::kCounted && field.analyzer != nullptr) {
    return count_tokens(field, text, budget);
  }
  if (const IntegerType* type = field.traits().integer)
    return parse_integer(field, *type, text, quoted);
  switch (number_kind(field)) {
    case NumberKind::kUnsigned:
      return parse_unsigned(text, quoted);
    case NumberKind::kBoolean:
      return parse_boolean(text, quoted);
    case NumberKind::kDate:
      return parse_date_value(field, text);
    default:
      return parse_floating(field, text, quoted);
  }
}

}  // namespace

int64_t sortable_from_double(double value) noexcept {
  const auto bits = std::bit_cast<int64_t>(value);
  return bits ^ (bits >> 63 & INT64_MAX);
}

double double_from_sortable(int64_t sortable) noexcept {
  return std::bit_cast<double>(sortable ^ (sortable >> 63 & INT64_MAX));
}

int64_t missing_number(bool of_doubles, bool of_32_bits, bool smallest) noexcept {
  if (of_32_bits) {
    using Limits = std::numeric_limits<int32_t>;
    return smallest ? Limits::min() : Limits::max();
  }
  if (!of_doubles) {
    using Limits = std::numeric_limits<int64_t>;
    return smallest ? Limits::min() : Limits::max();
  }
  const double infinity = std::numeric_limits<double>::infinity();
  return sortable_from_double(smallest ? -infinity : infinity);
}

int64_t nanos_to_ms(int64_t nanos) noexcept { return floor_div(nanos, kNanosPerMs); }

std::optional<int64_t> to_nanos(int64_t ms, int32_t below_ms) noexcept {
  constexpr int64_t kLastMs = INT64_MAX / kNanosPerMs;
  if (ms < 0 || ms > kLastMs || (ms == kLastMs && below_ms > INT64_MAX % kNanosPerMs)) return {};
  return ms * kNanosPerMs + below_ms;
}

Field in_milliseconds(const Field& date) {
  Field out = date;
  out.type = FieldType::kDate;
  return out;
}

const Field& default_date_field() {
  static const Field kField = [] {
    Field field;
    field.type = FieldType::kDate;
    return field;
  }();
  return kField;
}

std::string format_date(const Field& field, int64_t value, const DateFormats* formats) {
  const std::shared_ptr<const DateFormats> own = formats == nullptr ? formats_of(field) : nullptr;
  if (formats == nullptr) formats = own.get();
  if (!field.traits().nanoseconds) return formats->format(value);
  const int64_t ms = nanos_to_ms(value);
  return formats->format(ms, nullptr, static_cast<int32_t>(value - ms * kNanosPerMs));
}

double column_to_double(const Field& field, int64_t value) {
  if (field.traits().nanoseconds) return static_cast<double>(nanos_to_ms(value));
  switch (number_kind(field)) {
    case NumberKind::kDouble:
      return double_from_sortable(value);
    case NumberKind::kUnsigned:
      return static_cast<double>(static_cast<uint64_t>(value) ^ (uint64_t{1} << 63));
    default:
      return static_cast<double>(value);
  }
}

std::string column_to_json(const Field& field, int64_t value) {
  switch (number_kind(field)) {
    case NumberKind::kDouble:
      return format_double(double_from_sortable(value));
    case NumberKind::kUnsigned:
      return std::to_string(static_cast<uint64_t>(value) ^ (uint64_t{1} << 63));
    case NumberKind::kBoolean:
      return value != 0 ? "true" : "false";
    case NumberKind::kDate: {
      std::string json;
      append_json_string(json, format_date(field, value));
      return json;
    }
    default:
      return std::to_string(value);
  }
}

Result<int64_t> parse_value(const Field& field, std::string_view text, bool quoted) {
  AnalysisBudget budget;
  return parse_value(field, text, quoted, budget);
}

Result<int64_t> parse_value(const Field& field, std::string_view text, bool quoted,
                            AnalysisBudget& budget) {
  Result<int64_t> value = parse_by_type(field, text, quoted, budget);
  if (value.ok()) return value;
  return Status(ErrorType::kDocumentParsing, "failed to parse field [" + field.name +
                                                 "] of type [" +
                                                 std::string(field_type_name(field.type)) + "]")
      .with_cause(value.status().reason());
}

}  // namespace quarry
