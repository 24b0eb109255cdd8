// Maps the names of stemmers in Elasticsearch to Snowball algorithms.
#include "text/analysis/factories.h"
#include "text/analysis/unicode.h"

namespace quarry {
namespace {

struct StemmerLanguage {
  std::string_view language;
  std::string_view algorithm;
};

// For arabic, greek, hindi and indonesian Elasticsearch does not use Snowball's stemmer; the
// Snowball stemmer is used here. In Elasticsearch "english" is the original Porter algorithm,
// "porter2" its revision.
constexpr StemmerLanguage kLanguages[] = {
    {"arabic", "arabic"},
    {"armenian", "armenian"},
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
    {"hindi", "hindi"},
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

std::string_view stemmer_algorithm(std::string_view language) {
  for (const StemmerLanguage& entry : kLanguages) {
    if (entry.language == language) return entry.algorithm;
  }
  return {};
}

std::string_view snowball_algorithm(std::string_view language) {
  const std::string name = to_lower(language);
  return stemmer_algorithm(name == "english" ? "porter2" : name);
}

}  // namespace quarry
