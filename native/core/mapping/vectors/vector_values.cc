// Vectors of documents (declared in mapping/schema/leaf_writer.h): parsed directly into float32 and
// checked against the requirements of the field's similarity.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "json/number.h"
#include "mapping/schema/leaf_writer.h"
#include "mapping/vectors/vector_bytes.h"

namespace quarry {

namespace {

/// The squared length of a unit vector may differ from 1 by this much, as in Elasticsearch.
constexpr double kUnitMargin = 1e-3;

/// The first five numbers, in Elasticsearch's wording.
std::string preview(std::span<const float> vector) {
  constexpr size_t kShown = 5;
  std::string text = "Preview of invalid vector: [";
  for (size_t i = 0; i < std::min(kShown, vector.size()); i++) {
    if (i > 0) text += ", ";
    text += format_float(vector[i]);
  }
  return text + (vector.size() >= kShown ? ", ...]" : "]");
}

double squared_length(std::span<const float> vector) {
  double sum = 0;
  for (const float value : vector) sum += static_cast<double>(value) * static_cast<double>(value);
  return sum;
}

}  // namespace

Result<uint32_t> LeafWriter::write_vector(const Field& field) {
  JsonScanner& scanner = context_.scanner;
  if (scanner.token() == JsonToken::kError) return context_.malformed();
  if (scanner.token() == JsonToken::kNull) return 0U;
  if (scanner.token() != JsonToken::kArrayStart) {
    return context_.misfit(field,
                           "Failed to parse object: expecting token of type [START_ARRAY] "
                           "but found [" +
                               std::string(json_token_name(scanner.token())) + "]");
  }
  const std::vector<FieldValue>& values = context_.values_at(field.level);
  const bool again = std::any_of(values.begin(), values.end(), [&field](const FieldValue& value) {
    return value.field == field.id;
  });
  if (again) {
    return context_.misfit(field, "Field [" + field.name +
                                      "] of type [dense_vector] doesn't support indexing multiple "
                                      "values for the same field in the same document");
  }
  const size_t start = scanner.start();
  if (field.vector.dims == 0) {
    std::vector<float> first(kMaxVectorDims);
    QUARRY_ASSIGN_OR_RETURN(const std::span<const float> vector, read_vector(field, start, first));
    QUARRY_RETURN_IF_ERROR(check_vector(field, start, vector));
    return static_cast<uint32_t>(vector.size());
  }
  constexpr size_t kAlignment = alignof(float);
  const size_t bytes = size_t{field.vector.dims} * sizeof(float);
  char* at = context_.out.arena.allocate(bytes + kAlignment - 1);
  at += (kAlignment - reinterpret_cast<uintptr_t>(at) % kAlignment) % kAlignment;
  const std::span<float> room(reinterpret_cast<float*>(at), field.vector.dims);
  QUARRY_ASSIGN_OR_RETURN(const std::span<const float> vector, read_vector(field, start, room));
  QUARRY_RETURN_IF_ERROR(check_vector(field, start, vector));
  put(field, {at, bytes});
  return 0U;
}

/// Reads from after the start of the array to its end.
Result<std::span<const float>> LeafWriter::read_vector(const Field& field, size_t start,
                                                       std::span<float> room) {
  JsonScanner& scanner = context_.scanner;
  size_t count = 0;
  JsonToken token = scanner.read_floats(room, count);
  const std::span<const float> vector = room.first(count);
  // The vector is too long; the remaining numbers are only counted.
  while (token == JsonToken::kNumber && count >= room.size()) {
    ++count;
    token = scanner.next();
  }
  if (token == JsonToken::kError) return context_.malformed();
  if (token != JsonToken::kArrayEnd) {
    const bool container = token == JsonToken::kArrayStart || token == JsonToken::kObjectStart;
    const std::string got(container ? json_token_name(token) : scanner.raw());
    const std::string why = "dimension [" + std::to_string(count) + "] of the vector is [" + got +
                            "], which is no finite 32-bit number";
    if (token != JsonToken::kArrayStart) return context_.misfit(field, why);
    return context_.misfit(field, why + ": a document has one vector of a field, a flat array");
  }
  const uint32_t dims = field.vector.dims;
  if (dims == 0 && (count == 0 || count > kMaxVectorDims)) {
    return context_.misfit(
        field,
        "the value has " + std::to_string(count) + " dimensions, field [" + field.name +
            "] takes its dims from the first vector, which must have between 1 and " +
            std::to_string(kMaxVectorDims),
        start);
  }
  if (dims != 0 && count != dims) {
    return context_.misfit(field,
                           "the value has " + std::to_string(count) + " dimensions, field [" +
                               field.name + "] is mapped with dims [" + std::to_string(dims) + "]",
                           start);
  }
  return vector;
}

Status LeafWriter::check_vector(const Field& field, size_t start,
                                std::span<const float> vector) const {
  if (field.vector.bytes) {
    const std::string why = no_bytes(vector);
    if (!why.empty()) return context_.misfit(field, why + ". " + preview(vector), start);
  }
  if (field.vector.index == VectorIndex::kNone) return {};
  const double squared = squared_length(vector);
  if (squared == 0 && field.vector.similarity == VectorSimilarity::kCosine) {
    return context_.misfit(field,
                           "The [cosine] similarity does not support vectors with zero magnitude, "
                           "which have no direction. " +
                               preview(vector) + "; leave the field out, or give it another vector",
                           start);
  }
  if (field.vector.similarity == VectorSimilarity::kDotProduct &&
      std::abs(squared - 1) > kUnitMargin) {
    return context_.misfit(field,
                           "The [dot_product] similarity can only be used with unit-length "
                           "vectors. " +
                               preview(vector) +
                               "; scale it to length 1, or map the field with [cosine] or "
                               "[max_inner_product]",
                           start);
  }
  if (std::sqrt(squared) > static_cast<double>(std::numeric_limits<float>::max())) {
    return context_.misfit(
        field, "the length of the vector is beyond 32-bit numbers. " + preview(vector), start);
  }
  return {};
}

}  // namespace quarry
