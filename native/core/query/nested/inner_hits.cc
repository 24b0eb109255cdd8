#include "query/nested/inner_hits.h"

#include <algorithm>
#include <utility>

#include "query/plan/leaves.h"

namespace quarry {

InnerHitsSearch::InnerHitsSearch(const SearchContext& context, const InnerHitsSpec& spec,
                                 const std::vector<uint32_t>& docs, SearchProgress& progress)
    : spec_(spec),
      space_(context, spec.path, docs),
      run_{space_.context(), spec.plan, before_, {}, progress, sorts_by_score(spec.plan)},
      leaves_(make_leaves(*space_.context().view, progress)),
      leg_(run_) {}

Result<std::unique_ptr<InnerHitsSearch>> InnerHitsSearch::make(const SearchContext& context,
                                                               const InnerHitsSpec& spec,
                                                               const std::vector<uint32_t>& docs,
                                                               SearchProgress& progress,
                                                               uint64_t highlighting_us) {
  std::unique_ptr<InnerHitsSearch> made(new InnerHitsSearch(context, spec, docs, progress));
  QUARRY_RETURN_IF_ERROR(made->leg_.compile(spec.plan.legs.front(), make_block_weight(made->doc_)));
  QUARRY_ASSIGN_OR_RETURN(made->fetch_, PageFetch::make(made->space_.context(), spec.plan, docs,
                                                        progress, highlighting_us));
  return made;
}

Status InnerHitsSearch::find(uint32_t doc, InnerHits& out) {
  doc_ = doc;
  // Only the segment of the document; none if it has no nested documents at the path.
  run_.leaves.clear();
  for (const Leaf& leaf : leaves_) {
    if (doc >= leaf.base && doc - leaf.base < leaf.max_doc) run_.leaves.push_back(leaf);
  }
  QUARRY_RETURN_IF_ERROR(leg_.find(out.hits));
  const std::vector<uint32_t>& docs = out.hits.legs.front().docs;
  const size_t from = std::min<size_t>(spec_.plan.from, docs.size());
  const size_t size = std::min<size_t>(spec_.plan.size, docs.size() - from);
  for (size_t i = from; i < from + size; i++) {
    QUARRY_RETURN_IF_ERROR(fetch_->load(docs[i], out.documents.emplace_back()));
  }
  return {};
}

}  // namespace quarry
