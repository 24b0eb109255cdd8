// Parses arbitrary bytes as a suggest request, as a term of a completion and as a section of
// completion weights: they must be rejected or read without reading beyond their end.
#include <cstdint>
#include <cstdlib>

#include "mapping/document/completion_entry.h"
#include "query/suggest/suggest_plan.h"
#include "segment/completion_weights.h"

namespace {

using namespace quarry;

void read_weights(Bytes bytes) {
  ByteReader reader(bytes);
  const auto terms = reader.get<uint32_t>();
  if (reader.failed()) return;
  const auto weights = CompletionWeights::open(bytes.subspan(sizeof(uint32_t)), terms);
  if (!weights.ok()) return;
  for (size_t level = 1; level <= weights->levels(); level++)
    for (uint32_t run = 0; run < weights->count(level); run++)
      static_cast<void>(weights->largest(level, run));
}

void read_term(Bytes bytes) {
  const auto entry = read_completion(as_text(bytes));
  if (entry && entry->weight > kMaxCompletionWeight) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes bytes(data, size);
  static_cast<void>(decode_suggest(bytes));
  read_term(bytes);
  read_weights(bytes);
  return 0;
}
