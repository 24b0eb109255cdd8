// The source of vectors while documents are written: the built-in embedder, or vectors supplied by
// a request or a log record (vector_table.h).
#pragma once

#include <string_view>
#include <vector>

#include "base/status.h"
#include "mapping/schema/field.h"
#include "text/embedder/lexical_embedder.h"

namespace quarry {

/// Not thread-safe.
class VectorSource {
 public:
  virtual ~VectorSource() = default;
  /// Writes the vector of `text` (a whole text or a passage of it) by the embedder of `field`, a
  /// semantic_text field, to `out`: semantic->dims floats, or any number that the embedder returns
  /// where dims is 0. `out` is empty when the text has no direction. An error becomes the error of
  /// the document. The caller checks the length and the values.
  virtual Status embed(const Field& field, std::string_view text, std::vector<float>& out) = 0;
  /// Later calls of embed() belong to another document.
  virtual void start_document() {}
  /// The data that the document's log record must carry so that the document can be embedded again,
  /// in the format of VectorTable; empty when none is needed.
  virtual std::vector<uint8_t> taken() const { return {}; }
};

/// Vectors of fields without a remote embedder; for other fields embed() reports that the text is
/// not embedded.
class BuiltInVectors final : public VectorSource {
 public:
  /// `embedder` outlives this object, and no other object uses it meanwhile.
  explicit BuiltInVectors(LexicalEmbedder& embedder) : embedder_(embedder) {}
  Status embed(const Field& field, std::string_view text, std::vector<float>& out) override;

 private:
  LexicalEmbedder& embedder_;
};

}  // namespace quarry
