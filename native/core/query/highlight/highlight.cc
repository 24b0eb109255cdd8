// Resolves the fields, compiles the marked queries, and processes the fields of a document.
#include "query/highlight/highlight.h"

#include <algorithm>
#include <utility>

#include "query/highlight/analyzed_text.h"
#include "query/highlight/highlight_fragments.h"
#include "query/highlight/highlight_matches.h"
#include "query/highlight/highlight_passages.h"
#include "query/scorers/document_matches.h"

namespace quarry {
namespace {

constexpr uint64_t kNanosPerTextByte = 20;  // of a text that is analyzed and searched for matches

bool is_pattern(std::string_view name) { return name.find('*') != std::string_view::npos; }

bool is_textual(const Field& field) { return field.is_text() || field.is_keyword(); }

Status compile_marked(Compiler& compiler, const PlanNode& node, MarkedQueries& out) {
  compiler.start_over();
  Result<WeightPtr> weight = compiler.compile(node, {1.0F, true});
  if (!weight.ok()) return compiler.error_of(weight.status());
  out.weights.push_back(std::move(weight).value());
  return {};
}

/// Marks the words of a text that was searched semantically.
Status report_semantic_terms(const Field& field, std::string_view text, Compiler& compiler,
                             MatchSink& sink) {
  QUARRY_ASSIGN_OR_RETURN(const AnalyzedText analyzed,
                          analyze_text(field.search_analyzer, text, compiler));
  for (const AnalyzedPosition& position : analyzed.positions) {
    for (const std::string& term : position.terms) sink.term(field, term);
  }
  return {};
}

std::string fragments_json(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += ',';
    append_json_string(out, text);
  }
  return out + "]";
}

}  // namespace

Highlighter::Highlighter(const SearchContext& context, int64_t now_ms, SearchProgress& progress,
                         HighlightPlan plan)
    : context_(context),
      plan_(std::move(plan)),
      compiler_(context, now_ms, progress),
      any_field_compiler_(context, now_ms, progress) {
  any_field_compiler_.keep_absent_terms();
}

Result<std::unique_ptr<Highlighter>> Highlighter::create(const SearchContext& context,
                                                         int64_t now_ms, SearchProgress& progress,
                                                         const PlanNode& node,
                                                         const std::vector<PlanNode>& legs) {
  QUARRY_ASSIGN_OR_RETURN(HighlightPlan plan, read_highlight_plan(node));
  std::unique_ptr<Highlighter> made(new Highlighter(context, now_ms, progress, std::move(plan)));
  for (const HighlightSpec& spec : made->plan_.fields) {
    QUARRY_RETURN_IF_ERROR(made->add_targets(spec, legs));
  }
  return made;
}

Status Highlighter::add_targets(const HighlightSpec& spec, const std::vector<PlanNode>& legs) {
  QUARRY_ASSIGN_OR_RETURN(std::vector<RequestedField> found,
                          resolve_source_fields(compiler_, {{spec.pattern, ""}}));
  if (found.empty()) return {};
  QUARRY_ASSIGN_OR_RETURN(MarkedQueries * queries, queries_for(spec, legs));
  for (RequestedField& requested : found) {
    const Field& field = *requested.field;
    if (is_pattern(spec.pattern) && !is_textual(field)) continue;
    add_target({std::move(requested), &spec, matched_fields(spec, field), queries});
  }
  return {};
}

/// Of several specs for a field the last one applies.
void Highlighter::add_target(Target target) {
  const auto [known, is_new] = places_.try_emplace(target.requested.name, targets_.size());
  if (is_new) {
    targets_.push_back(std::move(target));
  } else {
    targets_[known->second] = std::move(target);
  }
}

Result<MarkedQueries*> Highlighter::queries_for(const HighlightSpec& spec,
                                                const std::vector<PlanNode>& legs) {
  Compiler& compiler = spec.any_field() ? any_field_compiler_ : compiler_;
  if (spec.query) {
    MarkedQueries& own = *own_.emplace_back(std::make_unique<MarkedQueries>());
    QUARRY_RETURN_IF_ERROR(compile_marked(compiler, *spec.query, own));
    return &own;
  }
  std::unique_ptr<MarkedQueries>& shared = spec.any_field() ? of_legs_any_field_ : of_legs_;
  if (shared == nullptr) {
    shared = std::make_unique<MarkedQueries>();
    for (const PlanNode& leg : legs) QUARRY_RETURN_IF_ERROR(compile_marked(compiler, leg, *shared));
  }
  return shared.get();
}

