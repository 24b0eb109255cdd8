// Parses arbitrary bytes as the vectors of a write request: they must be rejected, or be assigned
// to the documents that need them, and their log records must result in the same vectors.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "mapping/vectors/vector_table.h"

namespace {

using namespace quarry;

/// Takes the vector of a text as a document does, and compares it with the replay of its log
/// record.
void take(LexicalEmbedder& embedder, const VectorTable& table, const Field& field,
          std::string_view text) {
  TableVectors vectors(embedder, table);
  std::vector<float> given;
  if (!vectors.embed(field, text, given).ok()) return;
  const std::vector<uint8_t> record = vectors.taken();
  const Result<VectorTable> carried = VectorTable::read(record);
  if (!carried.ok()) std::abort();
  TableVectors replayed(embedder, *carried);
  std::vector<float> again;
  if (!replayed.embed(field, text, again).ok() || again.size() != given.size()) std::abort();
  if (std::memcmp(again.data(), given.data(), given.size() * sizeof(float)) != 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static LexicalEmbedder embedder(0);
  const Result<VectorTable> table = VectorTable::read({data, size});
  if (!table.ok()) return 0;
  Field field;
  field.name = "f";
  for (const char* name : {"m", ""}) {
    field.semantic.emplace();
    field.semantic->embedder = name;
    field.semantic->remote = true;
    for (const char* text : {"a", "b", ""}) take(embedder, *table, field, text);
  }
  return 0;
}
