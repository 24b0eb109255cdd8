// Compiles plan nodes by the table of clauses and keeps the limits, resolved fields and statistics
// of one search.
#include "query/plan/compiler.h"

#include <cmath>
#include <optional>

#include "mapping/schema/version_fields.h"
#include "query/cache/cached_filter.h"
#include "query/fetch/metadata_fields.h"
#include "query/plan/clause_limit.h"
#include "query/plan/clause_table.h"

namespace quarry {
namespace {

/// The type of a field that no mapping lists. A field without searchable content counts as binary.
std::optional<FieldType> internal_type(std::string_view name) {
  if (!name.starts_with('_')) return std::nullopt;
  if (name == kSeqNoField || name == kVersionField) return FieldType::kLong;
  if (name == "_ignored" || name == "_routing") return FieldType::kKeyword;
  if (is_not_searchable(name)) return FieldType::kBinary;
  return std::nullopt;
}

/// A field that no mapping lists, or a stand-in for an unmapped field.
std::unique_ptr<Field> make_internal_field(std::string_view name, FieldType type) {
  auto field = std::make_unique<Field>();
  field->id = UINT32_MAX;
  field->name = std::string(name);
  field->type = type;
  return field;
}

/// Wraps every error except those that already name the query, as Elasticsearch does: "failed to
/// create query: …".
Status as_query_error(const Status& status) {
  switch (status.type()) {
    case ErrorType::kOk:
    case ErrorType::kQueryShard:
    case ErrorType::kParsing:
    case ErrorType::kTooManyClauses:
    case ErrorType::kCorrupt:
    case ErrorType::kStore:
    case ErrorType::kInternal:
      return status;
    default:
      break;
  }
  Status wrapped(ErrorType::kQueryShard, "failed to create query: " + status.reason());
  wrapped.with_cause(std::string(error_wire_type(status.type())) + ": " + status.reason());
  return wrapped;
}

}  // namespace

Status malformed_clause(std::string_view name) {
  return {ErrorType::kParsing, "malformed search plan: [" + std::string(name) + "]"};
}

Status wrong_type(std::string_view query, std::string_view allowed, const Field& field) {
  return {ErrorType::kQueryShard, "Can only use " + std::string(query) + " queries on " +
                                      std::string(allowed) + " fields - not on [" + field.name +
                                      "] which is of type [" +
                                      std::string(field_type_name(field.type)) + "]"};
}

Result<std::string> index_form(const Field& field, std::string_view text, AnalysisBudget& budget) {
  if (field.normalizer != nullptr) return field.normalizer->normalize(text, budget);
  return std::string(text);
}

Result<std::string> index_term(const Field& field, std::string_view text, AnalysisBudget& budget) {
  const TermCodec* codec = field.traits().codec;
  return codec != nullptr ? codec->encode(text) : index_form(field, text, budget);
}

Compiler::Compiler(const SearchContext& context, int64_t now_ms, SearchProgress& progress)
    : context_(context), now_ms_(now_ms), progress_(progress), level_(context.level) {
  if (context.filters != nullptr) list_joint_segments();
}

void Compiler::list_joint_segments() {
  const std::vector<SegmentView>& own = context_.view->segments;
  size_t all = 0;
  each_segment([&all](const Segment&) { all++; });
  // For a single segment without deletions one look-up per term finds everything, so nothing is
  // cached.
  if (own.empty() || (all == 1 && own[0].live == nullptr)) return;
  const auto add = [this](const ShardView& shard) {
    for (const SegmentView& view : shard.segments) joint_segments_.push_back(&view.segment);
  };
  joint_segments_.reserve(own.size() + all);
  add(*context_.view);
  for (const ShardView* shard : context_.all_shards) {
    if (shard != context_.view) add(*shard);
  }
}

Result<WeightPtr> Compiler::compile(const PlanNode& node, Scope scope) {
  if (depth_ >= kMaxQueryDepth) {
    return Status(
        ErrorType::kIllegalArgument,
        "The nested depth of the query exceeds the maximum nested depth for queries set in "
        "[indices.query.bool.max_nested_depth]");
  }
  const ClauseEntry* clause = find_clause(node.op);
  if (clause == nullptr) {
    return Status(ErrorType::kParsing, "malformed search plan: unknown query node " +
                                           std::to_string(static_cast<uint32_t>(node.op)));
  }
  PlanReader reader(node);
  const auto boost = reader.get<float>();
  const std::string_view name = reader.get_string();
  if (reader.failed() || !std::isfinite(boost)) return malformed_clause(clause->name);
  if (boost < 0) {
    return Status(ErrorType::kIllegalArgument, "negative [boost] are not allowed in [" +
                                                   std::string(clause->name) +
                                                   "], use a value between 0 and 1 to deboost");
  }
  // matched_queries names the clauses for the documents that the search finds.
  if (!name.empty() && level_ == context_.level) named_.push_back({std::string(name), node});
  depth_++;
  const uint64_t scripts = scripts_;
  Result<WeightPtr> weight = clause->compile(reader, *this, scope.boosted(boost));
  depth_--;
  if (weight.ok() && scripts_ != scripts) (*weight)->set_runs_script();
  if (weight.ok() && (reader.failed() || !reader.done())) return malformed_clause(clause->name);
  if (weight.ok() && clause->caching == FilterCaching::kCostlyConstant &&
      context_.filters != nullptr) {
    const float score = (*weight)->bound();
    return make_cached_filter(std::move(weight).value(), node, *this, score);
  }
  return weight;
}

Result<WeightPtr> Compiler::compile_filter(const PlanNode& node) {
  const uint64_t uncached = uncached_;
  QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, compile(node, {1.0F, false}));
  // A costly constant is already behind the cache (see compile()).
  if (context_.filters == nullptr || uncached != uncached_ ||
      find_clause(node.op)->caching != FilterCaching::kCached) {
    return weight;
  }
  return make_cached_filter(std::move(weight), node, *this);
}

