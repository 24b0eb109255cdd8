// Parses arbitrary bytes as a date, as a format, as date math, as a time zone and its file, as an
// address and as a bound.
#include <cstdint>
#include <string>
#include <string_view>

#include "mapping/dates/date_math.h"
#include "mapping/dates/time_zone.h"
#include "mapping/values/numeric.h"

namespace {

using namespace quarry;

void read_numbers(std::string_view text) {
  for (const FieldType type :
       {FieldType::kLong, FieldType::kByte, FieldType::kFloat, FieldType::kHalfFloat,
        FieldType::kScaledFloat, FieldType::kUnsignedLong, FieldType::kBoolean, FieldType::kDate}) {
    Field field;
    field.type = type;
    const Result<int64_t> value = parse_value(field, text, true);
    if (value.ok()) static_cast<void>(column_to_json(field, *value));
    for (const BoundKind kind : {BoundKind::kExact, BoundKind::kLower, BoundKind::kUpper}) {
      const Result<Bound> bound = parse_bound(field, text, true, kind, true, "", "", 0);
      if (bound.ok() && !bound->none) static_cast<void>(column_to_json(field, bound->value));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view head = text.substr(0, size / 2);
  const std::string_view tail = text.substr(size / 2);
  static const std::shared_ptr<const DateFormats> kFormats =
      DateFormats::compile(kDefaultDateFormat).value();
  static_cast<void>(parse_date_math(text, *kFormats, nullptr, true, INT64_C(1) << 60));
  const auto formats = DateFormats::compile(head);
  if (formats.ok()) {
    static_cast<void>((*formats)->parse(tail));
    const std::string printed =
        (*formats)->format(static_cast<int64_t>(size) * INT64_C(123456789012345));
    static_cast<void>((*formats)->parse(printed));
  }
  const Result<TimeZone> zone = TimeZone::read_tzif({data, size});
  if (zone.ok())
    static_cast<void>(parse_date_math("now/M+1d/w", *kFormats, &*zone, true, 1709629509007));
  static_cast<void>(TimeZone::parse_offset(text));
  static_cast<void>(parse_ip_range(text));
  read_numbers(text);
  return 0;
}
