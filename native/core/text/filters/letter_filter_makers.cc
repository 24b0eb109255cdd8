// Reads the options of lowercase, uppercase, asciifolding, stop and the stemmers.
#include "text/analysis/unicode.h"
#include "text/filters/case_filters.h"
#include "text/filters/filter_makers.h"
#include "text/filters/stop_filter.h"
#include "text/stemmers/stem_filter.h"

namespace quarry {
TokenFilterPtr make_lowercase(OptionReader& options, const FilterContext&) {
  if (!options.has("language")) return std::make_shared<LowercaseFilter>();
  const std::string language = options.choice("language", "", {"greek", "irish", "turkish"});
  if (language == "greek") return std::make_shared<GreekLowercaseFilter>();
  if (language == "irish") return std::make_shared<IrishLowercaseFilter>();
  return std::make_shared<TurkishLowercaseFilter>();
}
TokenFilterPtr make_uppercase(OptionReader&, const FilterContext&) {
  return std::make_shared<UppercaseFilter>();
}
TokenFilterPtr make_asciifolding(OptionReader& options, const FilterContext&) {
  return std::make_shared<AsciiFoldingFilter>(options.flag("preserve_original", false));
}

TokenFilterPtr make_stop(OptionReader& options, const FilterContext&) {
  StopFilter::Options stop;
  stop.ignore_case = options.flag("ignore_case", false);
  stop.remove_trailing = options.flag("remove_trailing", true);
  options.refuse("stopwords_path", "list the words in [stopwords]");
  const bool given = options.has("stopwords");
  auto words =
      resolve_stop_words(given ? options.list("stopwords") : std::vector<std::string>{"_english_"});
  if (!words.ok()) {
    options.fail("option [stopwords]: " + words.status().reason());
    return nullptr;
  }
  if (stop.ignore_case) {
    for (std::string& word : *words) word = to_lower(word);
  }
  return std::make_shared<StopFilter>(TermSet(*words), stop);
}

/// Shared by `stemmer` and `snowball`: the filter for a language, or a recorded error.
static TokenFilterPtr make_stem(OptionReader& options, std::string_view option,
                                const std::string& language, std::string_view algorithm) {
  if (algorithm.empty()) {
    options.fail("option [" + std::string(option) + "]: no stemmer is named [" + language + "]");
    return nullptr;
  }
  return std::make_shared<StemFilter>(std::string(algorithm));
}

TokenFilterPtr make_stemmer(OptionReader& options, const FilterContext&) {
  const std::string_view option =
      options.has("name") && !options.has("language") ? "name" : "language";
  const std::string language = options.text(option, "porter");
  if (language == "possessive_english") return std::make_shared<PossessiveFilter>();
  return make_stem(options, option, language, stemmer_algorithm(to_lower(language)));
}

TokenFilterPtr make_snowball(OptionReader& options, const FilterContext&) {
  const std::string language = options.text("language", "English");
  return make_stem(options, "language", language, snowball_algorithm(language));
}

TokenFilterPtr make_porter_stem(OptionReader&, const FilterContext&) {
  return std::make_shared<StemFilter>(std::string(kPorter));
}

}  // namespace quarry
