// Searches with cached term locations return the same as those with dictionary lookups, while
// segments are added, documents are deleted, and other shards change the statistics.
#include "query/phrase/term_places.h"

#include <string>
#include <vector>

#include "base/random.h"
#include "testing/test_index.h"

namespace quarry::term_places_test {

using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

constexpr const char* kMapping = R"({"properties":{"t":{"type":"text"},"k":{"type":"keyword"}}})";
const std::vector<std::string> kWords = {"wave",  "waves", "wage", "stone",
                                         "store", "stove", "a",    "b"};

/// The first words are frequent.
std::string some_word(Random& random) {
  return kWords[random.below(1 + random.below(kWords.size()))];
}

void add_segment(TestIndex& index, uint32_t& id, uint32_t count, Random& random) {
  for (uint32_t i = 0; i < count; i++) {
    std::string text;
    for (uint64_t left = 1 + random.below(6); left > 0; left--) text += some_word(random) + " ";
    index.add(std::to_string(id++), "{\"t\":\"" + text + "\",\"k\":\"" + some_word(random) + "\"}");
  }
  index.refresh();
}

NodeBytes word(Random& random) { return Query().term("t", some_word(random)); }

NodeBytes some_query(Random& random) {
  switch (random.below(8)) {
    case 0:
      return Query().boolean({word(random), word(random)});
    case 1:
      return Query().boolean({}, {}, {word(random), word(random), word(random)});
    case 2:
      return Query().boolean({word(random)}, {Query().term("k", some_word(random))});
    case 3:
      return Query().fuzzy("t", some_word(random), "1");
    case 4:
      return Query().fuzzy("k", some_word(random), "2");
    case 5:
      return Query().match_phrase("t", some_word(random) + " " + some_word(random));
    case 6:
      return Query().prefix("t", some_word(random).substr(0, 2));
    default:
      return word(random);
  }
}

/// Compares searches with and without the cache.
void compare(TestIndex& index, FilterCache& cache, const PlanFrame& frame, size_t shard) {
  index.use_cache(nullptr);
  const Result<ShardHits> uncached = index.run(frame, shard);
  index.use_cache(&cache);
  const Result<ShardHits> kept = index.run(frame, shard);
  ASSERT_OK(uncached);
  ASSERT_OK(kept);
  EXPECT_EQ(kept->total, uncached->total);
  EXPECT_EQ(kept->legs[0].docs, uncached->legs[0].docs);
  EXPECT_EQ(kept->legs[0].scores, uncached->legs[0].scores);
}

TEST(TermPlaces, AnswerAsTheDictionariesWhateverChanges) {
  Random random(7);
  for (const uint32_t shards : {1U, 2U}) {
    TestIndex index(kMapping);
    FilterCache cache(size_t{1} << 18);
    uint32_t id = 0;
    for (uint32_t step = 0; step < 30; step++) {
      if (step < 8) add_segment(index, id, 20 + static_cast<uint32_t>(random.below(400)), random);
      if (shards == 2 && step == 4) index.start_shard();
      for (uint64_t left = random.below(30); step % 3 == 2 && left > 0; left--)
        index.remove(std::to_string(random.below(id)));
      for (uint32_t i = 0; i < 40; i++) {
        PlanFrame frame;
        frame.legs = {some_query(random)};
        frame.window = random.below(3) == 0 ? 0 : 10;
        frame.track_total_hits = random.below(3) == 0 ? 50 : kExactTotal;
        compare(index, cache, frame, step > 4 ? random.below(shards) : 0);
      }
    }
  }
}

TEST(TermPlaces, ARepeatedWordNeedsNoDictionary) {
  Random random(8);
  TestIndex index(kMapping);
  uint32_t id = 0;
  for (uint32_t segment = 0; segment < 4; segment++) add_segment(index, id, 100, random);
  FilterCache cache(size_t{1} << 18);
  index.use_cache(&cache);
  const auto visited = [&index](const NodeBytes& query) {
    const Result<ShardHits> hits = index.run(query);
    EXPECT_OK(hits);
    return hits.ok() ? hits->terms_visited : 0;
  };
  const NodeBytes single = Query().term("t", "wave");
  EXPECT_EQ(visited(single), 4U);
  EXPECT_EQ(visited(single), 4U);
  EXPECT_EQ(visited(single), 0U);
  index.remove("5");
  EXPECT_EQ(visited(single), 0U);
  add_segment(index, id, 100, random);
  EXPECT_EQ(visited(single), 5U);
  EXPECT_EQ(visited(single), 0U);
}

TEST(TermPlaces, ALoneSegmentWithoutDeletionsKeepsNothing) {
  Random random(9);
  TestIndex index(kMapping);
  uint32_t id = 0;
  add_segment(index, id, 100, random);
  FilterCache cache(size_t{1} << 18);
  index.use_cache(&cache);
  for (uint32_t time = 0; time < 3; time++) {
    ASSERT_OK(index.run(Query().term("t", "wave")));
    EXPECT_EQ(cache.bytes(), 0U);
  }
}

}  // namespace quarry::term_places_test
