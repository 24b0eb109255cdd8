// Loads the documents of a page: source, ids and versions, fields, matched queries, explanations.
#include <algorithm>
#include <optional>
#include <utility>

#include "json/source_filter.h"
#include "json/value.h"
#include "query/fetch/companion_vectors.h"
#include "query/fetch/fetch_fields.h"
#include "query/fetch/metadata_fields.h"
#include "query/fetch/page_fetch.h"
#include "query/fetch/script_fields.h"
#include "query/fetch/timed_fetch.h"
#include "query/highlight/highlight.h"
#include "query/nested/inner_hits.h"
#include "query/nested/nested_fields.h"
#include "query/nested/nested_source.h"
#include "query/plan/compiler.h"
#include "query/plan/leaves.h"
#include "query/plan/search.h"
#include "query/scorers/document_matches.h"
#include "query/sort/unmapped_values.h"

namespace quarry {

/// A named clause and its scorer, which is kept from document to document while they ascend within
/// a segment.
struct NamedWeight {
  std::string name;
  WeightPtr weight;
  const Leaf* leaf = nullptr;  // of the scorer; null: there was none yet
  ScorerPtr scorer = nullptr;  // null: nothing in the segment matches
  uint32_t requested = 0;      // the last document that was looked for
};

/// State that all documents of a fetch share.
struct FetchRun {
  FetchRun(const SearchContext& of, const Plan& given, FetchSpec shown, SourceFilter filter,
           SearchProgress& progress, uint64_t highlighting_us)
      : context(of),
        plan(given),
        spec(std::move(shown)),
        source_filter(std::move(filter)),
        mapping(*of.mapping),
        compiler(of, given.now_ms, progress),
        leaves(make_leaves(*of.view, progress)),
        companions(requested_companions(mapping, spec)),
        highlighting(of.stop_check(highlighting_us)) {}

  const SearchContext& context;
  const Plan& plan;
  const FetchSpec spec;
  SourceFilter source_filter;
  const Mapping& mapping;
  Compiler compiler;
  std::vector<Leaf> leaves;
  std::vector<const Field*> companions;  // included by `_source`
  std::vector<RequestedField> docvalue_fields;
  std::vector<RequestedField> source_fields;
  std::vector<MetadataField> metadata_fields;
  std::vector<ComputedField> script_fields;
  std::vector<NamedWeight> named;
  std::vector<WeightPtr> legs;               // for explanations
  std::unique_ptr<Highlighter> highlighter;  // null: no highlighting
  StopCheck highlighting;
  std::vector<std::unique_ptr<InnerHitsSearch>> inner_hits;
  std::optional<NestedFields> nested_fields;  // absent: none of the fields is nested
  // The source that root_source() parsed last.
  const Leaf* root_leaf = nullptr;
  uint32_t root = 0;
  JsonValue root_json;

