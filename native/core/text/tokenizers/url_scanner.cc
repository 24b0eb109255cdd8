// Recursive descent over ASCII text; each function returns the end of the longest match, or npos.
#include "text/tokenizers/url_scanner.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"

namespace quarry {
namespace {

#include "text/tokenizers/top_level_domains.inc"

constexpr size_t kNoMatch = std::string_view::npos;

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
bool is_digit_ascii(char c) { return c >= '0' && c <= '9'; }
bool is_alnum_ascii(char c) {
  return is_digit_ascii(c) || (lower_letter(c) >= 'a' && lower_letter(c) <= 'z');
}
bool is_hex_ascii(char c) {
  return is_digit_ascii(c) || (lower_letter(c) >= 'a' && lower_letter(c) <= 'f');
}

constexpr size_t kLongestDomain = 24;  // bytes of a top-level domain

bool is_top_level(std::string_view label) {
  static const std::unordered_set<std::string_view> kDomains = [] {
    std::unordered_set<std::string_view> out;
    std::string_view list = kTopLevelDomains;
    while (!list.empty()) {
      const size_t space = std::min(list.find(' '), list.size());
      out.insert(list.substr(0, space));
      list.remove_prefix(std::min(space + 1, list.size()));
    }
    return out;
  }();
  if (label.size() > kLongestDomain) return false;
  std::string lower(label);
  std::transform(lower.begin(), lower.end(), lower.begin(), lower_letter);
  return kDomains.contains(lower);
}

/// Letters, digits, -._~ and percent escapes, and the characters of `more`.
size_t skip_uri_chars(const ScannedText& text, size_t at, std::string_view more) {
  while (at < text.size()) {
    const char c = text[at];
    if (c == '%') {
      if (at + 2 >= text.size() || !is_hex_ascii(text[at + 1]) || !is_hex_ascii(text[at + 2]))
        break;
      at += 3;
    } else if (is_alnum_ascii(c) || std::string_view("-._~").find(c) != kNoMatch ||
               more.find(c) != kNoMatch) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

/// The end of the label that starts at `at`, or kNoMatch; a label does not end with a hyphen.
size_t label_end(const ScannedText& text, size_t at) {
  size_t end = kNoMatch;
  if (at >= text.size() || !is_alnum_ascii(text[at])) return end;
  for (; at < text.size() && (is_alnum_ascii(text[at]) || text[at] == '-'); ++at) {
    if (text[at] != '-') end = at + 1;
  }
  return end;
}

/// Labels separated by dots.
size_t loose_domain(const ScannedText& text, size_t at) {
  size_t end = label_end(text, at);
  while (end != kNoMatch && end < text.size() && text[end] == '.') {
    const size_t next = label_end(text, end + 1);
    if (next == kNoMatch) break;
    end = next;
  }
  return end;
}

/// The longest name that ends in a top-level domain; `whole`: in a whole label, else possibly in
/// the first letters of one.
size_t strict_domain(const ScannedText& text, size_t at, bool whole) {
  size_t best = kNoMatch;
  size_t end = label_end(text, at);
  while (end != kNoMatch && end < text.size() && text[end] == '.') {
    const size_t label = end + 1;
    end = label_end(text, label);
    if (end == kNoMatch) break;
    const size_t shortest = whole ? end : label + 1;
    for (size_t stop = whole ? end : std::min(end, label + kLongestDomain); stop >= shortest;
         --stop) {
      if (!is_top_level(text.substr(label, stop - label))) continue;
      best = stop;
      break;
    }
  }
  return best;
}

template <typename Text>
size_t ipv4_address(const Text& text, size_t at) {
  for (int octet = 0; octet < 4; ++octet) {
    if (octet > 0 && (at >= text.size() || text[at++] != '.')) return kNoMatch;
    int value = 0;
    size_t digits = 0;
    while (digits < 3 && at < text.size() && is_digit_ascii(text[at]) &&
           value * 10 + (text[at] - '0') <= 255) {
      value = value * 10 + (text[at++] - '0');
      ++digits;
    }
    if (digits == 0) return kNoMatch;
  }
  return at;
}

/// Whether `text` is an IPv6 address, possibly with an IPv4 address as its end.
bool is_ipv6_address(std::string_view text) {
  size_t groups = 0;
  bool gap = false;
  size_t at = 0;
  if (text.starts_with("::")) {
    gap = true;
    at = 2;
  }
  while (at < text.size()) {
    const size_t dotted = ipv4_address(text, at);
    if (dotted == text.size()) {
      groups += 2;
      at = dotted;
      break;
    }
    size_t end = at;
    while (end < text.size() && end < at + 4 && is_hex_ascii(text[end])) ++end;
    if (end == at) return false;
    ++groups;
    at = end;
    if (at == text.size()) break;
    if (text[at++] != ':') return false;
    if (at == text.size()) return false;
    if (text[at] != ':') continue;
    if (gap) return false;
    gap = true;
    ++at;
  }
  return gap ? groups < 8 : groups == 8;
}

size_t bracketed_address(const ScannedText& text, size_t at) {
  if (at >= text.size() || text[at] != '[') return kNoMatch;
  constexpr size_t kLongest = 48;
  const std::string_view inside = text.substr(at + 1, kLongest);
  const size_t length = inside.find(']');
  if (length == kNoMatch || !is_ipv6_address(inside.substr(0, length))) return kNoMatch;
  return at + length + 2;
}

size_t loose_host(const ScannedText& text, size_t at) {
  const size_t bracketed = bracketed_address(text, at);
  return bracketed != kNoMatch ? bracketed : loose_domain(text, at);
}

size_t strict_host(const ScannedText& text) {
  const size_t bracketed = bracketed_address(text, 0);
  if (bracketed != kNoMatch) return bracketed;
  const size_t name = strict_domain(text, 0, true);
  const size_t address = ipv4_address(text, 0);
  if (name == kNoMatch) return address;
  return address == kNoMatch ? name : std::max(name, address);
}

constexpr std::string_view kSubDelimiters = "!$&'()*+,;=";
constexpr std::string_view kQueryChars = "!$&'()*+,;=:@/?";

size_t skip_port(const ScannedText& text, size_t at) {
  if (at >= text.size() || text[at] != ':') return at;
  size_t end = at + 1;
  while (end < text.size() && end < at + 6 && is_digit_ascii(text[end])) ++end;
  return end == at + 1 ? at : end;
}
size_t skip_path(const ScannedText& text, size_t at, std::string_view segment) {
  while (at < text.size() && text[at] == '/') at = skip_uri_chars(text, at + 1, segment);
  return at;
}
size_t skip_part(const ScannedText& text, size_t at, char mark) {
  return at < text.size() && text[at] == mark ? skip_uri_chars(text, at + 1, kQueryChars) : at;
}

/// Port, path, query and fragment, all optional.
size_t skip_http_rest(const ScannedText& text, size_t at) {
  at = skip_path(text, skip_port(text, at), ";:@&=");
  return skip_part(text, skip_part(text, at, '?'), '#');
}

/// A host with an optional login before it.
size_t authority(const ScannedText& text, size_t at) {
  size_t login = skip_uri_chars(text, at, kSubDelimiters);
  if (login < text.size() && text[login] == ':')
    login = skip_uri_chars(text, login + 1, kSubDelimiters);
  if (login < text.size() && text[login] == '@') {
    const size_t host = loose_host(text, login + 1);
    if (host != kNoMatch) return host;
  }
  return loose_host(text, at);
}

/// The bytes of the scheme and "://" when the text starts with it.
size_t scheme_length(const ScannedText& text, std::string_view scheme) {
  if (text.size() < scheme.size() + 3) return 0;
  for (size_t i = 0; i < scheme.size(); ++i) {
    if (lower_letter(text[i]) != scheme[i]) return 0;
  }
  return text.substr(scheme.size(), 3) == "://" ? scheme.size() + 3 : 0;
}

size_t scan_http(const ScannedText& text) {
  size_t at = scheme_length(text, "https");
  if (at == 0) at = scheme_length(text, "http");
  if (at == 0) return 0;
  const size_t host = authority(text, at);
  return host == kNoMatch ? 0 : skip_http_rest(text, host);
}

size_t scan_ftp_or_file(const ScannedText& text) {
  const size_t ftp = scheme_length(text, "ftp");
  const size_t at = ftp != 0 ? ftp : scheme_length(text, "file");
  if (at == 0) return 0;
  size_t host = ftp != 0 ? authority(text, at) : loose_host(text, at);
  if (host == kNoMatch && ftp != 0) return 0;
  if (host == kNoMatch) host = at;
  if (ftp != 0) host = skip_port(text, host);
  size_t end = skip_path(text, host, "?:@&=");
  if (end == host) return 0;
  if (ftp != 0 && end + 6 < text.size() && text[end] == ';') {
    std::string type(text.substr(end, 6));
    std::transform(type.begin(), type.end(), type.begin(), lower_letter);
    if (type == ";type=" && std::string_view("aid").find(lower_letter(text[end + 6])) != kNoMatch)
      end += 7;
  }
  return skip_part(text, end, '#');
}

/// Whether the character at `at` would continue a word.
bool continues_word(const ScannedText& text, size_t at) {
  if (at >= text.size()) return false;
  const uint32_t c = decode_utf8(text.substr(at, 4), 0).value;
  if (c < 0x80) return is_alnum_ascii(text[at]) || text[at] == '-' || text[at] == '_';
  const WordClass word = word_property(c).word_class();
  const Category kind = category(c);
  return kind == Category::kLetter || kind == Category::kDigit || kind == Category::kMark ||
         word == WordClass::kExtendNumLet;
}

constexpr std::string_view kAtomChars = "!#$%&'*+-/=?^_`{|}~";

size_t skip_local_label(const ScannedText& text, size_t at) {
  if (at < text.size() && text[at] == '"') {
    for (size_t end = at + 1; end < text.size(); ++end) {
      const char c = text[end];
      if (c == '"') return end + 1;
      if (static_cast<unsigned char>(c) >= 0x80 || c == '\n' || c == '\r' || c == '\t') return at;
      if (c == '\\') ++end;
    }
    return at;
  }
  while (at < text.size() && (is_alnum_ascii(text[at]) || kAtomChars.find(text[at]) != kNoMatch))
    ++at;
  return at;
}

size_t bracketed_mail_host(const ScannedText& text, size_t at) {
  if (at >= text.size() || text[at] != '[') return kNoMatch;
  for (size_t end = at + 1; end < text.size(); ++end) {
    const char c = text[end];
    if (c == ']') return end + 1;
    if (c == '\\') {
      ++end;
    } else if (static_cast<unsigned char>(c) >= 0x80 || c == '[' || c == '\n' || c == '\r' ||
               c == '\t' || c == '\0') {
      break;
    }
  }
  return kNoMatch;
}

}  // namespace

bool is_local_character(char c) {
  return c == '.' || is_alnum_ascii(c) || kAtomChars.find(c) != kNoMatch;
}

size_t scan_url(const ScannedText& text) {
  const size_t best = std::max(scan_http(text), scan_ftp_or_file(text));
  const size_t host = strict_host(text);
  if (host == kNoMatch) return best;
  const size_t end = skip_http_rest(text, host);
  return end > host ? std::max(best, end) : best;
}

size_t scan_host(const ScannedText& text) {
  const size_t host = strict_host(text);
  return host == kNoMatch || continues_word(text, host) ? 0 : host;
}

EmailMatch scan_email(const ScannedText& text) {
  size_t at = skip_local_label(text, 0);
  if (at == 0) return {};
  while (at < text.size() && text[at] == '.') {
    const size_t next = skip_local_label(text, at + 1);
    if (next == at + 1) break;
    at = next;
  }
  if (at >= text.size() || text[at] != '@') return {0, at};
  const size_t name = strict_domain(text, at + 1, false);
  const size_t end = name != kNoMatch ? name : bracketed_mail_host(text, at + 1);
  return end == kNoMatch ? EmailMatch{0, at} : EmailMatch{end, at};
}

}  // namespace quarry
