// The stop word lists, by language name.
#include "text/stop_words.h"

namespace quarry {
namespace {

struct StopWordList {
  std::string_view language;
  std::string_view words;
};

// The 33 words of Lucene's English list, which Elasticsearch's `stop` and `english` use.
constexpr StopWordList kLists[] = {
    {"english",
     "a an and are as at be but by for if in into is it no not of on or such that the their then "
     "there these they this to was will with"},
};

}  // namespace

std::string_view stop_word_list(std::string_view language) {
  for (const StopWordList& list : kLists) {
    if (list.language == language) return list.words;
  }
  return {};
}

}  // namespace quarry
