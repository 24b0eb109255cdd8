// The stop word lists by language, with the words of Lucene's lists: articles, pronouns,
// prepositions, conjunctions and auxiliary verbs. Greek words are written without accents and with
// a plain final sigma, which is the output of the Greek lowercase filter.
#include "text/filters/stop_words.h"

namespace quarry {
namespace {

struct StopWordList {
  std::string_view language;
  std::string_view words;
};

#include "text/filters/stop_words.inc"

}  // namespace

std::string_view stop_word_list(std::string_view language, uint32_t version) {
  if (version < 3) {
    for (const StopWordList& list : kFormerLists) {
      if (list.language == language) return list.words;
    }
  }
  for (const StopWordList& list : kLists) {
    if (list.language == language) return list.words;
  }
  return {};
}

}  // namespace quarry
