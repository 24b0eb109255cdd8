// Parses arbitrary bytes as a document, against a mapping with every type and against one with
// dynamic fields, and reads every value.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "mapping/document/document.h"
#include "mapping/values/numeric.h"
#include "mapping/vectors/semantic_vectors.h"

namespace {

using namespace quarry;

constexpr std::string_view kMapping =
    R"({"dynamic_templates":[{"o":{"match":"b*","mapping":{"type":"{dynamic_type}"}}}],
  "properties":{"t":{"type":"text","copy_to":["all","new"],"fields":{"k":{"type":"keyword","ignore_above":3}}},
  "all":{"type":"text"},"k":{"type":"keyword"},"n":{"type":"integer"},"l":{"type":"long","ignore_malformed":true},
  "d":{"type":"double"},"h":{"type":"half_float"},"s":{"type":"scaled_float","scaling_factor":10},"u":{"type":"unsigned_long"},
  "b":{"type":"boolean"},"when":{"type":"date","format":"strict_date_optional_time||epoch_second||yyyy/MM/dd[ HH:mm:ss VV]"},
  "ip":{"type":"ip"},"o":{"properties":{"x":{"type":"long"}}},"off":{"type":"object","enabled":false},
  "fl":{"type":"flattened"},"al":{"type":"alias","path":"n"},"bin":{"type":"binary"},"v":{"type":"dense_vector","dims":3},
  "w":{"type":"dense_vector","similarity":"l2_norm"},"x":{"type":"dense_vector","dims":2,"similarity":"dot_product"},
  "sem":{"type":"semantic_text","dims":4,"fields":{"s":{"type":"semantic_text","dims":2}}}}})";

size_t touch(const Mapping& mapping, ParsedDocument& document) {
  static LexicalEmbedder embedder;
  BuiltInVectors vectors(embedder);
  if (!embed_document(mapping, "id", vectors, document).ok()) std::abort();
  size_t sum = 0;
  for (const FieldValue& value : document.values) {
    const Field& field = mapping.field(value.field);
    for (const char c : value.text) sum += static_cast<unsigned char>(c);
    if (field.is_numeric()) sum += column_to_json(field, value.number).size();
    if (field.type == FieldType::kIp) sum += format_ip(value.text).size();
  }
  for (const std::string_view name : document.ignored) sum += name.size();
  return sum;
}

void grow(std::shared_ptr<const Mapping> mapping, std::string_view source) {
  ParsedDocument document;
  for (int round = 0; round < 101; ++round) {
    if (!parse_document(*mapping, source, document, "id").ok()) return;
    if (document.dynamic_mapping.empty()) {
      volatile size_t sink = touch(*mapping, document);
      static_cast<void>(sink);
      return;
    }
    const auto merged = mapping->merge(document.dynamic_mapping);
    if (!merged.ok()) return;
    mapping = *merged;
  }
  std::abort();  // a document must request a finite number of fields
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const MappingContext kContext = make_mapping_context("").value();
  static const std::shared_ptr<const Mapping> kFull = Mapping::create(kMapping, kContext).value();
  static const std::shared_ptr<const Mapping> kEmpty = Mapping::create("", kContext).value();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  grow(kFull, text);
  grow(kEmpty, text);
  return 0;
}
