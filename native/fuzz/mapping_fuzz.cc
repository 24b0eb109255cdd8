// Parses arbitrary bytes as a mapping, as settings and as an update: the printed form of an
// accepted input must be accepted again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "mapping/schema/mapping.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quarry;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(make_mapping_context(text));
  static const MappingContext kContext = make_mapping_context("").value();
  const auto mapping = Mapping::create(text, kContext);
  if (!mapping.ok()) return 0;
  const std::string json = (*mapping)->to_json();
  const auto again = Mapping::create(json, kContext);
  if (!again.ok() || (*again)->to_json() != json) std::abort();
  const auto merged = (*mapping)->merge(json);
  if (!merged.ok() || (*merged)->version() != (*mapping)->version()) std::abort();
  for (const Field& field : (*mapping)->fields()) {
    if (!field.inferred && (*mapping)->find(field.name) == nullptr) std::abort();
    static_cast<void>((*mapping)->definition(field.name, true));
  }
  static_cast<void>((*mapping)->match("*"));
  static_cast<void>(
      Mapping::create(
          R"({"properties":{"a":{"type":"text"},"o":{"properties":{"n":{"type":"long"}}}}})",
          kContext)
          .value()
          ->merge(text));
  return 0;
}
