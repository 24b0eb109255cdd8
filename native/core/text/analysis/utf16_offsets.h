// Converts byte offsets of a text to UTF-16 units, in which clients count.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace quarry {

/// The number of UTF-16 units of `text` before byte `offset`; offsets may be requested in any
/// order.
class Utf16Offsets {
 public:
  explicit Utf16Offsets(std::string_view text) : units_(text.size() + 1) {
    uint32_t units = 0;
    for (size_t i = 0; i < text.size(); i++) {
      const auto byte = static_cast<uint8_t>(text[i]);
      units_[i] = units;
      const bool starts = (byte & 0xc0) != 0x80;
      if (starts) units += byte >= 0xf0 ? 2 : 1;
    }
    units_[text.size()] = units;
  }
  uint32_t at(uint32_t offset) const { return units_[std::min<size_t>(offset, units_.size() - 1)]; }
  uint32_t length() const { return units_.back(); }

 private:
  std::vector<uint32_t> units_;
};

}  // namespace quarry
