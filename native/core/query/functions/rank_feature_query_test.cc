// rank_feature: the functions of a value, the default pivot over all segments, and pruned results
// equal to exhaustive ones.
#include "query/functions/rank_feature_query.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "mapping/values/feature_value.h"
#include "segment/segment_merger.h"
#include "testing/score_nodes.h"
#include "testing/test_index.h"

namespace quarry::rank_feature_query_test {

using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::rank_feature;
using testing::TestIndex;

constexpr uint8_t kLog = 0;
constexpr uint8_t kSaturation = 1;
constexpr uint8_t kSigmoid = 2;
constexpr uint8_t kLinear = 3;

constexpr std::string_view kMapping = R"({"properties":{
  "rank":{"type":"rank_feature"},"length":{"type":"rank_feature","positive_score_impact":false},
  "topics":{"type":"rank_features"},"t":{"type":"text"},
  "c":{"type":"nested","properties":{"rank":{"type":"rank_feature"}}}}})";

/// What the index keeps of a value.
float kept(float value) { return decode_feature(encode_feature(value, "f", "f").value()); }

TEST(RankFeature, ScoresAreFunctionsOfTheValue) {
  TestIndex index(kMapping);
  index.add("1", R"({"rank":10.3,"length":20,"topics":{"a":1.5,"b":20}})");
  index.refresh();
  const float s = kept(10.3F);
  EXPECT_EQ(index.score(rank_feature("rank", kLinear, 1, 1, 3)), 3 * s);
  EXPECT_EQ(index.score(rank_feature("rank", kSaturation, 8)), 1 - 8 / (s + 8));
  EXPECT_EQ(index.score(rank_feature("rank", kLog, 4)),
            static_cast<float>(std::log(static_cast<double>(4 + s))));
  const double power = std::pow(7.0, static_cast<double>(0.6F));
  const double raised = std::pow(static_cast<double>(s), static_cast<double>(0.6F));
  EXPECT_EQ(index.score(rank_feature("rank", kSigmoid, 7, 0.6F)),
            static_cast<float>(1 - power / (raised + power)));
  EXPECT_EQ(index.score(rank_feature("length", kLinear)), kept(1 / 20.0F));
  EXPECT_EQ(index.score(rank_feature("topics.b", kLinear)), 20.0F);
  EXPECT_EQ(index.ids(rank_feature("topics.c", kLinear)), "");
  EXPECT_EQ(index.ids(rank_feature("other", kLinear)), "");
}

TEST(RankFeature, KeysThatAreStartsOfOthersAreApart) {
  TestIndex index(kMapping);
  index.add("1", R"({"topics":{"a":1,"ab":2,"":3}})");
  index.add("2", R"({"topics":{"ab":4}})");
  index.refresh();
  EXPECT_EQ(index.ids(rank_feature("topics.a", kLinear)), "1");
  EXPECT_EQ(index.ids(rank_feature("topics.ab", kLinear)), "2 1");
  EXPECT_EQ(index.score(rank_feature("topics.a", kLinear)), 1.0F);
}

TEST(RankFeature, TheDefaultPivotIsTheSameForAllShards) {
  TestIndex index(kMapping);
  FilterCache filters(1 << 20);
  index.use_cache(&filters);
  index.add("1", R"({"rank":2})");
  index.refresh();
  index.add("2", R"({"rank":8})");
  index.refresh();
  index.start_shard();
  index.add("3", R"({"rank":32})");
  index.refresh();
  // The mean of the codes of powers of two is the code of their geometric mean.
  PlanFrame frame;
  frame.legs = {rank_feature("rank", kSaturation)};
  for (int repeat = 0; repeat < 3; repeat++) {
    const Result<ShardHits> first = index.run(frame, 0);
    ASSERT_OK(first);
    EXPECT_EQ(first->legs[0].scores[0], 0.5F);
    EXPECT_EQ(first->legs[0].scores[1], 1 - 8.0F / (2 + 8));
    const Result<ShardHits> second = index.run(frame, 1);
    ASSERT_OK(second);
    EXPECT_EQ(second->legs[0].scores[0], 1 - 8.0F / (32 + 8));
  }
}

TEST(RankFeature, NestedDocumentsHaveFeaturesOfTheirOwn) {
  TestIndex index(kMapping);
  index.add("1", R"({"c":[{"rank":2},{"rank":5}],"rank":1})");
  index.add("2", R"({"c":{"rank":3}})");
  index.refresh();
  EXPECT_EQ(index.ids(rank_feature("c.rank", kLinear)), "");
  constexpr uint8_t kMax = 2;
  EXPECT_EQ(index.ids(Query().nested("c", rank_feature("c.rank", kLinear), kMax)), "1 2");
  EXPECT_EQ(index.score(Query().nested("c", rank_feature("c.rank", kLinear), kMax)), 5.0F);
}

