// Reads the options of the filters in word_filters.h.
#include "text/analysis/pattern_options.h"
#include "text/analysis/unicode.h"
#include "text/filters/filter_makers.h"
#include "text/filters/word_filters.h"

namespace quarry {
TermSet read_words(OptionReader& options, std::string_view option, bool ignore_case) {
  auto words = options.list(option);
  if (ignore_case) {
    for (std::string& word : words) word = to_lower(word);
  }
  return TermSet(words);
}

TokenFilterPtr make_apostrophe(OptionReader&, const FilterContext&) {
  return std::make_shared<ApostropheFilter>();
}

TokenFilterPtr make_classic(OptionReader&, const FilterContext&) {
  return std::make_shared<ClassicFilter>();
}

TokenFilterPtr make_elision(OptionReader& options, const FilterContext&) {
  options.refuse("articles_path", "list the articles in [articles]");
  if (!options.has("articles")) {
    return std::make_shared<ElisionFilter>(TermSet(french_articles()), true);
  }
  const bool ignore_case = options.flag("articles_case", false);
  return std::make_shared<ElisionFilter>(read_words(options, "articles", ignore_case), ignore_case);
}

TokenFilterPtr make_fingerprint(OptionReader& options, const FilterContext&) {
  const std::string separator = options.text("separator", " ");
  return std::make_shared<FingerprintFilter>(
      separator, options.number("max_output_size", 255, 0, kMaxFilterLength));
}

TokenFilterPtr make_keep(OptionReader& options, const FilterContext&) {
  options.refuse("keep_words_path", "list the words in [keep_words]");
  if (!options.has("keep_words")) options.fail("keep requires [keep_words]");
  const bool ignore_case = options.flag("keep_words_case", false);
  return std::make_shared<KeepFilter>(read_words(options, "keep_words", ignore_case), ignore_case);
}

TokenFilterPtr make_keyword_marker(OptionReader& options, const FilterContext&) {
  options.refuse("keywords_path", "list the words in [keywords]");
  const bool ignore_case = options.flag("ignore_case", false);
  TermSet words = read_words(options, "keywords", ignore_case);
  std::optional<Regex> pattern;
  if (options.has("keywords_pattern")) {
    if (!words.empty()) options.fail("give either [keywords] or [keywords_pattern], not both");
    auto regex = Regex::compile(options.text("keywords_pattern", ""), RegexFlags{});
    if (!regex.ok()) {
      options.fail(regex.status().reason());
      return nullptr;
    }
    pattern = std::move(*regex);
  } else if (words.empty()) {
    options.fail("keyword_marker requires [keywords] or [keywords_pattern]");
  }
  return std::make_shared<KeywordMarkerFilter>(std::move(words), ignore_case, std::move(pattern));
}

TokenFilterPtr make_keyword_repeat(OptionReader&, const FilterContext&) {
  return std::make_shared<KeywordRepeatFilter>();
}

TokenFilterPtr make_length(OptionReader& options, const FilterContext&) {
  const uint32_t min = options.number("min", 0, 0, kMaxFilterLength);
  const uint32_t max = options.number("max", kMaxFilterLength, 0, kMaxFilterLength);
  if (min > max) options.fail("[min] must not be greater than [max]");
  return std::make_shared<LengthFilter>(min, max);
}

TokenFilterPtr make_limit(OptionReader& options, const FilterContext&) {
  options.flag("consume_all_tokens", false);  // no effect: all tokens are always produced
  return std::make_shared<LimitFilter>(options.number("max_token_count", 1, 1, kMaxFilterLength));
}

TokenFilterPtr make_pattern_replace(OptionReader& options, const FilterContext&) {
  const bool all = options.flag("all", true);
  auto read = read_replacement(options);
  if (!read) return nullptr;
  return std::make_shared<PatternReplaceFilter>(std::move(read->first), std::move(read->second),
                                                all);
}

TokenFilterPtr make_remove_duplicates(OptionReader&, const FilterContext&) {
  return std::make_shared<UniqueFilter>(true);
}

TokenFilterPtr make_reverse(OptionReader&, const FilterContext&) {
  return std::make_shared<ReverseFilter>();
}

namespace {

/// Adds the words of "a, b => stem"; false for another form.
bool add_override(std::string_view rule, StemmerOverrideFilter::Stems& stems) {
  const size_t arrow = rule.find("=>");
  if (arrow == std::string_view::npos || rule.find("=>", arrow + 2) != std::string_view::npos)
    return false;
  const std::string_view stem = trim_ascii(rule.substr(arrow + 2));
  std::string_view words = rule.substr(0, arrow);
  if (stem.empty() || stem.find(',') != std::string_view::npos) return false;
  for (bool more = true; more;) {
    const size_t comma = words.find(',');
    more = comma != std::string_view::npos;
    const std::string_view word = trim_ascii(words.substr(0, comma));
    if (word.empty()) return false;
    stems.try_emplace(std::string(word), stem);  // the first rule of a word holds
    if (more) words.remove_prefix(comma + 1);
  }
  return true;
}

}  // namespace

TokenFilterPtr make_stemmer_override(OptionReader& options, const FilterContext&) {
  options.refuse("rules_path", "list the rules in [rules]");
  if (!options.has("rules")) options.fail("stemmer_override requires [rules]");
  StemmerOverrideFilter::Stems stems;
  for (const std::string& rule : options.list("rules")) {
    if (!add_override(rule, stems))
      options.fail("Invalid Keyword Override Rule:" + rule + ", write [word, word => stem]");
  }
  return std::make_shared<StemmerOverrideFilter>(std::move(stems));
}

TokenFilterPtr make_trim(OptionReader&, const FilterContext&) {
  return std::make_shared<TrimFilter>();
}

TokenFilterPtr make_truncate(OptionReader& options, const FilterContext&) {
  return std::make_shared<TruncateFilter>(options.number("length", 10, 1, kMaxFilterLength));
}

TokenFilterPtr make_unique(OptionReader& options, const FilterContext&) {
  return std::make_shared<UniqueFilter>(options.flag("only_on_same_position", false));
}

}  // namespace quarry
