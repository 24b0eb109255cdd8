// Passes arbitrary bytes to the printer: it must print or reject them, regardless of how they are
// split, and accepted JSON must stay equivalent. The first line is the `filter_path`.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/printer.h"
#include "json/value.h"

namespace {

using namespace quarry;

/// Empty if the bytes are rejected.
std::string print(std::string_view json, PrintStyle style, std::string_view filter, size_t step,
                  size_t most) {
  std::string out;
  std::string all;
  Result<JsonPrinter> printer = JsonPrinter::create(style, filter, out);
  if (!printer.ok()) return {};
  for (size_t at = 0; at < json.size();) {
    const Result<size_t> read = printer->print(json.substr(at, step), most);
    if (!read.ok()) return {};
    at += *read;
    all += out;
    out.clear();
  }
  if (!printer->finish().ok()) return {};
  return all + out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMostBytes = 64 * 1024;  // above this size, depth alone results in megabytes
  if (size > kMostBytes) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t line = text.find('\n');
  const std::string_view filter = line == text.npos ? std::string_view() : text.substr(0, line);
  const std::string_view json = line == text.npos ? text : text.substr(line + 1);
  for (const PrintStyle style : {PrintStyle::kCompact, PrintStyle::kIndented, PrintStyle::kYaml}) {
    const std::string whole = print(json, style, filter, SIZE_MAX, SIZE_MAX);
    if (print(json, style, filter, 1, SIZE_MAX) != whole) std::abort();
    if (print(json, style, filter, SIZE_MAX, 1) != whole) std::abort();
    if (style == PrintStyle::kYaml || whole.empty()) continue;
    const Result<JsonValue> value = JsonValue::parse(json);
    const Result<JsonValue> printed = JsonValue::parse(whole);
    if (value.ok() && !printed.ok()) std::abort();
    if (value.ok() && filter.empty() && !(*printed == *value)) std::abort();
  }
  return 0;
}
