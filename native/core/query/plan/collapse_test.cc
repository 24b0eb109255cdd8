// The first hit of each group, with the group's value; rescore columns.
#include "query/plan/rescore.h"
#include "testing/test_index.h"

namespace quarry::collapse_test {

using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

NodeBytes collapse_node(std::string_view field, bool by_terms = false) {
  ByteWriter out;
  out.put_string(field);
  out.put(uint8_t{by_terms});
  return testing::raw_node(PlanOp::kCollapse, out);
}

NodeBytes rescore_node(const std::vector<NodeBytes>& queries) {
  ByteWriter out;
  testing::put_nodes(out, queries);
  return testing::raw_node(PlanOp::kRescore, out);
}

struct Docs {
  TestIndex index{R"({"properties":{"g":{"type":"integer"},"k":{"type":"keyword"},
    "s":{"type":"integer"},"m":{"type":"keyword"},"d":{"type":"date"},"t":{"type":"text"},
    "ni":{"type":"keyword","index":false},"nd":{"type":"keyword","doc_values":false}}})"};
  Docs() {
    index.add("1", R"({"g":1,"k":"a","s":3,"m":["p","q"],"t":"x"})");
    index.add("2", R"({"g":1,"k":"b","s":5,"t":"x x"})");
    index.refresh();
    index.add("3", R"({"g":2,"k":"a","s":1,"t":"y"})");
    index.add("4", R"({"k":"c","s":9})");
    index.add("5", R"({"s":2})");
    index.refresh();
  }
  /// "id:group …", best first.
  std::string groups(std::string_view field, uint32_t window = 10, bool by_sort = true) const {
    PlanFrame frame;
    frame.legs.push_back(Query().match_all());
    frame.more.push_back(collapse_node(field));
    frame.window = window;
    if (by_sort) {
      SortKey key;
      key.field = "s";
      key.descending = true;
      frame.sort.push_back(key);
    }
    const Result<ShardHits> hits = index.run(frame);
    if (!hits.ok()) return hits.status().reason();
    EXPECT_EQ(hits->total, 5);
    std::string out;
    const LegHits& leg = hits->legs[0];
    for (size_t i = 0; i < leg.docs.size(); i++) {
      out += (i > 0 ? " " : "") + index.id(leg.docs[i]) + ":" + leg.sort.back().strings[i];
    }
    return out;
  }
};

TEST(Collapse, TheFirstHitOfEachGroupInTheOrderOfTheSearch) {
  const Docs docs;
  EXPECT_EQ(docs.groups("g"), "4:null 2:1 3:2");
  EXPECT_EQ(docs.groups("k"), R"(4:"c" 2:"b" 1:"a" 5:null)");
  EXPECT_EQ(docs.groups("k", 2), R"(4:"c" 2:"b")");
  EXPECT_EQ(docs.groups("k", 10, false), R"(1:"a" 2:"b" 4:"c" 5:null)");
}

TEST(Collapse, FieldsThatCannotGroupAreRefused) {
  const Docs docs;
  EXPECT_EQ(docs.groups("nope"), "no mapping found for `nope` in order to collapse on");
  EXPECT_EQ(docs.groups("t"), "collapse is not supported for the field [t] of the type [text]");
  EXPECT_EQ(docs.groups("d"), "collapse is not supported for the field [d] of the type [date]");
  EXPECT_EQ(docs.groups("nd"), "cannot collapse on field `nd` without `doc_values`");
  EXPECT_EQ(docs.groups("m"),
            "failed to collapse on field [m]: it has to have a single value, a document has "
            "several");
  PlanFrame frame;
  frame.legs.push_back(Query().match_all());
  frame.more.push_back(collapse_node("ni", true));
  EXPECT_EQ(docs.index.ids(frame),
            "error: cannot expand `inner_hits` for collapse field `ni`, only indexed field can "
            "retrieve `inner_hits`");
}

TEST(Rescore, AColumnForEachQuery) {
  const Docs docs;
  PlanFrame frame;
  frame.legs.push_back(Query().match_all());
  frame.more.push_back(rescore_node({Query(3).constant_score(Query().term("k", "a")),
                                     Query().constant_score(Query().match_all())}));
  const Result<ShardHits> hits = docs.index.run(frame);
  ASSERT_OK(hits);
  const LegHits& leg = hits->legs[0];
  ASSERT_EQ(leg.sort.size(), 2);
  EXPECT_EQ(leg.docs, (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(leg.sort[0].nulls, (std::vector<uint8_t>{0, 1, 0, 1, 1}));
  EXPECT_EQ(leg.sort[0].doubles, (std::vector<double>{3, 0, 3, 0, 0}));
  EXPECT_EQ(leg.sort[1].doubles, (std::vector<double>{1, 1, 1, 1, 1}));
}

}  // namespace quarry::collapse_test
