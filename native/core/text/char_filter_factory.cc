// Char filters by type.
#include "text/factories.h"

namespace quarry {

bool is_char_filter_type(std::string_view) { return false; }

Result<CharFilterPtr> make_char_filter(std::string_view name, const ComponentSpec& spec) {
  return Status(ErrorType::kIllegalArgument,
                "Unknown char_filter type [" + spec.type + "] for [" + std::string(name) + "]");
}

}  // namespace quarry
