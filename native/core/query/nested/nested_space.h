// The space of a search for nested documents: those at one path inside some documents (inner hits).
#pragma once

#include <string>
#include <vector>

#include "query/plan/plan.h"
#include "query/plan/query.h"
#include "query/plan/search.h"

namespace quarry {

/// Makes a context whose only documents are the nested ones at a path, in the segments of the
/// documents around them. Term statistics stay those of the index, so that scores are those of the
/// clause `nested`. It has no cache: what caches count is counted among roots.
class NestedSpace {
 public:
  /// `path`: of a nested object, or a field of it. `docs`: around the nested documents, any order;
  /// of no meaning if `context` is of a nested space itself. `context` must outlive it.
  NestedSpace(const SearchContext& context, const std::string& path,
              const std::vector<uint32_t>& docs);
  NestedSpace(const NestedSpace&) = delete;
  NestedSpace& operator=(const NestedSpace&) = delete;
  const SearchContext& context() const { return context_; }

 private:
  std::vector<uint32_t> around_;
  ShardView view_;
  SearchContext context_;
};

/// Matches the documents of a nested space inside the document of the number `around`, which may
/// change between calls and must outlive the weight, with score 0.
WeightPtr make_block_weight(const uint32_t& around);

/// The first of the documents before `doc` that are inside it. `doc` may be nested itself.
uint32_t first_inside(const NestedDocs& nested, uint32_t doc);

/// All documents between a document of `docs` and the document of `bounds` before it. Where
/// `bounds` has the roots and the documents at the path of `docs`, these are the documents inside
/// `docs`.
Bitset docs_inside(const Bitset& docs, const Bitset& bounds);

}  // namespace quarry
