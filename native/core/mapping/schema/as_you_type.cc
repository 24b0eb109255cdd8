// Wraps the analyzers of a search_as_you_type field so that they yield runs of words (shingles) and
// prefixes of these.
#include "mapping/schema/as_you_type.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "text/analysis/chain.h"
#include "text/filters/shingle_filter.h"
#include "text/tokenizers/ngram.h"

namespace quarry {
namespace {

constexpr uint32_t kDefaultShingles = 3;
constexpr int64_t kFewest = 2;
constexpr int64_t kMost = 4;
constexpr uint32_t kLongestPrefix = 20;  // code points

// The names of the two filters in error messages.
constexpr std::string_view kRuns = "the runs of words of [search_as_you_type]";
constexpr std::string_view kBeginnings = "the beginnings of runs of [search_as_you_type]";

/// Applies the last filter of an analyzer and checks the budget of the text.
Status finish_with(const TokenFilter& filter, std::string_view label, TokenBuffer& out,
                   AnalysisBudget& budget) {
  QUARRY_RETURN_IF_ERROR(apply_filter(filter, label, out, budget));
  return budget.finish_text(out.tokens.size()) ? Status() : budget.refusal(label);
}

/// Yields the runs of `words` words from the tokens of another analyzer.
class ShingleAnalyzer final : public Analyzer {
 public:
  ShingleAnalyzer(const Analyzer& base, uint32_t words)
      : base_(base), shingles_({words, words, false, false, " ", "_"}) {}
  Status analyze(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const override {
    QUARRY_RETURN_IF_ERROR(base_.analyze(text, out, budget));
    return finish_with(shingles_, kRuns, out, budget);
  }
  Result<std::string> normalize(std::string_view term, AnalysisBudget& budget) const override {
    return base_.normalize(term, budget);
  }
  uint32_t position_increment_gap() const override { return base_.position_increment_gap(); }

 private:
  const Analyzer& base_;
  ShingleFilter shingles_;
};

/// Yields the prefixes of all runs of up to `words` words. A shorter run is a prefix of a longer
/// one.
class PrefixAnalyzer final : public Analyzer {
 public:
  PrefixAnalyzer(const Analyzer& base, uint32_t words)
      : base_(base),
        shingles_({2, words, true, false, " ", "_"}),
        beginnings_({1, kLongestPrefix}, GramSide::kFront, false) {}
  Status analyze(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const override {
    QUARRY_RETURN_IF_ERROR(base_.analyze(text, out, budget));
    QUARRY_RETURN_IF_ERROR(apply_filter(shingles_, kRuns, out, budget));
    return finish_with(beginnings_, kBeginnings, out, budget);
  }
  Result<std::string> normalize(std::string_view term, AnalysisBudget& budget) const override {
    return base_.normalize(term, budget);
  }
  uint32_t position_increment_gap() const override { return base_.position_increment_gap(); }

 private:
  const Analyzer& base_;
  ShingleFilter shingles_;
  NgramFilter beginnings_;
};

GramField make_gram_field(const Field& field, const std::string& name,
                          std::shared_ptr<const Analyzer> analyzer,
                          std::shared_ptr<const Analyzer> search_analyzer) {
  GramField made{field, std::move(analyzer), std::move(search_analyzer)};
  made.field.name = field.name + name;
  made.field.inferred = true;
  made.field.multi_fields.clear();
  made.field.copy_to.clear();
  made.field.analyzer = made.analyzer.get();
  made.field.search_analyzer = made.search_analyzer.get();
  made.field.search_quote_analyzer = made.search_analyzer.get();
  return made;
}

}  // namespace

bool is_no_as_you_type_parameter(std::string_view name) {
  constexpr std::string_view kOfTextAlone[] = {
      "position_increment_gap", "fielddata",     "fielddata_frequency_filter",
      "eager_global_ordinals",  "index_phrases", "index_prefixes"};
  return std::find(std::begin(kOfTextAlone), std::end(kOfTextAlone), name) !=
         std::end(kOfTextAlone);
}

Result<JsonValue> read_shingle_size(const JsonValue& value, const std::string& field) {
  const int64_t size = value.as_int().value_or(0);
  if (size >= kFewest && size <= kMost) return JsonValue::number(std::to_string(size));
  return Status(
      ErrorType::kMapperParsing,
      "[max_shingle_size] must be at least [2] and at most [4], got [" +
          (value.is_object() || value.is_array() ? value.to_json() : std::string(value.text())) +
          "] (field [" + field + "])");
}

Status check_no_doc_values(const JsonValue& value, const std::string& field) {
  if (value.text() == "false") return {};
  return {ErrorType::kMapperParsing,
          "Cannot set [doc_values] on field of type [search_as_you_type], leave it out (field [" +
              field + "])"};
}

std::vector<GramField> make_gram_fields(const Mapper& mapper, const Field& field) {
  std::vector<GramField> made;
  if (field.analyzer == nullptr || field.search_analyzer == nullptr) return made;
  const JsonValue* given = mapper.given("max_shingle_size");
  const auto most = given == nullptr
                        ? kDefaultShingles
                        : static_cast<uint32_t>(given->as_int().value_or(kDefaultShingles));
  for (uint32_t words = 2; words <= most; words++) {
    made.push_back(
        make_gram_field(field, "._" + std::to_string(words) + "gram",
                        std::make_shared<ShingleAnalyzer>(*field.analyzer, words),
                        std::make_shared<ShingleAnalyzer>(*field.search_analyzer, words)));
  }
  GramField prefixes = make_gram_field(
      field, "._index_prefix", std::make_shared<PrefixAnalyzer>(*field.analyzer, most),
      std::make_shared<ShingleAnalyzer>(*field.search_analyzer, most));
  prefixes.field.norms = false;
  made.push_back(std::move(prefixes));
  return made;
}

}  // namespace quarry
