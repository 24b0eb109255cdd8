// The score of one clause on one field: BM25 as Lucene computes it, in float32, with the tf norm of
// every length byte in a table; a constant; or a language model.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mapping/schema/field.h"
#include "postings/inverted_field.h"
#include "query/plan/explanation.h"
#include "query/vectors/language_model.h"

namespace quarry {

/// Field statistics over all shards of an index. `doc_count`: documents that have the field,
/// deleted ones included.
struct FieldTotals {
  uint64_t doc_count = 0;
  uint64_t token_count = 0;
  float average_length() const;
};

/// 1 / (k1 * (1 - b + b * length / average)) for every norm byte; one per field and search, shared
/// by its clauses.
using NormTable = std::array<float, 256>;
/// The table for `totals`, reused from this thread's recent ones if its values are the same. An
/// average length changes only when documents are indexed, and building a table takes a sixth of
/// the time of a search for a rare word.
std::shared_ptr<const NormTable> find_norm_table(const Similarity& similarity,
                                                 const FieldTotals& totals);

/// ln(1 + (N - n + 0.5) / (n + 0.5)) in double, rounded to float.
float inverse_document_frequency(uint64_t doc_freq, uint64_t doc_count);

/// What the score of a clause on one field is computed from.
struct SimilarityFacts {
  Similarity similarity;
  FieldTotals totals;
  float boost = 1;
  float idf = 0;
  bool has_norms = false;
  /// Of each term of the clause in all documents; kept for language models only.
  std::vector<uint64_t> occurrences = {};
  void add_occurrences(uint64_t count) {
    if (similarity.is_language_model()) occurrences.push_back(count);
  }
};

/// Score of one clause on one field: weight * (1 - 1 / (1 + freq * norm)). Monotonic in freq and in
/// the norm byte. `weight` = boost * (k1 + 1) * idf; with the boolean similarity every match scores
/// the boost. A language model scores by itself.
class TermSimilarity {
 public:
  TermSimilarity() = default;
  TermSimilarity(const SimilarityFacts& facts, std::shared_ptr<const NormTable> norms);

  /// `norm`: the document's byte, kNoNorms for fields without norms.
  float score(float freq, uint8_t norm) const noexcept {
    if (model_ != nullptr) [[unlikely]]
      return model_->score(freq, norm);
    return weight_ - weight_ / (1.0F + freq * (*norms_)[norm]);
  }
  /// The scores of a block of documents; `norms` null: a field without norms.
  void score_block(std::span<const uint32_t> docs, std::span<const uint32_t> freqs,
                   const uint8_t* norms, float* scores) const noexcept;
  float bound() const noexcept { return weight_; }
  const NormTable& norms() const noexcept { return *norms_; }
  /// Null for other similarities.
  const LanguageModel* model() const noexcept { return model_.get(); }

 private:
  float weight_ = 0;
  std::shared_ptr<const NormTable> norms_;
  std::shared_ptr<const LanguageModel> model_;
};

inline constexpr uint8_t kNoNorms = 1;  // a field without norms counts as one token long

/// `idf`: the explanation of the idf in `facts`.
Explanation explain_similarity(const SimilarityFacts& facts, Explanation idf,
                               const TermSimilarity& scale, float freq, uint8_t norm,
                               std::string description);
Explanation explain_idf(uint64_t doc_freq, uint64_t doc_count);

}  // namespace quarry
