// Encodes and decodes versions.
#include "mapping/values/version_value.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace quarry {

namespace {

constexpr char kNumberMark = '\1';
constexpr char kPreReleaseMark = '\2';
constexpr char kReleaseMark = '\3';
constexpr char kOtherTextMark = '\3';
constexpr uint8_t kLengthBit = 0x80;
constexpr size_t kMaxDigits = 127;

bool is_version_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier_character(char c) {
  return is_version_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

bool is_version_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_identifier_character);
}

bool is_version_number(std::string_view text) {
  return !text.empty() && (text.size() == 1 || text[0] != '0') &&
         std::all_of(text.begin(), text.end(), is_version_digit);
}

/// Calls `take` with every part between dots; false once it refuses one.
template <typename Take>
bool each_version_part(std::string_view text, Take take) {
  for (size_t at = 0;;) {
    const size_t dot = text.find('.', at);
    if (!take(text.substr(at, dot == std::string_view::npos ? dot : dot - at))) return false;
    if (dot == std::string_view::npos) return true;
    at = dot + 1;
  }
}

/// A text that is a version, cut at the marks of its parts.
struct Version {
  std::string_view main;
  std::string_view pre_release;  // with the hyphen before it; empty: none
  std::string_view build;        // with the plus before it; empty: none
};

std::optional<Version> split_version(std::string_view text) {
  Version out;
  const size_t plus = std::min(text.find('+'), text.size());
  const size_t hyphen = std::min(text.substr(0, plus).find('-'), plus);
  out.main = text.substr(0, hyphen);
  out.pre_release = text.substr(hyphen, plus - hyphen);
  out.build = text.substr(plus);
  if (!each_version_part(out.main, is_version_number)) return std::nullopt;
  const auto is_pre_release = [](std::string_view part) {
    const bool digits = std::all_of(part.begin(), part.end(), is_version_digit);
    return digits ? is_version_number(part) : is_version_identifier(part);
  };
  if (!out.pre_release.empty() && !each_version_part(out.pre_release.substr(1), is_pre_release))
    return std::nullopt;
  if (!out.build.empty() && !each_version_part(out.build.substr(1), is_version_identifier))
    return std::nullopt;
  return out;
}

Status append_version_number(std::string_view digits, std::string& out) {
  if (digits.size() > kMaxDigits) {
    return illegal_argument("Groups of digits cannot be longer than " + std::to_string(kMaxDigits) +
                            ", but found: " + std::to_string(digits.size()));
  }
  out += kNumberMark;
  out += static_cast<char>(kLengthBit | digits.size());
  out += digits;
  return {};
}

/// Appends parts joined by dots; those that are numbers get their length.
Status append_version_parts(std::string_view parts, std::string& out) {
  bool first = true;
  Status status;
  each_version_part(parts, [&](std::string_view part) {
    if (!first) out += '.';
    first = false;
    if (is_version_number(part)) {
      status = append_version_number(part, out);
    } else {
      out += part;
    }
    return status.ok();
  });
  return status;
}

}  // namespace

Result<std::string> encode_version(std::string_view text) {
  const std::optional<Version> version = split_version(text);
  if (!version) {
    const bool needs_mark = text.empty() || static_cast<uint8_t>(text[0]) <= kOtherTextMark;
    return (needs_mark ? std::string(1, kOtherTextMark) : std::string()).append(text);
  }
  std::string out;
  QUARRY_RETURN_IF_ERROR(append_version_parts(version->main, out));
  if (version->pre_release.empty()) {
    out += kReleaseMark;
  } else {
    out += kPreReleaseMark;
    out += version->pre_release[0];
    QUARRY_RETURN_IF_ERROR(append_version_parts(version->pre_release.substr(1), out));
  }
  out += version->build;
  return out;
}

std::string decode_version(std::string_view term) {
  if (term.empty()) return {};
  if (term[0] == kOtherTextMark) return std::string(term.substr(1));
  if (term[0] != kNumberMark) return std::string(term);
  std::string out;
  for (size_t i = 0; i < term.size(); i++) {
    if (term[i] == kNumberMark) {
      i++;  // the count of digits
    } else if (term[i] != kPreReleaseMark && term[i] != kReleaseMark) {
      out += term[i];
    }
  }
  return out;
}

}  // namespace quarry
