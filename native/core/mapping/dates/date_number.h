// Dates that requests give as JSON numbers: milliseconds since the epoch, whatever the format of
// the field says about texts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "mapping/schema/number_types.h"

namespace quarry {

/// The format that reads them where a format reads texts.
inline constexpr std::string_view kDateNumberFormat = "epoch_millis";

/// Without what is behind the point, at most 4e18 from the epoch; nothing for what is no number.
inline std::optional<int64_t> read_date_number(std::string_view text) {
  constexpr uint64_t kFarthest = 4'000'000'000'000'000'000;
  const std::optional<Decimal> decimal = parse_decimal(text);
  if (!decimal) return std::nullopt;
  const auto whole = static_cast<int64_t>(decimal->huge ? kFarthest
                                                        : std::min(decimal->whole, kFarthest));
  return decimal->negative ? -whole : whole;
}

}  // namespace quarry
