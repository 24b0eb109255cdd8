// Counts the matches of a scorer. Few matches are listed; many are gathered as bits window by
// window, masked with the live documents and counted word by word.
#include "query/plan/count_matches.h"

#include <algorithm>

#include "base/bit_list.h"
#include "query/scorers/doc_id_set.h"
#include "query/scorers/join_strategy.h"

namespace quarry {
namespace {

constexpr uint32_t kCountWindow = 32768;  // documents; their bits fit in the L1 cache

uint64_t count_listed(Scorer& scorer, const Leaf& leaf, uint64_t enough, StopCheck& stop) {
  uint64_t count = 0;
  uint32_t docs[kBlockDocs];
  uint32_t listed = scorer.list_matches(0, docs);
  while (listed > 0 && count < enough && !stop.expired()) {
    const uint32_t last = docs[listed - 1];
    count +=
        leaf.live == nullptr ? listed : keep_set({docs, listed}, leaf.live->words().data(), docs);
    listed = scorer.list_matches(last + 1, docs);
  }
  return count;
}

}  // namespace

uint64_t count_matches(Scorer& scorer, const Leaf& leaf, uint64_t cost, uint64_t enough,
                       StopCheck& stop) {
  if (scorer.is_listed() || join::counts_lists(cost, leaf.max_doc))
    return count_listed(scorer, leaf, enough, stop);
  constexpr size_t kWords = kCountWindow / 64;
  uint64_t matched[kWords];
  uint64_t count = 0;
  for (uint32_t begin = 0; begin < leaf.max_doc && count < enough && !stop.expired();) {
    const uint32_t end = begin + std::min(kCountWindow, leaf.max_doc - begin);
    const size_t words = (end - begin + 63) / 64;
    std::fill(matched, matched + words, 0);
    scorer.match_window(begin, end, matched);
    if (stop.stopped()) break;
    if (leaf.live != nullptr) {
      // Windows begin at a multiple of 64.
      const std::span<const uint64_t> live = leaf.live->words().subspan(begin / 64, words);
      for (size_t i = 0; i < words; i++) matched[i] &= live[i];
    }
    count += count_bits({matched, words});
    begin = end;
  }
  return count;
}

}  // namespace quarry
