// group_score: the sum over queries of the best score in the group of a document.
#include <string>
#include <vector>

#include "testing/test_index.h"

namespace quarry {
namespace {

using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

NodeBytes group_score(std::string_view field, const std::vector<NodeBytes>& queries,
                      const NodeBytes& filter = {}, std::string_view name = {}) {
  ByteWriter out;
  out.put(1.0F);
  out.put_string(name);
  out.put_string(field);
  testing::put_nodes(out, queries);
  out.put(uint8_t{!filter.empty()});
  out.put_bytes(Bytes(filter));
  return testing::raw_node(PlanOp::kGroupScore, out);
}

/// A clause that scores the documents whose number is at least `least`.
NodeBytes scored(float score, int least) {
  return Query(score).constant_score(Query().range("n", 1, {std::to_string(least)}));
}

struct Docs {
  TestIndex index{R"({"properties":{"k":{"type":"keyword"},"n":{"type":"integer"},
    "nd":{"type":"keyword","doc_values":false},"t":{"type":"text"}}})"};
  Docs() {
    index.add("1", R"({"k":"a","n":1})");
    index.add("2", R"({"k":"b","n":2})");
    index.refresh();
    index.add("3", R"({"k":"a","n":3})");
    index.add("4", R"({"n":4})");
    index.add("5", R"({"k":["d","c"],"n":0})");
    index.refresh();
  }
};

TEST(GroupScore, AddsTheBestOfEachQueryOverAllSegments) {
  const Docs docs;
  const std::vector<NodeBytes> queries = {scored(1, 1), scored(2, 2), scored(4, 3)};
  // Group a: 1 + 2 + 4 by document 3; b: 1 + 2; document 4 is a group of its own.
  EXPECT_EQ(docs.index.ids(group_score("k", queries)), "1 3 4 2");
  EXPECT_EQ(docs.index.score(group_score("k", queries)), 7.0F);
  const NodeBytes one = Query().boolean({group_score("k", queries)}, {Query().ids({"2"})});
  EXPECT_EQ(docs.index.score(one), 3.0F);
}

TEST(GroupScore, TheFilterAndDeletionsTakeScoresOffTheGroup) {
  Docs docs;
  const std::vector<NodeBytes> queries = {scored(1, 1), scored(4, 3)};
  const NodeBytes filter = Query().range("n", 4, {"2"});
  EXPECT_EQ(docs.index.score(group_score("k", queries, filter)), 1.0F);
  docs.index.remove("3");
  EXPECT_EQ(docs.index.ids(group_score("k", queries)), "4 1 2");
  EXPECT_EQ(docs.index.score(group_score("k", queries)), 5.0F);
}

TEST(GroupScore, OfSeveralValuesTheSmallestCounts) {
  Docs docs;
  docs.index.add("6", R"({"k":"c","n":9})");
  docs.index.refresh();
  EXPECT_EQ(docs.index.ids(group_score("k", {scored(1, 9)})), "5 6");
}

TEST(GroupScore, DocumentsWithoutAValueAreGroupsOfTheirOwnInSegmentsOfThousands) {
  TestIndex index{R"({"properties":{"k":{"type":"keyword"},"n":{"type":"integer"}}})"};
  for (int segment = 0; segment < 2; segment++) {
    for (int i = 0; i < 2500; i++) {
      const std::string group = i % 500 == 499 ? R"(,"k":"a")" : "";
      index.add(std::to_string(2500 * segment + i),
                R"({"n":)" + std::to_string(i % 1200) + group + "}");
    }
    index.refresh();
  }
  const std::vector<NodeBytes> queries = {scored(1, 1100), scored(2, 1150), scored(4, 900)};
  const auto score = [&](const std::string& id) {
    return index.score(Query().boolean({group_score("k", queries)}, {Query().ids({id})}));
  };
  EXPECT_EQ(score("1199"), 7.0F);
  EXPECT_EQ(score("4899"), 7.0F);  // the 2,400th document of the second segment: n is 1199
  EXPECT_EQ(score("1100"), 5.0F);
  EXPECT_EQ(score("1000"), 4.0F);
  EXPECT_EQ(index.ids(Query().boolean({group_score("k", queries)}, {Query().ids({"20"})})), "");
  // The best of group a over both segments: n is 999, 499, 299 or 799.
  EXPECT_EQ(score("3999"), 4.0F);
}

TEST(GroupScore, FieldsThatCannotGroupAreRefused) {
  const Docs docs;
  const std::string needs =
      "illegal_argument_exception: [group_score] needs a [keyword] field with doc_values to group "
      "by, ";
  EXPECT_EQ(docs.index.error(group_score("nope", {scored(1, 1)})), needs + "[nope] is unmapped");
  EXPECT_EQ(docs.index.error(group_score("t", {scored(1, 1)})), needs + "[t] is of type [text]");
  EXPECT_EQ(docs.index.error(group_score("nd", {scored(1, 1)})),
            needs + "[nd] is of type [keyword]");
}

TEST(GroupScore, DamagedClausesAreErrors) {
  const Docs docs;
  const NodeBytes whole = group_score("k", {scored(1, 1)}, Query().match_all());
  for (size_t size = 8; size < whole.size(); size++) {
    ByteWriter payload;
    payload.put_bytes(Bytes(whole).subspan(8, size - 8));
    EXPECT_TRUE(docs.index.error(testing::raw_node(PlanOp::kGroupScore, payload)) != "");
  }
}

}  // namespace
}  // namespace quarry
