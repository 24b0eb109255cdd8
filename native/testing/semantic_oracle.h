// The expected hits of a semantic clause, computed naively: every text is embedded when it is
// needed, every document is scored in double, words are counted in sets.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/embedder/lexical_embedder.h"
#include "text/embedder/lexical_words.h"
#include "text/tokenizers/passages.h"

namespace quarry::testing {

/// Texts must consist of lower-case ASCII letters and digits, which analyzers and the embedder
/// split in the same way.
class SemanticOracle {
 public:
  explicit SemanticOracle(uint32_t dims) : dims_(dims) {}

  void add(const std::string& id, std::string_view text, uint64_t number) {
    Document& document = documents_[id];
    document.shard = shard_;
    document.number = number;
    document.whole = embed(text);
    for (const ByteRange& passage : split_passages(text)) {
      const Vector vector = embed(text.substr(passage.start, passage.end - passage.start));
      if (!vector.empty()) document.passages.push_back(vector);
    }
    LexicalScanner scanner(text);
    for (LexicalWord word; scanner.next(word);) document.words.emplace(word.text);
  }
  void start_shard() { shard_++; }
  void remove(const std::string& id) { documents_.at(id).deleted = true; }

  /// The document must have a vector.
  double score(std::string_view text, const std::string& id) const {
    return score(weighted(text), documents_.at(id));
  }
  /// The k best scores among the documents of a shard whose `number` is at least `least`.
  std::vector<double> best(std::string_view text, size_t k, size_t shard, uint64_t least) const {
    const Vector query = weighted(text);
    std::vector<double> scores;
    for (const auto& [id, document] : documents_) {
      const bool wanted = !document.deleted && document.shard == shard && document.number >= least;
      if (!wanted || document.whole.empty() || query.empty()) continue;
      scores.push_back(score(query, document));
    }
    std::sort(scores.begin(), scores.end(), std::greater<>());
    scores.resize(std::min(scores.size(), k));
    return scores;
  }

 private:
  using Vector = std::vector<float>;
  struct Document {
    size_t shard = 0;
    uint64_t number = 0;
    bool deleted = false;
    Vector whole;
    std::vector<Vector> passages;
    std::set<std::string> words;
  };

  Vector embed(std::string_view text, const TermWeight& weight = {}) const {
    LexicalEmbedder embedder(0);
    Vector vector(dims_);
    if (!embedder.embed(text, vector, weight)) vector.clear();
    return vector;
  }
  /// Deleted documents count as long as their segments exist.
  Vector weighted(std::string_view text) const {
    return embed(text, [this](const LexicalTerm& term) {
      double found = 0;
      for (const auto& [id, document] : documents_) {
        if (document.words.contains(std::string(term.word))) found++;
      }
      const auto all = static_cast<double>(documents_.size());
      const double idf = std::log(1 + (all - found + 0.5) / (found + 0.5));
      // Rounded to float, as in BM25.
      return std::sqrt(static_cast<double>(static_cast<float>(idf)));
    });
  }
  static double cosine(const Vector& a, const Vector& b) {
    double dot = 0, of_a = 0, of_b = 0;
    for (size_t i = 0; i < a.size(); i++) {
      const auto x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
      dot += x * y;
      of_a += x * x;
      of_b += y * y;
    }
    return dot / std::sqrt(of_a * of_b);
  }
  static double score(const Vector& query, const Document& document) {
    double meaning = cosine(query, document.whole);
    if (!document.passages.empty()) {
      double best = -1;
      for (const Vector& passage : document.passages) {
        best = std::max(best, cosine(query, passage));
      }
      meaning = (meaning + best) / 2;
    }
    return (1 + meaning) / 2;
  }

  uint32_t dims_;
  size_t shard_ = 0;
  std::map<std::string, Document> documents_;
};

}  // namespace quarry::testing
