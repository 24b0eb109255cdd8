// The table of languages. Elasticsearch's stemmer for greek is not available here; the Snowball
// stemmer is used: the analyzers agree on tokens and stop words, but not on every stem.
#include "text/analysis/language_analyzers.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "text/analysis/factories.h"
#include "text/char_filters/char_filters.h"
#include "text/filters/case_filters.h"
#include "text/filters/normalization_filter.h"
#include "text/filters/stop_filter.h"
#include "text/filters/word_filters.h"
#include "text/stemmers/stem_filter.h"
#include "text/tokenizers/standard_tokenizer.h"

namespace quarry {
namespace {

enum class Extra : uint8_t {
  kNone,
  kPossessive,  // English 's
  kElision,     // articles with an apostrophe
  kApostrophe,  // Turkish suffixes after an apostrophe
};

struct Language {
  std::string_view name;  // of the analyzer, its stop words and its stemmer
  Extra extra = Extra::kNone;
  std::string_view light = {};  // the light stemmer, if any; for dutch, Snowball's after exceptions
};

constexpr Language kLanguageAnalyzers[] = {
    {"arabic"},
    {"armenian"},
    {"basque"},
    {"bengali"},
    {"bulgarian"},
    {"catalan", Extra::kElision},
    {"czech"},
    {"danish"},
    {"dutch", Extra::kNone, "dutch"},
    {"english", Extra::kPossessive},
    {"finnish"},
    {"french", Extra::kElision, "light_french"},
    {"german", Extra::kNone, "light_german"},
    {"greek"},
    {"hindi"},
    {"hungarian"},
    {"indonesian"},
    {"irish", Extra::kElision},
    {"italian", Extra::kElision, "light_italian"},
    {"latvian"},
    {"lithuanian"},
    {"norwegian"},
    {"persian"},
    {"portuguese", Extra::kNone, "light_portuguese"},
    {"romanian"},
    {"russian"},
    {"serbian"},
    {"sorani"},
    {"spanish", Extra::kNone, "light_spanish"},
    {"swedish"},
    {"turkish", Extra::kApostrophe},
};

/// The normalizations of a language, since analysis version 3.
struct Normalizations {
  std::string_view language;
  std::vector<NormalizeWord> before_stop;      // and before words are excluded from stemming
  std::vector<NormalizeWord> after_exclusion;  // of words from stemming, before stop words
  std::vector<NormalizeWord> after_stop;
  std::vector<NormalizeWord> after_stemmer;
};

const Normalizations& find_normalizations(std::string_view language, uint32_t version) {
  static const std::vector<Normalizations> kNormalizations = {
      {"arabic", {normalize_decimal_digits}, {}, {normalize_arabic}, {}},
      {"bengali", {normalize_decimal_digits}, {normalize_indic, normalize_bengali}, {}, {}},
      {"hindi", {normalize_decimal_digits}, {normalize_indic, normalize_hindi}, {}, {}},
      {"persian", {normalize_decimal_digits, normalize_arabic, normalize_persian}, {}, {}, {}},
      {"serbian", {}, {}, {}, {normalize_serbian}},
      {"sorani", {normalize_decimal_digits}, {}, {}, {}},
  };
  static const Normalizations kNone{};
  if (version < 3) return kNone;
  for (const Normalizations& entry : kNormalizations) {
    if (entry.language == language) return entry;
  }
  return kNone;
}

void add_normalizations(const std::vector<NormalizeWord>& normalizations, Chain& chain) {
  for (const NormalizeWord normalize : normalizations) {
    chain.filters.push_back(std::make_shared<NormalizationFilter>(normalize));
  }
}

const Language* find_language(std::string_view name) {
  for (const Language& language : kLanguageAnalyzers) {
    if (language.name == name) return &language;
  }
  return nullptr;
}

std::vector<std::string> articles(std::string_view language) {
  if (language == "catalan") return {"d", "l", "m", "n", "s", "t"};
  if (language == "irish") return {"d", "m", "b"};
  if (language == "italian") {
    return {"c",    "l",    "all",  "dall", "dell", "nell", "sull", "coll", "pell", "gl", "agl",
            "dagl", "degl", "negl", "sugl", "un",   "m",    "t",    "s",    "v",    "d"};
  }
  return french_articles();
}

TokenFilterPtr lowercase_of(std::string_view language) {
  if (language == "greek") return std::make_shared<GreekLowercaseFilter>();
  if (language == "irish") return std::make_shared<IrishLowercaseFilter>();
  if (language == "turkish") return std::make_shared<TurkishLowercaseFilter>();
  return std::make_shared<LowercaseFilter>();
}

/// Elision and possessives are applied after lowercasing here (before it in Elasticsearch). The
/// result is the same, and the tokenizer can lowercase in its own pass.
void add_extra(const Language& language, Chain& chain) {
  switch (language.extra) {
    case Extra::kNone:
      break;
    case Extra::kPossessive:
      chain.filters.push_back(std::make_shared<PossessiveFilter>());
      break;
    case Extra::kElision:
      chain.filters.push_back(
          std::make_shared<ElisionFilter>(TermSet(articles(language.name)), false));
      break;
    case Extra::kApostrophe:
      chain.filters.push_back(std::make_shared<ApostropheFilter>());
      break;
  }
}

/// Words that Snowball stems incorrectly.
class DutchExceptions final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override {
    constexpr std::pair<std::string_view, std::string_view> kStems[] = {
        {"fiets", "fiets"}, {"bromfiets", "bromfiets"}, {"ei", "eier"}, {"kind", "kinder"}};
    for (Token& token : out.tokens) {
      if (token.keyword) continue;
      for (const auto& [word, stem] : kStems) {
        if (token.text != word) continue;
        token.text = stem;
        token.keyword = true;
        break;
      }
    }
  }
};

void add_stemmer(OptionReader& options, const Language& language, uint32_t version, Chain& chain) {
  const std::string_view usual = version == 1 ? "snowball" : "light";
  const std::string wanted = language.light.empty() ? "snowball" : options.text("stemmer", usual);
  if (wanted != "light" && wanted != "snowball") {
    options.fail("option [stemmer]: must be [light] or [snowball], got [" + wanted + "]");
    return;
  }
  if (wanted == "light" && language.name == "german")
    chain.filters.push_back(std::make_shared<NormalizationFilter>(normalize_german));
  if (wanted == "light" && language.name == "dutch")
    chain.filters.push_back(std::make_shared<DutchExceptions>());
  chain.filters.push_back(std::make_shared<StemFilter>(
      std::string(wanted == "light" ? language.light : stemmer_algorithm(language.name, version))));
}

}  // namespace

