// Reads, encodes and prints the values of range fields.
#include "mapping/values/range_value.h"

#include <algorithm>
#include <limits>

#include "mapping/dates/date_format.h"
#include "mapping/schema/number_types.h"

namespace quarry {

namespace {

constexpr uint64_t kSignBit = uint64_t{1} << 63;
constexpr size_t kNumberBytes = 8;
constexpr size_t kAddressBytes = 16;

bool is_addresses(const Field& field) {
  return field.ends->traits().query == QueryKind::kAddresses;
}

/// The address after or before `address`; empty when there is none.
std::string adjacent_address(std::string address, bool up) {
  const char edge = static_cast<char>(up ? 0xff : 0);
  if (std::all_of(address.begin(), address.end(), [edge](char c) { return c == edge; })) return {};
  for (size_t i = address.size(); i-- > 0;) {
    const char before = address[i];
    address[i] = static_cast<char>(static_cast<uint8_t>(before) + (up ? 1 : 0xff));
    if (before != edge) break;
  }
  return address;
}

/// Encodes one end of a document's range. A number is first truncated to the type of the ends, as a
/// number field does with its values.
Result<std::string> document_end(const Field& field, const JsonValue& value, BoundKind kind,
                                 bool exclusive) {
  const EndText end{value.text(), value.is_string(), exclusive};
  if (is_addresses(field)) return query_end(field, end, kind, {}, {}, 0);
  if (field.ends->is_date()) {
    if (value.text().starts_with("now")) {
      return illegal_argument("[now] is not used at indexing time, give the date: [" +
                              std::string(value.text()) + "]");
    }
    return query_end(field, end, kind, {}, {}, 0);
  }
  const Result<int64_t> number = parse_value(*field.ends, value.text(), value.is_string());
  if (!number.ok()) return illegal_argument(number.status().cause());
  if (!exclusive) return pack_end(*number);
  const std::string text = column_to_json(*field.ends, *number);
  return query_end(field, {text, false, true}, kind, {}, {}, 0);
}

std::string end_text(const Field& field, std::string_view end) {
  if (is_addresses(field)) return format_ip(end);
  const std::string json = column_to_json(*field.ends, unpack_end(end));
  return json.starts_with('"') ? json.substr(1, json.size() - 2) : json;
}

bool is_low_key(std::string_view key) { return key == "gte" || key == "gt"; }
bool is_end_key(std::string_view key) { return is_low_key(key) || key == "lte" || key == "lt"; }

Result<std::string> parse_network(const Field& field, const JsonValue& value) {
  if (!is_addresses(field) || !value.is_string()) {
    return illegal_argument("error parsing field [" + field.name +
                            "], expected an object but got " + value.to_json());
  }
  QUARRY_ASSIGN_OR_RETURN(const IpRange range, parse_ip_range(value.text()));
  return range.low + range.high;
}

}  // namespace

size_t end_size(const Field& field) noexcept {
  return is_addresses(field) ? kAddressBytes : kNumberBytes;
}

std::string pack_end(int64_t value) {
  uint64_t bits = static_cast<uint64_t>(value) ^ kSignBit;
  std::string bytes(kNumberBytes, '\0');
  for (size_t i = kNumberBytes; i-- > 0; bits >>= 8) bytes[i] = static_cast<char>(bits & 0xff);
  return bytes;
}

int64_t unpack_end(std::string_view bytes) noexcept {
  if (bytes.size() != kNumberBytes) return 0;
  uint64_t bits = 0;
  for (const char byte : bytes) bits = bits << 8 | static_cast<uint8_t>(byte);
  return static_cast<int64_t>(bits ^ kSignBit);
}

RangeEnds range_ends(const Field& field, std::string_view term) noexcept {
  const size_t size = end_size(field);
  if (term.size() != 2 * size) return {};
  return {term.substr(0, size), term.substr(size)};
}

Result<std::string> parse_range(const Field& field, const JsonValue& value) {
  if (!value.is_object()) return parse_network(field, value);
  std::string low = open_end(field, BoundKind::kLower);
  std::string high = open_end(field, BoundKind::kUpper);
  for (const auto& [key, end] : value.members()) {
    if (!is_end_key(key)) {
      return illegal_argument("error parsing field [" + field.name + "], with unknown parameter [" +
                              key + "]");
    }
    if (end.is_null()) continue;
    if (end.is_object() || end.is_array()) {
      return illegal_argument("error parsing field [" + field.name + "], [" + key +
                              "] must be a single value, got " + end.to_json());
    }
    const bool exclusive = key == "gt" || key == "lt";
    if (is_low_key(key)) {
      QUARRY_ASSIGN_OR_RETURN(low, document_end(field, end, BoundKind::kLower, exclusive));
    } else {
      QUARRY_ASSIGN_OR_RETURN(high, document_end(field, end, BoundKind::kUpper, exclusive));
    }
  }
  if (low.empty() || high.empty())
    return illegal_argument("no value of field [" + field.name + "] is within the range");
  if (low <= high) return low + high;
  return illegal_argument("min value (" + end_text(field, low) + ") is greater than max value (" +
                          end_text(field, high) + ")");
}

Result<std::string> query_end(const Field& field, const EndText& end, BoundKind kind,
                              std::string_view format, std::string_view time_zone, int64_t now_ms) {
  if (is_addresses(field)) {
    QUARRY_ASSIGN_OR_RETURN(std::string address, parse_ip(end.text));
    if (!end.exclusive) return address;
    return adjacent_address(std::move(address), kind == BoundKind::kLower);
  }
  QUARRY_ASSIGN_OR_RETURN(const Bound bound, parse_bound(*field.ends, end.text, end.quoted, kind,
                                                         end.exclusive, format, time_zone, now_ms));
  return bound.none ? std::string() : pack_end(bound.value);
}

std::string open_end(const Field& field, BoundKind kind) {
  const bool low = kind == BoundKind::kLower;
  if (is_addresses(field)) return std::string(kAddressBytes, static_cast<char>(low ? 0 : 0xff));
  if (const IntegerType* type = field.ends->traits().integer) {
    return pack_end(low ? type->min : type->max);
  }
  if (field.ends->is_date()) return pack_end(low ? INT64_MIN : INT64_MAX);
  const double infinity = std::numeric_limits<double>::infinity();
  return pack_end(sortable_from_double(low ? -infinity : infinity));
}

std::string range_to_json(const Field& field, const JsonValue& value, const DateFormats* format) {
  if (!value.is_object()) {
    std::string json;
    if (is_addresses(field) && value.is_string()) append_json_string(json, value.text());
    return json;
  }
  JsonValue out = JsonValue::object();
  for (const auto& [key, end] : value.members()) {
    if (!is_end_key(key) || end.is_object() || end.is_array()) return {};
    if (end.is_null()) continue;
    if (is_addresses(field)) {
      const Result<std::string> address = parse_ip(end.text());
      if (!address.ok()) return {};
      out.set(key, JsonValue::string(format_ip(*address)));
      continue;
    }
    const Result<int64_t> number = parse_value(*field.ends, end.text(), end.is_string());
    if (!number.ok()) return {};
    if (field.ends->is_date()) {
      out.set(key, JsonValue::string(format_date(*field.ends, *number, format)));
    } else {
      out.set(key, JsonValue::number(column_to_json(*field.ends, *number)));
    }
  }
  return out.to_json();
}

}  // namespace quarry
