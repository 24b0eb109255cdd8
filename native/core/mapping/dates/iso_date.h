// A fast reader for the usual spelling of a date, 2024-02-29T13:45:10.123Z, and no other.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace quarry {

/// Reads yyyy-MM-ddTHH:mm:ss, then optionally a point and 1 to 9 digits, then Z or an offset like
/// +01:00. Returns milliseconds since the epoch; empty for any other spelling and for a moment that
/// does not exist, which are left to read_date. `below_ms` receives the nanoseconds after the
/// millisecond.
std::optional<int64_t> read_iso_date(std::string_view text, int32_t& below_ms) noexcept;

}  // namespace quarry
