// How much each word of a query weighs to the built-in embedder: sqrt(idf), from the documents that
// hold the word in the same field, over all shards of the index (design/memory.md, section 1).
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
  /// One word of the query, as it was weighed.
  struct Word {
    std::string word;  // folded
    uint64_t doc_freq = 0;
    double weight = 0;
  };

  /// `field`: analysed. All arguments outlive this.
  WordWeights(Compiler& compiler, const Field& field, std::string_view text);

  /// The weight of a term of the text; the embedder asks for each once.
  double weigh(const LexicalTerm& term);

  const std::vector<Word>& words() const { return words_; }
  uint64_t doc_count() const { return doc_count_; }
  /// The refusal of a word by the field's analyzer; weights mean nothing then.
  const Status& status() const { return status_; }

 private:
  uint64_t doc_freq(std::string_view word);
  uint64_t doc_freq_of_terms(std::string_view spelling);

  Compiler& compiler_;
  const Field& field_;
  uint64_t doc_count_;  // documents that have the field
  std::map<std::string, std::string_view, std::less<>> spellings_;  // of the text, by folded word
  std::vector<Word> words_;
  Status status_;
};

/// The weights as a part of an explanation.
Explanation explain_weights(const std::vector<WordWeights::Word>& words, uint64_t doc_count);

}  // namespace quarry
