// The usual spelling of a date: 2024-02-29T13:45:10.123Z. Reads nothing else, and that at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace quarry {

/// yyyy-MM-ddTHH:mm:ss, then a point and 1 to 9 digits or not, then Z or an offset like +01:00. Milliseconds since the epoch; nothing
/// for any other spelling and for what is no moment: those are read_date's. `below_ms`: the nanoseconds behind the millisecond.
std::optional<int64_t> read_iso_date(std::string_view text, int32_t& below_ms) noexcept;

}  // namespace quarry
