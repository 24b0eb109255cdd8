// Extracts from a parsed document the texts to embed of its semantic_text fields. The write path,
// the replay of the log and the list of texts for a remote embedder all use it, so that their texts
// are identical.
#pragma once

#include <string>
#include <vector>

#include "mapping/document/document.h"
#include "mapping/schema/mapping.h"
#include "text/tokenizers/passages.h"

namespace quarry {

struct SemanticText {
  const Field* field = nullptr;     // a semantic_text field of the mapping
  std::string text;                 // all values, including copied ones, joined by newlines
  std::vector<ByteRange> passages;  // ranges of `text`; empty unless the text is long
};

/// Ordered by field id. Fields without a value, or with blanks only, are left out. `document` was
/// parsed with `mapping`, which must outlive the result.
std::vector<SemanticText> semantic_texts(const Mapping& mapping, const ParsedDocument& document);

}  // namespace quarry
