// Dates that requests give as JSON numbers. These are milliseconds since the epoch, regardless of
// the format of the field, which applies to strings.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "mapping/schema/number_types.h"

namespace quarry {

/// The format that reads such numbers where a format reads strings.
inline constexpr std::string_view kDateNumberFormat = "epoch_millis";

/// The number without its decimals, clamped to 4e18 on either side of the epoch; empty when `text`
/// is not a number.
inline std::optional<int64_t> read_date_number(std::string_view text) {
  constexpr uint64_t kFarthest = 4'000'000'000'000'000'000;
  const std::optional<Decimal> decimal = parse_decimal(text);
  if (!decimal) return std::nullopt;
  const auto whole =
      static_cast<int64_t>(decimal->huge ? kFarthest : std::min(decimal->whole, kFarthest));
  return decimal->negative ? -whole : whole;
}

}  // namespace quarry
