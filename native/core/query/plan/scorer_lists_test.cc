// For every clause, listing its documents, intersecting with a list, and collecting windows as bit
// sets are equivalent to iterating.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "query/plan/compiler.h"
#include "query/plan/leaves.h"
#include "testing/random_corpus.h"

namespace quarry::scorer_lists_test {

using testing::Corpus;
using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::random_clause;
using testing::word;

using Docs = std::vector<uint32_t>;

Docs walked(Scorer& scorer) {
  Docs out;
  for (uint32_t doc = scorer.next_match(); doc != kNoMoreDocs; doc = scorer.next_match())
    out.push_back(doc);
  return out;
}

/// Uses list_matches(), continuing after the last document or further on; skipped documents are
/// removed from `expected`.
Docs listed(Scorer& scorer, Docs& expected, Random& random) {
  Docs out;
  uint32_t docs[kBlockDocs];
  uint32_t from = 0;
  while (const uint32_t count = scorer.list_matches(from, docs)) {
    out.insert(out.end(), docs, docs + count);
    from = docs[count - 1] + 1;
    if (random.below(8) != 0) continue;
    const uint32_t begin = from;
    from += static_cast<uint32_t>(random.below(500));
    std::erase_if(expected, [&](uint32_t doc) { return doc >= begin && doc < from; });
  }
  return out;
}

/// Intersects with about every third document, in pieces; the others are removed from `expected`.
Docs kept(Scorer& scorer, uint32_t max_doc, Docs& expected, Random& random) {
  Docs wanted;
  for (uint32_t doc = 0; doc < max_doc; doc++) {
    if (random.below(3) == 0) wanted.push_back(doc);
  }
  std::erase_if(expected, [&wanted](uint32_t doc) {
    return !std::binary_search(wanted.begin(), wanted.end(), doc);
  });
  Docs out;
  for (std::span<uint32_t> left = wanted; !left.empty();) {
    const std::span<uint32_t> piece =
        left.first(1 + random.below(std::min<size_t>(left.size(), 200)));
    left = left.subspan(piece.size());
    const uint32_t count = scorer.keep_matches(piece);
    out.insert(out.end(), piece.begin(), piece.begin() + count);
  }
  return out;
}

/// Uses windows of any length, some of which are skipped.
Docs gathered(Scorer& scorer, uint32_t max_doc, Docs& expected, Random& random) {
  Docs out;
  for (uint32_t begin = 0; begin < max_doc;) {
    const uint32_t end = std::min(max_doc, begin + 1 + static_cast<uint32_t>(random.below(900)));
    if (random.below(5) == 0) {
      std::erase_if(expected, [&](uint32_t doc) { return doc >= begin && doc < end; });
    } else {
      std::vector<uint64_t> bits((end - begin + 63) / 64);
      scorer.match_window(begin, end, bits.data());
      for (uint32_t doc = begin; doc < end; doc++) {
        if ((bits[(doc - begin) / 64] >> ((doc - begin) % 64) & 1) != 0) out.push_back(doc);
      }
    }
    begin = end;
  }
  return out;
}

void expect_alike(const Corpus& corpus, const NodeBytes& query, bool scores, Random& random) {
  PlanFrame frame;
  frame.legs.push_back(query);
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  const SearchContext context = corpus.index.context();
  SearchProgress progress{StopCheck(nullptr, 0), {}};
  Compiler compiler(context, plan->now_ms, progress);
  const Result<WeightPtr> weight = compiler.compile(plan->legs[0], {1.0F, scores});
  ASSERT_OK(weight);
  for (const Leaf& leaf : make_leaves(*context.view, progress)) {
    const auto scorer = [&] { return (*weight)->scorer(leaf, leaf.max_doc); };
    if (scorer() == nullptr) continue;
    const Docs all = walked(*scorer());
    Docs expected = all;
    EXPECT_TRUE(listed(*scorer(), expected, random) == expected);
    expected = all;
    EXPECT_TRUE(kept(*scorer(), leaf.max_doc, expected, random) == expected);
    expected = all;
    EXPECT_TRUE(gathered(*scorer(), leaf.max_doc, expected, random) == expected);
  }
}

TEST(ScorerLists, SayWhatWalkingSays) {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    Random random(seed);
    const Corpus corpus(random, 4000, static_cast<uint32_t>(seed));
    for (int i = 0; i < 100; i++)
      expect_alike(corpus, random_clause(random, 2), i % 2 == 0, random);
  }
}

/// The main use of lists: conjunctions of words, and their phrases.
TEST(ScorerLists, OfConjunctionsAndPhrases) {
  Random random(7);
  const Corpus corpus(random, 6000, 2);
  for (int i = 0; i < 200; i++) {
    std::vector<NodeBytes> must;
    std::string words;
    for (uint64_t left = 2 + random.below(3); left > 0; left--) {
      const std::string one = word(random);
      must.push_back(Query().term("t", one));
      words += one + " ";
    }
    const std::vector<NodeBytes> filter = testing::random_clauses(random, 1, 0);
    expect_alike(corpus, Query().boolean(must, filter), false, random);
    expect_alike(corpus, Query().match_phrase("t", words), false, random);
  }
}

}  // namespace quarry::scorer_lists_test
