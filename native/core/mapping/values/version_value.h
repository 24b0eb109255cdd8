// The terms of version fields, byte by byte those of Elasticsearch. Their order by bytes is the
// precedence of semantic versioning (semver.org, section 11), for any number of main parts.
//
//   version      main end [build]
//   main         numbers joined by '.'
//   end          0x03, or for a pre-release 0x02 '-' and its identifiers joined by '.'
//   build        '+' and the text after it, which is compared as text
//   identifier   a number, or the text of an identifier that has a letter or a hyphen
//   number       0x01, 0x80 + the count of digits, the digits
//
// A text that is no such version is its own term, after 0x03 if it is empty or begins with a
// control character up to 0x03: it sorts after every version, as text.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace quarry {

/// The error is that a number has more than 127 digits.
Result<std::string> encode_version(std::string_view text);
/// The text that a term was made from. A damaged term yields some text.
std::string decode_version(std::string_view term);

}  // namespace quarry
