#include "base/random.h"

#include <sys/random.h>

#include <array>
#include <chrono>
#include <string_view>
#include <thread>

namespace quarry {
namespace {

/// 16 bytes of system entropy; derived from the clock and the thread id if the call fails.
std::array<uint8_t, 16> entropy() {
  std::array<uint8_t, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size())) return bytes;
  Random fallback(
      static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) ^
      std::hash<std::thread::id>{}(std::this_thread::get_id()));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(fallback.next());
  return bytes;
}

}  // namespace

std::string random_uuid() {
  std::array<uint8_t, 16> bytes = entropy();
  bytes[6] = static_cast<uint8_t>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<uint8_t>((bytes[8] & 0x3f) | 0x80);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(36);
  for (size_t i = 0; i < bytes.size(); i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text.push_back('-');
    text.push_back(kDigits[bytes[i] >> 4]);
    text.push_back(kDigits[bytes[i] & 15]);
  }
  return text;
}

}  // namespace quarry