Status Compiler::refuse(Status status) {
  refused_ = true;
  return status;
}

Status Compiler::error_of(const Status& status) const {
  return refused_ ? status : as_query_error(status);
}

Status Compiler::count_clauses(uint64_t count) {
  clauses_ += count;
  if (clauses_ <= max_clauses()) return {};
  return {ErrorType::kTooManyClauses,
          "Query contains too many nested clauses; maxClauseCount is set to " +
              std::to_string(max_clauses())};
}

bool Compiler::out_of_budget_for(std::string_view name) {
  constexpr uint64_t kNanosPerBuiltDocument = 40;
  uint64_t docs = 0;
  for (const SegmentView& view : context_.view->segments)
    docs += view.segment->builds_field(name) ? view.segment->max_doc() : 0;
  return docs > 0 && progress_.stop.out_of_budget_within(kNanosPerBuiltDocument * docs);
}

ResolvedField Compiler::resolve(std::string_view name) {
  ResolvedField resolved;
  if (name == "_id") {
    resolved.kind = ResolvedField::Kind::kId;
    return resolved;
  }
  if (name == "_index") {
    resolved.kind = ResolvedField::Kind::kIndexName;
    return resolved;
  }
  if (const std::optional<FieldType> type = internal_type(name)) {
    if (out_of_budget_for(name)) return resolved;  // the search is given up, whatever it is
    auto [at, added] = internal_fields_.try_emplace(std::string(name));
    if (added) at->second = make_internal_field(name, *type);
    resolved.field = at->second.get();
  } else {
    resolved.field = mapping().find(name);
    if (resolved.field != nullptr && resolved.field->traits().keyed)
      resolved.prefix = std::string(mapping().flattened_key(name)) + '\0';
  }
  if (resolved.field != nullptr) resolved.kind = ResolvedField::Kind::kField;
  return resolved;
}

const Field* Compiler::stand_in(std::string_view name, std::string_view type) {
  FieldType found{};
  if (!parse_field_type(type, found) || field_traits(found).configure == nullptr) return nullptr;
  // One for each call: earlier sort keys keep theirs, which may be of another type.
  stand_ins_.push_back(make_internal_field(name, found));
  return stand_ins_.back().get();
}

