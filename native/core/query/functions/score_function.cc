// field_value_factor and scripts.
#include "query/functions/score_function.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "base/status.h"
#include "mapping/values/numeric.h"
#include "query/functions/script.h"

namespace quarry {
namespace {

enum class Modifier : uint8_t {
  kNone,
  kLog,
  kLog1p,
  kLog2p,
  kLn,
  kLn1p,
  kLn2p,
  kSquare,
  kSqrt,
  kReciprocal
};
constexpr std::string_view kModifierNames[] = {"none", "log",  "log1p",  "log2p", "ln",
                                               "ln1p", "ln2p", "square", "sqrt",  "reciprocal"};

double apply(Modifier modifier, double value) {
  switch (modifier) {
    case Modifier::kNone:
      return value;
    case Modifier::kLog:
      return std::log10(value);
    case Modifier::kLog1p:
      return std::log10(value + 1);
    case Modifier::kLog2p:
      return std::log10(value + 2);
    case Modifier::kLn:
      return std::log(value);
    case Modifier::kLn1p:
      return std::log1p(value);
    case Modifier::kLn2p:
      return std::log1p(value + 1);
    case Modifier::kSquare:
      return value * value;
    case Modifier::kSqrt:
      return std::sqrt(value);
    default:
      return 1.0 / value;
  }
}

class FieldValueFactor final : public ScoreFunction {
 public:
  FieldValueFactor(const Field* field, std::string name, double factor, Modifier modifier,
                   double missing, SearchProgress& progress)
      : field_(field),
        name_(std::move(name)),
        factor_(factor),
        modifier_(modifier),
        missing_(missing),
        progress_(progress) {}

  double score(uint32_t doc, float /*query_score*/) override {
    double value = missing_;
    if (column_ != nullptr && column_->count(doc) > 0) {
      value = column_to_double(*field_, column_->value(doc));
    } else if (std::isnan(missing_)) {
      progress_.fail(illegal_argument("Missing value for field [" + name_ +
                                      "], set [missing] for documents without one"));
      return 0;
    }
    const double result = apply(modifier_, value * factor_);
    if (result < 0) refuse(result, value);
    return result;
  }
  Explanation explain(uint32_t doc, const Explanation& /*query*/) override {
    const std::string missing = std::isnan(missing_) ? "" : "?:" + float_text(missing_);
    return Explanation::matched(
        static_cast<double>(static_cast<float>(score(doc, 0))),
        "field value function: " + std::string(kModifierNames[static_cast<size_t>(modifier_)]) +
            "(doc['" + name_ + "'].value" + missing + " * factor=" + float_text(factor_) + ")");
  }

 protected:
  void start_leaf(const Leaf& leaf) override {
    const SegmentField* held = leaf.segment->field(name_);
    column_ = held == nullptr || field_ == nullptr ? nullptr : held->column;
  }

 private:
  void refuse(double result, double value) {
    std::string why = "field value function must not produce negative scores, but got: [" +
                      float_text(result) + "] for field value: [" + float_text(value) + "]";
    if (modifier_ == Modifier::kLn) {
      why += "; consider using ln1p or ln2p instead of ln to avoid negative scores";
    } else if (modifier_ == Modifier::kLog) {
      why += "; consider using log1p or log2p instead of log to avoid negative scores";
    }
    progress_.fail(illegal_argument(std::move(why)));
  }

  const Field* field_;  // null: unmapped
  std::string name_;
  double factor_;
  Modifier modifier_;
  double missing_;  // NaN: none
  SearchProgress& progress_;
  const Column* column_ = nullptr;
};

class ScriptFunction final : public ScoreFunction {
 public:
  ScriptFunction(std::unique_ptr<Script> script, SearchProgress& progress)
      : script_(std::move(script)), progress_(progress) {}

  double score(uint32_t doc, float query_score) override {
    const ScriptValue value = script_->run(doc, query_score);
    const double result = value.as_number();
    if (value.is_text()) {
      script_->fail("it must give a number");
    } else if (result < 0 || std::isnan(result)) {
      progress_.fail(illegal_argument("script_score script returned an invalid score [" +
                                      float_text(result) + "] for doc [" + std::to_string(doc) +
                                      "]. Must be a non-negative score!"));
    }
    return result;
  }
  Explanation explain(uint32_t doc, const Explanation& query) override {
    std::vector<Explanation> details;
    details.push_back(Explanation::matched(query.value, "_score: ", {query}));
    return Explanation::matched(
        score(doc, static_cast<float>(query.value)),
        "script score function, computed with script:\"" + std::string(script_->source()) + "\"",
        std::move(details));
  }

 protected:
  void start_leaf(const Leaf& leaf) override { script_->enter(leaf); }

 private:
  std::unique_ptr<Script> script_;
  SearchProgress& progress_;
};

}  // namespace

Result<double> parse_duration(std::string_view text, const std::string& what) {
  struct Unit {
    std::string_view name;
    double ms;
  };
  constexpr Unit kUnits[] = {{"nanos", 1e-6}, {"micros", 1e-3}, {"ms", 1},      {"s", 1000},
                             {"m", 60000},    {"h", 3600000},   {"d", 86400000}};
  int64_t count = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit(rest, static_cast<size_t>(text.data() + text.size() - rest));
  for (const Unit& known : kUnits) {
    if (error == std::errc() && unit == known.name) return static_cast<double>(count) * known.ms;
  }
  if (error == std::errc() && count == 0 && unit.empty()) return 0.0;
  return illegal_argument("failed to parse " + what + " with value [" + std::string(text) +
                          "] as a time value, expected a number with a unit such as [10d]");
}

Result<ScoreFunctionPtr> read_field_value_factor(PlanReader& reader, Compiler& compiler) {
  const std::string name(reader.get_string());
  const auto factor = reader.get<float>();
  const auto modifier = reader.get<uint8_t>();
  const auto missing = reader.get<double>();
  if (reader.failed() || !std::isfinite(factor) ||
      modifier > static_cast<uint8_t>(Modifier::kReciprocal))
    return malformed_clause("field_value_factor");
  const ResolvedField resolved = compiler.resolve(name);
  const Field* field = resolved.field;
  if (field == nullptr && std::isnan(missing)) {
    return illegal_argument("Unable to find a field mapper for field [" + name +
                            "]. No 'missing' value defined.");
  }
  if (field != nullptr && (!field->is_numeric() || !field->doc_values)) {
    return illegal_argument("[field_value_factor] needs a number with doc values, field [" + name +
                            "] is of type [" + std::string(field_type_name(field->type)) + "]");
  }
  return ScoreFunctionPtr(std::make_unique<FieldValueFactor>(
      field, field == nullptr ? name : field->name, static_cast<double>(factor),
      static_cast<Modifier>(modifier), missing, compiler.progress()));
}

Result<ScoreFunctionPtr> read_script_function(PlanReader& reader, Compiler& compiler) {
  QUARRY_ASSIGN_OR_RETURN(std::unique_ptr<Script> script, Script::read(reader, compiler));
  return ScoreFunctionPtr(std::make_unique<ScriptFunction>(std::move(script), compiler.progress()));
}

}  // namespace quarry
