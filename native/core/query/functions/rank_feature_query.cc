// The functions of a feature's value, computed in the precision of Lucene's FeatureField.
#include "query/functions/rank_feature_query.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mapping/values/feature_value.h"
#include "query/cache/filter_cache.h"
#include "query/functions/score_function.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/postings_union.h"

namespace quarry {
namespace {

enum class FeatureFunction : uint8_t { kLog, kSaturation, kSigmoid, kLinear };

/// A feature of a field, as the clause names it.
struct Feature {
  const Field* field = nullptr;
  std::string name;  // empty for a rank_feature field
  std::string prefix() const { return feature_prefix(name); }
  /// The names of explanations: those of Lucene's field and feature.
  std::string shown_field() const { return name.empty() ? "_feature" : field->name; }
  std::string shown_name() const { return name.empty() ? field->name : name; }
};

struct FeatureScore {
  FeatureFunction function = FeatureFunction::kSaturation;
  float weight = 1;
  float pivot = 1;     // kLog: the scaling factor
  float exponent = 1;  // kSigmoid
  /// Grows with the value.
  float of(float value) const {
    const auto whole = static_cast<double>(weight);
    switch (function) {
      case FeatureFunction::kLog:
        return static_cast<float>(whole * std::log(static_cast<double>(pivot + value)));
      case FeatureFunction::kSaturation:
        return weight * (1 - pivot / (value + pivot));
      case FeatureFunction::kSigmoid: {
        const double power = std::pow(static_cast<double>(pivot), static_cast<double>(exponent));
        const double raised = std::pow(static_cast<double>(value), static_cast<double>(exponent));
        return static_cast<float>(whole * (1 - power / (raised + power)));
      }
      case FeatureFunction::kLinear:
        break;
    }
    return weight * value;
  }
};

/// The terms of a feature in a segment, in the order of their values.
TermDictionary::Range terms_of(const SegmentField* field, std::string_view prefix) {
  if (field == nullptr || field->inverted == nullptr || field->column == nullptr) return {};
  return field->inverted->terms().prefix_range(prefix);
}

/// Documents that have the feature, and the sum of its codes over them; deleted ones included.
struct FeatureTotals {
  uint64_t docs = 0;
  uint64_t codes = 0;
};

FeatureTotals count_codes(const SegmentField* field, std::string_view prefix, StopCheck& stop) {
  FeatureTotals sum;
  const TermDictionary::Range range = terms_of(field, prefix);
  for (uint32_t ordinal = range.begin; ordinal < range.end; ordinal++) {
    if (stop.step(1)) break;
    const TermDictionary& terms = field->inverted->terms();
    const uint64_t docs = terms.info(ordinal).doc_freq;
    sum.docs += docs;
    sum.codes += docs * feature_code(terms.term(ordinal));
  }
  return sum;
}

FeatureTotals count_segment(const SearchContext& context,
                            const std::shared_ptr<const Segment>& segment, const Feature& feature,
                            StopCheck& stop) {
  const SegmentField* field = segment->field(feature.field->name);
  if (context.filters == nullptr || field == nullptr)
    return count_codes(field, feature.prefix(), stop);
  const std::string key = FilterCache::joint_name("feature", feature.field->name, feature.prefix());
  const FilterCache::Counted known = context.filters->find_totals(segment, key);
  if (known.totals != nullptr && known.totals->size() == 2)
    return {(*known.totals)[0], (*known.totals)[1]};
  const FeatureTotals counted = count_codes(field, feature.prefix(), stop);
  if (known.requested_before && !stop.stopped()) {
    context.filters->put_totals(
        segment, key,
        std::make_shared<const SegmentTotals>(SegmentTotals{counted.docs, counted.codes}));
  }
  return counted;
}

/// Calls take(segment) for the segments of all shards of the index, which it may keep.
template <typename Take>
void each_view(const SearchContext& context, Take take) {
  const auto add = [&take](const ShardView& view) {
    for (const SegmentView& segment : view.segments) take(segment.segment);
  };
  for (const ShardView* shard : context.all_shards) add(*shard);
  if (context.all_shards.empty()) add(*context.view);
}

/// About the geometric mean of the values: the value of the mean code, over all shards.
float default_pivot(Compiler& compiler, const Feature& feature) {
  FeatureTotals sum;
  each_view(compiler.context(), [&](const std::shared_ptr<const Segment>& segment) {
    const FeatureTotals counted =
        count_segment(compiler.context(), segment, feature, compiler.progress().stop);
    sum.docs += counted.docs;
    sum.codes += counted.codes;
  });
  if (sum.docs == 0) return 1;
  const double mean = static_cast<double>(sum.codes) / static_cast<double>(sum.docs);
  return decode_feature(static_cast<uint32_t>(static_cast<float>(mean)));
}

/// The largest score in any segment.
float largest_score(const Compiler& compiler, const Feature& feature, const FeatureScore& score) {
  float largest = 0;
  compiler.each_segment([&](const Segment& segment) {
    const SegmentField* field = segment.field(feature.field->name);
    const TermDictionary::Range range = terms_of(field, feature.prefix());
    if (range.begin >= range.end) return;
    const uint32_t code = feature_code(field->inverted->terms().term(range.end - 1));
    largest = std::max(largest, score.of(decode_feature(code)));
  });
  return largest;
}

/// Reads the value of a feature of a document through its ordinals.
class FeatureValues {
 public:
  FeatureValues(const SegmentField& field, TermDictionary::Range range)
      : column_(*field.column), terms_(field.inverted->terms()), range_(range) {}
  std::optional<float> value(uint32_t doc) const {
    uint32_t low = 0;
    uint32_t high = column_.count(doc);
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (column_.value(doc, middle) < range_.begin) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == column_.count(doc)) return std::nullopt;
    const int64_t ordinal = column_.value(doc, low);
    if (ordinal < range_.begin || ordinal >= range_.end) return std::nullopt;
    return decode_feature(feature_code(terms_.term(static_cast<uint32_t>(ordinal))));
  }
  float largest() const { return decode_feature(feature_code(terms_.term(range_.end - 1))); }

