// The space of a search for nested documents: those at one path inside one document (inner hits).
#pragma once

#include "query/plan/plan.h"
#include "query/plan/query.h"
#include "query/plan/search.h"

namespace quarry {

/// Makes a context whose only documents are the nested ones at the path of the plan's nested_hits
/// (or of the field that it names), in the segment of its document. Term statistics stay those of
/// the index, so that scores are those of the clause `nested`. It has no cache: what caches count
/// is counted among roots.
class NestedSpace {
 public:
  /// `context` must outlive it; `plan` has nested_hits.
  NestedSpace(const SearchContext& context, const Plan& plan);
  NestedSpace(const NestedSpace&) = delete;
  NestedSpace& operator=(const NestedSpace&) = delete;
  const SearchContext& context() const { return context_; }

 private:
  NestedHitsSpec spec_;
  ShardView view_;
  SearchContext context_;
};

/// Matches the nested documents inside the document that `spec` names, with score 0.
WeightPtr make_block_weight(const NestedHitsSpec& spec);

/// The first of the documents before `doc` that are inside it. `doc` may be nested itself.
uint32_t first_inside(const NestedDocs& nested, uint32_t doc);

}  // namespace quarry
