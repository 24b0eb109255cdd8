// Classes of ASCII characters, independent of the locale.
#pragma once

namespace quarry {

constexpr bool is_digit(char c) noexcept { return static_cast<unsigned char>(c - '0') < 10; }
/// White space between the tokens of JSON.
constexpr bool is_json_space(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace quarry
