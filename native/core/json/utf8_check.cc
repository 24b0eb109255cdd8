// Calls simdjson's validator.
#include "json/utf8_check.h"

#include <simdjson.h>

namespace quarry {

bool valid_utf8(std::string_view text) noexcept {
  return text.empty() || simdjson::validate_utf8(text.data(), text.size());
}

}  // namespace quarry
