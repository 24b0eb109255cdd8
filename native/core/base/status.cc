#include "base/status.h"

#include <array>

namespace quarry {
namespace {

struct ErrorRow {
  std::string_view wire;
  uint16_t http;
};

constexpr ErrorRow kRows[] = {
#define ERROR_TYPE(id, wire, http, fault) {wire, http},
#include "base/errors.def"
#undef ERROR_TYPE
};

}  // namespace

std::string_view error_wire_type(ErrorType type) { return kRows[static_cast<size_t>(type)].wire; }

uint16_t error_http_status(ErrorType type) { return kRows[static_cast<size_t>(type)].http; }

uint16_t error_type_count() { return static_cast<uint16_t>(std::size(kRows)); }

}  // namespace quarry
