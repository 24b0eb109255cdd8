// terms: any of a list of values of one field; the score is the boost.
// Sets of dictionary terms, and sets of numbers that are looked up in a column.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "json/source_filter.h"
#include "mapping/values/numeric.h"
#include "query/clauses/bool_query.h"
#include "query/clauses/constant_score_query.h"
#include "query/clauses/ids_query.h"
#include "query/clauses/range_query.h"
#include "query/clauses/term_query.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/postings_union.h"

namespace quarry {
namespace {

// Maximum number of terms, the largest value that index.max_terms_count may have
// (src/query/limits.ts). It protects the core from a plan; the limit of a search is checked where
// its plan is made.
constexpr uint32_t kMostTerms = 1U << 20;
constexpr uint32_t kStepsPerTermLookup = 32;   // of a look-up in a dictionary
constexpr uint64_t kNanosPerTermsValue = 400;  // to read and sort the values of a clause
constexpr size_t kFewNumbers =
    8;  // up to 8 ranges by zones are cheaper than one pass over the column

class TermSetWeight final : public ConstantWeight {
 public:
  /// `terms`: sorted, without duplicates.
  TermSetWeight(const Field& field, std::vector<std::string> terms, float boost)
      : ConstantWeight(boost), field_(field), terms_(std::move(terms)) {}
  void report_matches(const Leaf& /*leaf*/, uint32_t /*doc*/, MatchSink& sink) override {
    for (const std::string& term : terms_) sink.term(field_, term);
  }
  std::string describe() const override {
    std::string text = field_.name + ":(";
    for (size_t i = 0; i < terms_.size(); i++) text += (i > 0 ? " " : "") + terms_[i];
    return text + ")";
  }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    const SegmentField* field = leaf.segment->field(field_.name);
    std::vector<uint32_t> ordinals;
    if (field == nullptr || field->inverted == nullptr) {
      return std::make_shared<DocIdSet>(std::move(ordinals), leaf.max_doc);
    }
    for (const std::string& term : terms_) {
      if (leaf.stop->step(kStepsPerTermLookup)) break;
      if (const auto ordinal = field->inverted->terms().find(term)) ordinals.push_back(*ordinal);
    }
    return union_of_terms(leaf, *field, field_.indexed, ordinals);
  }
  uint64_t estimate(const Leaf& leaf) override { return set(leaf)->count(); }

 private:
  const Field& field_;
  std::vector<std::string> terms_;
};

class NumberSetWeight final : public ConstantWeight {
 public:
  /// `values`: sorted, without duplicates.
  NumberSetWeight(const Field& field, std::vector<int64_t> values, float boost)
      : ConstantWeight(boost), field_(field), values_(std::move(values)) {}
  std::string describe() const override {
    std::string text = field_.name + ":{";
    for (size_t i = 0; i < values_.size(); i++)
      text += (i > 0 ? " " : "") + column_to_json(field_, values_[i]);
    return text + "}";
  }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    Bitset bits(leaf.max_doc);
    const SegmentField* field = leaf.segment->field(field_.name);
    if (field == nullptr || field->column == nullptr || values_.empty()) {
      return std::make_shared<DocIdSet>(std::move(bits));
    }
    if (values_.size() <= kFewNumbers) {
      for (const int64_t value : values_) {
        field->column->collect_range(value, value, bits, leaf.stop);
      }
    } else {
      for (uint32_t zone = 0; zone < field->column->zone_count() && !leaf.stop->step(kZoneDocs);
           zone++)
        scan_zone(*field->column, zone, bits);
    }
    return std::make_shared<DocIdSet>(std::move(bits));
  }

 private:
  void scan_zone(const Column& column, uint32_t zone, Bitset& bits) const {
    const Column::Zone range = column.zone(zone);
    const auto first = std::lower_bound(values_.begin(), values_.end(), range.min);
    if (range.min > range.max || first == values_.end() || *first > range.max) return;
    const uint32_t end = std::min(column.max_doc(), (zone + 1) * kZoneDocs);
    for (uint32_t doc = zone * kZoneDocs; doc < end; doc++) {
      for (uint32_t i = 0; i < column.count(doc); i++) {
        if (!std::binary_search(values_.begin(), values_.end(), column.value(doc, i))) continue;
        bits.set(doc);
        break;
      }
    }
  }

