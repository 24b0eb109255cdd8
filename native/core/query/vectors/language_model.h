// Language models of retrieval (Zhai and Lafferty 2001), computed as Lucene's LMSimilarity does, in
// double. A score grows with the frequency and falls with the length of the field.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mapping/schema/field.h"
#include "query/plan/explanation.h"

namespace quarry {

class LanguageModel {
 public:
  /// `occurrences`: of each term of the clause in all documents, whose fields have `tokens` tokens.
  LanguageModel(const Similarity& similarity, float boost, uint64_t tokens,
                std::span<const uint64_t> occurrences);

  /// The sum over the terms, which all have the frequency `freq`.
  float score(float freq, uint8_t norm) const noexcept;
  /// No score is larger.
  float bound() const noexcept;
  Explanation explain(float freq, uint8_t norm) const;

 private:
  double of_term(double probability, double freq, double length) const noexcept;

  Similarity similarity_;
  float boost_;
  std::vector<double> probabilities_;
};

}  // namespace quarry
