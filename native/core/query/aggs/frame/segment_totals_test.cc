// Cached totals of segments: they are cached at the second request, and stay correct after
// deletions.
#include "query/aggs/frame/segment_totals.h"

#include <string>
#include <vector>

#include "testing/agg_builder.h"
#include "testing/agg_text.h"
#include "testing/test_index.h"

namespace quarry::segment_totals_test {

using namespace testing;

constexpr uint32_t kDocs = 3000;
constexpr int64_t kDay = 86400000;

RoundingSpec month() {
  RoundingSpec spec;
  spec.unit = 3;
  return spec;
}

struct Index {
  TestIndex index{R"({"properties":{"k":{"type":"keyword"},"d":{"type":"date"},
                                    "n":{"type":"long"}}})"};
  explicit Index(uint32_t segments = 1) {
    for (uint32_t i = 0; i < kDocs; i++) {
      // Every tenth document has a term and no date.
      const std::string date = i % 10 == 3 ? "" : R"(,"d":)" + std::to_string(i / 8 * kDay);
      index.add(std::to_string(i), R"({"k":"k)" + std::to_string(i % 3) + R"(","n":)" +
                                       std::to_string(i) + date + "}");
      if ((i + 1) % (kDocs / segments) == 0) index.refresh();
    }
  }
  const std::shared_ptr<const Segment>& segment() const {
    return index.shard().segments[0].segment;
  }
  std::string run(const NodeBytes& agg) const {
    PlanFrame frame;
    frame.legs = {Query().match_all()};
    frame.aggs = {agg};
    frame.window = 0;
    const Result<ShardHits> hits = index.run(frame);
    return hits.ok() ? read_aggs(hits->aggs)[0] : hits.status().reason();
  }
};

std::vector<NodeBytes> questions() {
  return {stats_agg("n"), date_histogram_agg("d", month()),
          terms_agg("k", {}, {date_histogram_agg("d", month())})};
}

std::vector<NodeBytes> questions_of_terms() {
  const NodeBytes distinct = AggBuilder(PlanOp::kAggCardinality, "cardinality")
                                 .source("k")
                                 .put(uint32_t{3000})
                                 .put(uint8_t{1})
                                 .finish();
  return {terms_agg("k"), distinct};
}

TEST(SegmentTotals, AreKeptWhenWantedForTheSecondTime) {
  Index world;
  FilterCache cache(1 << 20);
  world.index.use_cache(&cache);
  const std::string dates = totals_name("dates", "d", month()) + " 0";
  const std::string names[] = {totals_name("sums", "n"), dates,
                               totals_name("terms", "k") + ' ' + dates};
  size_t at = 0;
  for (const NodeBytes& agg : questions()) {
    const std::string first = world.run(agg);
    const size_t before = cache.bytes();
    EXPECT_EQ(world.run(agg), first);
    EXPECT_TRUE(cache.bytes() > before);
    const SegmentTotalsPtr totals = cache.find_totals(world.segment(), names[at++]).totals;
    ASSERT_TRUE(totals != nullptr);
    EXPECT_EQ(world.run(agg), first);
  }
  const SegmentTotalsPtr sums = cache.find_totals(world.segment(), names[0]).totals;
  EXPECT_TRUE(*sums ==
              (SegmentTotals{kDocs, uint64_t{kDocs} * (kDocs - 1) / 2, 0, kDocs - 1, 1, 1}));
}

TEST(SegmentTotals, OfLiveDocumentsAreKeptUntilMoreAreDeleted) {
  Index world;
  FilterCache cache(1 << 20);
  world.index.use_cache(&cache);
  const std::string name = totals_name("sums", "n");
  const auto sums = [&](uint32_t live) {
    return cache.find_totals(world.segment(), name, live).totals;
  };
  world.index.remove("0");
  for (int time = 0; time < 3; time++) world.run(stats_agg("n"));
  const SegmentTotalsPtr first = sums(kDocs - 1);
  ASSERT_TRUE(first != nullptr);
  EXPECT_TRUE(*first ==
              (SegmentTotals{kDocs - 1, uint64_t{kDocs} * (kDocs - 1) / 2, 1, kDocs - 1, 1, 1}));
  world.index.remove("7");
  world.run(stats_agg("n"));
  EXPECT_TRUE(sums(kDocs - 1) == nullptr);
  const SegmentTotalsPtr second = sums(kDocs - 2);
  ASSERT_TRUE(second != nullptr);
  EXPECT_EQ((*second)[1], (*first)[1] - 7);
  // A search that still sees the document counts it.
  EXPECT_TRUE(sums(FilterCache::kAnyLive) == nullptr || (*sums(FilterCache::kAnyLive))[0] == kDocs);
}

void check_deletions(uint32_t segments, const std::vector<NodeBytes>& requested) {
  Index kept(segments);
  Index plain(segments);
  FilterCache cache(1 << 20);
  kept.index.use_cache(&cache);
  std::vector<uint32_t> many;
  for (uint32_t doc = 600; doc < 1400; doc++) many.push_back(doc);
  // The smallest, the largest, a few between, several with the same term, then more than can be
  // subtracted efficiently.
  const std::vector<uint32_t> deletions[] = {
      {}, {1000}, {0}, {2999, 13, 14}, {500, 501, 502, 503}, {21, 24, 27}, many};
  for (const std::vector<uint32_t>& docs : deletions) {
    for (const uint32_t doc : docs) {
      kept.index.remove(std::to_string(doc));
      plain.index.remove(std::to_string(doc));
    }
    for (const NodeBytes& agg : requested) {
      const std::string right = plain.run(agg);
      for (int time = 0; time < 4; time++) EXPECT_EQ(kept.run(agg), right);
    }
  }
}

TEST(SegmentTotals, LeaveOutWhatIsDeleted) {
  check_deletions(1, questions());
  check_deletions(1, questions_of_terms());
}

/// Term ordinals are cached for both segments together.
TEST(SegmentTotals, LeaveOutWhatIsDeletedInOneOfTwoSegments) {
  check_deletions(2, questions());
  check_deletions(2, questions_of_terms());
}

TEST(SegmentTotals, AreNotNeeded) {
  Index world;
  FilterCache cache(0);
  std::vector<std::string> right;
  for (const NodeBytes& agg : questions()) right.push_back(world.run(agg));
  world.index.use_cache(&cache);
  size_t at = 0;
  for (const NodeBytes& agg : questions()) {
    for (int time = 0; time < 3; time++) EXPECT_EQ(world.run(agg), right[at]);
    at++;
  }
  EXPECT_EQ(cache.bytes(), 0U);
}

}  // namespace quarry::segment_totals_test
