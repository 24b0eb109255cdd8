// Values of range fields: two ends, both inclusive, as one term.
//
//   low, high   each 8 bytes, big-endian with the sign bit turned: what a number column of the type
//               of the ends would hold (numeric.h); of ip_range 16 bytes each
//
// So terms sort by their low end, then by the high one, and an end is compared as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "json/value.h"
#include "mapping/schema/field.h"
#include "mapping/values/numeric.h"

namespace quarry {

/// The type of the ends of a range type.
FieldType end_type(FieldType range) noexcept;

/// Bytes of one end.
size_t end_size(const Field& field) noexcept;
std::string pack_end(int64_t value);
/// `bytes`: 8 of them; 0 for anything else.
int64_t unpack_end(std::string_view bytes) noexcept;
/// The ends of a term; two empty texts when it is none of the field.
struct RangeEnds {
  std::string_view low;
  std::string_view high;
};
RangeEnds range_ends(const Field& field, std::string_view term) noexcept;

/// A value of a document, {"gte": …, "lt": …} or of ip_range also "10.0.0.0/8", as a term.
/// illegal_argument_exception without the position, with what Elasticsearch says.
Result<std::string> parse_range(const Field& field, const JsonValue& value);

/// An end as a text names it.
struct EndText {
  std::string_view text;
  bool quoted = false;
  bool exclusive = false;
};
/// The same packed and inclusive; empty when no value of the type is within.
Result<std::string> query_end(const Field& field, const EndText& end, BoundKind kind,
                              std::string_view format, std::string_view time_zone, int64_t now_ms);
/// The lowest or highest end that the type has: what an end is that nobody gave.
std::string open_end(const Field& field, BoundKind kind);

/// A value of the source in the spelling of the mapping, as JSON; empty for one that does not fit.
/// `format`: of dates, null: the field's own.
std::string range_to_json(const Field& field, const JsonValue& value, const DateFormats* format);

}  // namespace quarry
