// Maps the names of stemmers in Elasticsearch to Snowball algorithms.
#include "text/analysis/factories.h"
#include "text/analysis/unicode.h"

namespace quarry {
namespace {

struct StemmerLanguage {
  std::string_view language;
  std::string_view algorithm;
  std::string_view former = {};  // before analysis version 3, when it differs
};

// For greek and indonesian Elasticsearch does not use Snowball's stemmer; the Snowball stemmer is
// used here. In Elasticsearch "english" is the original Porter algorithm,
// "porter2" its revision.
constexpr StemmerLanguage kLanguages[] = {
    {"arabic", "light_arabic", "arabic"},
    {"armenian", "armenian"},
    {"bengali", "light_bengali"},
    {"bulgarian", "light_bulgarian"},
    {"czech", "light_czech"},
    {"latvian", "light_latvian"},
    {"persian", "light_persian"},
    {"sorani", "light_sorani"},
    {"minimal_english", "minimal_english"},
    {"basque", "basque"},
    {"catalan", "catalan"},
    {"danish", "danish"},
    {"dutch", "dutch"},
    {"english", "porter"},
    {"porter", "porter"},
    {"porter2", "english"},
    {"finnish", "finnish"},
    {"french", "french"},
    {"german", "german"},
    {"greek", "greek"},
    {"hindi", "light_hindi", "hindi"},
    {"hungarian", "hungarian"},
    {"indonesian", "indonesian"},
    {"irish", "irish"},
    {"italian", "italian"},
    {"lithuanian", "lithuanian"},
    {"norwegian", "norwegian"},
    {"portuguese", "portuguese"},
    {"romanian", "romanian"},
    {"russian", "russian"},
    {"serbian", "serbian"},
    {"spanish", "spanish"},
    {"swedish", "swedish"},
    {"turkish", "turkish"},
    {"light_french", "light_french"},
    {"light_german", "light_german"},
    {"light_italian", "light_italian"},
    {"light_portuguese", "light_portuguese"},
    {"light_spanish", "light_spanish"},
};

}  // namespace

std::string_view stemmer_algorithm(std::string_view language, uint32_t version) {
  for (const StemmerLanguage& entry : kLanguages) {
    if (entry.language != language) continue;
    return version < 3 && !entry.former.empty() ? entry.former : entry.algorithm;
  }
  return {};
}

std::string_view snowball_algorithm(std::string_view language) {
  const std::string name = to_lower(language);
  if (name == "english") return "english";
  for (const StemmerLanguage& entry : kLanguages) {
    const std::string_view algorithm = entry.former.empty() ? entry.algorithm : entry.former;
    if (entry.language == name && (algorithm == name || name == "porter")) return algorithm;
  }
  return {};
}

}  // namespace quarry
