// Totals of segments: kept when they are wanted for the second time, right whatever is deleted meanwhile.
#include "query/aggs/segment_totals.h"

#include <string>
#include <vector>

#include "testing/agg_builder.h"
#include "testing/agg_text.h"
#include "testing/test_index.h"

namespace quarry {
namespace {

using namespace testing;

constexpr uint32_t kDocs = 2000;
constexpr int64_t kDay = 86400000;

RoundingSpec month() {
  RoundingSpec spec;
  spec.unit = 3;
  return spec;
}

struct Index {
  TestIndex index{R"({"properties":{"k":{"type":"keyword"},"d":{"type":"date"},
                                    "n":{"type":"long"}}})"};
  Index() {
    for (uint32_t i = 0; i < kDocs; i++) {
      // Every tenth document has a term and no date.
      const std::string date = i % 10 == 3 ? "" : R"(,"d":)" + std::to_string(i / 8 * kDay);
      index.add(std::to_string(i), R"({"k":"k)" + std::to_string(i % 3) + R"(","n":)" +
                                       std::to_string(i) + date + "}");
    }
    index.refresh();
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

TEST(SegmentTotals, AreKeptWhenWantedForTheSecondTime) {
  Index world;
  FilterCache cache(1 << 20);
  world.index.use_cache(&cache);
  const std::string dates = totals_name("dates", "d", month());
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
  EXPECT_TRUE(*sums == (SegmentTotals{kDocs, uint64_t{kDocs} * (kDocs - 1) / 2, 0, kDocs - 1, 1, 1}));
}

TEST(SegmentTotals, LeaveOutWhatIsDeleted) {
  Index kept;
  Index plain;
  FilterCache cache(1 << 20);
  kept.index.use_cache(&cache);
  // The smallest, the largest, a few between, then more than totals are worth.
  const std::vector<uint32_t> deletions[] = {{}, {1000}, {0}, {1999, 13, 14}, {500, 501, 502, 503}};
  for (const std::vector<uint32_t>& docs : deletions) {
    for (const uint32_t doc : docs) {
      kept.index.remove(std::to_string(doc));
      plain.index.remove(std::to_string(doc));
    }
    for (const NodeBytes& agg : questions()) {
      const std::string right = plain.run(agg);
      for (int time = 0; time < 3; time++) EXPECT_EQ(kept.run(agg), right);
    }
  }
  for (uint32_t doc = 600; doc < 1400; doc++) {
    kept.index.remove(std::to_string(doc));
    plain.index.remove(std::to_string(doc));
  }
  for (const NodeBytes& agg : questions()) EXPECT_EQ(kept.run(agg), plain.run(agg));
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

}  // namespace
}  // namespace quarry
