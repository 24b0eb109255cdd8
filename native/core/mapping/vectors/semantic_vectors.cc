#include "mapping/vectors/semantic_vectors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "json/value.h"
#include "mapping/values/semantic_texts.h"

namespace quarry {

namespace {

class DocumentEmbedder {
 public:
  DocumentEmbedder(const Mapping& mapping, std::string_view id, VectorSource& source,
                   ParsedDocument& document)
      : mapping_(mapping), id_(id), source_(source), document_(document) {}

  Status add(const SemanticText& text) {
    const SemanticOptions& semantic = *text.field->semantic;
    QUARRY_RETURN_IF_ERROR(make(*text.field, text.text));
    if (vector_.empty()) return {};
    if (semantic.dims == 0) return ask_for_dims(*text.field);
    put(semantic.vector);
    for (const ByteRange& passage : text.passages) {
      const std::string_view all = text.text;
      QUARRY_RETURN_IF_ERROR(
          make(*text.field, all.substr(passage.start, passage.end - passage.start)));
      if (!vector_.empty()) put(semantic.passages);
    }
    return {};
  }

  /// The `mappings` body to merge first; empty when nothing is needed.
  std::string wanted_mapping() const {
    if (wanted_.members().empty()) return {};
    return JsonValue::object({{"properties", wanted_}}).to_json();
  }

 private:
  /// Computes the vector of `text` into vector_ and checks it; vector_ is empty when the text has
  /// none.
  Status make(const Field& field, std::string_view text) {
    Status made = source_.embed(field, text, vector_);
    if (made.type() == ErrorType::kVersionConflict) {
      return {made.type(), "[" + std::string(id_) + "]: " + made.reason()};
    }
    QUARRY_RETURN_IF_ERROR(std::move(made));
    if (vector_.empty()) return {};
    const uint32_t dims = field.semantic->dims;
    if (dims == 0 ? vector_.size() > kMaxVectorDims : vector_.size() != dims) {
      return refuse(field, "has " + std::to_string(vector_.size()) + " dimensions, the field " +
                               (dims == 0 ? "takes up to [" + std::to_string(kMaxVectorDims) + "]"
                                          : "has dims [" + std::to_string(dims) + "]"));
    }
    double squared = 0;
    for (const float value : vector_) squared += static_cast<double>(value) * double{value};
    if (!std::isfinite(static_cast<float>(squared))) {
      return refuse(field, "has numbers, or a length, beyond 32-bit floats");
    }
    return squared > 0 ? Status() : refuse(field, "has length 0, so no direction");
  }

  Status refuse(const Field& field, const std::string& why) const {
    return {ErrorType::kIllegalArgument, "the vector that embedder [" + field.semantic->embedder +
                                             "] gave for field [" + field.name + "] of document [" +
                                             std::string(id_) + "] " + why};
  }

  void put(uint32_t field) {
    const size_t bytes = vector_.size() * sizeof(float);
    char* at = document_.arena.allocate(bytes);
    std::memcpy(at, vector_.data(), bytes);
    document_.values.push_back({field, 0, {at, bytes}});
  }

  /// Adds the mapped definition with the dims of vector_ to the wanted mapping; a multi-field is
  /// placed within the definition of its field.
  Status ask_for_dims(const Field& field) {
    std::string owner = field.name;
    std::string sub;
    if (is_multi_field(field)) {
      const size_t dot = owner.rfind('.');
      sub = owner.substr(dot + 1);
      owner.resize(dot);
    }
    if (wanted_.find(owner) == nullptr) {
      QUARRY_ASSIGN_OR_RETURN(JsonValue definition,
                              JsonValue::parse(mapping_.definition(owner, false)));
      wanted_.set(owner, std::move(definition));
    }
    JsonValue* target = wanted_.find(owner);
    if (!sub.empty()) target = target->find("fields")->find(sub);
    target->set("dims", JsonValue::number(std::to_string(vector_.size())));
    return {};
  }

  bool is_multi_field(const Field& field) const {
    const std::span<const Field> all = mapping_.fields();
    return std::any_of(all.begin(), all.end(), [&field](const Field& other) {
      return std::find(other.multi_fields.begin(), other.multi_fields.end(), field.id) !=
             other.multi_fields.end();
    });
  }

  const Mapping& mapping_;
  std::string_view id_;
  VectorSource& source_;
  ParsedDocument& document_;
  std::vector<float> vector_;
  JsonValue wanted_ = JsonValue::object();  // fields with the dims of their first vectors
};

}  // namespace

Status BuiltInVectors::embed(const Field& field, std::string_view text, std::vector<float>& out) {
  if (field.semantic->remote) {
    return {ErrorType::kVersionConflict,
            "the document changed while its text was embedded, send it again"};
  }
  out.resize(field.semantic->dims);
  if (!embedder_.embed(text, out, {}, field.semantic->recipe)) out.clear();
  return {};
}

Status embed_document(const Mapping& mapping, std::string_view id, VectorSource& source,
                      ParsedDocument& document) {
  if (mapping.semantic_fields().empty()) return {};
  DocumentEmbedder embedder(mapping, id, source, document);
  for (const SemanticText& text : semantic_texts(mapping, document)) {
    QUARRY_RETURN_IF_ERROR(embedder.add(text));
  }
  document.dynamic_mapping = embedder.wanted_mapping();
  return {};
}

}  // namespace quarry
