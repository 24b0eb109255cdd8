// Decodes the operations of a date table request and encodes their results.
#include "engine/date_table.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "mapping/dates/date_format.h"
#include "mapping/dates/time_zone.h"
#include "query/aggs/histogram/rounding.h"

namespace quarry {
namespace {

enum class Operation : uint8_t { kTexts, kSequence, kRound, kExactTexts };

constexpr std::string_view kPlainFormat = "strict_date_optional_time";
constexpr double kMaxMs = 4e18;

Status malformed_date_request() {
  return {ErrorType::kParsing, "malformed request for calendar work"};
}

int64_t to_moment(double ms) {
  return std::isnan(ms) ? 0 : static_cast<int64_t>(std::clamp(ms, -kMaxMs, kMaxMs));
}

std::vector<int64_t> read_moments(PlanReader& reader) {
  std::vector<int64_t> moments;
  for (uint32_t left = read_agg_count(reader, sizeof(double)); left > 0; left--)
    moments.push_back(to_moment(reader.get<double>()));
  return moments;
}

void put_moments(ByteWriter& out, const std::vector<int64_t>& moments) {
  out.put(static_cast<uint32_t>(moments.size()));
  for (const int64_t moment : moments) out.put(static_cast<double>(moment));
}

Status check_exact(const DateFormats& formats, const TimeZone* zone, int64_t moment,
                   const std::string& text) {
  if (formats.parse(text, zone) == moment) return {};
  return {ErrorType::kIllegalArgument,
          "Format [" + formats.text() + "] created output it couldn't parse for value [" +
              std::to_string(moment) + "]. formatted value: [" + text + "]"};
}

Status texts(PlanReader& reader, bool exact, ByteWriter& out) {
  const std::string_view format = reader.get_string();
  const std::string_view zone_name = reader.get_string();
  const std::vector<int64_t> moments = read_moments(reader);
  if (reader.failed()) return malformed_date_request();
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<const DateFormats> formats,
                          DateFormats::compile(format.empty() ? kPlainFormat : format));
  std::shared_ptr<const TimeZone> zone;
  if (!zone_name.empty()) {
    QUARRY_ASSIGN_OR_RETURN(zone, TimeZone::find(zone_name));
  }
  out.put(static_cast<uint32_t>(moments.size()));
  for (const int64_t moment : moments) {
    const std::string text = formats->format(moment, zone.get());
    if (exact) QUARRY_RETURN_IF_ERROR(check_exact(*formats, zone.get(), moment, text));
    out.put_string(text);
  }
  return {};
}

Status sequence(PlanReader& reader, ByteWriter& out) {
  const RoundingSpec spec = read_rounding(reader);
  const int64_t first = to_moment(reader.get<double>());
  const int64_t last = to_moment(reader.get<double>());
  const auto limit = reader.get<uint32_t>();
  if (reader.failed()) return malformed_date_request();
  QUARRY_ASSIGN_OR_RETURN(const Rounding rounding, Rounding::make(spec));
  std::vector<int64_t> keys;
  for (int64_t key = first; key <= last; key = rounding.next(key)) {
    if (keys.size() >= std::min(limit, kMaxAggListItems)) {
      return {ErrorType::kTooManyBuckets,
              "Trying to create too many buckets. Must be less than or equal to: [" +
                  std::to_string(limit) +
                  "] but this number of buckets was exceeded. Use a larger interval or narrower "
                  "bounds"};
    }
    keys.push_back(key);
  }
  put_moments(out, keys);
  return {};
}

Status round(PlanReader& reader, ByteWriter& out) {
  const RoundingSpec spec = read_rounding(reader);
  std::vector<int64_t> moments = read_moments(reader);
  if (reader.failed()) return malformed_date_request();
  QUARRY_ASSIGN_OR_RETURN(const Rounding rounding, Rounding::make(spec));
  for (int64_t& moment : moments) moment = rounding.round(moment);
  put_moments(out, moments);
  return {};
}

}  // namespace

Result<std::vector<uint8_t>> date_table(Bytes request) {
  PlanReader reader(request, nullptr);
  ByteWriter out;
  while (!reader.done()) {
    switch (static_cast<Operation>(reader.get<uint8_t>())) {
      case Operation::kTexts:
        QUARRY_RETURN_IF_ERROR(texts(reader, false, out));
        break;
      case Operation::kExactTexts:
        QUARRY_RETURN_IF_ERROR(texts(reader, true, out));
        break;
      case Operation::kSequence:
        QUARRY_RETURN_IF_ERROR(sequence(reader, out));
        break;
      case Operation::kRound:
        QUARRY_RETURN_IF_ERROR(round(reader, out));
        break;
      default:
        return malformed_date_request();
    }
  }
  return out.take();
}

}  // namespace quarry
