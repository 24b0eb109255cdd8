// doc_scores: the hits of an earlier phase as a clause; invalid lists; snapshots by name.
#include <limits>
#include <string>
#include <vector>

#include "testing/test_index.h"
#include "testing/vector_nodes.h"

namespace quarry::doc_scores_query_test {

using testing::doc_scores;
using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

/// Documents 0 .. 5 in segments of two.
TestIndex make_index() {
  TestIndex index(R"({"properties":{"t":{"type":"text"},"n":{"type":"long"}}})");
  for (int i = 0; i < 6; i++) {
    const std::string n = std::to_string(i);
    index.add(n, R"({"t":"fox","n":)" + n + "}");
    if (i % 2 == 1) index.refresh();
  }
  return index;
}

TEST(DocScores, ScoresWhatItLists) {
  const TestIndex index = make_index();
  const NodeBytes found = doc_scores({{0, 0, {{1, 0.5F}, {2, 0.75F}, {5, 0.25F}}}}, 2);
  EXPECT_EQ(index.ids(found), "2 1 5");
  EXPECT_EQ(index.score(found), 1.5F);
  EXPECT_EQ(index.run(found)->total, 3);
  PlanFrame frame;
  frame.legs = {found};
  frame.window = 1;
  frame.track_total_hits = 0;
  EXPECT_EQ(index.ids(frame), "2");
}

TEST(DocScores, ReadsTheListOfItsShardAlone) {
  const TestIndex index = make_index();
  EXPECT_EQ(index.ids(doc_scores({{0, 1, {{9, 1}}}, {7, 0, {{8, 1}}}, {0, 0, {{3, 1}}}})), "3");
  EXPECT_EQ(index.ids(doc_scores({{0, 1, {{9, 1}}}})), "");
  EXPECT_EQ(index.ids(doc_scores({})), "");
}

TEST(DocScores, LeavesOutWhatIsDeleted) {
  TestIndex index = make_index();
  index.remove("2");
  const NodeBytes found = doc_scores({{0, 0, {{1, 0.5F}, {2, 0.75F}}}});
  EXPECT_EQ(index.ids(found), "1");
  EXPECT_EQ(index.run(found)->total, 1);
}

TEST(DocScores, AddsToOtherClauses) {
  const TestIndex index = make_index();
  const Query q;
  const NodeBytes found = doc_scores({{0, 0, {{1, 0.5F}, {4, 0.75F}}}}, 1, "found");
  PlanFrame frame;
  frame.legs = {q.boolean({}, {}, {q.match("t", "fox"), found})};
  EXPECT_EQ(index.ids(frame), "4 1 0 2 3 5");
  for (const uint32_t total : {0U, 1U, kExactTotal}) {
    frame.track_total_hits = total;
    frame.window = 2;
    EXPECT_EQ(index.ids(frame), "4 1");
  }
  EXPECT_EQ(index.ids(q.boolean({found}, {q.range("n", 1, {"2"})})), "4");
  EXPECT_EQ(index.ids(q.boolean({q.match_all()}, {}, {}, {found})), "0 2 3 5");
  frame.fetch.flags = kFetchExplain | kFetchMatchedQueries;
  const std::vector<FetchedDocument> fetched = index.fetch(frame, {4, 5});
  EXPECT_EQ(fetched[0].matched_queries, R"(["found"])");
  EXPECT_EQ(fetched[1].matched_queries, "");
  EXPECT_TRUE(fetched[0].explanation.find("within top 2 documents") != std::string::npos);
}

TEST(DocScores, RefusesListsThatNoSearchFinds) {
  const TestIndex index = make_index();
  const std::string malformed = "parsing_exception: malformed search plan: [doc_scores]";
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(index.error(doc_scores({{0, 0, {{2, 1}, {1, 1}}}})), malformed);
  EXPECT_EQ(index.error(doc_scores({{0, 0, {{2, 1}, {2, 1}}}})), malformed);
  EXPECT_EQ(index.error(doc_scores({{0, 1, {{2, nan}}}})), malformed);
  EXPECT_EQ(index.error(doc_scores({{0, 0, {{1, 1}}}, {0, 0, {{2, 1}}}})), malformed);
  const std::string beyond = " of [doc_scores] is beyond the snapshot";
  EXPECT_EQ(index.error(doc_scores({{0, 0, {{6, 1}}}})),
            "internal_server_error: document 6" + beyond);
  EXPECT_EQ(index.error(doc_scores({{0, 0, {{0, 1}, {UINT32_MAX, 1}}}})),
            "internal_server_error: document 4294967295" + beyond);
  EXPECT_TRUE(TestIndex().error(doc_scores({{0, 0, {{0, 1}}}})).starts_with("internal"));
}

TEST(DocScores, DamagedClausesAreErrors) {
  const TestIndex index = make_index();
  const NodeBytes whole = doc_scores({{0, 1, {{1, 1}}}, {0, 0, {{1, 0.5F}, {2, 0.75F}}}});
  for (size_t size = 8; size < whole.size(); size++) {
    ByteWriter payload;
    payload.put_bytes(Bytes(whole).subspan(8, size - 8));
    EXPECT_TRUE(index.error(testing::raw_node(PlanOp::kDocScores, payload)) != "");
  }
  for (size_t at = 8; at < whole.size(); at++) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      NodeBytes damaged = whole;
      damaged[at] = static_cast<uint8_t>(value);
      static_cast<void>(index.error(damaged));
    }
  }
}

}  // namespace quarry::doc_scores_query_test
