// What a parsed document says in its semantic_text fields: the texts to embed, the same wherever it
// is asked (write path, replay, the list of texts that a remote embedder is to be sent).
#pragma once

#include <string>
#include <vector>

#include "mapping/document/document.h"
#include "mapping/schema/mapping.h"
#include "text/tokenizers/passages.h"

namespace quarry {

struct SemanticText {
  const Field* field = nullptr;     // semantic_text, of the mapping
  std::string text;                 // all values, copied ones too, joined by newlines
  std::vector<ByteRange> passages;  // of `text`; none unless it is long
};

/// By field id; fields without a value, or with blanks alone, are left out. `document` was parsed
/// with `mapping`, which must outlive the result.
std::vector<SemanticText> semantic_texts(const Mapping& mapping, const ParsedDocument& document);

}  // namespace quarry
