// Reads the options of ngram, edge_ngram, shingle and synonym.
#include <algorithm>

#include "text/analysis/gram_options.h"
#include "text/filters/filter_makers.h"
#include "text/filters/shingle_filter.h"
#include "text/filters/synonym_filter.h"

namespace quarry {
namespace {

// A larger shingle size is a mistake, and costs memory for every token.
constexpr uint32_t kMaxShingleSize = 100;

/// The chain that analyzes synonym rules. Earlier synonym filters do not apply to rules.
Chain rule_chain(const Chain& before) {
  Chain chain = before;
  std::erase_if(chain.filters, [](const ChainPart<TokenFilter>& filter) {
    return dynamic_cast<const SynonymFilter*>(filter.component.get()) != nullptr;
  });
  return chain;
}

/// The words of one term of a rule, which must be consecutive, one per position.
Result<SynonymWords> analyse_term(const Analyzer& analyzer, std::string_view term,
                                  AnalysisBudget& budget) {
  TokenBuffer buffer;
  QUARRY_RETURN_IF_ERROR(analyzer.analyze(term, buffer, budget));
  SynonymWords words;
  for (const Token& token : buffer.tokens) {
    if (token.position != words.size()) {
      return Status(ErrorType::kIllegalArgument,
                    "term: " + std::string(term) + " analyzed to a token (" +
                        std::string(token.text) + ") with position increment != 1");
    }
    words.emplace_back(token.text);
  }
  if (words.empty()) {
    return Status(ErrorType::kIllegalArgument,
                  "term: " + std::string(term) + " was completely eliminated by analyzer");
  }
  return words;
}

}  // namespace

GramSizes read_gram_sizes(OptionReader& options, uint32_t max_diff, std::string_view what) {
  GramSizes sizes;
  sizes.min = options.number("min_gram", 1, 1, kMaxGram);
  sizes.max = options.number("max_gram", 2, 1, kMaxGram);
  if (sizes.min > sizes.max) {
    options.fail("[min_gram] must not be greater than [max_gram]");
  } else if (sizes.max - sizes.min > max_diff) {
    options.fail(
        "The difference between max_gram and min_gram in " + std::string(what) +
        " must be less than or equal to: [" + std::to_string(max_diff) + "] but was [" +
        std::to_string(sizes.max - sizes.min) +
        "]. This limit can be set by changing the [index.max_ngram_diff] index level setting.");
  }
  return sizes;
}

TokenFilterPtr make_ngram(OptionReader& options, const FilterContext& context) {
  const GramSizes sizes =
      read_gram_sizes(options, context.limits.max_ngram_diff, "NGram Token Filter");
  return std::make_shared<NgramFilter>(sizes, GramSide::kAll,
                                       options.flag("preserve_original", false));
}

TokenFilterPtr make_edge_ngram(OptionReader& options, const FilterContext&) {
  const GramSizes sizes = read_gram_sizes(options, kMaxGram, "EdgeNGram Token Filter");
  const std::string side = options.choice("side", "front", {"front", "back"});
  return std::make_shared<NgramFilter>(sizes, side == "back" ? GramSide::kBack : GramSide::kFront,
                                       options.flag("preserve_original", false));
}

TokenFilterPtr make_shingle(OptionReader& options, const FilterContext& context) {
  ShingleFilter::Options shingle;
  shingle.max = options.number("max_shingle_size", 2, 2, kMaxShingleSize);
  shingle.min = options.number("min_shingle_size", 2, 2, kMaxShingleSize);
  shingle.unigrams = options.flag("output_unigrams", true);
  shingle.unigrams_if_no_shingles = options.flag("output_unigrams_if_no_shingles", false);
  shingle.separator = options.text("token_separator", " ");
  shingle.filler = options.text("filler_token", "_");
  if (shingle.min > shingle.max) {
    options.fail("[min_shingle_size] must not be greater than [max_shingle_size]");
    return nullptr;
  }
  const uint32_t diff = shingle.max - shingle.min + (shingle.unigrams ? 1 : 0);
  if (diff > context.limits.max_shingle_diff) {
    options.fail(
        "In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and "
        "+1 if "
        "outputting unigrams) must be less than or equal to: [" +
        std::to_string(context.limits.max_shingle_diff) + "] but was [" + std::to_string(diff) +
        "]. This limit can be set by changing the [index.max_shingle_diff] index level setting.");
  }
  return std::make_shared<ShingleFilter>(std::move(shingle));
}

namespace {

TokenFilterPtr synonym_filter(OptionReader& options, const FilterContext& context, bool graph) {
  options.refuse("synonyms_path", "list the rules in [synonyms]");
  options.refuse("synonyms_set", "list the rules in [synonyms]");
  options.choice("format", "solr", {"solr"});
  options.choice("updateable", "false", {"false"});
  SynonymOptions synonym;
  synonym.expand = options.flag("expand", true);
  synonym.lenient = options.flag("lenient", false);
  if (!options.has("synonyms")) options.fail("synonym requires [synonyms] to be configured");
  const auto lines = options.list("synonyms");
  if (options.failed()) return nullptr;
  const ChainAnalyzer analyzer(rule_chain(context.before));
  AnalysisBudget budget;
  synonym.max_words -= std::min(synonym.max_words, context.synonym_words);
  auto map = parse_synonyms(
      lines, synonym, [&](std::string_view term) { return analyse_term(analyzer, term, budget); });
  if (!map.ok()) {
    options.fail(map.status().reason());
    return nullptr;
  }
  context.synonym_words += map->words();
  return std::make_shared<SynonymFilter>(std::move(*map), graph);
}

}  // namespace

TokenFilterPtr make_synonym(OptionReader& options, const FilterContext& context) {
  return synonym_filter(options, context, false);
}

TokenFilterPtr make_synonym_graph(OptionReader& options, const FilterContext& context) {
  return synonym_filter(options, context, true);
}

}  // namespace quarry
