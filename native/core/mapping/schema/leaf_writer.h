// Writes one value of a document to the fields that receive it: the field itself, its multi-fields
// and the targets of its copy_to.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "mapping/document/document_context.h"

namespace quarry {

class LeafWriter {
 public:
  explicit LeafWriter(DocumentContext& context) : context_(context) {}

  /// Writes the scalar or null just read. Copies to unmapped fields are left to the caller.
  Status write(const Field& field);
  /// Writes the points of a geo_point field, one or a list in any form, just read, up to its end.
  Status write_points(const Field& field);
  /// The same for a dense_vector field: an array of dims finite numbers, or null. Where the field
  /// has no dims yet, nothing is written and the number of dims of the vector is returned, else 0.
  Result<uint32_t> write_vector(const Field& field);
  /// The same for a completion field, in any form.
  Status write_completion(const Field& field);
  /// The same for a range field: an object with ends, or for ip_range also a network.
  Status write_range(const Field& field);
  /// Writes an object of a flattened field, just read, up to its end; `prefix` is the path of keys
  /// that leads to it.
  Status write_flattened(const Field& field, const std::string& prefix);
  /// Writes an object of features, just read, up to its end.
  Status write_features(const Field& field);
  /// Writes the feature `name` of such an object, a scalar or null just read.
  Status write_feature(const Field& field, std::string_view name);
  /// The nested document of the level is complete: the next one may have the same features.
  void end_document(uint32_t level) { features_.erase(level); }

 private:
  /// One scalar of the document.
  struct Scalar {
    JsonToken token;
    std::string_view text;
    bool quoted() const { return token == JsonToken::kString; }
  };

  Scalar scalar();
  Result<JsonValue> whole_value();
  Status write_with_multi_fields(const Field& field, const Scalar& value);
  /// The error for a document with too many values.
  Status check_count(const Field& field) const;
  Status write_one(const Field& field, Scalar value);
  Status write_number(const Field& field, const Scalar& value);
  Status write_keyword(const Field& field, std::string_view text);
  Status write_encoded(const Field& field, std::string_view text);
  Status write_points(const Field& field, const JsonValue& value);
  Status write_point(const Field& field, const JsonValue& value);
  Status write_binary(const Field& field, const Scalar& value);
  Status write_constant(const Field& field, std::string_view text);
  Status write_network(const Field& field, const Scalar& value);
  Status write_null_count(const Field& field);
  Status write_feature(const Field& field, std::string_view name, const Scalar& value);
  // Defined in completion_values.cc.
  Status write_input(const Field& field, std::string_view input, uint32_t weight);
  // Defined in vector_values.cc. `start` is the offset at which the value starts.
  Result<std::span<const float>> read_vector(const Field& field, size_t start,
                                             std::span<float> room);
  Status check_vector(const Field& field, size_t start, std::span<const float> vector) const;
  Status refuse(const Field& field, const std::string& cause);
  Status refuse_features(const Field& field);
  /// `expected` is the token that a value of the field starts with.
  Status refuse_scalar(const Field& field, std::string_view expected, const Scalar& value);
  Status flatten_value(const Field& field, std::string& path, uint32_t depth);
  Status flatten_scalar(const Field& field, const std::string& path);
  void put(const Field& field, std::string_view text) { context_.put(field, 0, text); }

  DocumentContext& context_;
  // The features of each open document, by its level, as field and name.
  std::map<uint32_t, std::set<std::pair<uint32_t, std::string>>> features_;
};

}  // namespace quarry
