// Highlights the hits of a page: for each requested field, fragments of its text with the matches
// of the query between tags.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "json/value.h"
#include "query/fetch/fetch_fields.h"
#include "query/highlight/highlight_plan.h"
#include "query/highlight/highlight_text.h"
#include "query/plan/compiler.h"

namespace quarry {

struct TextMatch;

/// The queries of a fetch whose terms are marked. The weights depend on the compiler that created
/// them.
struct MarkedQueries {
  std::vector<WeightPtr> weights;
};

/// One per fetch. `context` and the plan's bytes must outlive it.
class Highlighter {
 public:
  /// `legs`: the query, for fields without a highlight_query. Errors are those of its clauses.
  static Result<std::unique_ptr<Highlighter>> create(const SearchContext& context, int64_t now_ms,
                                                     SearchProgress& progress, const PlanNode& node,
                                                     const std::vector<PlanNode>& legs);

  /// `{"field":["fragment",…]}`; empty if no field has a fragment, or if `stop` expired before all
  /// fields were processed. illegal_argument_exception for a text beyond the limit of the index.
  Result<std::string> highlight(const Leaf& leaf, uint32_t doc, const JsonValue& source,
                                StopCheck& stop);

 private:
  /// A mapped field that a spec names.
  struct Target {
    RequestedField requested;
    const HighlightSpec* spec = nullptr;
    std::vector<const Field*> matched;  // fields whose terms are marked
    MarkedQueries* queries = nullptr;
  };

  Highlighter(const SearchContext& context, int64_t now_ms, SearchProgress& progress,
              HighlightPlan plan);

  Status add_targets(const HighlightSpec& spec, const std::vector<PlanNode>& legs);
  void add_target(Target target);
  Result<MarkedQueries*> queries_for(const HighlightSpec& spec, const std::vector<PlanNode>& legs);
  std::vector<const Field*> matched_fields(const HighlightSpec& spec, const Field& field);
  Status check_length(const Target& target, const FieldText& text, uint32_t doc) const;
  Result<std::vector<TextMatch>> find_matches(const Target& target, const FieldText& text,
                                              const Leaf& leaf, uint32_t doc, StopCheck& stop);
  std::vector<std::string> fragments(const Target& target, const FieldText& text,
                                     std::vector<TextMatch> matches) const;

  const SearchContext& context_;
  const HighlightPlan plan_;
  Compiler compiler_;
  Compiler any_field_compiler_;  // keeps terms that its own field lacks
  std::unique_ptr<MarkedQueries> of_legs_;
  std::unique_ptr<MarkedQueries> of_legs_any_field_;
  std::vector<std::unique_ptr<MarkedQueries>> own_;
  std::vector<Target> targets_;
  std::unordered_map<std::string, size_t> places_;  // of targets_ by the name of the field
};

}  // namespace quarry
