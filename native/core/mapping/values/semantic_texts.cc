#include "mapping/values/semantic_texts.h"

#include <algorithm>
#include <utility>

namespace quarry {

std::vector<SemanticText> semantic_texts(const Mapping& mapping, const ParsedDocument& document) {
  std::vector<SemanticText> texts;
  for (const uint32_t id : mapping.semantic_fields()) {
    SemanticText found;
    bool first = true;
    for (const FieldValue& value : document.values) {
      if (value.field != id) continue;
      if (!std::exchange(first, false)) found.text += '\n';
      found.text += value.text;
    }
    if (found.text.find_first_not_of(" \t\r\n") == std::string::npos) continue;
    found.field = &mapping.field(id);
    found.passages = split_passages(found.text);
    texts.push_back(std::move(found));
  }
  std::sort(texts.begin(), texts.end(),
            [](const SemanticText& a, const SemanticText& b) { return a.field->id < b.field->id; });
  return texts;
}

}  // namespace quarry
