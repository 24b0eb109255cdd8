// Where vectors of texts come from while documents are written: the built-in embedder here, vectors
// that a request or a log record brings elsewhere.
#pragma once

#include <string_view>
#include <vector>

#include "base/status.h"
#include "mapping/schema/field.h"
#include "text/embedder/lexical_embedder.h"

namespace quarry {

/// One thread at a time.
class VectorSource {
 public:
  virtual ~VectorSource() = default;
  /// The vector of `text` (a whole text or a passage of it) by the embedder of `field`, a
  /// semantic_text field, into `out`: semantic->dims floats, or as many as the embedder gives where
  /// that is 0. Empty: the text has no direction. What is wrong becomes the error of the document;
  /// the caller checks length and values.
  virtual Status embed(const Field& field, std::string_view text, std::vector<float>& out) = 0;
  /// What is asked for from now on belongs to another document.
  virtual void start_document() {}
  /// What the document's log record must carry for it to be embedded again, as bytes of a
  /// VectorTable; empty: nothing.
  virtual std::vector<uint8_t> taken() const { return {}; }
};

/// Of fields without a remote embedder; texts of others count as not embedded.
class BuiltInVectors final : public VectorSource {
 public:
  /// `embedder` outlives this and is nobody else's meanwhile.
  explicit BuiltInVectors(LexicalEmbedder& embedder) : embedder_(embedder) {}
  Status embed(const Field& field, std::string_view text, std::vector<float>& out) override;

 private:
  LexicalEmbedder& embedder_;
};

}  // namespace quarry
