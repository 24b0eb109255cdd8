// Numbers, dates and booleans as the int64 that columns hold: order of the int64 = order of the
// values. A date is milliseconds since the epoch, a date_nanos nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "mapping/schema/field.h"
#include "text/analysis/analysis_budget.h"

namespace quarry {

/// Doubles as int64 that sort alike (sign-magnitude flip; -0.0 below 0.0). Exact both ways.
int64_t sortable_from_double(double value) noexcept;
double double_from_sortable(int64_t sortable) noexcept;

/// How a field's int64 is to be read back.
enum class NumberKind : uint8_t { kInteger, kDouble, kUnsigned, kBoolean, kDate };
NumberKind number_kind(const Field& field);

/// The value of a number column as a double (for metrics, decay, sorting across types); dates of
/// both kinds in milliseconds.
double column_to_double(const Field& field, int64_t value);
/// The value as JSON text (a date in its first format, as a JSON string; booleans true/false).
std::string column_to_json(const Field& field, int64_t value);
/// A column value of a date field as text; `formats` null: by the field's own.
std::string format_date(const Field& field, int64_t value, const DateFormats* formats = nullptr);

inline constexpr int64_t kNanosPerMs = 1'000'000;
/// The millisecond that a value of a date_nanos column lies in, rounded down.
int64_t nanos_to_ms(int64_t nanos) noexcept;
/// Nothing for a moment outside 1970 … 2262, the years that a date_nanos column can hold.
std::optional<int64_t> to_nanos(int64_t ms, int32_t below_ms) noexcept;

/// One scalar of a document ("5", "1.0", "true", or string content) to the column value, by the
/// rules of the field's type: range checks, coercion. `quoted`: it was a JSON string. Error:
/// document_parsing_exception text without the position, e.g. "failed to parse field [n] of type
/// [integer]".
Result<int64_t> parse_value(const Field& field, std::string_view text, bool quoted);
/// The same for one of several values: token_count analyses its text.
Result<int64_t> parse_value(const Field& field, std::string_view text, bool quoted,
                            AnalysisBudget& budget);

/// A bound or term of a query on a number field, rounded as Elasticsearch does. Text that is no
/// number is number_format_exception (booleans and formats: illegal_argument_exception, dates:
/// parse_exception). A `term` on a date means all of it ("2024-01" the month's first day): ask for
/// kLower and kUpper, both inclusive. kLower: smallest column value >= text (or > when
/// `exclusive`), kUpper likewise downwards, kExact: the value itself.
enum class BoundKind : uint8_t { kExact, kLower, kUpper };
struct Bound {
  int64_t value = 0;
  bool none = false;  // nothing can match (1.5 on a long, beyond the type's range)
};
/// For dates: `format` (empty: the field's own), `time_zone` (empty: UTC), date math with `now_ms`
/// and rounding.
Result<Bound> parse_bound(const Field& field, std::string_view text, bool quoted, BoundKind kind,
                          bool exclusive, std::string_view format, std::string_view time_zone,
                          int64_t now_ms);

/// An address in its 16-byte form (IPv4 as IPv4-mapped), or illegal_argument_exception.
Result<std::string> parse_ip(std::string_view text);
std::string format_ip(std::string_view bytes16);
/// "10.0.0.0/8" to its first and last address; plain addresses give both equal.
struct IpRange {
  std::string low;
  std::string high;
};
Result<IpRange> parse_ip_range(std::string_view text);

}  // namespace quarry
