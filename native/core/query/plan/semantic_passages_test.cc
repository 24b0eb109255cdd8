// semantic clauses over texts of any length: compared with a naive oracle, and cases in which whole
// texts and passages differ.
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "testing/semantic_oracle.h"
#include "testing/test_index.h"
#include "testing/vector_nodes.h"
#include "text/tokenizers/passages.h"

namespace quarry::semantic_passages_test {

using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::SemanticNode;
using testing::SemanticOracle;
using testing::TestIndex;

constexpr std::string_view kMapping = R"({"properties":{
  "body":{"type":"semantic_text","dims":64},"n":{"type":"long"}}})";

/// A text of common and rare words; larger numbers are rarer.
std::string random_text(Random& random, size_t words) {
  std::string text;
  for (size_t i = 0; i < words; i++) {
    const uint64_t rank = random.below(1 + random.below(300));
    text += "topic" + std::to_string(rank) + " ";
  }
  return text;
}

struct Documents {
  TestIndex index{kMapping};
  SemanticOracle oracle{64};
};

/// Every third text is long. Segments of random sizes, two shards, deletions.
void fill(Documents& all, Random& random, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const bool is_long = random.below(3) == 0;
    const std::string text =
        random_text(random, is_long ? 251 + random.below(300) : 1 + random.below(40));
    const std::string id = std::to_string(i);
    all.index.add(id, R"({"body":")" + text + R"(","n":)" + std::to_string(i % 10) + "}");
    all.oracle.add(id, text, i % 10);
    if (random.below(40) == 0) all.index.refresh();
    if (i == count / 2) {
      all.index.refresh();
      all.index.start_shard();
      all.oracle.start_shard();
    }
  }
  all.index.refresh();
  for (size_t i = 0; i < count; i += 7) {
    all.index.remove(std::to_string(i));
    all.oracle.remove(std::to_string(i));
  }
}

void compare(const Documents& all, const std::string& text, uint32_t k, uint32_t least_n) {
  SemanticNode node{text, k};
  if (least_n > 0) node.filter = Query().range("n", 1, {std::to_string(least_n)});
  for (size_t shard = 0; shard < 2; shard++) {
    PlanFrame frame;
    frame.legs = {node.bytes()};
    frame.window = 1000;
    const Result<ShardHits> hits = all.index.run(frame, shard);
    ASSERT_OK(hits);
    const std::vector<double> expected = all.oracle.best(text, k, shard, least_n);
    const LegHits& leg = hits->legs[0];
    ASSERT_EQ(leg.docs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); i++) {
      EXPECT_NEAR(static_cast<double>(leg.scores[i]), expected[i], 1e-6);
      const double own = all.oracle.score(text, all.index.id(leg.docs[i], shard));
      EXPECT_NEAR(static_cast<double>(leg.scores[i]), own, 1e-6);
    }
  }
}

TEST(SemanticPassages, FindsWhatAPlainSearchFinds) {
  for (const uint64_t seed : {1U, 2U, 3U}) {
    Random random(seed);
    Documents all;
    fill(all, random, 400);
    for (int i = 0; i < 12; i++) {
      const std::string text = random_text(random, 1 + random.below(8));
      const auto k = static_cast<uint32_t>(1 + random.below(i % 4 == 0 ? 120 : 12));
      compare(all, text, k, static_cast<uint32_t>(i % 3 == 0 ? random.below(10) : 0));
    }
  }
}

/// Vectors at angles to (1, 0), in degrees: "w30" is the angle of a long text as a whole, "p60" at
/// the start that of a passage or of a short text.
class AngleVectors final : public VectorSource {
 public:
  Status embed(const Field&, std::string_view text, std::vector<float>& out) override {
    const bool is_long = !split_passages(text).empty();
    const size_t at = is_long ? text.find('w') + 1 : 1;
    const double angle = std::stod(std::string(text.substr(at, 3))) * 3.14159265358979 / 180;
    out = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
    return {};
  }
};

/// Four passages; the first three have no vector.
std::string long_text(int whole, int passage) {
  std::string text = "p90 w" + std::to_string(whole) + " ";
  for (int word = 2; word < 300; word++) {
    text += word % 80 != 0 ? "x " : "p" + std::to_string(word == 240 ? passage : 90) + " ";
  }
  return text;
}

struct Angles {
  AngleVectors vectors;
  TestIndex index{R"({"properties":{"body":{"type":"semantic_text","inference_id":"a",
                      "embedder":"angles","dims":2}}})"};

  Angles() { index.use_vectors(&vectors); }
  void add(const std::string& id, const std::string& text) {
    index.add(id, R"({"body":")" + text + "\"}");
  }
  std::string ids(uint32_t k, const NodeBytes& filter = {}, bool passages = true) {
    SemanticNode node{"ignored", k, filter};
    node.passages = passages;
    node.vectors = {{"angles", {1, 0}}};
    return index.ids(node.bytes());
  }
};

TEST(SemanticPassages, ReadsItsListsAsDeepAsItTakes) {
  Angles angles;
  for (int i = 0; i < 400; i++) {
    angles.add("whole" + std::to_string(i), long_text(10, 88));
    angles.add("part" + std::to_string(i), long_text(80, 10));
  }
  angles.add("both", long_text(30, 30));
  angles.add("short", "p40");
  angles.index.refresh();
  EXPECT_EQ(angles.ids(3), "both short part0");
  EXPECT_EQ(angles.ids(1), "both");
  EXPECT_EQ(angles.ids(2, Query().ids({"short", "whole3", "part5"})), "short part5");
}

TEST(SemanticPassages, FindsAShortTextBehindLongOnes) {
  Angles angles;
  for (int i = 0; i < 400; i++) angles.add("whole" + std::to_string(i), long_text(10, 90));
  angles.add("short", "p20");
  angles.index.refresh();
  EXPECT_EQ(angles.ids(1), "short");
}

TEST(SemanticPassages, WholeTextsAloneRankWithoutPassages) {
  Angles angles;
  angles.add("whole", long_text(10, 88));
  angles.add("part", long_text(80, 10));
  angles.add("short", "p40");
  angles.index.refresh();
  EXPECT_EQ(angles.ids(3), "short part whole");
  EXPECT_EQ(angles.ids(3, {}, false), "whole short part");
}

TEST(SemanticPassages, EqualTextsComeInTheOrderOfTheirWriting) {
  TestIndex index(kMapping);
  Random random(5);
  const std::string text = random_text(random, 300);
  for (int i = 0; i < 300; i++) {
    index.add(std::to_string(i), R"({"body":")" + text + "\"}");
    if (i % 100 == 50) index.refresh();
  }
  index.refresh();
  const Result<ShardHits> hits = index.run(SemanticNode{"topic3 topic9", 3}.bytes());
  ASSERT_OK(hits);
  EXPECT_TRUE(hits->legs[0].docs == (std::vector<uint32_t>{0, 1, 2}));
  // Rows of both columns are compared once, then those of the lists, which were not extended.
  EXPECT_LT(hits->vectors.exact_distances, 300U * 5 + 3 * 140U * 5);
}

}  // namespace quarry::semantic_passages_test