std::vector<const Field*> Highlighter::matched_fields(const HighlightSpec& spec,
                                                      const Field& field) {
  if (spec.matched_fields.empty()) return {&field};
  std::vector<const Field*> out;
  for (const std::string& pattern : spec.matched_fields) {
    for (const Field* match : compiler_.mapping().match(pattern)) {
      if (std::find(out.begin(), out.end(), match) == out.end()) out.push_back(match);
    }
  }
  return out;
}

Status Highlighter::check_length(const Target& target, const FieldText& text, uint32_t doc) const {
  const uint32_t limit = plan_.index_limit;
  const uint32_t own = target.spec->max_analyzed_offset;
  if ((own > 0 && own <= limit) || text.text().size() <= limit) return {};
  if (target.requested.field->offsets && !target.spec->plain()) return {};
  return {
      ErrorType::kIllegalArgument,
      "The length [" + std::to_string(text.text().size()) + "] of field [" + target.requested.name +
          "] in doc[" + std::to_string(doc) + "]/index[" + std::string(context_.index_name) +
          "] exceeds the [index.highlight.max_analyzed_offset] limit [" + std::to_string(limit) +
          "]. To avoid this error, set the query parameter [max_analyzed_offset] to a value "
          "less than index setting [" +
          std::to_string(limit) + "] and this will tolerate long field values by truncating them."};
}

Result<std::vector<TextMatch>> Highlighter::find_matches(const Target& target,
                                                         const FieldText& text, const Leaf& leaf,
                                                         uint32_t doc, StopCheck& stop) {
  std::vector<TextMatch> out;
  const HighlightSpec& spec = *target.spec;
  for (const Field* field : target.matched) {
    QUARRY_ASSIGN_OR_RETURN(const FieldTokens tokens,
                            find_tokens(text, *field, spec.max_analyzed_offset));
    if (tokens.tokens.empty()) continue;
    MatchFinder finder(tokens, *field, spec.any_field(), spec.phrase_limit, stop, out);
    for (const WeightPtr& weight : target.queries->weights) {
      if (stop.step()) return out;
      report_document_matches(*weight, leaf, doc, finder);
    }
    if (spec.query) continue;
    for (const auto& [name, semantic_text] : plan_.meanings) {
      const Field* semantic = compiler_.mapping().find(name);
      if (semantic == nullptr || !semantic->is_text()) continue;
      QUARRY_RETURN_IF_ERROR(report_semantic_terms(*semantic, semantic_text, compiler_, finder));
    }
  }
  return out;
}

std::vector<std::string> Highlighter::fragments(const Target& target, const FieldText& text,
                                                std::vector<TextMatch> matches) const {
  const HighlightSpec& spec = *target.spec;
  const bool whole = spec.fragments == 0 || !target.requested.field->is_text();
  std::vector<Passage> passages = find_passages(text, std::move(matches), spec, whole);
  if (passages.empty() && spec.no_match_size > 0)
    passages.push_back({beginning(text, spec.no_match_size), {}, 0});
  std::vector<std::string> out;
  for (const Passage& passage : passages) {
    std::string printed = print_passage(text, passage, spec);
    if (!printed.empty()) out.push_back(std::move(printed));
  }
  return out;
}

Result<std::string> Highlighter::highlight(const Leaf& leaf, uint32_t doc, const JsonValue& source,
                                           StopCheck& stop) {
  std::string out;
  for (const Target& target : targets_) {
    if (stop.expired()) return std::string();
    const FieldText text(plain_texts(target.requested, source));
    if (text.empty()) continue;
    if (stop.out_of_budget_within(kNanosPerTextByte * text.text().size())) return std::string();
    QUARRY_RETURN_IF_ERROR(check_length(target, text, leaf.base + doc));
    QUARRY_ASSIGN_OR_RETURN(std::vector<TextMatch> matches,
                            find_matches(target, text, leaf, doc, stop));
    if (stop.stopped()) return std::string();
    const std::vector<std::string> shown = fragments(target, text, std::move(matches));
    if (shown.empty()) continue;
    out += out.empty() ? "{" : ",";
    append_json_string(out, target.requested.name);
    out += ':' + fragments_json(shown);
  }
  return out.empty() ? out : out + "}";
}

}  // namespace quarry