  bool parses_source() const {
    const bool vectors = std::any_of(docvalue_fields.begin(), docvalue_fields.end(),
                                     [](const RequestedField& field) { return field.vector; });
    return vectors || nested_fields || !source_fields.empty() || !plan.unmapped_fields.empty() ||
           highlighter != nullptr;
  }
};

namespace {

constexpr uint64_t kLargeSource = 8192;
constexpr uint64_t kNanosPerSourceByte = 5;  // of a source that is parsed and filtered

std::string json_array(const std::vector<std::string>& texts) {
  if (texts.empty()) return {};
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += ',';
    append_json_string(out, text);
  }
  return out + "]";
}

/// The score of the clause, or nothing if the document does not match it.
std::optional<float> matched_score(NamedWeight& named, const Leaf& leaf, uint32_t doc,
                                   bool scored) {
  const bool again = named.leaf != &leaf || doc <= named.requested;
  if (again) named.scorer = named.weight->scorer(leaf, 1);
  named.leaf = &leaf;
  named.requested = doc;
  if (named.scorer == nullptr || !has_match(*named.scorer, doc)) return std::nullopt;
  return scored ? named.scorer->score() : 0.0F;
}

std::string json_scores(const std::vector<std::string>& names, const std::vector<float>& scores) {
  if (names.empty()) return {};
  std::string out = "{";
  for (size_t i = 0; i < names.size(); i++) {
    if (i > 0) out += ',';
    append_json_string(out, names[i]);
    out += ":" + float_text(static_cast<double>(scores[i]));
  }
  return out + "}";
}

std::string matched_queries(FetchRun& run, const Leaf& leaf, uint32_t doc) {
  const bool scored = (run.spec.flags & kFetchNamedScores) != 0;
  std::vector<std::string> names;
  std::vector<float> scores;
  for (NamedWeight& named : run.named) {
    if (std::find(names.begin(), names.end(), named.name) != names.end()) continue;
    const auto score = matched_score(named, leaf, doc, scored);
    if (!score) continue;
    names.push_back(named.name);
    scores.push_back(*score);
  }
  return scored ? json_scores(names, scores) : json_array(names);
}

SourceTexts values_of_source(const Segment& segment, const RequestedField& requested, uint32_t doc,
                             const JsonValue& source) {
  if (requested.field->companion) return {companion_texts(segment, *requested.field, doc), {}};
  return source_texts(requested, source);
}

/// The whole vector as one value; empty if the document has none.
std::vector<std::string> vector_texts(const Segment& segment, const RequestedField& requested,
                                      uint32_t doc, const JsonValue& source) {
  const std::vector<std::string> numbers = values_of_source(segment, requested, doc, source).values;
  if (numbers.empty()) return {};
  std::string whole = "[";
  for (const std::string& number : numbers) whole += (whole.size() > 1 ? "," : "") + number;
  return {whole + "]"};
}

Status show_fields(FetchRun& run, const Leaf& leaf, uint32_t doc, const JsonValue& source,
                   FetchedDocument& out) {
  ShownBytes shown;
  FieldTexts fields;
  FieldTexts ignored;
  for (const MetadataField field : run.metadata_fields) {
    std::vector<std::string> texts = metadata_texts(run.context, field, *leaf.segment, doc);
    if (!texts.empty()) fields[std::string(metadata_name(field))] = std::move(texts);
  }
  for (const RequestedField& requested : run.docvalue_fields) {
    std::vector<std::string> texts = requested.vector
                                         ? vector_texts(*leaf.segment, requested, doc, source)
                                         : docvalue_texts(requested, leaf, doc);
    if (!shown.add(texts)) return ShownBytes::refusal(out.id);
    if (!texts.empty()) fields[requested.name] = std::move(texts);
  }
  for (const RequestedField& requested : run.source_fields) {
    SourceTexts texts = values_of_source(*leaf.segment, requested, doc, source);
    if (!shown.add(texts.values) || !shown.add(texts.ignored)) return ShownBytes::refusal(out.id);
    if (!texts.values.empty()) fields[requested.name] = std::move(texts.values);
    if (!texts.ignored.empty()) ignored[requested.name] = std::move(texts.ignored);
  }
  for (ComputedField& field : run.script_fields) {
    std::vector<std::string> texts(1);
    QUARRY_RETURN_IF_ERROR(script_field_value(field, leaf, doc, run.compiler.progress(), texts[0]));
    if (!shown.add(texts)) return ShownBytes::refusal(out.id);
    // A field of the document that is shown under the name comes first, as in Elasticsearch.
    if (!texts[0].empty()) fields.try_emplace(field.name, std::move(texts));
  }
  if (run.nested_fields) run.nested_fields->add_values(source, fields, shown);
  if (shown.exceeded()) return ShownBytes::refusal(out.id);
  add_unmapped_values(run.mapping, run.plan.unmapped_fields, source, fields);
  out.fields = print_fields(fields);
  out.ignored_values = print_fields(ignored);
  return {};
}

/// A nested document and the part of its root's source that is its own.
struct NestedSource {
  std::vector<NestedStep> steps;
  std::optional<JsonValue> below_path;  // absent when the source does not hold it
};

/// `filter` is compiled from the includes and excludes of `fetch`.
Status show_source(const FetchSpec& fetch, SourceFilter& filter, std::string_view source,
                   FetchedDocument& out) {
  // A source is never empty, unless the mapping disables it.
  out.has_source = fetch.source != 0 && !source.empty();
  if (!out.has_source) return {};
  if (fetch.source == 1 || filter.keeps_all()) {
    out.source = std::string(source);
    return {};
  }
  return filter.apply(source, out.source);
}

/// The source of a nested document: filters name its fields by their full paths.
Status show_nested_source(const FetchSpec& fetch, SourceFilter& filter, const NestedSource& part,
                          FetchedDocument& out) {
  if (!part.below_path) return {};
  QUARRY_RETURN_IF_ERROR(show_source(fetch, filter, part.below_path->to_json(), out));
  if (!out.has_source) return {};
  QUARRY_ASSIGN_OR_RETURN(const JsonValue filtered, JsonValue::parse(out.source));
  const JsonValue* object = at_path(filtered, part.steps);
  out.source = object == nullptr ? "{}" : object->to_json();
  return {};
}

/// The root's source, parsed once for the nested documents of a page that follow each other.
Result<const JsonValue*> root_source(FetchRun& run, const Leaf& leaf, uint32_t root) {
  if (run.root_leaf == &leaf && run.root == root) return &run.root_json;
  run.root_leaf = nullptr;
  std::string source;
  QUARRY_RETURN_IF_ERROR(leaf.segment->stored().get(root, source));
  if (source.size() >= kLargeSource &&
      run.highlighting.out_of_budget_within(kNanosPerSourceByte * source.size()))
    return budget_ended();
  run.root_json = JsonValue::null();
  if (!source.empty()) {
    QUARRY_ASSIGN_OR_RETURN(run.root_json, JsonValue::parse(source));
  }
  run.root_leaf = &leaf;
  run.root = root;
  return &run.root_json;
}

/// What a hit shows in addition to its identity and source, `json`.
Status show_parts(FetchRun& run, const Leaf& leaf, uint32_t doc, const JsonValue& json,
                  FetchedDocument& out) {
  QUARRY_RETURN_IF_ERROR(show_fields(run, leaf, doc, json, out));
  if (run.highlighter != nullptr) {
    QUARRY_ASSIGN_OR_RETURN(out.highlight,
                            run.highlighter->highlight(leaf, doc, json, run.highlighting));
  }
  if ((run.spec.flags & kFetchMatchedQueries) != 0)
    out.matched_queries = matched_queries(run, leaf, doc);
  if ((run.spec.flags & kFetchExplain) != 0 && !run.legs.empty()) {
    run.legs[0]->explain(leaf, doc).append_json(out.explanation);
  }
  return {};
}

void set_identity(const IdTable& ids, uint32_t doc, FetchedDocument& out) {
  const DocVersion version = ids.version(doc);
  out.found = true;
  IdBuffer buffer;
  out.id = std::string(ids.id(doc, buffer));
  out.version = version.version;
  out.seq_no = version.seq_no;
  out.primary_term = version.primary_term;
}

Status fetch_nested(FetchRun& run, const Leaf& leaf, uint32_t doc, FetchedDocument& out) {
  const NestedDocs& nested = *leaf.segment->nested();
  const uint32_t root = nested.root_of(doc);
  set_identity(leaf.segment->ids(), root, out);
  NestedSource part{nested_steps(run.mapping, nested, doc), std::nullopt};
  out.nested = nested_identity(part.steps);
  if (run.spec.source != 0 || run.parses_source()) {
    QUARRY_ASSIGN_OR_RETURN(const JsonValue* source, root_source(run, leaf, root));
    if (std::optional<JsonValue> object = nested_object(*source, part.steps)) {
      part.below_path = below_path(part.steps, *std::move(object));
    }
  }
  QUARRY_RETURN_IF_ERROR(show_nested_source(run.spec, run.source_filter, part, out));
  return show_parts(run, leaf, doc, part.below_path.value_or(JsonValue()), out);
}

Status fetch_one(FetchRun& run, const Leaf& leaf, uint32_t doc, FetchedDocument& out) {
  const NestedDocs* nested = leaf.segment->nested();
  if (nested != nullptr && !nested->roots().test(doc)) return fetch_nested(run, leaf, doc, out);
  set_identity(leaf.segment->ids(), doc, out);
  const std::vector<std::string> routing = internal_texts(*leaf.segment, "_routing", doc);
  if (!routing.empty()) out.routing = routing[0];
  out.ignored = json_array(internal_texts(*leaf.segment, "_ignored", doc));
  std::string source;
  if (run.spec.source != 0 || run.parses_source()) {
    QUARRY_RETURN_IF_ERROR(leaf.segment->stored().get(doc, source));
  }
  if (source.size() >= kLargeSource &&
      run.highlighting.out_of_budget_within(kNanosPerSourceByte * source.size()))
    return budget_ended();
  QUARRY_RETURN_IF_ERROR(show_source(run.spec, run.source_filter, source, out));
  for (const Field* field : run.companions) {
    if (!out.has_source) break;
    QUARRY_RETURN_IF_ERROR(add_companion(run.mapping, *field,
                                         companion_vector(*leaf.segment, *field, doc), out.source));
  }
  JsonValue json;
  if (run.parses_source() && !source.empty()) {
    QUARRY_ASSIGN_OR_RETURN(json, JsonValue::parse(source));
  }
  return show_parts(run, leaf, doc, json, out);
}

/// Estimate of the memory that the document uses.
uint64_t bytes_of(const FetchedDocument& document) {
  uint64_t bytes = sizeof(FetchedDocument) + document.id.size() + document.routing.size() +
                   document.source.size() + document.fields.size() + document.ignored.size() +
                   document.ignored_values.size() + document.highlight.size() +
                   document.nested.size() + document.matched_queries.size() +
                   document.explanation.size();
  for (const InnerHits& inner : document.inner_hits) {
    bytes += sizeof(InnerHits);
    for (const FetchedDocument& hit : inner.documents) bytes += bytes_of(hit);
  }
  return bytes;
}

/// Compiles the queries for explanations and matched queries: the legs again, and every named
/// clause separately.
Status compile_queries(FetchRun& run) {
  const Plan& plan = run.plan;
  Compiler& compiler = run.compiler;
  const bool explain = (plan.fetch.flags & kFetchExplain) != 0;
  const bool named = (plan.fetch.flags & kFetchMatchedQueries) != 0;
  if (!explain && !named) return {};
  for (const PlanNode& leg : plan.legs) {
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, compiler.compile(leg, {1.0F, true}));
    run.legs.push_back(std::move(weight));
  }
  if (!named) return {};
  if (plan.has_post_filter)
    QUARRY_RETURN_IF_ERROR(compiler.compile(plan.post_filter, {1.0F, false}).status());
  const std::vector<NamedClause> clauses = compiler.named();
  for (const NamedClause& clause : clauses) {
    compiler.start_over();
    const bool scored = (plan.fetch.flags & kFetchNamedScores) != 0;
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, compiler.compile(clause.node, {1.0F, scored}));
    run.named.push_back({.name = clause.name, .weight = std::move(weight)});
  }
  return {};
}

