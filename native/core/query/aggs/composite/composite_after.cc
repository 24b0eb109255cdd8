// Parses the values of `after`.
#include "query/aggs/composite/composite_after.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "mapping/dates/date_number.h"
#include "mapping/values/numeric.h"

namespace quarry {
namespace {

Status not_a_number(const std::string& text) {
  return {ErrorType::kNumberFormat, "For input string: \"" + text + "\""};
}

/// Parses all of `text` as a number.
template <typename Number>
std::optional<Number> parse_key_number(const std::string& text) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

Result<int64_t> read_key_moment(const AggNode& node, const CompositeSpec& spec,
                                const Scalar& scalar) {
  QUARRY_ASSIGN_OR_RETURN(const Bound bound,
                          parse_bound(*spec.source.source.field(), scalar.text, scalar.quoted(),
                                      BoundKind::kExact, false, spec.agg_source.format,
                                      spec.agg_source.time_zone, node.context.compiler.now_ms()));
  return bound.value;
}

/// The value of a number as the source's tuples hold it. A whole number may be written with a
/// fraction.
Result<int64_t> read_key(const AggNode& node, const CompositeSpec& spec, const Scalar& scalar) {
  const ValueKind kind = spec.source.source.kind();
  const CompositeType type = spec.source.type;
  std::string text = scalar.text;
  // A number format may have grouped the digits.
  if (kind != ValueKind::kDate && !spec.agg_source.format.empty()) std::erase(text, ',');
  const std::optional<int64_t> whole = parse_key_number<int64_t>(text);
  const std::optional<double> number = parse_key_number<double>(text);
  if (type == CompositeType::kHistogram) {
    if (kind == ValueKind::kDate && (scalar.quoted() || !number)) {
      QUARRY_ASSIGN_OR_RETURN(const int64_t moment, read_key_moment(node, spec, scalar));
      return sortable_from_double(static_cast<double>(moment));
    }
    if (!number) return not_a_number(scalar.text);
    return sortable_from_double(*number + 0.0);
  }
  if (kind == ValueKind::kDate) {
    const std::optional<int64_t> moment = read_date_number(text);
    if (!scalar.quoted() && moment) return *moment;
    // Keys without a format are milliseconds, which the date formats of the field may not accept.
    if (whole && spec.agg_source.format.empty()) return *whole;
    return read_key_moment(node, spec, scalar);
  }
  if (kind == ValueKind::kDouble && type == CompositeType::kTerms) {
    if (!number) return not_a_number(scalar.text);
    return sortable_from_double(*number + 0.0);
  }
  if (kind == ValueKind::kLong || type == CompositeType::kDateHistogram) {
    if (whole) return *whole;
    if (!number || std::isnan(*number)) return not_a_number(scalar.text);
    return ValueSource::whole_of(*number);
  }
  return read_key_moment(node, spec, scalar);
}

}  // namespace

Result<CompositeValue> read_composite_after(const AggNode& node, const CompositeSpec& spec,
                                            const Scalar& scalar, std::string& text) {
  CompositeValue out;
  const ValueKind kind = spec.source.source.kind();
  if (scalar.kind == Scalar::Kind::kNull) {
    out.null = true;
  } else if (kind == ValueKind::kEncoded) {
    QUARRY_ASSIGN_OR_RETURN(text, spec.source.source.codec()->encode(scalar.text));
  } else if (kind == ValueKind::kString && !scalar.quoted()) {
    return Status(ErrorType::kParsing,
                  "Cannot set after key in the composite aggregation: invalid value [" +
                      scalar.text + "], expected string");
  } else if (kind == ValueKind::kString || kind == ValueKind::kUnmapped) {
    text = scalar.text;
  } else {
    QUARRY_ASSIGN_OR_RETURN(out.number, read_key(node, spec, scalar));
  }
  return out;
}

}  // namespace quarry