 private:
  const Column& column_;
  const TermDictionary& terms_;
  TermDictionary::Range range_;
};

class RankFeatureScorer final : public Scorer {
 public:
  RankFeatureScorer(ScorerPtr present, const FeatureValues& values, const FeatureScore& score,
                    WorkCounters* counters)
      : present_(std::move(present)),
        values_(values),
        score_(score),
        counters_(counters),
        bound_(score.of(values.largest())) {}
  uint32_t next() override { return move(present_->next()); }
  uint32_t advance(uint32_t target) override { return move(present_->advance(target)); }
  float score() override {
    if (counters_ != nullptr) counters_->docs_scored++;
    return score_.of(values_.value(doc()).value_or(0));
  }
  uint64_t cost() const override { return present_->cost(); }
  float bound() const override { return bound_; }

 private:
  ScorerPtr present_;
  FeatureValues values_;
  const FeatureScore& score_;
  WorkCounters* counters_;
  float bound_;
};

std::string_view function_name(FeatureFunction function) {
  switch (function) {
    case FeatureFunction::kLog:
      return "Log";
    case FeatureFunction::kSaturation:
      return "Saturation";
    case FeatureFunction::kSigmoid:
      return "Sigmoid";
    default:
      return "Linear";
  }
}

Explanation explain_feature(const Feature& feature, const FeatureScore& score, float value) {
  std::string formula = "w * S";
  std::vector<Explanation> parts;
  parts.push_back(Explanation::matched(score.weight, "w, weight of this function"));
  constexpr std::string_view kPivot =
      "k, pivot feature value that would give a score contribution equal to w/2";
  if (score.function == FeatureFunction::kLog) {
    formula = "w * log(a + S)";
    parts.push_back(Explanation::matched(score.pivot, "a, scaling factor"));
  } else if (score.function == FeatureFunction::kSaturation) {
    formula = "w * S / (S + k)";
    parts.push_back(Explanation::matched(score.pivot, std::string(kPivot)));
  } else if (score.function == FeatureFunction::kSigmoid) {
    formula = "w * S^a / (S^a + k^a)";
    parts.push_back(Explanation::matched(score.pivot, std::string(kPivot)));
    parts.push_back(Explanation::matched(
        score.exponent,
        "a, exponent, higher values make the function grow slower before k and faster after k"));
  }
  parts.push_back(Explanation::matched(value, "S, feature value"));
  return Explanation::matched(score.of(value),
                              std::string(function_name(score.function)) + " function on the " +
                                  feature.shown_field() + " field for the " + feature.shown_name() +
                                  " feature, computed as " + formula + " from:",
                              std::move(parts));
}

class RankFeatureWeight final : public ConstantWeight {
 public:
  RankFeatureWeight(Feature feature, const FeatureScore& score, float bound, bool scores)
      : ConstantWeight(bound),
        feature_(std::move(feature)),
        prefix_(feature_.prefix()),
        score_of_(score),
        scores_(scores) {}
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    ScorerPtr present = ConstantWeight::scorer(leaf, lead_cost);
    if (present == nullptr || !scores_) return present;
    const SegmentField* field = leaf.segment->field(feature_.field->name);
    return std::make_unique<RankFeatureScorer>(std::move(present),
                                               FeatureValues(*field, terms_of(field, prefix_)),
                                               score_of_, leaf.counters);
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    const SegmentField* field = leaf.segment->field(feature_.field->name);
    const TermDictionary::Range range = terms_of(field, prefix_);
    if (range.begin < range.end) {
      const std::optional<float> value = FeatureValues(*field, range).value(doc);
      if (value) return explain_feature(feature_, score_of_, *value);
    }
    return Explanation::no_match("weight(" + describe() + " in " + std::to_string(doc) +
                                 "). Feature " + feature_.shown_name() + " doesn't exist.");
  }
  std::string describe() const override {
    return "FeatureQuery(field=" + feature_.shown_field() + ", feature=" + feature_.shown_name() +
           ", function=" + std::string(function_name(score_of_.function)) + "Function)";
  }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    const SegmentField* field = leaf.segment->field(feature_.field->name);
    const TermDictionary::Range range = terms_of(field, prefix_);
    if (range.begin >= range.end)
      return std::make_shared<DocIdSet>(std::vector<uint32_t>{}, leaf.max_doc);
    return union_of_term_range(leaf, *field, true, range.begin, range.end);
  }
  uint64_t estimate(const Leaf& leaf) override {
    const TermDictionary::Range range =
        terms_of(leaf.segment->field(feature_.field->name), prefix_);
    return range.begin < range.end ? leaf.max_doc : 0;
  }

 private:
  Feature feature_;
  std::string prefix_;
  FeatureScore score_of_;
  bool scores_;
};

