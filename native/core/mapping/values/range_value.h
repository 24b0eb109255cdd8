// Values of range fields: two ends, both inclusive, encoded as one term.
//
//   low, high   each 8 bytes, big-endian with the sign bit flipped: the value that a number column
//               of the type of the ends would hold (numeric.h); for ip_range 16 bytes each
//
// Terms are therefore ordered by their low end, then by their high end, and ends compare as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "json/value.h"
#include "mapping/schema/field.h"
#include "mapping/values/numeric.h"

namespace quarry {

/// Bytes of one encoded end.
size_t end_size(const Field& field) noexcept;
std::string pack_end(int64_t value);
/// Decodes 8 bytes; returns 0 for any other length.
int64_t unpack_end(std::string_view bytes) noexcept;
/// The encoded ends of a term; two empty views when the term is not of this field.
struct RangeEnds {
  std::string_view low;
  std::string_view high;
};
RangeEnds range_ends(const Field& field, std::string_view term) noexcept;

/// Encodes a value of a document, {"gte": …, "lt": …} or for ip_range also "10.0.0.0/8", as a term.
/// The error is illegal_argument_exception in Elasticsearch's wording, without the position.
Result<std::string> parse_range(const Field& field, const JsonValue& value);

/// An end as written in a request.
struct EndText {
  std::string_view text;
  bool quoted = false;
  bool exclusive = false;
};
/// The end encoded and inclusive; empty when no value of the type satisfies it.
Result<std::string> query_end(const Field& field, const EndText& end, BoundKind kind,
                              std::string_view format, std::string_view time_zone, int64_t now_ms);
/// The lowest or highest value of the type, which is the value of an end that is not given.
std::string open_end(const Field& field, BoundKind kind);

/// Formats a value of the source as the mapping spells it, as JSON; empty for a value that is not
/// valid. `format` applies to dates; null: the field's own.
std::string range_to_json(const Field& field, const JsonValue& value, const DateFormats* format);

}  // namespace quarry
