// IP addresses (declared in mapping/values/numeric.h): text to 16 bytes and back, and CIDR ranges.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "mapping/values/numeric.h"

namespace quarry {

namespace {

using Address = std::array<uint8_t, 16>;

Status not_an_address(std::string_view text) {
  return {ErrorType::kIllegalArgument, "'" + std::string(text) + "' is not an IP string literal."};
}

/// Parses four decimal parts without leading zeros into 4 bytes.
bool parse_v4(std::string_view text, uint8_t* out) {
  for (int part = 0; part < 4; ++part) {
    const size_t dot = text.find('.');
    const std::string_view digits = text.substr(0, dot);
    if ((dot == std::string_view::npos) != (part == 3) || digits.empty() || digits.size() > 3)
      return false;
    if (digits.size() > 1 && digits[0] == '0') return false;
    unsigned value = 0;
    const char* end = digits.data() + digits.size();
    const auto [at, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || at != end || value > 255) return false;
    out[part] = static_cast<uint8_t>(value);
    text.remove_prefix(std::min(digits.size() + 1, text.size()));
  }
  return true;
}

/// Parses groups of hex digits joined by ':' (the last may be an IPv4 address) into `out`. Returns
/// the number of bytes written; empty on error.
std::optional<size_t> parse_groups(std::string_view text, uint8_t* out) {
  size_t size = 0;
  if (text.empty()) return size;
  while (true) {
    const size_t colon = text.find(':');
    const std::string_view group = text.substr(0, colon);
    const bool last = colon == std::string_view::npos;
    if (last && group.find('.') != std::string_view::npos) {
      if (size > 12 || !parse_v4(group, out + size)) return std::nullopt;
      return size + 4;
    }
    if (group.empty() || group.size() > 4 || size > 14) return std::nullopt;
    unsigned value = 0;
    const char* end = group.data() + group.size();
    const auto [at, error] = std::from_chars(group.data(), end, value, 16);
    if (error != std::errc() || at != end) return std::nullopt;
    out[size++] = static_cast<uint8_t>(value >> 8);
    out[size++] = static_cast<uint8_t>(value);
    if (last) return size;
    text.remove_prefix(colon + 1);
  }
}

bool parse_v6(std::string_view text, Address& out) {
  const size_t gap = text.find("::");
  if (gap == std::string_view::npos) return parse_groups(text, out.data()) == 16;
  Address tail{};
  const std::optional<size_t> head_size = parse_groups(text.substr(0, gap), out.data());
  if (!head_size) return false;
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(*head_size), out.end(), uint8_t{0});
  const std::optional<size_t> tail_size = parse_groups(text.substr(gap + 2), tail.data());
  // The gap replaces at least one group.
  if (!tail_size || *head_size + *tail_size > 14) return false;
  std::copy_n(tail.begin(), *tail_size, out.end() - static_cast<std::ptrdiff_t>(*tail_size));
  return true;
}

constexpr std::array<uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

std::string to_bytes(const Address& address) { return {address.begin(), address.end()}; }

bool is_mapped(std::string_view bytes) {
  return std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), bytes.begin(),
                    [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); });
}

std::string format_v6(std::string_view bytes) {
  std::array<unsigned, 8> groups{};
  for (size_t i = 0; i < 8; ++i) {
    groups[i] = static_cast<unsigned>(static_cast<uint8_t>(bytes[2 * i])) << 8 |
                static_cast<uint8_t>(bytes[2 * i + 1]);
  }
  // RFC 5952: the first longest run of two or more zero groups becomes "::".
  size_t best = 8;
  size_t best_length = 1;
  for (size_t i = 0; i < 8; ++i) {
    size_t length = 0;
    while (i + length < 8 && groups[i + length] == 0) ++length;
    if (length > best_length) {
      best = i;
      best_length = length;
    }
  }
  std::string out;
  for (size_t i = 0; i < 8; ++i) {
    if (i == best) {
      out += "::";
      i += best_length - 1;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    char digits[4];
    const auto end = std::to_chars(digits, digits + 4, groups[i], 16).ptr;
    out.append(digits, end);
  }
  return out;
}

}  // namespace

Result<std::string> parse_ip(std::string_view text) {
  Address address{};
  if (text.find(':') != std::string_view::npos) {
    if (!parse_v6(text, address)) return not_an_address(text);
  } else {
    std::copy(kMappedPrefix.begin(), kMappedPrefix.end(), address.begin());
    if (!parse_v4(text, address.data() + 12)) return not_an_address(text);
  }
  return to_bytes(address);
}

std::string format_ip(std::string_view bytes16) {
  if (bytes16.size() != 16) return {};
  if (!is_mapped(bytes16)) return format_v6(bytes16);
  std::string out;
  for (size_t i = 12; i < 16; ++i) {
    if (i > 12) out += '.';
    out += std::to_string(static_cast<uint8_t>(bytes16[i]));
  }
  return out;
}

Result<IpRange> parse_ip_range(std::string_view text) {
  const size_t slash = text.find('/');
  QUARRY_ASSIGN_OR_RETURN(const std::string address, parse_ip(text.substr(0, slash)));
  if (slash == std::string_view::npos) return IpRange{address, address};
  const std::string_view digits = text.substr(slash + 1);
  const bool v4 = text.substr(0, slash).find(':') == std::string_view::npos;
  unsigned prefix = 0;
  const char* end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, prefix);
  if (error != std::errc() || at != end || prefix > (v4 ? 32U : 128U)) {
    return Status(ErrorType::kIllegalArgument,
                  "Illegal prefix length [" + std::string(digits) + "] in [" + std::string(text) +
                      "]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges");
  }
  if (v4) prefix += 96;
  IpRange range{address, address};
  for (unsigned bit = prefix; bit < 128; ++bit) {
    const auto mask = static_cast<uint8_t>(0x80 >> bit % 8);
    range.low[bit / 8] = static_cast<char>(static_cast<uint8_t>(range.low[bit / 8]) & ~mask);
    range.high[bit / 8] = static_cast<char>(static_cast<uint8_t>(range.high[bit / 8]) | mask);
  }
  return range;
}

}  // namespace quarry