Status Compiler::check_searchable(const Field& field) {
  if (field.name == kVersionField || is_not_searchable(field.name))
    return {ErrorType::kQueryShard, "The " + field.name + " field is not searchable"};
  const std::string_view message = field.traits().not_searchable;
  if (!message.empty()) return illegal_argument(field_message(message, field));
  if (field.indexed) return {};
  if (field.is_text()) {
    return {ErrorType::kIllegalArgument,
            "Cannot search on field [" + field.name + "] since it is not indexed."};
  }
  if (field.doc_values) return {};
  return {ErrorType::kIllegalArgument, "Cannot search on field [" + field.name +
                                           "] since it is not indexed nor has doc values."};
}

Compiler::FieldStatistics& Compiler::statistics(const std::string& field) {
  auto [at, added] = statistics_.try_emplace(field);
  if (!added) return at->second;
  each_segment([&field, &totals = at->second.totals](const Segment& segment) {
    const SegmentField* found = segment.field(field);
    if (found == nullptr || found->inverted == nullptr) return;
    const FieldStats& stats = found->inverted->stats();
    totals.doc_count += stats.doc_count;
    totals.token_count +=
        found->inverted->has_freqs() ? stats.sum_total_term_freq : stats.sum_doc_freq;
  });
  return at->second;
}

std::shared_ptr<const NormTable> Compiler::norm_table(const Field& field) {
  FieldStatistics& known = statistics(field.name);
  if (known.norms == nullptr) known.norms = find_norm_table(field.similarity, known.totals);
  return known.norms;
}

TermState Compiler::term(std::string_view field, std::string_view text) const {
  if (!keeps_joint()) return look_up(field, text);
  const std::string name = FilterCache::joint_name("term", field, text);
  const FilterCache::Joint known = context_.filters->find_joint(joint_segments_, name);
  if (known.entry != nullptr) {
    auto places = std::static_pointer_cast<const TermPlaces>(known.entry);
    return {places->doc_freq(), places->total_term_freq(), {}, std::move(places)};
  }
  TermState state = look_up(field, text);
  if (!known.requested_before) return state;
  state.kept = std::make_shared<const TermPlaces>(state.doc_freq, state.total_term_freq,
                                                  std::exchange(state.found, {}));
  context_.filters->put_joint(joint_segments_, name, state.kept);
  return state;
}

/// Reads the term's statistics and places from the dictionaries.
TermState Compiler::look_up(std::string_view field, std::string_view text) const {
  TermState state;
  const auto find = [&](const Segment& segment, TermPlace& place) {
    const SegmentField* found = segment.field(field);
    if (found == nullptr || found->inverted == nullptr) return;
    progress_.counters.terms_visited++;
    const TermDictionary& terms = found->inverted->terms();
    const std::optional<uint32_t> ordinal = terms.find(text);
    if (!ordinal) return;
    place.field = found;
    place.ordinal = *ordinal;
    place.info = terms.info(*ordinal);
    state.doc_freq += place.info.doc_freq;
    state.total_term_freq +=
        found->inverted->has_freqs() ? place.info.total_term_freq : place.info.doc_freq;
  };
  const std::vector<SegmentView>& own_segments = context_.view->segments;
  state.found.reserve(own_segments.size());
  each_segment([&](const Segment& segment) {
    // The shard's own segments are adjacent and in order in the walk over all segments.
    const size_t own = state.found.size();
    const bool is_own = own < own_segments.size() && own_segments[own].segment.get() == &segment;
    TermPlace unused;
    find(segment, is_own ? state.found.emplace_back() : unused);
  });
  // Only when the list of all shards does not contain the shard under search.
  while (state.found.size() < own_segments.size()) {
    const Segment& own = *own_segments[state.found.size()].segment;
    find(own, state.found.emplace_back());
  }
  return state;
}

uint64_t Compiler::max_doc() const {
  uint64_t total = 0;
  each_segment([&total](const Segment& segment) { total += segment.max_doc(); });
  return total;
}

SimilarityFacts Compiler::similarity_facts(const Field& field, float boost) {
  SimilarityFacts facts;
  facts.similarity = field.similarity;
  facts.totals = totals(field.name);
  facts.boost = boost;
  facts.has_norms = field.norms;
  return facts;
}

}  // namespace quarry