/// Empty for a name that is not mapped.
Result<std::optional<Feature>> find_feature(Compiler& compiler, std::string_view name) {
  const ResolvedField resolved = compiler.resolve(name);
  if (resolved.field != nullptr && resolved.field->traits().features == FeatureKind::kSingle)
    return std::optional<Feature>({resolved.field, {}});
  if (resolved.kind != ResolvedField::Kind::kUnmapped) {
    const std::string_view type =
        resolved.field != nullptr ? field_type_name(resolved.field->type) : name;
    return illegal_argument(
        "[rank_feature] query only works on [rank_feature] fields and features of "
        "[rank_features] fields, not [" +
        std::string(type) + "]");
  }
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::optional<Feature>();
  const ResolvedField parent = compiler.resolve(name.substr(0, dot));
  if (parent.field == nullptr || parent.field->traits().features != FeatureKind::kKeyed)
    return std::optional<Feature>();
  return std::optional<Feature>({parent.field, std::string(name.substr(dot + 1))});
}

Status check_score(const Feature& feature, const FeatureScore& score) {
  const auto must_be = [](std::string_view name, std::string_view what, float value) {
    return illegal_argument(std::string(name) + " must be " + std::string(what) +
                            ", got: " + float_text(value));
  };
  const auto is_positive = [](float value) { return std::isfinite(value) && value > 0; };
  switch (score.function) {
    case FeatureFunction::kLog:
      if (feature.name.empty() && !feature.field->positive_impact) {
        return illegal_argument(
            "Cannot use the [log] function with a field that has a negative score impact as it "
            "would trigger negative scores");
      }
      if (!std::isfinite(score.pivot) || score.pivot < 1)
        return must_be("scalingFactor", ">= 1", score.pivot);
      return {};
    case FeatureFunction::kSigmoid:
      if (!is_positive(score.pivot)) return must_be("pivot", "> 0", score.pivot);
      return is_positive(score.exponent) ? Status() : must_be("exp", "> 0", score.exponent);
    case FeatureFunction::kSaturation:
      return is_positive(score.pivot) ? Status() : must_be("pivot", "> 0", score.pivot);
    case FeatureFunction::kLinear:
      break;
  }
  return {};
}

WeightPtr make_feature(const Compiler& compiler, Feature feature, const FeatureScore& score,
                       Scope scope) {
  const float bound = scope.scores ? largest_score(compiler, feature, score) : 0;
  return std::make_unique<RankFeatureWeight>(std::move(feature), score, bound, scope.scores);
}

}  // namespace

Result<WeightPtr> compile_rank_feature(PlanReader& reader, Compiler& compiler, Scope scope) {
  const std::string_view name = reader.get_string();
  const auto function = reader.get<uint8_t>();
  FeatureScore score;
  score.weight = scope.boost;
  score.pivot = reader.get<float>();
  score.exponent = reader.get<float>();
  if (reader.failed() || function > static_cast<uint8_t>(FeatureFunction::kLinear))
    return malformed_clause("rank_feature");
  score.function = static_cast<FeatureFunction>(function);
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  QUARRY_ASSIGN_OR_RETURN(std::optional<Feature> feature, find_feature(compiler, name));
  if (!feature) return make_no_docs("unmapped field");
  if (score.function == FeatureFunction::kSaturation && std::isnan(score.pivot))
    score.pivot = scope.scores ? default_pivot(compiler, *feature) : 1;
  QUARRY_RETURN_IF_ERROR(check_score(*feature, score));
  return make_feature(compiler, *std::move(feature), score, scope);
}

WeightPtr make_feature_term(Compiler& compiler, const Field& field, std::string_view feature,
                            Scope scope) {
  FeatureScore score;
  score.function = FeatureFunction::kLinear;
  score.weight = scope.boost;
  return make_feature(compiler, {&field, std::string(feature)}, score, scope);
}

}  // namespace quarry