  const Field& field_;
  std::vector<int64_t> values_;
};

template <typename T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

Result<WeightPtr> make_number_set(Compiler& compiler, const Field& field,
                                  const std::vector<Scalar>& values, float boost) {
  std::vector<int64_t> numbers;
  for (const Scalar& value : values) {
    QUARRY_ASSIGN_OR_RETURN(const Bound bound,
                            parse_bound(field, value.text, value.quoted(), BoundKind::kExact, false,
                                        {}, {}, compiler.now_ms()));
    if (!bound.none) numbers.push_back(bound.value);
  }
  sort_unique(numbers);
  return WeightPtr(std::make_unique<NumberSetWeight>(field, std::move(numbers), boost));
}

/// Matches any of the values: dates and addresses may each stand for a range, and fields may hold
/// ranges.
Result<WeightPtr> make_any_of(Compiler& compiler, const ResolvedField& resolved,
                              const std::vector<Scalar>& values, Scope scope) {
  BoolClauses clauses;
  clauses.minimum_should_match = 1;
  for (const Scalar& value : values) {
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight,
                            make_field_term(compiler, resolved, value, {1.0F, false}));
    clauses.should.push_back(std::move(weight));
  }
  return make_constant_score(make_bool(std::move(clauses), false), scope.boost);
}

Result<WeightPtr> make_term_set(Compiler& compiler, const ResolvedField& resolved,
                                const std::vector<Scalar>& values, float boost) {
  std::vector<std::string> terms;
  for (const Scalar& value : values) {
    QUARRY_ASSIGN_OR_RETURN(const std::string text,
                            index_term(*resolved.field, value.text, compiler.analysis()));
    terms.push_back(resolved.prefix + text);
  }
  sort_unique(terms);
  return WeightPtr(std::make_unique<TermSetWeight>(*resolved.field, std::move(terms), boost));
}

Result<WeightPtr> make_metadata_terms(Compiler& compiler, ResolvedField::Kind kind,
                                      const std::vector<Scalar>& values, float boost) {
  std::vector<std::string> texts;
  for (const Scalar& value : values) texts.push_back(value.text);
  if (kind == ResolvedField::Kind::kId) return make_ids_weight(std::move(texts), boost);
  const bool matches = std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return simple_match(text, compiler.context().index_name);
  });
  return make_index_name_match(matches, boost);
}

}  // namespace

Result<WeightPtr> compile_terms(PlanReader& reader, Compiler& compiler, Scope scope) {
  const std::string_view name = reader.get_string();
  const auto count = reader.get<uint32_t>();
  if (count > kMostTerms) return malformed_clause("terms");
  if (compiler.progress().stop.out_of_budget_within(kNanosPerTermsValue * count))
    return budget_ended();
  std::vector<Scalar> values;
  for (uint32_t i = 0; i < count && !reader.failed(); i++) {
    Scalar value = read_scalar(reader);
    if (value.kind == Scalar::Kind::kNull) {
      return Status(ErrorType::kIllegalArgument, "No value specified for terms query");
    }
    values.push_back(std::move(value));
  }
  if (reader.failed()) return malformed_clause("terms");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  if (values.empty()) return make_no_docs("No terms supplied for \"terms\" query.");
  const ResolvedField resolved = compiler.resolve(name);
  if (resolved.kind == ResolvedField::Kind::kUnmapped) return make_no_docs("unmapped field");
  if (resolved.kind != ResolvedField::Kind::kField) {
    return make_metadata_terms(compiler, resolved.kind, values, scope.boost);
  }
  const Field& field = *resolved.field;
  QUARRY_RETURN_IF_ERROR(Compiler::check_searchable(field));
  switch (field.traits().query) {
    case QueryKind::kNone:
      return illegal_argument("Binary fields do not support searching");
    case QueryKind::kDates:
    case QueryKind::kAddresses:
    case QueryKind::kRanges:
    case QueryKind::kFeatures:
      return make_any_of(compiler, resolved, values, scope);
    case QueryKind::kNumbers:
    case QueryKind::kBooleans:
      return make_number_set(compiler, field, values, scope.boost);
    case QueryKind::kTerms:
      break;
  }
  return make_term_set(compiler, resolved, values, scope.boost);
}

}  // namespace quarry
