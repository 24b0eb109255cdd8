// The weight of each word of a query for the built-in embedder: sqrt(idf), computed from the
// documents that contain the word in the same field, over all shards of the index.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "query/plan/compiler.h"
#include "text/embedder/lexical_embedder.h"

namespace quarry {

class WordWeights {
 public:
  /// A weighted word of the query.
  struct Word {
    std::string word;  // folded
    uint64_t doc_freq = 0;
    double weight = 0;
  };

  /// `field` is analyzed. All arguments must outlive the object.
  WordWeights(Compiler& compiler, const Field& field, std::string_view text);

  /// The weight of a term of the text; the embedder calls it once per term.
  double weigh(const LexicalTerm& term);

  const std::vector<Word>& words() const { return words_; }
  uint64_t doc_count() const { return doc_count_; }
  /// The error of the field's analyzer, if it refused a word; the weights are then undefined.
  const Status& status() const { return status_; }

 private:
  uint64_t doc_freq(std::string_view word);
  uint64_t doc_freq_of_terms(std::string_view spelling);

  Compiler& compiler_;
  const Field& field_;
  uint64_t doc_count_;  // documents that have the field
  // Spellings in the text, by folded word.
  std::map<std::string, std::string_view, std::less<>> spellings_;
  std::vector<Word> words_;
  Status status_;
};

/// The weights as a part of an explanation.
Explanation explain_weights(const std::vector<WordWeights::Word>& words, uint64_t doc_count);

}  // namespace quarry
