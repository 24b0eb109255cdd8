// function_score combines a clause's scores with functions of each document; script_score replaces
// them by the value of a script.
// Combines the functions of a document to one factor, and the factor with the score of the clause.
#include <algorithm>
#include <cmath>
#include <utility>

#include "query/functions/score_function.h"
#include "query/plan/clause_table.h"
#include "query/scorers/changed_score.h"
#include "query/scorers/document_matches.h"

namespace quarry {
namespace {

enum class ScoreMode : uint8_t { kMultiply, kSum, kAvg, kFirst, kMax, kMin };
enum class BoostMode : uint8_t { kMultiply, kReplace, kSum, kAvg, kMin, kMax };
enum class FunctionKind : uint8_t { kWeight, kFieldValue, kRandom, kDecay, kScript };

constexpr std::string_view kScoreModeNames[] = {"multiply", "sum", "avg", "first", "max", "min"};
constexpr uint32_t kMaxFunctions = 1024;

struct FilteredFunction {
  WeightPtr filter;           // null: every document
  ScoreFunctionPtr function;  // null: 1
  float weight = NAN;         // NaN: none

  double score(uint32_t doc, float query_score) {
    const double value = function == nullptr ? 1.0 : function->score(doc, query_score);
    return std::isnan(weight) ? value : value * static_cast<double>(weight);
  }
  /// The share in the divisor of an average: the weight, or 1 without a weight.
  double share() const {
    return std::isnan(weight) || function == nullptr ? (std::isnan(weight) ? 1.0 : weight) : weight;
  }
};

struct FunctionSpec {
  std::vector<FilteredFunction> functions;
  ScoreMode score_mode = ScoreMode::kMultiply;
  BoostMode boost_mode = BoostMode::kMultiply;
  float max_boost = 0;
};

// As in Java, NaN propagates, so that the score is refused; std::min and std::max would ignore it.
double least_of(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? NAN : std::min(a, b);
}
double most_of(double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : std::max(a, b); }

/// Combines the values of the matching functions.
class Factor {
 public:
  explicit Factor(ScoreMode mode) : mode_(mode) {}
  void add(double value, double share) {
    switch (mode_) {
      case ScoreMode::kMultiply:
        value_ = any_ ? value_ * value : value;
        break;
      case ScoreMode::kMax:
        value_ = any_ ? most_of(value_, value) : value;
        break;
      case ScoreMode::kMin:
        value_ = any_ ? least_of(value_, value) : value;
        break;
      case ScoreMode::kFirst:
        if (!any_) value_ = value;
        break;
      default:
        value_ = any_ ? value_ + value : value;
        break;
    }
    shares_ += share;
    any_ = true;
  }
  bool settled() const { return any_ && mode_ == ScoreMode::kFirst; }
  double value() const {
    if (!any_) return 1;
    if (mode_ == ScoreMode::kAvg && shares_ != 0) return value_ / shares_;
    return mode_ == ScoreMode::kAvg ? 1 : value_;
  }

 private:
  ScoreMode mode_;
  double value_ = 1;
  double shares_ = 0;
  bool any_ = false;
};

float combine(BoostMode mode, double query, double factor) {
  switch (mode) {
    case BoostMode::kMultiply:
      return static_cast<float>(query * factor);
    case BoostMode::kReplace:
      return static_cast<float>(factor);
    case BoostMode::kSum:
      return static_cast<float>(query + factor);
    case BoostMode::kAvg:
      return static_cast<float>((query + factor) / 2.0);
    case BoostMode::kMin:
      return static_cast<float>(least_of(query, factor));
    default:
      return static_cast<float>(most_of(query, factor));
  }
}

/// Scores beyond float32 become its largest value, because sorting and JSON have no infinity.
float checked(float score, uint32_t doc, SearchProgress& progress) {
  if (std::isinf(score) && score > 0) return std::numeric_limits<float>::max();
  if (!(score < 0) && !std::isnan(score)) return score;
  progress.fail(Status(
      ErrorType::kIllegalArgument,
      "function score query returned an invalid score: " + float_text(static_cast<double>(score)) +
          " for doc: " + std::to_string(doc)));
  return 0;
}

class FunctionScores final : public LeafScore {
 public:
  FunctionScores(FunctionSpec& spec, const Leaf& leaf, uint64_t lead_cost, SearchProgress& progress)
      : spec_(spec), leaf_(leaf), progress_(progress) {
    for (const FilteredFunction& one : spec.functions) {
      filters_.push_back(one.filter == nullptr ? nullptr : one.filter->scorer(leaf, lead_cost));
    }
  }
  float score(uint32_t doc, float query_score) override {
    Factor factor(spec_.score_mode);
    for (size_t i = 0; i < spec_.functions.size() && !factor.settled(); i++) {
      FilteredFunction& one = spec_.functions[i];
      if (one.filter != nullptr && (filters_[i] == nullptr || !has_match(*filters_[i], doc)))
        continue;
      if (one.function != nullptr) one.function->enter(leaf_);
      factor.add(one.score(doc, query_score), one.share());
    }
    if (spec_.functions.empty()) return query_score;
    const double capped = least_of(factor.value(), static_cast<double>(spec_.max_boost));
    return checked(combine(spec_.boost_mode, static_cast<double>(query_score), capped), doc,
                   progress_);
  }

