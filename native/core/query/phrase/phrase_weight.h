// The weight of a phrase: parts with their offsets, each one term or several.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

struct PhrasePart {
  uint32_t offset = 0;  // relative to the first part
  std::vector<std::string> terms;
};

/// At least two parts, with ascending offsets. Scores by BM25 with the sum of the terms' idf and
/// the phrase's frequency.
WeightPtr make_phrase_weight(Compiler& compiler, const Field& field, std::vector<PhrasePart> parts,
                             uint32_t slop, Scope scope);

}  // namespace quarry
