// Reads the options of lowercase, uppercase, asciifolding, stop and the stemmers.
#include "text/analysis/unicode.h"
#include "text/filters/case_filters.h"
#include "text/filters/filter_makers.h"
#include "text/filters/normalization_filter.h"
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

static void refuse_unicode_set(OptionReader& options) {
  for (const std::string_view option : {"unicode_set_filter", "unicodeSetFilter"}) {
    options.refuse(option, "use a [mapping] char filter for single letters, or a second field");
  }
}

NormalForm read_normal_form(OptionReader& options) {
  refuse_unicode_set(options);
  const std::string name = options.choice("name", "nfkc_cf", {"nfc", "nfkc", "nfkc_cf"});
  return name == "nfc"    ? NormalForm::kCanonical
         : name == "nfkc" ? NormalForm::kCompatible
                          : NormalForm::kCasefold;
}

TokenFilterPtr make_icu_folding(OptionReader& options, const FilterContext&) {
  refuse_unicode_set(options);
  return std::make_shared<NormalizationFilter>(fold_icu);
}

TokenFilterPtr make_icu_normalizer(OptionReader& options, const FilterContext&) {
  const NormalForm form = read_normal_form(options);
  return std::make_shared<NormalizationFilter>(form == NormalForm::kCanonical ? normalize_nfc
                                               : form == NormalForm::kCompatible
                                                   ? normalize_nfkc
                                                   : normalize_nfkc_casefold);
}

TokenFilterPtr make_stop(OptionReader& options, const FilterContext& context) {
  StopFilter::Options stop;
  stop.ignore_case = options.flag("ignore_case", false);
  stop.remove_trailing = options.flag("remove_trailing", true);
  options.refuse("stopwords_path", "list the words in [stopwords]");
  const bool given = options.has("stopwords");
  auto words =
      resolve_stop_words(given ? options.list("stopwords") : std::vector<std::string>{"_english_"},
                         context.limits.version);
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
  if (!algorithm.empty()) return std::make_shared<StemFilter>(std::string(algorithm));
  const UnsupportedType* known = find_unsupported_stemmer(to_lower(language));
  options.fail("option [" + std::string(option) + "]: " +
               (known == nullptr ? "no stemmer is named [" + language + "]"
                                 : "stemmer [" + language +
                                       "] is not supported: " + std::string(known->remedy)));
  return nullptr;
}

TokenFilterPtr make_stemmer(OptionReader& options, const FilterContext& context) {
  const std::string_view option =
      options.has("name") && !options.has("language") ? "name" : "language";
  const std::string language = options.text(option, "porter");
  std::string name = to_lower(language);
  // The names of several words are also known in camel case.
  for (const std::string_view first : {"light", "minimal", "possessive"}) {
    if (name.starts_with(first) && name.size() > first.size() && name[first.size()] != '_')
      name.insert(first.size(), "_");
  }
  if (name == "possessive_english") return std::make_shared<PossessiveFilter>();
  return make_stem(options, option, language, stemmer_algorithm(name, context.limits.version));
}

TokenFilterPtr make_snowball(OptionReader& options, const FilterContext&) {
  const std::string language = options.text("language", "English");
  return make_stem(options, "language", language, snowball_algorithm(language));
}

}  // namespace quarry
