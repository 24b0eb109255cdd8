// function_score: every function and mode compared with Elasticsearch's formulas, min_score,
// consistent explanations, and errors.
#include <cmath>
#include <string>

#include "testing/score_nodes.h"
#include "testing/test_index.h"

namespace quarry::function_score_query_test {

using testing::decay_function;
using testing::distance_feature;
using testing::field_value;
using testing::function_score;
using testing::FunctionScoreOptions;
using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::random_function;
using testing::TestIndex;
using testing::weight_function;

enum ScoreModes : uint8_t { kMultiply, kSum, kAvg, kFirst, kMax, kMin };
enum BoostModes : uint8_t { kTimes, kReplace, kPlus, kMean, kLeast, kMost };

/// Documents 0 .. 5 with n = 0 .. 5 in segments of two; odd ones have two dates.
TestIndex make_index() {
  TestIndex index(R"({"properties":{"t":{"type":"text"},"n":{"type":"long"},"k":{"type":"keyword"},
                                    "d":{"type":"date"}}})");
  for (int i = 0; i < 6; i++) {
    const std::string n = std::to_string(i);
    const std::string day = "\"2024-01-0" + std::to_string(i + 1) + "\"";
    const std::string days = i % 2 == 1 ? "[" + day + ",\"2024-03-01\"]" : day;
    index.add(n, R"({"t":"fox","n":)" + n + R"(,"k":"k)" + n + R"(","d":)" + days + "}");
    if (i % 2 == 1) index.refresh();
  }
  index.add("bare", R"({"t":"cat"})");
  index.refresh();
  return index;
}

const Query kQuery;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}
NodeBytes only(const std::string& id) { return kQuery.ids({id}); }

/// The score of document 4, whose query score is 2.
float score_of_4(const std::vector<testing::FunctionBytes>& functions,
                 FunctionScoreOptions options = {}) {
  options.boost = 2;
  return make_index().score(function_score(only("4"), functions, options));
}

TEST(FunctionScore, AClauseOfADisjunctionMayScoreAnything) {
  const TestIndex index = make_index();
  const NodeBytes scored =
      function_score(kQuery.term("t", "fox"), {field_value("n")}, {.boost_mode = kReplace});
  PlanFrame frame;
  frame.legs = {kQuery.dis_max({kQuery.term("t", "fox"), scored})};
  frame.window = 1;
  frame.track_total_hits = 0;
  EXPECT_EQ(index.ids(frame), "5");
  frame.min_score = 4;
  frame.window = 10;
  EXPECT_EQ(index.ids(frame), "5 4");
}

TEST(FunctionScore, FieldValueFactorHasEveryModifier) {
  const double value = 4 * 1.5;
  const double expected[] = {value,
                             std::log10(value),
                             std::log10(value + 1),
                             std::log10(value + 2),
                             std::log(value),
                             std::log1p(value),
                             std::log1p(value + 1),
                             value * value,
                             std::sqrt(value),
                             1 / value};
  for (uint8_t modifier = 0; modifier < 10; modifier++) {
    EXPECT_EQ(score_of_4({field_value("n", 1.5F, modifier)}),
              static_cast<float>(2.0 * expected[modifier]));
  }
}

TEST(FunctionScore, CombinesFunctionsByScoreMode) {
  const auto functions = std::vector{field_value("n"), weight_function(3),
                                     weight_function(5, only("0")), field_value("n", 0.5F)};
  const float expected[] = {24, 9, 9.0F / 5, 4, 4, 2};
  for (uint8_t mode = 0; mode < 6; mode++) {
    FunctionScoreOptions options;
    options.score_mode = mode;
    options.boost_mode = kReplace;
    EXPECT_EQ(score_of_4(functions, options), expected[mode]);
  }
}

TEST(FunctionScore, CombinesWithTheQueryByBoostMode) {
  const float expected[] = {8, 4, 6, 3, 2, 4};
  for (uint8_t mode = 0; mode < 6; mode++) {
    FunctionScoreOptions options;
    options.boost_mode = mode;
    EXPECT_EQ(score_of_4({field_value("n")}, options), expected[mode]);
    options.max_boost = 1;
    const float capped[] = {2, 1, 3, 1.5F, 1, 2};
    EXPECT_EQ(score_of_4({field_value("n")}, options), capped[mode]);
  }
}

TEST(FunctionScore, NoFunctionThatMatchesLeavesOne) {
  EXPECT_EQ(score_of_4({weight_function(7, only("0"))}), 2.0F);
  EXPECT_EQ(score_of_4({}), 2.0F);
}

