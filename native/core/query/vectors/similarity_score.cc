// BM25 (Robertson and Zaragoza 2009) with the rounding of Lucene's BM25Similarity and the (k1 + 1)
// that Elasticsearch keeps.
#include "query/vectors/similarity_score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "postings/norms.h"

namespace quarry {

float FieldTotals::average_length() const {
  if (doc_count == 0) return 1;
  return static_cast<float>(static_cast<double>(token_count) / static_cast<double>(doc_count));
}

namespace {

/// `average`: mean length of the field, in tokens.
std::shared_ptr<const NormTable> make_norm_table(const Similarity& similarity, float average) {
  auto table = std::make_shared<NormTable>();
  if (similarity.is_boolean()) {
    table->fill(std::numeric_limits<float>::infinity());
    return table;
  }
  const std::array<uint32_t, 256>& lengths = norm_lengths();
  for (size_t i = 0; i < table->size(); i++) {
    const float length = similarity.b * static_cast<float>(lengths[i]) / average;
    (*table)[i] = 1.0F / (similarity.k1 * ((1.0F - similarity.b) + length));
  }
  return table;
}

struct KeptTable {
  Similarity similarity;
  float average = 0;
  std::shared_ptr<const NormTable> table;
  bool is_of(const Similarity& other, float length) const {
    return table != nullptr && average == length && similarity.model == other.model &&
           similarity.k1 == other.k1 && similarity.b == other.b;
  }
};

constexpr size_t kKeptTables = 8;  // enough for the fields of concurrent searches

}  // namespace

std::shared_ptr<const NormTable> find_norm_table(const Similarity& similarity,
                                                 const FieldTotals& totals) {
  thread_local std::array<KeptTable, kKeptTables> kept;
  thread_local size_t oldest = 0;
  const float average = totals.average_length();
  for (const KeptTable& one : kept) {
    if (one.is_of(similarity, average)) return one.table;
  }
  KeptTable& place = kept[oldest];
  oldest = (oldest + 1) % kKeptTables;
  place = {similarity, average, make_norm_table(similarity, average)};
  return place.table;
}

float inverse_document_frequency(uint64_t doc_freq, uint64_t doc_count) {
  const auto n = static_cast<double>(doc_freq);
  const auto all = static_cast<double>(doc_count);
  return static_cast<float>(std::log(1 + (all - n + 0.5) / (n + 0.5)));
}

TermSimilarity::TermSimilarity(const SimilarityFacts& facts, std::shared_ptr<const NormTable> norms)
    : weight_(facts.similarity.is_boolean()
                  ? facts.boost
                  : facts.boost * (1.0F + facts.similarity.k1) * facts.idf),
      norms_(std::move(norms)) {
  if (!facts.similarity.is_language_model()) return;
  model_ = std::make_shared<const LanguageModel>(facts.similarity, facts.boost,
                                                 facts.totals.token_count, facts.occurrences);
  weight_ = model_->bound();
}

void TermSimilarity::score_block(std::span<const uint32_t> docs, std::span<const uint32_t> freqs,
                                 const uint8_t* norms, float* scores) const noexcept {
  if (model_ != nullptr) {
    for (size_t i = 0; i < docs.size(); i++) {
      scores[i] =
          model_->score(static_cast<float>(freqs[i]), norms == nullptr ? kNoNorms : norms[docs[i]]);
    }
    return;
  }
  const NormTable& table = *norms_;
  // The look-ups come first, so that compilers can vectorize the arithmetic loop after them.
  if (norms == nullptr) {
    std::fill_n(scores, docs.size(), table[kNoNorms]);
  } else {
#pragma GCC unroll 8
    for (size_t i = 0; i < docs.size(); i++) scores[i] = table[norms[docs[i]]];
  }
  for (size_t i = 0; i < docs.size(); i++)
    scores[i] = weight_ - weight_ / (1.0F + static_cast<float>(freqs[i]) * scores[i]);
}

Explanation explain_idf(uint64_t doc_freq, uint64_t doc_count) {
  std::vector<Explanation> details;
  details.push_back(Explanation::counted(doc_freq, "n, number of documents containing term"));
  details.push_back(Explanation::counted(doc_count, "N, total number of documents with field"));
  return Explanation::matched(
      inverse_document_frequency(doc_freq, doc_count),
      "idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:", std::move(details));
}

namespace {

Explanation explain_tf(const SimilarityFacts& facts, const TermSimilarity& scale, float freq,
                       uint8_t norm) {
  const Similarity& similarity = facts.similarity;
  std::vector<Explanation> details;
  details.push_back(Explanation::matched(freq, "freq, occurrences of term within document"));
  details.push_back(Explanation::matched(similarity.k1, "k1, term saturation parameter"));
  if (facts.has_norms) {
    details.push_back(Explanation::matched(similarity.b, "b, length normalization parameter"));
    details.push_back(Explanation::matched(decode_norm(norm), "dl, length of field (approximate)"));
    details.push_back(
        Explanation::matched(facts.totals.average_length(), "avgdl, average length of field"));
  }
  const float tf = 1.0F - 1.0F / (1.0F + freq * scale.norms()[norm]);
  return Explanation::matched(
      tf,
      facts.has_norms ? "tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:"
                      : "tf, computed as freq / (freq + k1) from:",
      std::move(details));
}

}  // namespace

Explanation explain_similarity(const SimilarityFacts& facts, Explanation idf,
                               const TermSimilarity& scale, float freq, uint8_t norm,
                               std::string description) {
  std::vector<Explanation> details;
  if (scale.model() != nullptr) {
    details.push_back(scale.model()->explain(freq, norm));
    return Explanation::matched(scale.score(freq, norm), std::move(description),
                                std::move(details));
  }
  std::vector<Explanation> parts;
  std::string what = "score(freq=" + float_text(freq) + "), ";
  if (facts.similarity.is_boolean()) {
    what += "computed as boost";
    parts.push_back(Explanation::matched(facts.boost, "boost"));
  } else {
    what += "computed as boost * idf * tf from:";
    parts.push_back(Explanation::matched(facts.boost * (1.0F + facts.similarity.k1), "boost"));
    parts.push_back(std::move(idf));
    parts.push_back(explain_tf(facts, scale, freq, norm));
  }
  const float value = scale.score(freq, norm);
  details.push_back(Explanation::matched(value, std::move(what), std::move(parts)));
  return Explanation::matched(value, std::move(description), std::move(details));
}

}  // namespace quarry