TEST(RankFeature, RefusesOtherFieldsAndBadParameters) {
  const TestIndex index(kMapping);
  EXPECT_EQ(index.error(rank_feature("t", kLinear)),
            "query_shard_exception: failed to create query: [rank_feature] query only works on "
            "[rank_feature] fields "
            "and features of [rank_features] fields, not [text]");
  EXPECT_EQ(index.error(rank_feature("length", kLog, 2)),
            "query_shard_exception: failed to create query: Cannot use the [log] function with a "
            "field that has a "
            "negative score impact as it would trigger negative scores");
  EXPECT_EQ(index.error(rank_feature("rank", kLog, 0.5F)),
            "query_shard_exception: failed to create query: scalingFactor must be >= 1, got: 0.5");
  EXPECT_EQ(index.error(rank_feature("rank", kSigmoid, 1, 0)),
            "query_shard_exception: failed to create query: exp must be > 0, got: 0.0");
  EXPECT_EQ(index.error(rank_feature("rank", 4)),
            "parsing_exception: malformed search plan: [rank_feature]");
}

/// Documents with a word and features, some of them deleted.
struct Corpus {
  TestIndex index{kMapping};
  std::map<std::string, float> ranks;  // of the documents that are left
  Corpus(Random& random, uint32_t docs) {
    std::vector<std::string> removed;
    for (uint32_t i = 0; i < docs; i++) {
      const std::string id = std::to_string(i);
      const uint64_t value = 1 + random.below(5000);
      const bool has = random.below(10) > 0;
      index.add(id, R"({"t":")" + std::string(random.below(3) == 0 ? "fox" : "dog") + '"' +
                        (has ? R"(,"rank":)" + std::to_string(value) : "") + "}");
      if (random.below(7) == 0) {
        removed.push_back(id);
      } else if (has) {
        ranks.emplace(id, kept(static_cast<float>(value)));
      }
      if (random.below(900) == 0) index.refresh();
    }
    index.refresh();
    for (const std::string& id : removed) index.remove(id);
  }
};

void check(const Corpus& corpus, const NodeBytes& query) {
  PlanFrame frame;
  frame.legs = {query};
  frame.window = 100000;
  const Result<ShardHits> all = corpus.index.run(frame);
  ASSERT_OK(all);
  const LegHits& truth = all->legs[0];
  EXPECT_TRUE(std::is_sorted(truth.scores.rbegin(), truth.scores.rend()));
  for (const uint32_t window : {1U, 10U, 60U}) {
    for (const uint32_t track : {0U, 20U}) {
      frame.window = window;
      frame.track_total_hits = track;
      const Result<ShardHits> some = corpus.index.run(frame);
      ASSERT_OK(some);
      const size_t count = std::min<size_t>(window, truth.docs.size());
      ASSERT_EQ(some->legs[0].docs.size(), count);
      EXPECT_TRUE(
          std::equal(some->legs[0].docs.begin(), some->legs[0].docs.end(), truth.docs.begin()));
      EXPECT_TRUE(std::equal(some->legs[0].scores.begin(), some->legs[0].scores.end(),
                             truth.scores.begin()));
    }
  }
}

TEST(RankFeature, PrunedResultsEqualExhaustiveOnes) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    Random random(seed);
    const Corpus corpus(random, 3000);
    const NodeBytes feature = rank_feature("rank", kSaturation);
    check(corpus, feature);
    check(corpus, Query().boolean({Query().match("t", "fox")}, {}, {feature}));
    check(corpus, Query().boolean({feature}, {Query().term("t", "fox")}));
    check(corpus, Query().boolean({}, {}, {Query().match("t", "fox"), feature}));
    PlanFrame frame;
    frame.legs = {rank_feature("rank", kLinear)};
    frame.window = 100000;
    const Result<ShardHits> hits = corpus.index.run(frame);
    ASSERT_OK(hits);
    const LegHits& found = hits->legs[0];
    ASSERT_EQ(found.docs.size(), corpus.ranks.size());
    for (size_t i = 0; i < found.docs.size(); i++)
      EXPECT_EQ(found.scores[i], corpus.ranks.at(corpus.index.id(found.docs[i])));
  }
}

TEST(RankFeature, MergedSegmentsKeepTheValues) {
  TestIndex index(kMapping);
  index.add("1", R"({"topics":{"a":7,"b":2}})");
  index.add("2", R"({"topics":{"a":1}})");
  index.refresh();
  index.add("3", R"({"topics":{"b":9,"a":4}})");
  index.refresh();
  index.remove("1");
  std::vector<MergeInput> inputs;
  for (const SegmentView& view : index.shard().segments)
    inputs.push_back({view.segment.get(), view.live.get()});
  Result<SegmentImage> image = merge_segments(inputs, nullptr);
  ASSERT_OK(image);
  ShardView merged;
  merged.generation = 8;
  SegmentView view;
  view.segment = Segment::open(std::move(image).value()).value();
  view.live_count = view.segment->max_doc();
  merged.segments.push_back(view);
  const ShardView* const shards[] = {&merged};
  SearchContext context = index.context();
  context.view = &merged;
  context.all_shards = shards;
  PlanFrame frame;
  frame.legs = {rank_feature("topics.a", kLinear)};
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  const Result<ShardHits> hits = execute_search(context, *plan);
  ASSERT_OK(hits);
  EXPECT_TRUE(hits->legs[0].scores == (std::vector<float>{4, 1}));
}

}  // namespace quarry::rank_feature_query_test
