// Finds URLs, host names and e-mail addresses at the start of a text, by the grammar of Lucene's
// UAX29URLEmailTokenizer (RFC 3986, RFC 5321 and RFC 5322).
#pragma once

#include <cstddef>
#include <string_view>

namespace quarry {

/// The text that is scanned, which counts the characters that are read: a start of a link may be
/// scanned far without finding one.
class ScannedText {
 public:
  explicit ScannedText(std::string_view text) : text_(text) {}
  size_t size() const { return text_.size(); }
  char operator[](size_t at) const {
    ++reads_;
    return text_[at];
  }
  std::string_view substr(size_t at, size_t length) const {
    const std::string_view part = text_.substr(at, length);
    reads_ += part.size();
    return part;
  }
  size_t reads() const { return reads_; }

 private:
  const std::string_view text_;
  mutable size_t reads_ = 0;
};

/// Bytes of a URL with a scheme (http, https, ftp, file), or of a host with a port, a path, a query
/// or a fragment; 0 when none starts there.
size_t scan_url(const ScannedText& text);

/// Bytes of a host that ends before a character that is no part of a word: an IPv4 address, an IPv6
/// address in brackets, or a name that ends in a top-level domain; 0 when none starts there.
size_t scan_host(const ScannedText& text);

/// A character of the local part of an address, outside of quotes.
bool is_local_character(char c);

struct EmailMatch {
  size_t bytes = 0;      // 0 when no address starts there
  size_t local_end = 0;  // the end of what may be a local part; no address starts before it when 0
};
EmailMatch scan_email(const ScannedText& text);

}  // namespace quarry