bool is_analyzer_language(std::string_view language) { return find_language(language) != nullptr; }

std::vector<std::string_view> analyzer_languages() {
  std::vector<std::string_view> names;
  for (const Language& language : kLanguageAnalyzers) names.push_back(language.name);
  return names;
}

void add_stop(OptionReader& options, std::string_view fallback, uint32_t version, Chain& chain) {
  options.refuse("stopwords_path", "list the words in [stopwords]");
  std::vector<std::string> given = options.list("stopwords");
  if (!options.has("stopwords")) given.emplace_back(fallback);
  auto words = resolve_stop_words(given, version);
  if (!words.ok()) {
    options.fail("option [stopwords]: " + words.status().reason());
    return;
  }
  if (words->empty()) return;
  chain.filters.push_back(std::make_shared<StopFilter>(TermSet(*words), StopFilter::Options{}));
}

Chain make_language_chain(OptionReader& options, std::string_view name, uint32_t version) {
  const Language& language = *find_language(name);
  const Normalizations& normalizations = find_normalizations(name, version);
  Chain chain;
  chain.tokenizer = std::make_shared<StandardTokenizer>();
  if (name == "persian") {
    // A non-joiner separates the parts of a word.
    std::map<std::string, std::string, std::less<>> separators{{"\u200C", " "}};
    chain.char_filters.push_back(std::make_shared<MappingCharFilter>(std::move(separators)));
  }
  if (name == "sorani") add_normalizations({normalize_sorani}, chain);
  // Prefixes that a hyphen separates from Irish words.
  if (name == "irish" && version >= 3) {
    TermSet prefixes(std::vector<std::string>{"h", "n", "t", "H", "N", "T"});
    chain.filters.push_back(
        std::make_shared<StopFilter>(std::move(prefixes), StopFilter::Options{}));
  }
  chain.filters.push_back(lowercase_of(name));
  add_normalizations(normalizations.before_stop, chain);
  options.refuse("stem_exclusion_path", "list the words in [stem_exclusion]");
  TermSet words(options.list("stem_exclusion"));
  TokenFilterPtr exclusion;
  if (!words.empty())
    exclusion = std::make_shared<KeywordMarkerFilter>(std::move(words), false, std::nullopt);
  if (exclusion != nullptr && !normalizations.after_exclusion.empty()) {
    chain.filters.push_back(std::exchange(exclusion, nullptr));
  }
  add_normalizations(normalizations.after_exclusion, chain);
  add_extra(language, chain);
  add_stop(options, "_" + std::string(name) + "_", version, chain);
  add_normalizations(normalizations.after_stop, chain);
  if (exclusion != nullptr) chain.filters.push_back(exclusion);
  // The persian analyzer has no stemmer.
  if (name != "persian") add_stemmer(options, language, version, chain);
  add_normalizations(normalizations.after_stemmer, chain);
  return chain;
}

}  // namespace quarry
