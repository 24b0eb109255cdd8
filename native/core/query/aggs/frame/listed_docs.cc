#include "query/aggs/frame/listed_docs.h"

#include <algorithm>
#include <string>

namespace quarry {
namespace {

constexpr uint64_t kListShare = 8;  // segments where at most one document in 8 matches are listed
constexpr size_t kMostListBytes =
    1 << 18;  // maximum size of an entry: one term must not displace many others

}  // namespace

ListedDocs::ListedDocs(Weight& weight, const std::vector<Leaf>& leaves, StopCheck& stop)
    : of_leaf_(leaves.size()) {
  for (const Leaf& leaf : leaves) {
    OfLeaf& own = of_leaf_[leaf.ord];
    const uint64_t cost = weight.cost(leaf);
    own.live = leaf.live_count;
    own.listed = kListShare * cost <= leaf.max_doc;
    own.begin = room_;
    room_ += own.listed ? cost : 0;
  }
  docs_ = std::make_unique_for_overwrite<uint32_t[]>(room_);
  for (const Leaf& leaf : leaves) {
    OfLeaf& own = of_leaf_[leaf.ord];
    if (own.listed)
      own.count = weight.term_clause()->list_live(leaf, stop, docs_.get() + own.begin);
  }
}

std::shared_ptr<const ListedDocs> ListedDocs::find(const Compiler& compiler, Weight& weight,
                                                   const std::vector<Leaf>& leaves,
                                                   StopCheck& stop) {
  if (weight.term_clause() == nullptr) return nullptr;
  if (!compiler.keeps_joint()) return std::make_shared<const ListedDocs>(weight, leaves, stop);
  FilterCache& cache = *compiler.context().filters;
  const SingleTerm term = weight.term_clause()->term();
  const std::string name = FilterCache::joint_name("docs", term.field, term.text);
  const FilterCache::Joint known = cache.find_joint(compiler.joint_segments(), name);
  auto kept = std::static_pointer_cast<const ListedDocs>(known.entry);
  if (kept != nullptr && kept->is_of(leaves)) return kept;
  auto made = std::make_shared<const ListedDocs>(weight, leaves, stop);
  if (known.requested_before && made->room_ > 0 && made->bytes() <= kMostListBytes &&
      !stop.stopped())
    cache.put_joint(compiler.joint_segments(), name, made);
  return made;
}

bool ListedDocs::is_of(const std::vector<Leaf>& leaves) const {
  return std::equal(
      leaves.begin(), leaves.end(), of_leaf_.begin(), of_leaf_.end(),
      [](const Leaf& leaf, const OfLeaf& own) { return leaf.live_count == own.live; });
}

size_t ListedDocs::bytes() const {
  return sizeof(ListedDocs) + of_leaf_.capacity() * sizeof(OfLeaf) + room_ * sizeof(uint32_t);
}

}  // namespace quarry
