// Checks whether bytes are valid UTF-8, at memory speed. utf8_check.cc is the only file that
// includes simdjson.
#pragma once

#include <string_view>

namespace quarry {

/// Refuses overlong forms, surrogates, code points above U+10FFFF and truncated sequences.
bool valid_utf8(std::string_view text) noexcept;

}  // namespace quarry
