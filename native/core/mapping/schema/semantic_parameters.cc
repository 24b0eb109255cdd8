#include "mapping/schema/semantic_parameters.h"

#include <optional>
#include <utility>

#include "mapping/schema/vector_parameters.h"
#include "text/embedder/lexical_recipe.h"

namespace quarry {

namespace {

constexpr const char* kBuiltIn = "[svc-lex-1] and [svc-lex-2]";

std::string shown(const JsonValue& value) {
  return value.is_object() || value.is_array() ? value.to_json() : std::string(value.text());
}

bool in_range(const JsonValue& dims) {
  const int64_t count = dims.as_int().value_or(0);
  return count >= 1 && count <= int64_t{kMaxVectorDims};
}

Status refuse_dims(const JsonValue& dims, const std::string& where) {
  return mapper_parsing("The number of dimensions for " + where + " should be in the range [1, " +
                        std::to_string(kMaxVectorDims) + "] but was [" + shown(dims) + "]");
}

Result<JsonValue> read_endpoint_key(const std::string& key, const JsonValue& value,
                                    const std::string& field) {
  const std::string where = "[" + key + "] in [inference_endpoint] of field [" + field + "]";
  if (key == "dims") {
    if (!in_range(value)) return refuse_dims(value, where);
    return JsonValue::number(std::to_string(value.as_int().value_or(0)));
  }
  if (key == "api_key") {
    return mapper_parsing(where +
                          " is refused: mappings are no place for secrets, name the environment " +
                          "variable that holds the key as [api_key_env]");
  }
  if (key != "url" && key != "model" && key != "api_key_env") {
    return mapper_parsing(where + " is unknown, use [url], [model], [api_key_env] and [dims]");
  }
  if (value.is_string() && !value.text().empty()) return value;
  return mapper_parsing(where + " must be a string that is not empty, got " + value.to_json());
}

/// Whether the field uses a service other than the built-in embedder.
bool names_service(const Mapper& mapper) {
  const JsonValue* id = mapper.given("inference_id");
  return mapper.given("inference_endpoint") != nullptr ||
         (id != nullptr && !find_lexical_recipe(id->text()));
}

bool same_index_options(const JsonValue& from, const JsonValue& to) {
  VectorOptions before;
  VectorOptions after;
  set_vector_index(from, before);
  set_vector_index(to, after);
  return before == after;
}

/// Whether an update is compatible: it may set dims that are still open, and spell index_options
/// differently.
bool follows(std::string_view name, const JsonValue* from, const Mapper& target,
             const JsonValue& to) {
  if (name == "dims" && from == nullptr) return true;
  if (name == "index_options") return same_index_options(target.effective(name), to);
  return from != nullptr && *from == to;
}

Status check_embedder(const Mapper& mapper, const std::string& field) {
  const JsonValue* embedder = mapper.given("embedder");
  const std::string name = embedder == nullptr ? std::string() : shown(*embedder);
  const bool built_in = find_lexical_recipe(name).has_value();
  if (!names_service(mapper)) {
    const JsonValue* id = mapper.given("inference_id");
    if (built_in && id != nullptr && id->text() != name) {
      return mapper_parsing("field [" + field + "] has [embedder] [" + name +
                            "] and [inference_id] [" + shown(*id) + "]: leave one of them out");
    }
    if (built_in) return {};
    return mapper_parsing("field [" + field + "] has [embedder] [" + name +
                          "], which is unknown: the built-in ones are " + kBuiltIn +
                          ", others need [inference_id] or [inference_endpoint]");
  }
  const std::string service =
      mapper.given("inference_id") != nullptr ? "inference_id" : "inference_endpoint";
  if (embedder == nullptr || embedder->text().empty()) {
    return mapper_parsing("field [" + field + "] has [" + service +
                          "] without [embedder], the identity of the model behind it");
  }
  if (!built_in) return {};
  return mapper_parsing("field [" + field + "] has [embedder] [" + name +
                        "], which is built in, and [" + service + "]: leave one of them out");
}

}  // namespace

Result<JsonValue> read_inference_endpoint(const JsonValue& value, const std::string& field) {
  if (value.is_string() && !value.text().empty()) return value;
  if (!value.is_object()) {
    return mapper_parsing("[inference_endpoint] of field [" + field +
                          "] must be a URL or an object, got " + value.to_json());
  }
  for (const auto& [key, given] : value.members()) {
    QUARRY_RETURN_IF_ERROR(read_endpoint_key(key, given, field).status());
  }
  JsonValue out = JsonValue::object();  // in a fixed order, because updates are compared with it
  for (const char* key : {"url", "model", "api_key_env", "dims"}) {
    const JsonValue* given = value.find(key);
    if (given == nullptr) continue;
    QUARRY_ASSIGN_OR_RETURN(JsonValue normal, read_endpoint_key(key, *given, field));
    out.set(key, std::move(normal));
  }
  if (out.find("url") != nullptr) return out;
  return mapper_parsing("[url] is missing in [inference_endpoint] of field [" + field + "]");
}

void settle_semantic(Mapper& mapper) {
  for (Mappers* below : {&mapper.properties, &mapper.fields}) {
    for (const auto& [name, child] : *below) settle_semantic(*child);
  }
  if (mapper.type != FieldType::kSemanticText) return;
  if (!names_service(mapper)) {
    const JsonValue* id = mapper.given("inference_id");
    const std::string_view named = id == nullptr ? kDefaultEmbedder : id->text();
    mapper.parameters.emplace("embedder", JsonValue::string(std::string(named)));
    mapper.parameters.emplace("dims", JsonValue::number(std::to_string(kDefaultLexicalDims)));
    return;
  }
  const JsonValue* endpoint = mapper.given("inference_endpoint");
  const JsonValue* dims =
      endpoint == nullptr || !endpoint->is_object() ? nullptr : endpoint->find("dims");
  if (dims != nullptr) mapper.parameters.emplace("dims", *dims);
}

Result<SemanticOptions> read_semantic_options(const Mapper& mapper, const std::string& field) {
  const JsonValue* id = mapper.given("inference_id");
  const JsonValue* endpoint = mapper.given("inference_endpoint");
  if (id != nullptr && id->text().empty()) {
    return mapper_parsing("[inference_id] of field [" + field + "] must not be empty");
  }
  QUARRY_RETURN_IF_ERROR(check_embedder(mapper, field));
  SemanticOptions out;
  out.embedder = std::string(mapper.given("embedder")->text());
  const auto recipe = find_lexical_recipe(out.embedder);
  out.remote = !recipe;
  out.recipe = recipe.value_or(LexicalRecipe::kFirst);
  const JsonValue* dims = mapper.given("dims");
  if (dims == nullptr) return out;
  if (!in_range(*dims)) return refuse_dims(*dims, "field [" + field + "]");
  const JsonValue* promised =
      endpoint == nullptr || !endpoint->is_object() ? nullptr : endpoint->find("dims");
  if (promised != nullptr && !(*promised == *dims)) {
    return mapper_parsing("field [" + field + "] has [dims] [" + shown(*dims) +
                          "], but its [inference_endpoint] has [" + shown(*promised) + "]");
  }
  out.dims = static_cast<uint32_t>(dims->as_int().value_or(0));
  return out;
}

std::string semantic_conflicts(const Mapper& from, const Mapper& to) {
  std::string conflicts;
  for (const std::string_view name : kSemanticIdentity) {
    const JsonValue* before = from.given(name);
    const JsonValue* after = to.given(name);
    if (after == nullptr || follows(name, before, from, *after)) continue;
    conflicts += "\n\tCannot update parameter [" + std::string(name) + "] from [" +
                 (before == nullptr ? "null" : shown(*before)) + "] to [" + shown(*after) + "]";
  }
  if (conflicts.empty()) return conflicts;
  return conflicts +
         "\n\tVectors that are there would not go with new ones: create another index with the "
         "new mapping and reindex into it";
}

}  // namespace quarry
