// Creates tokenizers by type.
#include "text/analysis/factories.h"
#include "text/analysis/gram_options.h"
#include "text/analysis/pattern_options.h"
#include "text/analysis/utf8.h"
#include "text/tokenizers/char_tokenizers.h"
#include "text/tokenizers/classic_tokenizer.h"
#include "text/tokenizers/path_tokenizer.h"
#include "text/tokenizers/standard_tokenizer.h"
#include "text/tokenizers/url_email_tokenizer.h"

namespace quarry {
namespace {

// Elasticsearch's maximum for the standard tokenizer (its buffer limit).
constexpr uint32_t kLongestToken = 1024 * 1024;

using MakeTokenizer = TokenizerPtr (*)(OptionReader& options, const AnalysisLimits& limits);

TokenizerPtr read_standard_tokenizer(OptionReader& options, const AnalysisLimits&) {
  return std::make_shared<StandardTokenizer>(
      options.number("max_token_length", kDefaultMaxTokenLength, 1, kLongestToken));
}

TokenizerPtr read_url_email_tokenizer(OptionReader& options, const AnalysisLimits&) {
  return std::make_shared<UrlEmailTokenizer>(
      options.number("max_token_length", kDefaultMaxTokenLength, 1, kLongestToken));
}

TokenizerPtr read_classic_tokenizer(OptionReader& options, const AnalysisLimits&) {
  return std::make_shared<ClassicTokenizer>(
      options.number("max_token_length", kDefaultMaxTokenLength, 1, kLongestToken));
}

TokenizerPtr read_keyword_tokenizer(OptionReader& options, const AnalysisLimits&) {
  options.number("buffer_size", 256, 1,
                 UINT32_MAX);  // a performance hint in Lucene that does not affect results
  return std::make_shared<KeywordTokenizer>();
}

TokenizerPtr read_whitespace_tokenizer(OptionReader& options, const AnalysisLimits&) {
  return make_whitespace_tokenizer(
      options.number("max_token_length", kDefaultMaxTokenLength, 1, kLongestToken));
}

TokenizerPtr read_letter_tokenizer(OptionReader&, const AnalysisLimits&) {
  return make_letter_tokenizer(false);
}
TokenizerPtr read_lowercase_tokenizer(OptionReader&, const AnalysisLimits&) {
  return make_letter_tokenizer(true);
}

/// The characters of `token_chars`; null when all characters belong to tokens.
std::unique_ptr<CharClasses> read_token_chars(OptionReader& options) {
  const auto names = options.list("token_chars");
  const std::string custom = options.text("custom_token_chars", "");
  if (names.empty()) return nullptr;
  auto chars = std::make_unique<CharClasses>();
  for (const std::string& name : names) {
    if (name == "custom") {
      if (custom.empty()) options.fail("token char [custom] requires [custom_token_chars]");
      for (size_t at = 0; at < custom.size();) {
        const CodePoint cp = decode_utf8(custom, at);
        chars->add_char(cp.value);
        at += cp.bytes;
      }
    } else if (!chars->add_class(name)) {
      options.fail("Unknown token type: '" + name +
                   "', must be one of [symbol, letter, digit, punctuation, whitespace, custom]");
    }
  }
  return chars;
}

TokenizerPtr read_ngram_tokenizer(OptionReader& options, const AnalysisLimits& limits) {
  const GramSizes sizes = read_gram_sizes(options, limits.max_ngram_diff, "NGram Tokenizer");
  return std::make_shared<NgramTokenizer>(sizes, false, read_token_chars(options));
}

TokenizerPtr read_edge_ngram_tokenizer(OptionReader& options, const AnalysisLimits&) {
  const GramSizes sizes = read_gram_sizes(options, kMaxGram, "EdgeNGram Tokenizer");
  return std::make_shared<NgramTokenizer>(sizes, true, read_token_chars(options));
}

TokenizerPtr read_pattern_tokenizer(OptionReader& options, const AnalysisLimits&) {
  return make_pattern_tokenizer(options);
}

/// Adds one item of `tokenize_on_chars`: a class name, a character, or an escape.
bool add_group_char(const std::string& entry, CharClasses& chars) {
  if (entry == "\\n" || entry == "\\t" || entry == "\\r" || entry == "\\\\") {
    chars.add_char(entry[1] == 'n' ? '\n' : entry[1] == 't' ? '\t' : entry[1] == 'r' ? '\r' : '\\');
    return true;
  }
  const CodePoint cp = entry.empty() ? CodePoint{0, 0} : decode_utf8(entry, 0);
  if (cp.bytes == 0 || cp.bytes != entry.size()) return chars.add_class(entry);
  chars.add_char(cp.value);
  return true;
}

TokenizerPtr read_char_group_tokenizer(OptionReader& options, const AnalysisLimits&) {
  auto chars = std::make_unique<CharClasses>();
  for (const std::string& entry : options.list("tokenize_on_chars")) {
    if (!add_group_char(entry, *chars)) {
      options.fail("[tokenize_on_chars] has [" + entry +
                   "], which is neither one character nor a class of characters");
    }
  }
  chars->invert();
  const uint32_t longest =
      options.number("max_token_length", kDefaultMaxTokenLength, 1, kLongestToken);
  return std::make_shared<CharTokenizer>(std::move(chars), longest, false);
}

TokenizerPtr read_path_hierarchy_tokenizer(OptionReader& options, const AnalysisLimits&) {
  PathTokenizer::Options path;
  const std::string delimiter = options.text("delimiter", "/");
  const std::string replacement = options.text("replacement", delimiter);
  options.number("buffer_size", 1024, 1, UINT32_MAX);  // a performance hint in Lucene
  path.reverse = options.flag("reverse", false);
  path.skip = options.number("skip", 0, 0, INT32_MAX);
  if (delimiter.size() != 1 || replacement.size() != 1) {
    options.fail("[delimiter] and [replacement] must be one ASCII character");
    return nullptr;
  }
  path.delimiter = delimiter.front();
  path.replacement = replacement.front();
  return std::make_shared<PathTokenizer>(path);
}

struct TokenizerType {
  std::string_view type;
  MakeTokenizer make;
};
// "simple" is the name of the lowercase tokenizer in Quarry's own index settings.
constexpr TokenizerType kTokenizerTypes[] = {
    {"char_group", read_char_group_tokenizer}, {"classic", read_classic_tokenizer},
    {"edge_ngram", read_edge_ngram_tokenizer}, {"keyword", read_keyword_tokenizer},
    {"letter", read_letter_tokenizer},         {"lowercase", read_lowercase_tokenizer},
    {"ngram", read_ngram_tokenizer},           {"path_hierarchy", read_path_hierarchy_tokenizer},
    {"pattern", read_pattern_tokenizer},       {"simple", read_lowercase_tokenizer},
    {"standard", read_standard_tokenizer},     {"uax_url_email", read_url_email_tokenizer},
    {"whitespace", read_whitespace_tokenizer},
};

const TokenizerType* find_tokenizer_type(std::string_view type) {
  for (const TokenizerType& entry : kTokenizerTypes) {
    if (entry.type == type) return &entry;
  }
  return nullptr;
}

}  // namespace

bool is_tokenizer_type(std::string_view type) {
  return find_tokenizer_type(type) != nullptr || find_unsupported_tokenizer(type) != nullptr;
}

Result<TokenizerPtr> make_tokenizer(std::string_view name, const ComponentSpec& spec,
                                    const AnalysisLimits& limits) {
  const TokenizerType* entry = find_tokenizer_type(spec.type);
  if (entry == nullptr) {
    if (const UnsupportedType* known = find_unsupported_tokenizer(spec.type))
      return unsupported_type("tokenizer", name, *known);
    return Status(ErrorType::kIllegalArgument,
                  "Unknown tokenizer type [" + spec.type + "] for [" + std::string(name) + "]");
  }
  OptionReader options("tokenizer", name, spec);
  TokenizerPtr tokenizer = entry->make(options, limits);
  QUARRY_RETURN_IF_ERROR(options.finish());
  return tokenizer;
}

}  // namespace quarry
