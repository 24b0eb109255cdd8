// The stop words of the built-in embedder, grouped by kind so that missing words are easy to
// notice.
#include "text/embedder/lexical_stop_words.h"

#include <algorithm>
#include <string_view>

namespace quarry {
namespace {

constexpr std::string_view kGroups[] = {
    // articles, demonstratives, quantities
    "a an the this that these those all any both each few more most other some such own same",
    // pronouns
    "i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself "
    "she her hers herself it its itself they them their theirs themselves",
    // questions
    "what which who whom when where why how",
    // be, have, do and the modals
    "am is are was were be been being have has had having do does did doing "
    "will would should can could",
    // prepositions
    "of at by for with about against between into through during before after above below to from "
    "up down in out on off over under",
    // conjunctions and adverbs
    "and but if or nor because as until while than so too very just only then once again further "
    "here there now no not",
    // contractions without their apostrophe, and the letters that remain of split ones
    "im youre hes shes theyre ive youve weve theyve youd theyd itll youll theyll thats whats whos "
    "isnt arent wasnt werent hasnt havent hadnt doesnt dont didnt wont wouldnt shouldnt cant "
    "cannot "
    "couldnt s t d m ll re ve",
};

}  // namespace

std::vector<std::string> lexical_stop_words() {
  std::vector<std::string> words;
  for (std::string_view group : kGroups) {
    while (!group.empty()) {
      const size_t end = std::min(group.find(' '), group.size());
      words.emplace_back(group.substr(0, end));
      group.remove_prefix(std::min(end + 1, group.size()));
    }
  }
  return words;
}

}  // namespace quarry