TEST(FunctionScore, WeightMultipliesAFunction) {
  testing::FunctionBytes function = field_value("n");
  function.weight = 0.5F;
  EXPECT_EQ(score_of_4({function}), 4.0F);
}

TEST(FunctionScore, DecaysOfNumbers) {
  // |4 - 1| - 1 = 2 away, 0.25 at a distance of 4.
  const double gauss = std::exp(0.5 * 4 / (0.5 * 16 / std::log(0.25)));
  const double exponential = std::exp(std::log(0.25) / 4 * 2);
  const double reach = 4 / 0.75;
  const double linear = (reach - 2) / reach;
  const double expected[] = {gauss, exponential, linear};
  for (uint8_t shape = 0; shape < 3; shape++) {
    EXPECT_EQ(score_of_4({decay_function(shape, "n", "1", "4", "1", 0.25)}),
              static_cast<float>(2.0 * expected[shape]));
  }
  EXPECT_EQ(score_of_4({decay_function(2, "n", "100", "4")}), 0.0F);
}

TEST(FunctionScore, DecaysOfDatesTakeDurationsAndTheNearestValue) {
  const TestIndex index = make_index();
  const auto scored = [&](const std::string& id, uint8_t mode) {
    return index.score(
        function_score(only(id), {decay_function(2, "d", "2024-01-02", "2d", "0", 0.5, mode)}));
  };
  EXPECT_EQ(scored("1", 0), 1.0F);
  EXPECT_EQ(scored("1", 1), 0.0F);
  EXPECT_EQ(scored("0", 0), 0.75F);
  EXPECT_EQ(scored("bare", 0), 1.0F);  // a missing value counts as distance 0
}

TEST(FunctionScore, ChanceFollowsSeedAndValue) {
  const TestIndex index = make_index();
  const auto order = [&](int64_t seed, std::string_view field) {
    return index.ids(function_score(kQuery.range("n", 1, {"0"}), {random_function(seed, field)}));
  };
  for (const std::string_view field : {"", "_id", "n", "k", "d"}) {
    EXPECT_EQ(order(1, field), order(1, field));
    EXPECT_NE(order(1, field), order(2, field));
  }
  const std::string error =
      index.error(function_score(kQuery.match_all(), {random_function(1, "none")}));
  EXPECT_TRUE(contains(error, "Field [none] is not mapped on [films]"));
}

TEST(FunctionScore, ChanceHasElasticsearchsNumbers) {
  const TestIndex index = make_index();
  FunctionScoreOptions options;
  options.boost_mode = kReplace;
  const auto chance = [&](const std::string& id, std::string_view field, int64_t seed = 7) {
    return index.score(function_score(only(id), {random_function(seed, field)}, options));
  };
  EXPECT_EQ(chance("4", "n"), 0.3369825482368469F);
  EXPECT_EQ(chance("4", "_id"), 0.3369825482368469F);  // the same text
  EXPECT_EQ(chance("4", "k"), 0.8785043954849243F);
  EXPECT_EQ(chance("4", "d"), 0.4194675087928772F);
  EXPECT_EQ(chance("0", "_seq_no"), 0.3583254814147949F);
  EXPECT_EQ(chance("bare", "n"), 0.3386974334716797F);
  // The two halves of a seed beyond 32 bits are combined: 5 and 2 make 7.
  EXPECT_EQ(chance("4", "n", (int64_t{1} << 33) + 5), 0.3369825482368469F);
}

TEST(FunctionScore, ChanceOfSeveralNumbersTakesTheFirstText) {
  TestIndex index(R"({"properties":{"n":{"type":"long"}}})");
  index.add("1", R"({"n":[5,-3,10]})");
  index.refresh();
  FunctionScoreOptions options;
  options.boost_mode = kReplace;
  EXPECT_EQ(index.score(function_score(only("1"), {random_function(7, "n")}, options)),
            0.742099404335022F);
}

TEST(FunctionScore, WhatIsNoNumberIsRefusedHoweverItIsCombined) {
  const TestIndex index = make_index();
  constexpr uint8_t kSquareRoot = 8;
  for (uint8_t score_mode = 0; score_mode < 6; score_mode++) {
    for (uint8_t boost_mode = 0; boost_mode < 6; boost_mode++) {
      FunctionScoreOptions options;
      options.score_mode = score_mode;
      options.boost_mode = boost_mode;
      const std::string error = index.error(function_score(
          only("4"), {field_value("n", -1, kSquareRoot), weight_function(3)}, options));
      EXPECT_TRUE(contains(error, "returned an invalid score: NaN"));
    }
  }
}