 private:
  FunctionSpec& spec_;
  const Leaf& leaf_;
  SearchProgress& progress_;
  std::vector<ScorerPtr> filters_;
};

Explanation explain_one(FilteredFunction& one, const Leaf& leaf, uint32_t doc,
                        const Explanation& query) {
  if (one.function != nullptr) one.function->enter(leaf);
  Explanation made = one.function == nullptr
                         ? Explanation::matched(1, "constant score 1.0 - no function provided")
                         : one.function->explain(doc, query);
  if (!std::isnan(one.weight)) {
    const double value = made.value * static_cast<double>(one.weight);
    std::vector<Explanation> parts;
    parts.push_back(std::move(made));
    parts.push_back(Explanation::matched(static_cast<double>(one.weight), "weight"));
    made = Explanation::matched(value, "product of:", std::move(parts));
  }
  if (one.filter == nullptr) return made;
  const double value = made.value;
  std::vector<Explanation> parts;
  parts.push_back(Explanation::matched(1, "match filter: " + one.filter->describe()));
  parts.push_back(std::move(made));
  return Explanation::matched(value, "function score, product of:", std::move(parts));
}

/// `value` is the score, which is computed with more precision than the parts show.
Explanation explain_combined(BoostMode mode, Explanation query, Explanation factor, float max_boost,
                             double value) {
  constexpr std::string_view kNames[] = {
      "function score, product of:", "", "sum of", "avg of", "min of", "max of"};
  const double capped = least_of(factor.value, static_cast<double>(max_boost));
  std::vector<Explanation> parts;
  parts.push_back(std::move(factor));
  parts.push_back(Explanation::matched(static_cast<double>(max_boost), "maxBoost"));
  Explanation least = Explanation::matched(mode == BoostMode::kReplace ? value : capped,
                                           "min of:", std::move(parts));
  if (mode == BoostMode::kReplace) return least;
  std::vector<Explanation> both;
  both.push_back(std::move(query));
  both.push_back(std::move(least));
  return Explanation::matched(value, std::string(kNames[static_cast<size_t>(mode)]),
                              std::move(both));
}

class FunctionScoreChange final : public ScoreChange {
 public:
  FunctionScoreChange(FunctionSpec spec, SearchProgress& progress)
      : spec_(std::move(spec)), progress_(progress) {}
  std::unique_ptr<LeafScore> bind(const Leaf& leaf, uint64_t lead_cost) override {
    return std::make_unique<FunctionScores>(spec_, leaf, lead_cost, progress_);
  }
  Explanation explain(const Leaf& leaf, uint32_t doc, Explanation query) override {
    if (spec_.functions.empty()) return query;
    const auto value =
        static_cast<double>(bind(leaf, 1)->score(doc, static_cast<float>(query.value)));
    Factor factor(spec_.score_mode);
    std::vector<Explanation> parts;
    for (FilteredFunction& one : spec_.functions) {
      if (one.filter != nullptr && !one.filter->explain(leaf, doc).match) continue;
      Explanation part = explain_one(one, leaf, doc, query);
      if (!factor.settled()) factor.add(part.value, one.share());
      parts.push_back(std::move(part));
    }
    if (parts.empty()) {
      return explain_combined(spec_.boost_mode, std::move(query),
                              Explanation::matched(1, "No function matched"), spec_.max_boost,
                              value);
    }
    const bool single = spec_.functions.size() == 1 && spec_.functions[0].filter == nullptr;
    Explanation whole =
        single ? std::move(parts[0])
               : Explanation::matched(
                     static_cast<double>(static_cast<float>(factor.value())),
                     "function score, score mode [" +
                         std::string(kScoreModeNames[static_cast<size_t>(spec_.score_mode)]) + "]",
                     std::move(parts));
    return explain_combined(spec_.boost_mode, std::move(query), std::move(whole), spec_.max_boost,
                            value);
  }
  std::string describe(const std::string& query) const override {
    return "function score (" + query + ", functions: " + std::to_string(spec_.functions.size()) +
           ")";
  }

