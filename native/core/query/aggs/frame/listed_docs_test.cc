// Cached document lists of a word for aggregations: they are cached at the second request, and stay
// correct when segments change.
#include "query/aggs/frame/listed_docs.h"

#include <string>
#include <vector>

#include "query/plan/leaves.h"
#include "testing/agg_builder.h"
#include "testing/agg_text.h"
#include "testing/test_index.h"

namespace quarry::listed_docs_test {

using namespace testing;

struct World {
  FilterCache cache{1 << 20};
  TestIndex index{R"({"properties":{"t":{"type":"text"},"n":{"type":"long"}}})"};
  uint32_t added = 0;
  std::vector<std::string> rare;  // ids

  World() { index.use_cache(&cache); }
  /// One document in twelve has the word `rare`, every second `common`; in a segment of odd size
  /// the first has no `rare`.
  void add_segment(uint32_t docs) {
    for (uint32_t i = 0; i < docs; i++, added++) {
      const std::string number = std::to_string(added);
      const bool has_rare = docs % 2 == 0 && added * added % 23 == 4;
      const std::string text =
          std::string(has_rare ? "rare " : "") + (i % 2 == 0 ? "common" : "other");
      index.add(number, R"({"t":")" + text + R"(","n":)" + number + "}");
      if (has_rare) rare.push_back(number);
    }
    index.refresh();
  }
};

/// Over the documents with the word; `listed`: as a single term query.
PlanFrame sums_of(const char* word, bool listed) {
  PlanFrame frame;
  frame.legs = {listed ? Query().term("t", word) : Query().terms("t", {word, "nowhere"})};
  frame.aggs = {stats_agg("n")};
  frame.window = 0;
  return frame;
}

std::vector<std::string> answer(const World& world, const char* word, bool listed) {
  const Result<ShardHits> hits = world.index.run(sums_of(word, listed));
  EXPECT_OK(hits);
  return hits.ok() ? read_aggs(hits->aggs) : std::vector<std::string>();
}

void compare(World& world) {
  for (const char* word : {"rare", "common", "missing"}) {
    const std::vector<std::string> expected = answer(world, word, false);
    for (int times = 0; times < 4; times++) EXPECT_EQ(answer(world, word, true), expected);
  }
}

/// The number of documents in the word's cached lists, or -1 without a cache entry.
int64_t kept(World& world, const char* word) {
  const SearchContext context = world.index.context();
  SearchProgress progress{StopCheck(nullptr, 0), {}};
  const Compiler compiler(context, 0, progress);
  const std::string name = FilterCache::joint_name("docs", "t", word);
  const auto entry = std::static_pointer_cast<const ListedDocs>(
      world.cache.find_joint(compiler.joint_segments(), name).entry);
  if (entry == nullptr) return -1;
  int64_t count = 0;
  for (const Leaf& leaf : make_leaves(*context.view, progress)) {
    if (entry->has(leaf)) count += static_cast<int64_t>(entry->of(leaf).size());
  }
  return count;
}

TEST(ListedDocs, AreRightWhateverIsDeletedOrAdded) {
  World world;
  for (const uint32_t docs : {200U, 101U, 90U}) world.add_segment(docs);
  compare(world);
  const std::vector<std::string> ids = world.rare;
  EXPECT_EQ(kept(world, "rare"), ids.size());
  // A word in most documents is not listed.
  EXPECT_EQ(kept(world, "common"), -1);
  for (size_t i = 0; i < ids.size(); i += 3) {
    world.index.remove(ids[i]);
    compare(world);
  }
  const auto left = static_cast<int64_t>(ids.size() - (ids.size() + 2) / 3);
  EXPECT_EQ(kept(world, "rare"), left);
  world.add_segment(300);
  EXPECT_EQ(kept(world, "rare"), -1);
  compare(world);
  EXPECT_EQ(kept(world, "rare"), left + static_cast<int64_t>(world.rare.size() - ids.size()));
}

TEST(ListedDocs, AreKeptWhenTheyAreWantedAgain) {
  World world;
  for (const uint32_t docs : {80U, 80U}) world.add_segment(docs);
  answer(world, "rare", true);
  EXPECT_EQ(kept(world, "rare"), -1);
  answer(world, "rare", true);
  EXPECT_EQ(kept(world, "rare"), world.rare.size());
}

}  // namespace quarry::listed_docs_test