TEST(FunctionScore, MinScoreLeavesDocumentsOut) {
  const TestIndex index = make_index();
  FunctionScoreOptions options;
  options.min_score = 3;
  const NodeBytes query = function_score(kQuery.term("t", "fox"), {field_value("n")}, options);
  options.boost_mode = kReplace;
  const NodeBytes replaced = function_score(kQuery.term("t", "fox"), {field_value("n")}, options);
  EXPECT_EQ(index.ids(replaced), "5 4 3");
  EXPECT_EQ(index.run(replaced)->total, 3);
  // The same as a filter, whose scores are not used.
  EXPECT_EQ(index.ids(kQuery.boolean({}, {replaced})), "3 4 5");
  EXPECT_NE(index.ids(query), index.ids(replaced));
}

TEST(FunctionScore, ExplanationsHaveTheScoreOfTheHit) {
  const TestIndex index = make_index();
  for (uint8_t mode = 0; mode < 6; mode++) {
    FunctionScoreOptions options;
    options.score_mode = mode;
    options.boost_mode = mode;
    PlanFrame frame;
    frame.legs = {function_score(kQuery.term("t", "fox"),
                                 {field_value("n"), weight_function(2, kQuery.range("n", 1, {"3"})),
                                  decay_function(0, "n", "2", "3"), random_function(7)},
                                 options)};
    frame.fetch.flags = kFetchExplain;
    const Result<ShardHits> hits = index.run(frame);
    ASSERT_OK(hits);
    const LegHits& leg = hits->legs[0];
    const std::vector<FetchedDocument> documents = index.fetch(frame, leg.docs);
    for (size_t i = 0; i < leg.docs.size(); i++) {
      const std::string start = R"({"value":)" + float_text(static_cast<double>(leg.scores[i]));
      EXPECT_EQ(documents[i].explanation.substr(0, start.size()), start);
    }
  }
}

TEST(FunctionScore, RefusesWhatCannotBeAScore) {
  const TestIndex index = make_index();
  const auto error = [&](const testing::FunctionBytes& function) {
    return index.error(function_score(kQuery.match_all(), {function}));
  };
  EXPECT_TRUE(contains(error(field_value("n")), "Missing value for field [n]"));
  EXPECT_TRUE(contains(error(field_value("n", -1, 0, 1)), "must not produce negative scores"));
  EXPECT_TRUE(contains(error(field_value("n", 0.5F, 4, 1)), "consider using ln1p or ln2p"));
  EXPECT_TRUE(
      contains(error(field_value("none")), "Unable to find a field mapper for field [none]"));
  EXPECT_TRUE(contains(error(field_value("k")), "field [k] is of type [keyword]"));
  EXPECT_TRUE(contains(error(decay_function(0, "none", "1", "1")), "unknown field [none]"));
  EXPECT_TRUE(
      contains(error(decay_function(0, "t", "1", "1")), "only numeric types are supported"));
  EXPECT_TRUE(contains(error(decay_function(0, "n", "", "1")), "[origin] must be set"));
  EXPECT_TRUE(contains(error(decay_function(0, "n", "1", "0")), "scale must be > 0.0"));
  EXPECT_TRUE(contains(error(decay_function(0, "n", "1", "1", "-1")), "offset must be > 0.0"));
  EXPECT_TRUE(contains(error(decay_function(0, "n", "1", "1", "0", 1)), "range (0..1)"));
  EXPECT_TRUE(contains(error(decay_function(0, "d", "now", "3")), "as a time value"));
}

TEST(DistanceFeature, HalvesAtThePivot) {
  const TestIndex index = make_index();
  const NodeBytes query = distance_feature("d", "2024-01-01T00:00:00.000Z", "2d", 3);
  EXPECT_EQ(index.ids(query), "0 1 2 3 4 5");
  const Result<ShardHits> hits = index.run(query);
  ASSERT_OK(hits);
  EXPECT_EQ(hits->legs[0].scores[0], 3.0F);
  EXPECT_EQ(hits->legs[0].scores[2], 1.5F);
  EXPECT_EQ(hits->legs[0].scores[5], static_cast<float>(3.0 * 2 / 7));
  // Missing parts of a date are rounded up to its last millisecond.
  EXPECT_EQ(index.ids(distance_feature("d", "2024-01-01", "2d")), "1 0 2 3 4 5");
  EXPECT_TRUE(
      contains(index.error(distance_feature("n", "1", "1d")), "Illegal data type of [long]!"));
  EXPECT_TRUE(
      contains(index.error(distance_feature("d", "1", "x")), "[pivot] of [distance_feature]"));
  EXPECT_TRUE(contains(index.error(distance_feature("d", "1", "0s")), "pivotDistance must be > 0"));
  EXPECT_EQ(index.ids(distance_feature("none", "1", "1d")), "");
}

}  // namespace quarry::function_score_query_test
