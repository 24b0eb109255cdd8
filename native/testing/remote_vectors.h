// Vectors of texts as an embeddings service would return them, and the bytes that carry them in a
// write.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "mapping/vectors/vector_table.h"

namespace quarry::testing {

/// The result for one text: a vector, or the reason for the failure.
struct RemoteVector {
  std::string text;
  std::vector<float> vector;
  std::string failure = {};
};

/// The bytes of a VectorTable; every vector has `dims` numbers.
inline std::vector<uint8_t> vector_bytes(std::string_view embedder, uint32_t dims,
                                         const std::vector<RemoteVector>& answers) {
  ByteWriter out;
  out.put(kVectorsMagic);
  out.put(uint32_t{1});
  out.put_string(embedder);
  out.put(dims);
  out.put(static_cast<uint32_t>(answers.size()));
  for (const RemoteVector& answer : answers) {
    const TextHash hash = TextHash::of(answer.text);
    out.put(hash.high);
    out.put(hash.low);
    out.put(static_cast<uint8_t>(answer.failure.empty() ? 0 : 1));
    for (const float value : answer.vector) out.put(value);
    if (!answer.failure.empty()) out.put_string(answer.failure);
  }
  return out.take();
}

/// A vector that depends only on the text: the counts of the letters a, b and c.
inline std::vector<float> letters(std::string_view text) {
  std::vector<float> vector = {0.5F, 0, 0};
  for (const char letter : text) {
    if (letter >= 'a' && letter <= 'c') vector[static_cast<size_t>(letter - 'a')]++;
  }
  return vector;
}

/// The response of a service to a list of texts.
inline std::vector<uint8_t> letter_bytes(std::string_view embedder,
                                         const std::vector<std::string>& texts) {
  std::vector<RemoteVector> answers;
  for (const std::string& text : texts) answers.push_back({text, letters(text)});
  return vector_bytes(embedder, 3, answers);
}

}  // namespace quarry::testing
