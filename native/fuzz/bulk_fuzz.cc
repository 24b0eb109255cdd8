// Parses arbitrary bytes as a bulk body and reads every view of the result.
#include <cstdint>
#include <string_view>

#include "json/bulk_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quarry;
  const Result<BulkBody> body = read_bulk({reinterpret_cast<const char*>(data), size});
  if (!body.ok()) return 0;
  size_t sum = 0;
  for (const BulkAction& action : body->actions) {
    for (const std::string_view view :
         {action.index, action.id, action.routing, action.source, action.source_filter}) {
      for (const char c : view) sum += static_cast<unsigned char>(c);
    }
  }
  volatile size_t sink = sum;
  static_cast<void>(sink);
  return 0;
}
