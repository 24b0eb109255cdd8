#include "mapping/schema/vector_parameters.h"

#include <array>
#include <optional>
#include <utility>

#include "mapping/schema/parameters.h"

namespace quarry {

namespace {

// Lucene's bounds; fewer than two links per node cannot keep a graph connected.
constexpr int64_t kFewestLinks = 2;
constexpr int64_t kMostLinks = 512;
constexpr int64_t kWidestBeam = 3200;

constexpr std::string_view kScalar8 = "scalar8";

struct IndexName {
  std::string_view name;
  VectorIndex index;
};
constexpr std::array kIndexNames = {
    IndexName{"hnsw", VectorIndex::kHnsw},
    IndexName{"int8_hnsw", VectorIndex::kInt8Hnsw},
    IndexName{"flat", VectorIndex::kFlat},
    IndexName{"int8_flat", VectorIndex::kInt8Flat},
    // Narrower codes of Elasticsearch, which save memory there. Here the same searches are served
    // by the nearest structure there is, with exact results.
    IndexName{"int4_hnsw", VectorIndex::kHnsw},
    IndexName{"int4_flat", VectorIndex::kInt8Flat},
    IndexName{"bbq_hnsw", VectorIndex::kHnsw},
    IndexName{"bbq_flat", VectorIndex::kInt8Flat},
};

std::string quoted(const JsonValue& value) {
  return value.is_object() || value.is_array() ? value.to_json() : std::string(value.text());
}

std::optional<VectorIndex> index_of(std::string_view name) {
  for (const IndexName& known : kIndexNames) {
    if (known.name == name) return known.index;
  }
  return std::nullopt;
}

std::string index_names() {
  std::string names;
  for (const IndexName& known : kIndexNames) {
    if (!names.empty()) names += ", ";
    names += known.name;
  }
  return names;
}

/// Whether Elasticsearch searches this type through codes.
bool has_codes(std::string_view type) { return type != "hnsw" && type != "flat"; }

bool is_graph(VectorIndex index) {
  return index == VectorIndex::kHnsw || index == VectorIndex::kInt8Hnsw;
}

VectorIndex quantized(VectorIndex index) {
  return is_graph(index) ? VectorIndex::kInt8Hnsw : VectorIndex::kInt8Flat;
}

VectorSimilarity similarity_of(std::string_view name, bool bytes) {
  if (name == "dot_product") {
    return bytes ? VectorSimilarity::kByteDotProduct : VectorSimilarity::kDotProduct;
  }
  if (name == "l2_norm") return VectorSimilarity::kL2Norm;
  if (name == "max_inner_product") return VectorSimilarity::kMaxInnerProduct;
  return VectorSimilarity::kCosine;
}

/// Reads a whole number within [least, most] into its printed form.
Result<JsonValue> read_bounded(const JsonValue& value, std::string_view key, int64_t least,
                               int64_t most, const std::string& field) {
  const std::optional<int64_t> number = value.as_int();
  if (number && *number >= least && *number <= most) {
    return JsonValue::number(std::to_string(*number));
  }
  return mapper_parsing("[" + std::string(key) + "] in [index_options] of field [" + field +
                        "] must be a whole number in the range [" + std::to_string(least) + ", " +
                        std::to_string(most) + "] but was [" + quoted(value) + "]");
}

/// Settings of Elasticsearch's codes, whose answers are approximations that they improve. Answers
/// here are exact, so the settings are kept and shown, and change nothing.
Result<JsonValue> read_code_key(std::string_view key, const JsonValue& value,
                                const std::string& field) {
  const bool is_rescore = key == "rescore_vector";
  const JsonValue* given = is_rescore ? value.find("oversample") : &value;
  const std::optional<double> number = given == nullptr ? std::nullopt : given->as_double();
  const double least = is_rescore ? 1 : 0.9, most = is_rescore ? 10 : 1;
  const bool is_alone = !is_rescore || value.members().size() == 1;
  if (number && is_alone && (*number == 0 || (*number >= least && *number <= most))) return value;
  return mapper_parsing("[" + std::string(key) + "] in [index_options] of field [" + field +
                        "] must be " +
                        (is_rescore ? "an object with [oversample], 0 or in the range [1, 10]"
                                    : "0 or in the range [0.9, 1]") +
                        ", but was [" + quoted(value) + "]");
}

Result<JsonValue> read_index_key(std::string_view key, const JsonValue& value,
                                 std::string_view name, const std::string& field) {
  const VectorIndex type = index_of(name).value_or(VectorIndex::kHnsw);
  if (key == "type") return JsonValue::string(std::string(value.text()));
  if (has_codes(name) &&
      (key == "rescore_vector" || (key == "confidence_interval" && name.starts_with("int")))) {
    return read_code_key(key, value, field);
  }
  if (key == "m" && is_graph(type)) {
    return read_bounded(value, key, kFewestLinks, kMostLinks, field);
  }
  if (key == "ef_construction" && is_graph(type)) {
    return read_bounded(value, key, 1, kWidestBeam, field);
  }
  if (key == "quantization" && value.text() == kScalar8) {
    return JsonValue::string(std::string(kScalar8));
  }
  if (key == "quantization") {
    return mapper_parsing("[quantization] in [index_options] of field [" + field +
                          "] does not support [" + quoted(value) + "], only [scalar8]");
  }
  return mapper_parsing("Mapping definition for [" + field + "] has unsupported parameters:  [" +
                        std::string(key) + " : " + quoted(value) + "] in [index_options]");
}

/// The index type that checked `index_options` specify.
VectorIndex index_of(const JsonValue& options) {
  const JsonValue* type = options.find("type");
  const VectorIndex index =
      type == nullptr ? VectorIndex::kHnsw : index_of(type->text()).value_or(VectorIndex::kHnsw);
  return options.find("quantization") == nullptr ? index : quantized(index);
}

uint32_t number_of(const JsonValue& options, std::string_view key, uint32_t otherwise) {
  const JsonValue* value = options.find(key);
  return value == nullptr ? otherwise : static_cast<uint32_t>(value->as_int().value_or(otherwise));
}

/// Sets index, m and ef_construction from checked parameters.
void set_index(const Mapper& mapper, VectorOptions& out) {
  if (mapper.effective("index").text() != "true") {
    out.index = VectorIndex::kNone;
    return;
  }
  if (const JsonValue* options = mapper.given("index_options")) set_vector_index(*options, out);
  if (mapper.given("quantization") != nullptr) out.index = quantized(out.index);
}

std::string conflict(std::string_view parameter, const JsonValue& from, const JsonValue& to) {
  return "\n\tCannot update parameter [" + std::string(parameter) + "] from [" + quoted(from) +
         "] to [" + quoted(to) + "]";
}

bool same_vector_index(const Mapper& from, const Mapper& to) {
  VectorOptions before;
  VectorOptions after;
  set_index(from, before);
  set_index(to, after);
  return before == after;
}

}  // namespace

Result<JsonValue> read_vector_index(const JsonValue& value, const std::string& field) {
  if (!value.is_object()) {
    return mapper_parsing("[index_options] of field [" + field + "] must be an object, got " +
                          value.to_json());
  }
  std::string_view type = "hnsw";
  if (const JsonValue* given = value.find("type")) {
    const std::optional<VectorIndex> known =
        given->is_string() ? index_of(given->text()) : std::nullopt;
    if (!known) {
      return mapper_parsing("Unknown vector index options type [" + quoted(*given) +
                            "] for field [" + field + "] - accepted values are [" + index_names() +
                            "]");
    }
    type = given->text();
  }
  JsonValue out = JsonValue::object();
  for (const char* key : {"type", "m", "ef_construction"}) {
    const JsonValue* given = value.find(key);
    if (given == nullptr) continue;
    QUARRY_ASSIGN_OR_RETURN(JsonValue normal, read_index_key(key, *given, type, field));
    out.set(key, std::move(normal));
  }
  for (const auto& [key, given] : value.members()) {
    if (out.find(key) != nullptr) continue;
    QUARRY_ASSIGN_OR_RETURN(JsonValue normal, read_index_key(key, given, type, field));
    out.set(key, std::move(normal));
  }
  return out;
}

void set_vector_index(const JsonValue& index_options, VectorOptions& out) {
  out.index = index_of(index_options);
  out.m = number_of(index_options, "m", out.m);
  out.ef_construction = number_of(index_options, "ef_construction", out.ef_construction);
}

Result<VectorOptions> read_vector_options(const Mapper& mapper, const std::string& field) {
  VectorOptions out;
  if (const JsonValue* dims = mapper.given("dims")) {
    const int64_t count = dims->as_int().value_or(0);
    if (count < 1 || count > int64_t{kMaxVectorDims}) {
      return mapper_parsing("The number of dimensions for field [" + field +
                            "] should be in the range [1, " + std::to_string(kMaxVectorDims) +
                            "] but was [" + std::string(dims->text()) + "]");
    }
    out.dims = static_cast<uint32_t>(count);
  }
  out.bytes = mapper.effective("element_type").text() == "byte";
  set_index(mapper, out);
  if (out.index != VectorIndex::kNone) {
    out.similarity = similarity_of(mapper.effective("similarity").text(), out.bytes);
    return out;
  }
  for (const char* name : {"similarity", "index_options", "quantization"}) {
    if (mapper.given(name) == nullptr) continue;
    return mapper_parsing(
        "Field [" + std::string(name) +
        "] can only be specified for a field of type [dense_vector] when it is indexed "
        "(field [" +
        field + "] has [index] set to [false])");
  }
  // Vectors that are not indexed are stored unchanged, because they are not compared.
  out.similarity = VectorSimilarity::kDotProduct;
  return out;
}

bool has_vector_default(const Mapper& mapper, std::string_view parameter) {
  const bool indexed = mapper.effective("index").text() == "true";
  if (parameter == "similarity") return indexed;
  return parameter != "index_options" || (indexed && mapper.given("quantization") == nullptr);
}

std::string vector_conflicts(const Mapper& from, const Mapper& to) {
  std::string conflicts;
  for (const Parameter& parameter : parameters_of(FieldType::kDenseVector).parameters) {
    const JsonValue before = from.effective(parameter.name);
    const JsonValue after = to.effective(parameter.name);
    const bool said_before = from.given(parameter.name) != nullptr;
    const bool said_now = to.given(parameter.name) != nullptr;
    if (before == after || parameter.updateable) continue;
    if (parameter.name == "dims" && !(said_before && said_now)) continue;
    const bool about_index = parameter.name == "index_options" || parameter.name == "quantization";
    if (about_index && (!said_now || same_vector_index(from, to))) continue;
    conflicts += conflict(parameter.name, before, after);
  }
  return conflicts;
}

}  // namespace quarry
