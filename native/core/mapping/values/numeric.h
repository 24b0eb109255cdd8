// Numbers, dates and booleans as the int64 values of columns. The order of the int64 values is the
// order of the original values. A date is in milliseconds since the epoch, a date_nanos in
// nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "mapping/schema/field.h"
#include "text/analysis/analysis_budget.h"

namespace quarry {

/// Maps doubles to int64 with the same order (sign-magnitude flip; -0.0 below 0.0) and back,
/// exactly.
int64_t sortable_from_double(double value) noexcept;
double double_from_sortable(int64_t sortable) noexcept;

/// The value by which a sort takes a document without one: an end of the range of doubles, of
/// integers of 32 bits, or of int64.
int64_t missing_number(bool of_doubles, bool of_32_bits, bool smallest) noexcept;

/// How the int64 of a field is interpreted.
inline NumberKind number_kind(const Field& field) { return field.traits().number; }

/// The value of a number column as a double (for metrics, decay, sorting across types). Dates of
/// both kinds are in milliseconds.
double column_to_double(const Field& field, int64_t value);
/// The value as JSON: a date as a JSON string in the field's first format, a boolean as true or
/// false.
std::string column_to_json(const Field& field, int64_t value);
/// A column value of a date field as text. If `formats` is null, the field's own formats are used.
std::string format_date(const Field& field, int64_t value, const DateFormats* formats = nullptr);

inline constexpr int64_t kNanosPerMs = 1'000'000;
/// The millisecond that contains a value of a date_nanos column, rounded down.
int64_t nanos_to_ms(int64_t nanos) noexcept;
/// Empty for a moment outside the years 1970 to 2262, which is the range of date_nanos columns.
std::optional<int64_t> to_nanos(int64_t ms, int32_t below_ms) noexcept;
/// A value of a date column of either unit in milliseconds.
inline int64_t date_ms(const Field& field, int64_t value) noexcept {
  return field.traits().nanoseconds ? nanos_to_ms(value) : value;
}
/// A copy of a date field whose column values are milliseconds.
Field in_milliseconds(const Field& date);
/// A date field with the default format that no mapping lists.
const Field& default_date_field();

/// Converts one scalar of a document ("5", "1.0", "true", or the content of a string) to the column
/// value, by the rules of the field's type: range checks, coercion. `quoted`: it was a JSON string.
/// The error is the text of a document_parsing_exception without the position, such as "failed to
/// parse field [n] of type [integer]".
Result<int64_t> parse_value(const Field& field, std::string_view text, bool quoted);
/// The same with a budget that several values share: token_count analyzes its text.
Result<int64_t> parse_value(const Field& field, std::string_view text, bool quoted,
                            AnalysisBudget& budget);

/// A bound or term of a query on a number field, rounded as Elasticsearch does. Text that is not a
/// number is number_format_exception (booleans and formats: illegal_argument_exception, dates:
/// parse_exception). A `term` on a date matches the whole period ("2024-01" is that month), for
/// which the caller requests kLower and kUpper, both inclusive. kLower: the smallest column value
/// >= text (or > with `exclusive`), kUpper: the largest <= text (or <), kExact: the value itself.
enum class BoundKind : uint8_t { kExact, kLower, kUpper };
struct Bound {
  int64_t value = 0;
  bool none = false;  // no value can match (1.5 on a long, beyond the type's range)
};
/// For dates: `format` (empty: the field's own), `time_zone` (empty: UTC), and `now_ms` for date
/// math.
Result<Bound> parse_bound(const Field& field, std::string_view text, bool quoted, BoundKind kind,
                          bool exclusive, std::string_view format, std::string_view time_zone,
                          int64_t now_ms);

/// An address in its 16-byte form (IPv4 as IPv4-mapped IPv6); the error is
/// illegal_argument_exception.
Result<std::string> parse_ip(std::string_view text);
std::string format_ip(std::string_view bytes16);
/// The first and last address of "10.0.0.0/8"; a plain address is both.
struct IpRange {
  std::string low;
  std::string high;
};
Result<IpRange> parse_ip_range(std::string_view text);

}  // namespace quarry
