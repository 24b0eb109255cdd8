// Decodes range clauses and matches ranges of terms.
#include "query/clauses/range_query.h"

#include <optional>
#include <utility>

#include "mapping/dates/date_number.h"
#include "mapping/values/numeric.h"
#include "mapping/values/range_value.h"
#include "query/clauses/range_field_query.h"
#include "query/clauses/term_query.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/postings_union.h"

namespace quarry {
namespace {

enum WhichBound : uint8_t { kGte = 1, kGt = 2, kLte = 4, kLt = 8, kContains = 16, kWithin = 32 };

struct RangeSpec {
  std::string_view field;
  std::optional<Scalar> low;
  std::optional<Scalar> high;
  bool low_exclusive = false;
  bool high_exclusive = false;
  RangeRelation relation = RangeRelation::kIntersects;
  std::string_view format;
  std::string_view time_zone;

  bool has_number() const { return is_number(low) || is_number(high); }
  static bool is_number(const std::optional<Scalar>& bound) {
    return bound && bound->kind == Scalar::Kind::kNumber;
  }
};

/// Sets one end of the range. A null bound is open, as in Elasticsearch; if both forms of an end
/// are given, the later one applies.
void set_bound(std::optional<Scalar>& bound, bool& exclusive, Scalar value, bool is_exclusive) {
  exclusive = is_exclusive;
  bound.reset();
  if (value.kind != Scalar::Kind::kNull) bound = std::move(value);
}

RangeSpec read_range(PlanReader& reader) {
  RangeSpec spec;
  spec.field = reader.get_string();
  const auto which = reader.get<uint8_t>();
  if ((which & kGte) != 0) set_bound(spec.low, spec.low_exclusive, read_scalar(reader), false);
  if ((which & kGt) != 0) set_bound(spec.low, spec.low_exclusive, read_scalar(reader), true);
  if ((which & kLte) != 0) set_bound(spec.high, spec.high_exclusive, read_scalar(reader), false);
  if ((which & kLt) != 0) set_bound(spec.high, spec.high_exclusive, read_scalar(reader), true);
  if ((which & kContains) != 0) spec.relation = RangeRelation::kContains;
  if ((which & kWithin) != 0) spec.relation = RangeRelation::kWithin;
  spec.format = reader.get_string();
  spec.time_zone = reader.get_string();
  return spec;
}

class TermRangeWeight final : public ConstantWeight {
 public:
  TermRangeWeight(const Field& field, TermBound low, TermBound high, float boost)
      : ConstantWeight(boost), field_(field), low_(std::move(low)), high_(std::move(high)) {}
  void report_matches(const Leaf& /*leaf*/, uint32_t /*doc*/, MatchSink& sink) override {
    sink.terms(field_, describe(), [this](std::string_view term) { return holds(term); });
  }
  std::string describe() const override {
    return field_.name + ":" + (low_.inclusive ? "[" : "{") + (low_.open ? "*" : low_.term) +
           " TO " + (high_.open ? "*" : high_.term) + (high_.inclusive ? "]" : "}");
  }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    const SegmentField* field = leaf.segment->field(field_.name);
    if (field == nullptr || field->inverted == nullptr) {
      return std::make_shared<DocIdSet>(std::vector<uint32_t>{}, leaf.max_doc);
    }
    const TermDictionary& terms = field->inverted->terms();
    return union_of_term_range(leaf, *field, field_.indexed, begin(terms), end(terms));
  }
  uint64_t estimate(const Leaf& leaf) override {
    const SegmentField* field = leaf.segment->field(field_.name);
    if (field == nullptr || field->inverted == nullptr) return 0;
    const TermDictionary& terms = field->inverted->terms();
    return begin(terms) < end(terms) ? leaf.max_doc : 0;
  }

 private:
  bool holds(std::string_view term) const {
    const bool above = low_.open || term > low_.term || (low_.inclusive && term == low_.term);
    const bool below = high_.open || term < high_.term || (high_.inclusive && term == high_.term);
    return above && below;
  }
  uint32_t begin(const TermDictionary& terms) const {
    if (low_.open) return 0;
    const uint32_t at = terms.lower_bound(low_.term);
    return !low_.inclusive && at < terms.size() && terms.term(at) == low_.term ? at + 1 : at;
  }
  uint32_t end(const TermDictionary& terms) const {
    if (high_.open) return terms.size();
    const uint32_t at = terms.lower_bound(high_.term);
    return high_.inclusive && at < terms.size() && terms.term(at) == high_.term ? at + 1 : at;
  }

