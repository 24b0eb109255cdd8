// Tokenizers by type.
#include "text/char_tokenizers.h"
#include "text/factories.h"
#include "text/standard_tokenizer.h"

namespace quarry {
namespace {

// Elasticsearch refuses longer ones for the standard tokenizer (its buffer limit).
constexpr uint32_t kLongestToken = 1024 * 1024;

using Make = TokenizerPtr (*)(OptionReader& options, const AnalysisLimits& limits);

TokenizerPtr make_standard(OptionReader& options, const AnalysisLimits&) {
  return std::make_shared<StandardTokenizer>(
      options.number("max_token_length", kDefaultMaxTokenLength, 1, kLongestToken));
}

TokenizerPtr make_keyword(OptionReader& options, const AnalysisLimits&) {
  options.number("buffer_size", 256, 1,
                 UINT32_MAX);  // a hint of Lucene's reader; results do not depend on it
  return std::make_shared<KeywordTokenizer>();
}

TokenizerPtr make_whitespace(OptionReader& options, const AnalysisLimits&) {
  return make_whitespace_tokenizer(
      options.number("max_token_length", kDefaultMaxTokenLength, 1, kLongestToken));
}

TokenizerPtr make_letter(OptionReader&, const AnalysisLimits&) {
  return make_letter_tokenizer(false);
}
TokenizerPtr make_lowercase(OptionReader&, const AnalysisLimits&) {
  return make_letter_tokenizer(true);
}

struct TokenizerType {
  std::string_view type;
  Make make;
};
constexpr TokenizerType kTypes[] = {
    {"keyword", make_keyword},   {"letter", make_letter},         {"lowercase", make_lowercase},
    {"standard", make_standard}, {"whitespace", make_whitespace},
};

const TokenizerType* find_type(std::string_view type) {
  for (const TokenizerType& entry : kTypes) {
    if (entry.type == type) return &entry;
  }
  return nullptr;
}

}  // namespace

bool is_tokenizer_type(std::string_view type) { return find_type(type) != nullptr; }

Result<TokenizerPtr> make_tokenizer(std::string_view name, const ComponentSpec& spec,
                                    const AnalysisLimits& limits) {
  const TokenizerType* entry = find_type(spec.type);
  if (entry == nullptr) {
    return Status(ErrorType::kIllegalArgument,
                  "Unknown tokenizer type [" + spec.type + "] for [" + std::string(name) + "]");
  }
  OptionReader options("tokenizer", name, spec);
  TokenizerPtr tokenizer = entry->make(options, limits);
  QUARRY_RETURN_IF_ERROR(options.finish());
  return tokenizer;
}

}  // namespace quarry
