// Reads the options of the filters that split tokens or join parts of them.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"
#include "text/filters/cjk_bigram_filter.h"
#include "text/filters/common_grams_filter.h"
#include "text/filters/decompounder_filter.h"
#include "text/filters/filter_makers.h"
#include "text/filters/flatten_graph_filter.h"
#include "text/filters/multiplexer_filter.h"
#include "text/filters/pattern_capture_filter.h"
#include "text/filters/stop_filter.h"
#include "text/filters/word_delimiter_filter.h"

namespace quarry {
namespace {

struct TypeName {
  std::string_view name;
  uint8_t type;
};
constexpr TypeName kTypeNames[] = {
    {"LOWER", WordPartType::kLower},       {"UPPER", WordPartType::kUpper},
    {"ALPHA", WordPartType::kAlpha},       {"DIGIT", WordPartType::kDigit},
    {"ALPHANUM", WordPartType::kAlphanum}, {"SUBWORD_DELIM", WordPartType::kDelimiter},
};

/// Filters that all branches of a multiplexer name together; each runs for every token.
constexpr size_t kMaxMultiplexedFilters = 64;

/// The character on the left of a rule: one character of the basic plane, or an escape such as
/// \u002C or \t. 0 when it is neither.
uint32_t rule_character(std::string_view text) {
  if (text.starts_with("\\u") && text.size() == 6) {
    uint32_t value = 0;
    for (const char c : text.substr(2)) {
      const size_t digit = std::string_view("0123456789abcdef").find(static_cast<char>(c | 0x20));
      if (digit == std::string_view::npos) return 0;
      value = value * 16 + static_cast<uint32_t>(digit);
    }
    return value;
  }
  constexpr std::pair<std::string_view, uint32_t> kEscapes[] = {
      {"\\\\", '\\'}, {"\\n", '\n'}, {"\\t", '\t'}, {"\\r", '\r'}, {"\\b", '\b'}, {"\\f", '\f'},
  };
  for (const auto& [escape, value] : kEscapes) {
    if (text == escape) return value;
  }
  const CodePoint cp = text.empty() ? CodePoint{0, 0} : decode_utf8(text, 0);
  return cp.bytes == text.size() && cp.value <= 0xFFFF ? cp.value : 0;
}

/// Reads one rule of a `type_table`: "$ => DIGIT".
bool add_type_rule(std::string_view rule, std::map<uint32_t, uint8_t>& types) {
  const size_t arrow = rule.rfind("=>");
  if (arrow == std::string_view::npos) return false;
  const uint32_t character = rule_character(trim_ascii(rule.substr(0, arrow)));
  const std::string_view name = trim_ascii(rule.substr(arrow + 2));
  for (const TypeName& entry : kTypeNames) {
    if (entry.name != name || character == 0) continue;
    types[character] = entry.type;
    return true;
  }
  return false;
}

WordPartTypes read_types(OptionReader& options) {
  options.refuse("type_table_path", "list the rules in [type_table]");
  if (!options.has("type_table")) return {};
  std::map<uint32_t, uint8_t> types;
  for (const std::string& rule : options.list("type_table")) {
    if (!add_type_rule(rule, types))
      options.fail("Invalid Mapping Rule: [" + rule +
                   "], write [c => TYPE] with one character of the basic plane and LOWER, UPPER, "
                   "ALPHA, DIGIT, ALPHANUM or SUBWORD_DELIM");
  }
  return WordPartTypes(std::move(types));
}

TokenFilterPtr read_word_delimiter(OptionReader& options, bool graph) {
  WordDelimiterOptions out;
  out.generate_word_parts = options.flag("generate_word_parts", true);
  out.generate_number_parts = options.flag("generate_number_parts", true);
  out.catenate_words = options.flag("catenate_words", false);
  out.catenate_numbers = options.flag("catenate_numbers", false);
  out.catenate_all = options.flag("catenate_all", false);
  out.preserve_original = options.flag("preserve_original", false);
  out.split_on_case_change = options.flag("split_on_case_change", true);
  out.split_on_numerics = options.flag("split_on_numerics", true);
  out.stem_english_possessive = options.flag("stem_english_possessive", true);
  if (graph) {
    out.ignore_keywords = options.flag("ignore_keywords", false);
    out.adjust_offsets = options.flag("adjust_offsets", true);
  }
  options.refuse("protected_words_path", "list the words in [protected_words]");
  out.protect_ignores_case = options.flag("protected_words_case", false);
  out.protected_words = read_words(options, "protected_words", out.protect_ignores_case);
  out.types = read_types(options);
  return make_word_delimiter_filter(std::move(out), graph);
}

/// Reads "lowercase, porter_stem": the names of one branch of a multiplexer.
MultiplexerFilter::Branch read_branch(std::string_view names, OptionReader& options,
                                      const FilterContext& context) {
  MultiplexerFilter::Branch branch;
  Chain before = context.before;
  for (bool more = true; more;) {
    const size_t comma = names.find(',');
    more = comma != std::string_view::npos;
    const std::string_view name = trim_ascii(names.substr(0, comma));
    if (more) names.remove_prefix(comma + 1);
    if (name.empty()) continue;
    auto filter = context.find_filter(name, before);
    if (filter.ok()) {
      branch.push_back(filter->component);
      before.filters.push_back(std::move(*filter));
    } else {
      options.fail(filter.status().reason());
    }
  }
  if (branch.empty()) options.fail("[filters] has an entry that names no filter");
  return branch;
}

}  // namespace

TokenFilterPtr make_word_delimiter(OptionReader& options, const FilterContext&) {
  return read_word_delimiter(options, false);
}

TokenFilterPtr make_word_delimiter_graph(OptionReader& options, const FilterContext&) {
  return read_word_delimiter(options, true);
}

TokenFilterPtr make_flatten_graph(OptionReader&, const FilterContext&) {
  return std::make_shared<FlattenGraphFilter>();
}

TokenFilterPtr make_pattern_capture(OptionReader& options, const FilterContext&) {
  const bool preserve_original = options.flag("preserve_original", true);
  if (!options.has("patterns")) options.fail("required setting 'patterns' is missing");
  std::vector<Regex> patterns;
  for (const std::string& pattern : options.list("patterns")) {
    auto regex = Regex::compile(pattern, RegexFlags{});
    if (regex.ok()) {
      patterns.push_back(std::move(*regex));
    } else {
      options.fail(regex.status().reason());
    }
  }
  return std::make_shared<PatternCaptureFilter>(std::move(patterns), preserve_original);
}

TokenFilterPtr make_multiplexer(OptionReader& options, const FilterContext& context) {
  std::vector<MultiplexerFilter::Branch> branches;
  if (options.flag("preserve_original", true)) branches.emplace_back();
  size_t count = 0;
  for (const std::string& names : options.list("filters")) {
    branches.push_back(read_branch(names, options, context));
    count += branches.back().size();
    if (options.failed()) return nullptr;
    if (count > kMaxMultiplexedFilters) {
      options.fail("option [filters] may name " + std::to_string(kMaxMultiplexedFilters) +
                   " filters");
      return nullptr;
    }
  }
  if (branches.empty()) options.fail("multiplexer requires [filters]");
  return std::make_shared<MultiplexerFilter>(std::move(branches));
}

TokenFilterPtr make_cjk_bigram(OptionReader& options, const FilterContext&) {
  CjkBigramFilter::Options out;
  out.unigrams = options.flag("output_unigrams", false);
  for (const std::string& given : options.list("ignored_scripts")) {
    const std::string script = to_lower(given);
    bool* const chosen = script == "han"        ? &out.han
                         : script == "hiragana" ? &out.hiragana
                         : script == "katakana" ? &out.katakana
                         : script == "hangul"   ? &out.hangul
                                                : nullptr;
    if (chosen == nullptr) {
      options.fail(
          "option [ignored_scripts] must list han, hiragana, katakana or hangul but has [" + given +
          "]");
      return nullptr;
    }
    *chosen = false;
  }
  return std::make_shared<CjkBigramFilter>(out);
}

TokenFilterPtr make_common_grams(OptionReader& options, const FilterContext& context) {
  CommonGramsFilter::Options out;
  out.ignore_case = options.flag("ignore_case", false);
  out.query_mode = options.flag("query_mode", false);
  options.refuse("common_words_path", "list the words in [common_words]");
  auto words = resolve_stop_words(options.list("common_words"), context.limits.version);
  if (!words.ok()) {
    options.fail("option [common_words]: " + words.status().reason());
    return nullptr;
  }
  if (words->empty()) options.fail("missing or empty [common_words] or [common_words_path]");
  if (out.ignore_case) {
    for (std::string& word : *words) word = to_lower(word);
  }
  return std::make_shared<CommonGramsFilter>(TermSet(*words), out);
}

TokenFilterPtr make_dictionary_decompounder(OptionReader& options, const FilterContext&) {
  DecompounderFilter::Options out;
  out.min_word = options.number("min_word_size", 5, 0, kMaxFilterLength);
  out.min_part = options.number("min_subword_size", 2, 0, kMaxFilterLength);
  out.max_part = options.number("max_subword_size", 15, 0, kMaxFilterLength);
  out.longest_only = options.flag("only_longest_match", false);
  out.ignore_case = options.flag("word_list_case", false);
  options.refuse("word_list_path", "list the words in [word_list]");
  TermSet words = read_words(options, "word_list", out.ignore_case);
  if (words.empty())
    options.fail(
        "word_list must be provided for [dictionary_decompounder], either as a parameter "
        "or a file");
  return std::make_shared<DecompounderFilter>(std::move(words), out);
}

}  // namespace quarry
