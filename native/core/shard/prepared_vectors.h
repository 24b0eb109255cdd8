// Vectors of the documents of a chunk, computed before the locks of its shards are taken.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "mapping/document/document.h"
#include "mapping/schema/mapping.h"
#include "mapping/vectors/vector_source.h"

namespace quarry {

/// Returns prepared vectors, and calls `maker` for all others. For one thread.
class PreparedVectors final : public VectorSource {
 public:
  /// `maker` must outlive this object.
  explicit PreparedVectors(VectorSource& maker) : maker_(maker) {}

  /// Computes the vectors of the document that the built-in embedder makes, for the fields that
  /// `mapping` has. Faults of the document are ignored here and reported when it is written.
  void prepare(const Mapping& mapping, std::string_view source);
  Status embed(const Field& field, std::string_view text, std::vector<float>& out) override;
  void start_document() override { maker_.start_document(); }
  std::vector<uint8_t> taken() const override { return maker_.taken(); }
  void clear() { made_.clear(); }

 private:
  using Key =
      std::tuple<std::array<uint8_t, 16>, uint32_t, LexicalRecipe>;  // hash of the text, dims

  VectorSource& maker_;
  bool preparing_ = false;
  ParsedDocument scratch_;
  std::map<Key, std::vector<float>> made_;
};

}  // namespace quarry
