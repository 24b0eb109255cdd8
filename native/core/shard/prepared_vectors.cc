#include "shard/prepared_vectors.h"

#include "base/hash.h"
#include "mapping/vectors/semantic_vectors.h"

namespace quarry {

void PreparedVectors::prepare(const Mapping& mapping, std::string_view source) {
  if (!parse_document(mapping, source, scratch_).ok()) return;
  scratch_.dynamic_mapping.clear();
  preparing_ = true;
  // Errors are ignored here, because they occur again when the document is written.
  static_cast<void>(embed_document(mapping, {}, *this, scratch_));
  preparing_ = false;
}

Status PreparedVectors::embed(const Field& field, std::string_view text, std::vector<float>& out) {
  if (field.semantic->remote) {
    if (!preparing_) return maker_.embed(field, text, out);
    out.clear();
    return {};
  }
  const Key key{hash128(text), field.semantic->dims, field.semantic->recipe};
  const auto found = made_.find(key);
  if (found != made_.end()) {
    out = found->second;
    return {};
  }
  QUARRY_RETURN_IF_ERROR(maker_.embed(field, text, out));
  if (preparing_) made_.emplace(key, out);
  return {};
}

}  // namespace quarry