Status resolve_fields(FetchRun& run) {
  Compiler& compiler = run.compiler;
  const FetchSpec& spec = run.plan.fetch;
  QUARRY_ASSIGN_OR_RETURN(run.metadata_fields, resolve_metadata_fields(spec.fields));
  QUARRY_ASSIGN_OR_RETURN(const std::vector<MetadataField> columns,
                          resolve_metadata_columns(spec.docvalue_fields));
  run.metadata_fields.insert(run.metadata_fields.end(), columns.begin(), columns.end());
  QUARRY_ASSIGN_OR_RETURN(run.docvalue_fields,
                          resolve_docvalue_fields(compiler, spec.docvalue_fields));
  QUARRY_ASSIGN_OR_RETURN(run.source_fields, resolve_source_fields(compiler, spec.fields));
  QUARRY_ASSIGN_OR_RETURN(run.script_fields,
                          compile_script_fields(compiler, run.plan.script_fields));
  const size_t all = run.source_fields.size();
  NestedFields nested(run.mapping, run.source_fields);
  if (run.source_fields.size() < all) run.nested_fields = std::move(nested);
  return {};
}

/// The fetch spec of the plan, with the vector fields added to the excludes if it requests that.
FetchSpec with_vector_excludes(FetchSpec spec, const Mapping& mapping) {
  if ((spec.flags & kFetchWithoutVectors) == 0 || spec.source == 0) return spec;
  for (const Field& field : mapping.fields()) {
    if (field.has_vectors()) spec.excludes.push_back(field.name);
  }
  if (!spec.excludes.empty()) spec.source = 2;
  return spec;
}

}  // namespace

