// Passes arbitrary bytes to the JSON tree, the source filter and the merge: they must return a
// result or an error, and agree with each other.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "json/merge.h"
#include "json/source_filter.h"
#include "json/value.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quarry;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<JsonValue> value = JsonValue::parse(text);
  if (value.ok()) {
    const Result<JsonValue> again = JsonValue::parse(value->to_json());
    if (!again.ok() || !(*again == *value)) std::abort();
  }
  std::string out;
  const std::vector<std::string> includes = {"a*", "b.c"};
  const std::vector<std::string> excludes = {"*.d", "e"};
  Result<SourceFilter> filter = SourceFilter::compile(includes, excludes);
  static_cast<void>(filter->apply(text, out));
  const Result<MergedDocument> merged = merge_documents(text, text);
  if (merged.ok() && merged->changed) std::abort();
  static_cast<void>(merge_documents("{\"a\":{\"b\":1},\"c\":[1]}", text));
  const size_t half = size / 2;
  const Result<MergedDocument> both = merge_documents(text.substr(0, half), text.substr(half));
  if (both.ok() && !JsonValue::parse(both->source).ok()) std::abort();
  return 0;
}