 private:
  FunctionSpec spec_;
  SearchProgress& progress_;
};

/// Scores the value of the script times the boost.
class ScriptScoreChange final : public ScoreChange {
 public:
  ScriptScoreChange(ScoreFunctionPtr script, float boost, SearchProgress& progress)
      : script_(std::move(script)), boost_(boost), progress_(progress) {}
  std::unique_ptr<LeafScore> bind(const Leaf& leaf, uint64_t /*lead_cost*/) override {
    return std::make_unique<Scores>(*this, leaf);
  }
  Explanation explain(const Leaf& leaf, uint32_t doc, Explanation query) override {
    script_->enter(leaf);
    Explanation made = script_->explain(doc, query);
    if (boost_ == 1) return made;
    const double value = made.value * static_cast<double>(boost_);
    std::vector<Explanation> parts;
    parts.push_back(Explanation::matched(static_cast<double>(boost_), "boost"));
    parts.push_back(std::move(made));
    return Explanation::matched(value, "Boosted score, product of:", std::move(parts));
  }
  std::string describe(const std::string& query) const override {
    return "script_score (" + query + ")";
  }

 private:
  class Scores final : public LeafScore {
   public:
    Scores(ScriptScoreChange& change, const Leaf& leaf) : change_(change), leaf_(leaf) {}
    float score(uint32_t doc, float query_score) override {
      change_.script_->enter(leaf_);
      const double value = change_.script_->score(doc, query_score);
      return checked(static_cast<float>(value * static_cast<double>(change_.boost_)), doc,
                     change_.progress_);
    }

   private:
    ScriptScoreChange& change_;
    const Leaf& leaf_;
  };

  ScoreFunctionPtr script_;
  float boost_;
  SearchProgress& progress_;
};

Result<ScoreFunctionPtr> read_kind(FunctionKind kind, PlanReader& reader, Compiler& compiler) {
  switch (kind) {
    case FunctionKind::kWeight:
      return ScoreFunctionPtr();
    case FunctionKind::kFieldValue:
      return read_field_value_factor(reader, compiler);
    case FunctionKind::kRandom:
      return read_random_score(reader, compiler);
    case FunctionKind::kDecay:
      return read_decay(reader, compiler);
    case FunctionKind::kScript:
      return read_script_function(reader, compiler);
  }
  return malformed_clause("function_score");
}

Result<FilteredFunction> read_function(PlanReader& reader, Compiler& compiler) {
  FilteredFunction one;
  const auto kind = reader.get<FunctionKind>();
  one.weight = reader.get<float>();
  if (reader.get<uint8_t>() != 0) {
    QUARRY_ASSIGN_OR_RETURN(const PlanNode node, read_node(reader));
    QUARRY_ASSIGN_OR_RETURN(one.filter, compiler.compile_filter(node));
  }
  if (reader.failed() || std::isinf(one.weight) || one.weight < 0)
    return malformed_clause("function_score");
  QUARRY_ASSIGN_OR_RETURN(one.function, read_kind(kind, reader, compiler));
  return one;
}

}  // namespace

Result<WeightPtr> compile_function_score(PlanReader& reader, Compiler& compiler, Scope scope) {
  FunctionSpec spec;
  QUARRY_ASSIGN_OR_RETURN(const PlanNode node, read_node(reader));
  spec.score_mode = reader.get<ScoreMode>();
  spec.boost_mode = reader.get<BoostMode>();
  spec.max_boost = reader.get<float>();
  const auto min_score = reader.get<float>();
  const auto count = reader.get<uint32_t>();
  if (reader.failed() || spec.score_mode > ScoreMode::kMin || spec.boost_mode > BoostMode::kMax ||
      std::isnan(spec.max_boost) || count > kMaxFunctions)
    return malformed_clause("function_score");
  for (uint32_t i = 0; i < count; i++) {
    QUARRY_ASSIGN_OR_RETURN(FilteredFunction one, read_function(reader, compiler));
    spec.functions.push_back(std::move(one));
  }
  if (count == 1 && spec.functions[0].filter == nullptr) spec.score_mode = ScoreMode::kFirst;
  const bool scores = scope.scores || !std::isnan(min_score);
  // Scores depend on statistics of all segments.
  if (!std::isnan(min_score)) compiler.depends_on_snapshot();
  QUARRY_ASSIGN_OR_RETURN(WeightPtr query, compiler.compile(node, {scope.boost, scores}));
  return make_changed_score(
      std::move(query), std::make_unique<FunctionScoreChange>(std::move(spec), compiler.progress()),
      min_score, scope.scores, compiler.progress());
}

Result<WeightPtr> compile_script_score(PlanReader& reader, Compiler& compiler, Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(const PlanNode node, read_node(reader));
  const auto min_score = reader.get<float>();
  QUARRY_ASSIGN_OR_RETURN(ScoreFunctionPtr script, read_script_function(reader, compiler));
  const bool scores = scope.scores || !std::isnan(min_score);
  // Scores depend on statistics of all segments.
  if (!std::isnan(min_score)) compiler.depends_on_snapshot();
  QUARRY_ASSIGN_OR_RETURN(WeightPtr query, compiler.compile(node, {1.0F, scores}));
  return make_changed_score(
      std::move(query),
      std::make_unique<ScriptScoreChange>(std::move(script), scope.boost, compiler.progress()),
      min_score, scope.scores, compiler.progress());
}

}  // namespace quarry