Status apply_fetch_source(const FetchSpec& fetch, std::string_view source, FetchedDocument& out) {
  QUARRY_ASSIGN_OR_RETURN(SourceFilter filter,
                          SourceFilter::compile(fetch.includes, fetch.excludes));
  return show_source(fetch, filter, source, out);
}

PageFetch::PageFetch(std::unique_ptr<FetchRun> run) : run_(std::move(run)) {}
PageFetch::~PageFetch() = default;

Result<std::unique_ptr<PageFetch>> PageFetch::make(const SearchContext& context, const Plan& plan,
                                                   const std::vector<uint32_t>& docs,
                                                   SearchProgress& progress,
                                                   uint64_t highlighting_us) {
  FetchSpec spec = with_vector_excludes(plan.fetch, *context.mapping);
  QUARRY_ASSIGN_OR_RETURN(SourceFilter filter, SourceFilter::compile(spec.includes, spec.excludes));
  auto made = std::make_unique<FetchRun>(context, plan, std::move(spec), std::move(filter),
                                         progress, highlighting_us);
  FetchRun& run = *made;
  QUARRY_RETURN_IF_ERROR(resolve_fields(run));
  const Status compiled = compile_queries(run);
  if (!compiled.ok()) return run.compiler.error_of(compiled);
  if (plan.highlight.has_value()) {
    QUARRY_ASSIGN_OR_RETURN(run.highlighter, Highlighter::create(context, plan.now_ms, progress,
                                                                 *plan.highlight, plan.legs));
  }
  for (const InnerHitsSpec& inner : plan.inner_hits) {
    if (docs.empty()) break;
    const Mapping& mapping = run.compiler.mapping();
    if (mapping.nested_level(inner.path) == 0 && mapping.find(inner.path) == nullptr) {
      run.inner_hits.push_back(nullptr);
      continue;
    }
    QUARRY_ASSIGN_OR_RETURN(auto search,
                            InnerHitsSearch::make(context, inner, docs, progress, highlighting_us));
    run.inner_hits.push_back(std::move(search));
  }
  return std::unique_ptr<PageFetch>(new PageFetch(std::move(made)));
}

