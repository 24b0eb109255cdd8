// Maps the names of stemmers in Elasticsearch to Snowball algorithms.
#include "text/analysis/factories.h"
#include "text/analysis/unicode.h"
#include "text/stemmers/stem_filter.h"

namespace quarry {
namespace {

struct StemmerLanguage {
  std::string_view language;
  std::string_view algorithm;
  std::string_view former = {};  // before analysis version 3, when it differs
};

// For greek Elasticsearch does not use Snowball's stemmer; Snowball's is used here. In
// Elasticsearch "english" is the original Porter algorithm, "porter2" its revision.
constexpr StemmerLanguage kLanguages[] = {
    {"arabic", "light_arabic", "arabic"},
    {"armenian", "armenian"},
    {"basque", "basque"},
    {"bengali", "light_bengali"},
    {"bulgarian", "light_bulgarian"},
    {"catalan", "catalan"},
    {"czech", "light_czech"},
    {"danish", "danish"},
    {"dutch", "dutch"},
    {"english", "porter"},
    {"finnish", "finnish"},
    {"french", "french"},
    {"german", "german"},
    {"greek", "greek"},
    {"hindi", "light_hindi", "hindi"},
    {"hungarian", "hungarian"},
    {"indonesian", "light_indonesian", "indonesian"},
    {"irish", "irish"},
    {"italian", "italian"},
    {"kstem", kKStem},
    {"latvian", "light_latvian"},
    {"light_english", kKStem},
    {"light_finnish", "light_finnish"},
    {"light_french", "light_french"},
    {"light_german", "light_german"},
    {"light_hungarian", "light_hungarian"},
    {"light_italian", "light_italian"},
    {"light_norwegian", "light_norwegian"},
    {"light_nynorsk", "light_nynorsk"},
    {"light_portuguese", "light_portuguese"},
    {"light_russian", "light_russian"},
    {"light_spanish", "light_spanish"},
    {"light_swedish", "light_swedish"},
    {"lithuanian", "lithuanian"},
    {"minimal_english", "minimal_english"},
    {"minimal_french", "minimal_french"},
    {"minimal_german", "minimal_german"},
    {"minimal_norwegian", "minimal_norwegian"},
    {"minimal_nynorsk", "minimal_nynorsk"},
    {"minimal_portuguese", "minimal_portuguese"},
    {"minimal_swedish", "minimal_swedish"},
    {"nepali", "nepali"},
    {"norwegian", "norwegian"},
    {"persian", "light_persian"},
    {"porter", "porter"},
    {"porter2", "english"},
    {"portuguese", "portuguese"},
    {"romanian", "romanian"},
    {"russian", "russian"},
    {"serbian", "serbian"},
    {"sorani", "light_sorani"},
    {"spanish", "spanish"},
    {"swedish", "swedish"},
    {"tamil", "tamil"},
    {"turkish", "turkish"},
    {"yiddish", "yiddish"},
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
    if (entry.language != name || algorithm == kKStem) continue;
    if (algorithm == name || name == "porter") return algorithm;
  }
  return {};
}

}  // namespace quarry