  const Field& field_;
  TermBound low_;
  TermBound high_;
};

Result<WeightPtr> make_numbers(const RangeSpec& spec, Compiler& compiler, const Field& field,
                               float boost) {
  // A number at either end makes both ends milliseconds, whatever format the field has for strings.
  const bool by_number = spec.format.empty() && field.is_date() && spec.has_number();
  const std::string_view format = by_number ? kDateNumberFormat : spec.format;
  int64_t low = INT64_MIN;
  int64_t high = INT64_MAX;
  const auto parse = [&](const std::optional<Scalar>& scalar, BoundKind kind, bool exclusive,
                         int64_t& out) -> Result<bool> {
    if (!scalar) return true;
    if (field.is_date() && mentions_now(scalar->text)) compiler.depends_on_now();
    QUARRY_ASSIGN_OR_RETURN(const Bound bound,
                            parse_bound(field, scalar->text, scalar->quoted(), kind, exclusive,
                                        format, spec.time_zone, compiler.now_ms()));
    out = bound.value;
    return !bound.none;
  };
  QUARRY_ASSIGN_OR_RETURN(const bool some_low,
                          parse(spec.low, BoundKind::kLower, spec.low_exclusive, low));
  QUARRY_ASSIGN_OR_RETURN(const bool some_high,
                          parse(spec.high, BoundKind::kUpper, spec.high_exclusive, high));
  if (!some_low || !some_high)
    return make_no_docs("range of field [" + field.name + "] holds no value of its type");
  return make_number_range(field, low, high, boost);
}

Result<WeightPtr> make_ranges(const RangeSpec& spec, Compiler& compiler, const Field& field,
                              float boost) {
  const auto packed = [&](const std::optional<Scalar>& scalar, BoundKind kind,
                          bool exclusive) -> Result<std::string> {
    if (!scalar) return open_end(field, kind);
    if (field.ends->is_date() && mentions_now(scalar->text)) compiler.depends_on_now();
    const EndText end{scalar->text, scalar->quoted(), exclusive};
    Result<std::string> read =
        query_end(field, end, kind, spec.format, spec.time_zone, compiler.now_ms());
    // The field's format reads numbers as in documents; numbers that it cannot read are
    // milliseconds.
    const bool by_number = spec.format.empty() && RangeSpec::is_number(scalar);
    if (read.ok() || !by_number || !field.ends->is_date()) return read;
    return query_end(field, end, kind, kDateNumberFormat, spec.time_zone, compiler.now_ms());
  };
  QUARRY_ASSIGN_OR_RETURN(std::string low, packed(spec.low, BoundKind::kLower, spec.low_exclusive));
  QUARRY_ASSIGN_OR_RETURN(std::string high,
                          packed(spec.high, BoundKind::kUpper, spec.high_exclusive));
  if (low.empty() || high.empty()) {
    return make_no_docs("range of field [" + field.name + "] holds no value of its type");
  }
  return make_range_match(field, std::move(low), std::move(high), spec.relation, boost);
}

Result<WeightPtr> make_addresses(const RangeSpec& spec, const Field& field, float boost) {
  TermBound low{"", true, true};
  TermBound high{"", true, true};
  if (spec.low) {
    QUARRY_ASSIGN_OR_RETURN(low.term, parse_ip(spec.low->text));
    low.open = false;
    low.inclusive = !spec.low_exclusive;
  }
  if (spec.high) {
    QUARRY_ASSIGN_OR_RETURN(high.term, parse_ip(spec.high->text));
    high.open = false;
    high.inclusive = !spec.high_exclusive;
  }
  return make_term_range(field, std::move(low), std::move(high), boost);
}

Result<WeightPtr> make_terms(Compiler& compiler, const RangeSpec& spec,
                             const ResolvedField& resolved, float boost) {
  const Field& field = *resolved.field;
  TermBound low{resolved.prefix, true, resolved.prefix.empty()};
  TermBound high{resolved.prefix, false, resolved.prefix.empty()};
  if (!high.open) high.term.back() = '\1';  // sorts after every "key\0…"
  if (spec.low) {
    QUARRY_ASSIGN_OR_RETURN(const std::string text,
                            index_term(field, spec.low->text, compiler.analysis()));
    low = {resolved.prefix + text, !spec.low_exclusive, false};
  }
  if (spec.high) {
    QUARRY_ASSIGN_OR_RETURN(const std::string text,
                            index_term(field, spec.high->text, compiler.analysis()));
    high = {resolved.prefix + text, !spec.high_exclusive, false};
  }
  return make_term_range(field, std::move(low), std::move(high), boost);
}

}  // namespace

bool mentions_now(std::string_view text) { return text.starts_with("now"); }

WeightPtr make_term_range(const Field& field, TermBound low, TermBound high, float boost) {
  return std::make_unique<TermRangeWeight>(field, std::move(low), std::move(high), boost);
}

Result<WeightPtr> compile_range(PlanReader& reader, Compiler& compiler, Scope scope) {
  const RangeSpec spec = read_range(reader);
  if (reader.failed()) return malformed_clause("range");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  const ResolvedField resolved = compiler.resolve(spec.field);
  switch (resolved.kind) {
    case ResolvedField::Kind::kUnmapped:
      return make_no_docs("unmapped field");
    case ResolvedField::Kind::kId:
    case ResolvedField::Kind::kIndexName:
      return Status(ErrorType::kIllegalArgument, "Field [" + std::string(spec.field) +
                                                     "] of type [" + std::string(spec.field) +
                                                     "] does not support range queries");
    case ResolvedField::Kind::kField:
      break;
  }
  const Field& field = *resolved.field;
  if (field.is_opaque()) {
    return Status(ErrorType::kIllegalArgument, "Field [" + field.name + "] of type [" +
                                                   std::string(field_type_name(field.type)) +
                                                   "] does not support range queries");
  }
  QUARRY_RETURN_IF_ERROR(Compiler::check_searchable(field));
  // A format or time zone on a field that is not a date is ignored, as in Elasticsearch.
  switch (field.traits().query) {
    case QueryKind::kNumbers:
    case QueryKind::kBooleans:
    case QueryKind::kDates:
      return make_numbers(spec, compiler, field, scope.boost);
    case QueryKind::kAddresses:
      return make_addresses(spec, field, scope.boost);
    case QueryKind::kRanges:
      return make_ranges(spec, compiler, field, scope.boost);
    case QueryKind::kFeatures:
      return illegal_argument("Field [" + field.name + "] of type [" +
                              std::string(field_type_name(field.type)) +
                              "] does not support range queries");
    default:
      return make_terms(compiler, spec, resolved, scope.boost);
  }
}

}  // namespace quarry