Status PageFetch::load(uint32_t doc, FetchedDocument& out) {
  const std::vector<Leaf>& leaves = run_->leaves;
  const auto after =
      std::upper_bound(leaves.begin(), leaves.end(), doc,
                       [](uint32_t value, const Leaf& leaf) { return value < leaf.base; });
  if (after == leaves.begin() || doc - (after - 1)->base >= (after - 1)->max_doc) {
    return {ErrorType::kInternal, "document " + std::to_string(doc) + " is beyond the snapshot"};
  }
  const Leaf& leaf = *(after - 1);
  QUARRY_RETURN_IF_ERROR(fetch_one(*run_, leaf, doc - leaf.base, out));
  for (const auto& search : run_->inner_hits) {
    InnerHits& inner = out.inner_hits.emplace_back();
    if (search != nullptr) QUARRY_RETURN_IF_ERROR(search->find(doc, inner));
  }
  return {};
}

bool PageFetch::timed_out() const {
  return run_->highlighting.timed_out() ||
         std::any_of(run_->inner_hits.begin(), run_->inner_hits.end(),
                     [](const auto& search) { return search && search->fetch().timed_out(); });
}

bool PageFetch::cancelled() const {
  return run_->highlighting.cancelled() ||
         std::any_of(run_->inner_hits.begin(), run_->inner_hits.end(),
                     [](const auto& search) { return search && search->fetch().cancelled(); });
}

namespace {

Result<TimedFetch> fetch_documents(const SearchContext& context, const Plan& plan,
                                   std::span<const uint32_t> docs, uint64_t timeout_us,
                                   uint64_t most_bytes) {
  // The time limit starts here, whatever the search took, because its hits have to be shown.
  SearchProgress progress{StopCheck(context.clock, plan.timeout_us, context.cancels,
                                    {context.limits.cancel_token}, context.budget),
                          {}};
  QUARRY_ASSIGN_OR_RETURN(
      const auto page,
      PageFetch::make(context, plan, {docs.begin(), docs.end()}, progress, timeout_us));
  TimedFetch out;
  uint64_t bytes = 0;
  for (const uint32_t doc : docs) {
    if (bytes >= most_bytes || progress.stop.expired()) break;
    QUARRY_RETURN_IF_ERROR(page->load(doc, out.documents.emplace_back()));
    bytes += bytes_of(out.documents.back());
    // Work on the document may have been cut short.
    if (progress.stop.stopped()) out.documents.pop_back();
  }
  if (page->cancelled()) return client_gone();
  QUARRY_RETURN_IF_ERROR(progress.status());
  out.timed_out = page->timed_out() || progress.stop.timed_out();
  return out;
}

}  // namespace

Result<TimedFetch> fetch_within(const SearchContext& context, const Plan& plan,
                                std::span<const uint32_t> docs, uint64_t timeout_us,
                                uint64_t most_bytes) {
  Result<TimedFetch> fetched = fetch_documents(context, plan, docs, timeout_us, most_bytes);
  if (context.out_of_budget()) return budget_ended();
  return fetched;
}

Result<std::vector<FetchedDocument>> execute_fetch(const SearchContext& context, const Plan& plan,
                                                   std::span<const uint32_t> docs) {
  QUARRY_ASSIGN_OR_RETURN(TimedFetch fetched, fetch_within(context, plan, docs, 0, UINT64_MAX));
  return std::move(fetched.documents);
}

uint64_t time_left(const Plan& plan, uint64_t spent_us) {
  if (plan.timeout_us == 0) return 0;
  return plan.timeout_us > spent_us ? plan.timeout_us - spent_us : 1;
}

std::vector<uint8_t> encode_timed_fetch(const TimedFetch& fetched) {
  constexpr size_t kTimedOutAt = 12;
  std::vector<uint8_t> bytes = encode_fetched(fetched.documents);
  bytes[kTimedOutAt] = fetched.timed_out ? 1 : 0;
  return bytes;
}

}  // namespace quarry
