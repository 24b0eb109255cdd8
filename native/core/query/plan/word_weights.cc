#include "query/plan/word_weights.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "query/highlight/analyzed_text.h"
#include "text/embedder/lexical_words.h"

namespace quarry {
namespace {

const Analyzer* search_analyzer(const Field& field) {
  return field.search_analyzer != nullptr ? field.search_analyzer : field.analyzer;
}

}  // namespace

WordWeights::WordWeights(Compiler& compiler, const Field& field, std::string_view text)
    : compiler_(compiler), field_(field), doc_count_(compiler.totals(field.name).doc_count) {
  const LexicalRecipe recipe = field.semantic ? field.semantic->recipe : LexicalRecipe::kFirst;
  LexicalScanner scanner(text, han_words_of(recipe));
  for (LexicalWord word; scanner.next(word);) {
    spellings_.try_emplace(std::string(word.text), text.substr(word.start, word.end - word.start));
  }
}

double WordWeights::weigh(const LexicalTerm& term) {
  const uint64_t found = doc_freq(term.word);
  const auto idf = static_cast<double>(inverse_document_frequency(found, doc_count_));
  words_.push_back({std::string(term.word), found, std::sqrt(idf)});
  return words_.back().weight;
}

/// The embedder folds more than analyzers do ("Café" to "cafe", "Anna's" to "anna"), so a word is
/// as common as the more common of its folded form and its spelling in the text.
uint64_t WordWeights::doc_freq(std::string_view word) {
  const uint64_t folded = doc_freq_of_terms(word);
  const auto spelling = spellings_.find(word);
  if (spelling == spellings_.end() || spelling->second == word) return folded;
  return std::max(folded, doc_freq_of_terms(spelling->second));
}

/// A word that the field's analyzer splits into several terms is as common as the rarest of them,
/// synonyms aside. A word that it drops, a stop word of the field's language, counts as contained
/// in every document.
uint64_t WordWeights::doc_freq_of_terms(std::string_view spelling) {
  uint64_t rarest = doc_count_;
  const Result<AnalyzedText> analyzed = analyze_text(search_analyzer(field_), spelling, compiler_);
  if (!analyzed.ok()) {
    status_ = analyzed.status();
    return doc_count_;
  }
  for (const AnalyzedPosition& position : analyzed->positions) {
    uint64_t commonest = 0;
    for (const std::string& term : position.terms) {
      commonest = std::max(commonest, compiler_.term(field_.name, term).doc_freq);
    }
    rarest = std::min(rarest, commonest);
  }
  return rarest;
}

Explanation explain_weights(const std::vector<WordWeights::Word>& words, uint64_t doc_count) {
  Explanation all = Explanation::counted(
      words.size(), "weights of the words of the query, sqrt(idf) with " +
                        std::to_string(doc_count) + " documents that have the field:");
  for (const WordWeights::Word& word : words) {
    all.details.push_back(Explanation::matched(
        word.weight, "weight of [" + word.word + "], which " + std::to_string(word.doc_freq) +
                         (word.doc_freq == 1 ? " document has" : " documents have")));
  }
  return all;
}

}  // namespace quarry
