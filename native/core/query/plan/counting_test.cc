// Totals counted by bit sets, window by window, equal a count over the documents: with deletions,
// limits, filters and exclusions, for any requested number of hits.
#include <functional>
#include <string>
#include <vector>

#include "testing/test_index.h"

namespace quarry::counting_test {

using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

constexpr uint32_t kDocs = 34000;  // more than one window of bits

using Predicate = std::function<bool(uint32_t)>;

struct Case {
  const char* name;
  NodeBytes query;
  Predicate matches;
};

bool every(uint32_t doc, uint32_t step) { return doc % step == 0; }

NodeBytes word(const char* text) { return Query().term("t", text); }

std::vector<Case> cases() {
  const NodeBytes low = Query().range("n", 1 | 8, {"0", "20000"});
  return {
      {"term", word("two"), [](uint32_t doc) { return every(doc, 2); }},
      {"or", Query().boolean({}, {}, {word("two"), word("three")}),
       [](uint32_t doc) { return every(doc, 2) || every(doc, 3); }},
      {"and", Query().boolean({word("two"), word("three")}),
       [](uint32_t doc) { return every(doc, 6); }},
      {"rare and", Query().boolean({word("two"), word("thousand")}),
       [](uint32_t doc) { return every(doc, 1000); }},
      {"or, filtered", Query().boolean({}, {low}, {word("two"), word("three")}, {}, "1"),
       [](uint32_t doc) { return doc < 20000 && (every(doc, 2) || every(doc, 3)); }},
      {"and, filtered", Query().boolean({word("two"), word("seven")}, {low}),
       [](uint32_t doc) { return doc < 20000 && every(doc, 14); }},
      {"one word in a range", Query().boolean({word("two")}, {low}),
       [](uint32_t doc) { return doc < 20000 && every(doc, 2); }},
      {"one word in two ranges",
       Query().boolean({}, {low, Query().range("n", 1, {"11111"}), word("seven")}),
       [](uint32_t doc) { return doc >= 11111 && doc < 20000 && every(doc, 7); }},
      {"a range alone", low, [](uint32_t doc) { return doc < 20000; }},
      {"ranges apart", Query().boolean({word("two")}, {low, Query().range("n", 1, {"20000"})}),
       [](uint32_t) { return false; }},
      {"values here and there", Query().boolean({word("two")}, {Query().range("m", 1, {"900"})}),
       [](uint32_t doc) { return doc % 1000 >= 900 && every(doc, 2); }},
      {"phrase", Query().match_phrase("t", "two three"),
       [](uint32_t doc) { return every(doc, 6); }},
      {"phrase of three", Query().match_phrase("t", "two three seven"),
       [](uint32_t doc) { return every(doc, 42); }},
      {"phrase of a rare word", Query().match_phrase("t", "two thousand"),
       [](uint32_t doc) { return every(doc, 1000) && !every(doc, 3) && !every(doc, 7); }},
      {"phrase, filtered", Query().boolean({Query().match_phrase("t", "all two")}, {low}),
       [](uint32_t doc) { return doc < 20000 && every(doc, 2); }},
      {"excluded", Query().boolean({word("two"), word("three")}, {}, {}, {word("seven")}),
       [](uint32_t doc) { return every(doc, 6) && !every(doc, 7); }},
      {"two of three",
       Query().boolean({}, {}, {word("two"), word("three"), word("seven")}, {}, "2"),
       [](uint32_t doc) {
         return (every(doc, 2) ? 1 : 0) + (every(doc, 3) ? 1 : 0) + (every(doc, 7) ? 1 : 0) >= 2;
       }},
      {"prefix", Query().prefix("t", "t"),
       [](uint32_t doc) { return every(doc, 2) || every(doc, 3); }},
      {"rare prefix", Query().prefix("t", "thou"), [](uint32_t doc) { return every(doc, 1000); }},
      {"wildcard", Query().wildcard("t", "*e?"),
       [](uint32_t doc) { return every(doc, 3) || every(doc, 7); }},
      {"leading wildcard", Query().wildcard("t", "*en"),
       [](uint32_t doc) { return every(doc, 7); }},
      {"exists", Query().exists("n"), [](uint32_t) { return true; }},
      {"constant score", Query().constant_score(Query().range("m", 1, {"900"})),
       [](uint32_t doc) { return doc % 1000 >= 900; }},
      {"constant score of a prefix", Query().constant_score(Query().prefix("t", "th")),
       [](uint32_t doc) { return every(doc, 3) || every(doc, 1000); }},
  };
}

TestIndex make_index(uint32_t segments = 1) {
  TestIndex index;
  for (uint32_t doc = 0; doc < kDocs; doc++) {
    std::string text = "all";
    if (every(doc, 2)) text += " two";
    if (every(doc, 3)) text += " three";
    if (every(doc, 7)) text += " seven";
    if (every(doc, 1000)) text += " thousand";
    // A few documents that no later document can beat.
    if (every(doc, 6) && doc < 120) text += " two two two two three three three three";
    index.add(std::to_string(doc), "{\"t\":\"" + text + "\",\"n\":" + std::to_string(doc) +
                                       ",\"m\":" + std::to_string(doc % 1000) + "}");
    if ((doc + 1) % (kDocs / segments) == 0) index.refresh();
  }
  index.refresh();
  return index;
}

void check(const TestIndex& index, const Case& one, const Predicate& live) {
  uint64_t expected = 0;
  for (uint32_t doc = 0; doc < kDocs; doc++) expected += live(doc) && one.matches(doc) ? 1 : 0;
  for (const uint32_t window : {0U, 10U}) {
    for (const uint32_t cap : {kExactTotal, 10000U, 100U}) {
      PlanFrame frame;
      frame.legs.push_back(one.query);
      frame.window = window;
      frame.track_total_hits = cap;
      const Result<ShardHits> hits = index.run(frame);
      ASSERT_OK(hits);
      const bool capped = cap != kExactTotal && expected > cap;
      const std::string what = std::string(one.name) + " window " + std::to_string(window);
      EXPECT_EQ(what + " total " + std::to_string(hits->total),
                what + " total " + std::to_string(capped ? cap : expected));
      EXPECT_EQ(hits->total_is_lower_bound, capped);
      EXPECT_EQ(hits->legs[0].docs.size(), std::min<uint64_t>(window, expected));
    }
  }
}

TEST(Counting, BitsOverSeveralWindowsEqualTheDocuments) {
  TestIndex index = make_index();
  for (const Case& one : cases()) check(index, one, [](uint32_t) { return true; });
  for (uint32_t doc = 0; doc < kDocs; doc += 11) index.remove(std::to_string(doc));
  for (const Case& one : cases()) check(index, one, [](uint32_t doc) { return !every(doc, 11); });
}

TEST(Counting, RecountsCachedResultsAfterDeletions) {
  for (const uint32_t segments : {1U, 3U}) {
    TestIndex index = make_index(segments);
    FilterCache cache(size_t{1} << 20);
    index.use_cache(&cache);
    for (uint32_t step = 0; step < 3; step++) {
      for (uint32_t doc = 5 * step; step > 0 && doc < kDocs; doc += 11)
        index.remove(std::to_string(doc));
      const auto live = [step](uint32_t doc) {
        return (step < 1 || doc % 11 != 5) && (step < 2 || doc < 10 || doc % 11 != 10);
      };
      for (uint32_t time = 0; time < 3; time++) {
        for (const Case& one : cases()) check(index, one, live);
      }
    }
  }
}

TEST(Counting, SetsOfSeveralSegmentsAreFoundTogether) {
  TestIndex index = make_index(3);
  index.remove("5");
  FilterCache cache(size_t{1} << 20);
  index.use_cache(&cache);
  PlanFrame frame;
  frame.legs = {Query().prefix("t", "th")};
  for (uint32_t time = 0; time < 5; time++) {
    const uint64_t misses = cache.misses();
    const uint64_t hits_before = cache.hits();
    const Result<ShardHits> hits = index.run(frame);
    ASSERT_OK(hits);
    EXPECT_EQ(hits->total, 11356U);  // every third, and 22 further multiples of 1,000
    // Segment by segment until each has a set, then together.
    EXPECT_EQ(cache.misses() - misses, time < 2 ? 3U : 0U);
    EXPECT_EQ(cache.hits() - hits_before, time < 2 ? 0U : 3U);
  }
}

TEST(Counting, AFrequentTermIsCountedOnceForTheSameDeletions) {
  TestIndex index = make_index();
  FilterCache cache(size_t{1} << 20);
  index.use_cache(&cache);
  PlanFrame frame;
  frame.window = 0;
  uint32_t removed = 0;
  for (const char* text : {"three", "three", "two", "two"}) {
    frame.legs = {word(text)};
    uint64_t blocks = 0;
    index.remove(std::to_string(removed++));
    for (uint32_t time = 0; time < 4; time++) {
      const Result<ShardHits> hits = index.run(frame);
      ASSERT_OK(hits);
      blocks = hits->postings.blocks;
      if (time == 0) EXPECT_GT(blocks, 0U);
    }
    EXPECT_EQ(blocks, 0U);
  }
}

TEST(Counting, SortedHitsOfATermAreAllCountedThoughZonesAreSkipped) {
  TestIndex index = make_index();
  for (uint32_t doc = 0; doc < kDocs; doc += 11) index.remove(std::to_string(doc));
  PlanFrame frame;
  frame.legs.push_back(word("two"));
  SortKey key;
  key.field = "n";
  key.descending = true;
  frame.sort = {key};
  const Result<ShardHits> hits = index.run(frame);
  ASSERT_OK(hits);
  uint64_t expected = 0;
  std::vector<uint32_t> last;
  for (uint32_t doc = kDocs; doc-- > 0;) {
    if (!every(doc, 2) || every(doc, 11)) continue;
    expected++;
    if (last.size() < 10) last.push_back(doc);
  }
  EXPECT_EQ(hits->total, expected);
  EXPECT_EQ(hits->legs[0].docs, last);
}

TEST(Counting, OnlyShownDocumentsAreScored) {
  const TestIndex index = make_index();
  PlanFrame frame;
  frame.legs.push_back(Query().boolean({}, {}, {word("two"), word("three")}));
  frame.window = 0;
  const Result<ShardHits> counted = index.run(frame);
  ASSERT_OK(counted);
  EXPECT_EQ(counted->docs_scored, 0U);
  frame.window = 10;
  const Result<ShardHits> shown = index.run(frame);
  ASSERT_OK(shown);
  EXPECT_EQ(shown->total, counted->total);
  EXPECT_LT(shown->docs_scored * 4, shown->total);
}

}  // namespace quarry::counting_test
