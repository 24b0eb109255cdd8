// nested: documents by their nested documents, and scores joined from theirs.
#include "query/nested/nested_query.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "query/nested/nested_space.h"
#include "segment/segment_merger.h"
#include "testing/test_index.h"

namespace quarry::nested_query_test {

using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

constexpr std::string_view kMapping = R"({"properties":{
  "t":{"type":"text"},"tag":{"type":"keyword"},
  "c":{"type":"nested","properties":{
    "who":{"type":"keyword"},"stars":{"type":"integer"},"text":{"type":"text"},
    "r":{"type":"nested","properties":{"who":{"type":"keyword"},"n":{"type":"integer"}}}}},
  "o":{"properties":{"p":{"type":"nested","properties":{"x":{"type":"keyword"}}}}}}})";

struct Docs {
  TestIndex index{kMapping};
  Docs() {
    index.add("1", R"({"t":"a","tag":"u","c":[
      {"who":"kim","stars":1,"text":"fox fox","r":[{"who":"lee","n":1},{"who":"kim","n":2}]},
      {"who":"lee","stars":5,"text":"fox"}]})");
    index.add("2", R"({"t":"a b","tag":"u","c":{"who":"kim","stars":5,"text":"dog"}})");
    index.refresh();
    index.add("3", R"({"t":"b","tag":"v","c":[],"o":{"p":[{"x":"1"},null,{"x":"2"}]}})");
    index.add("4", R"({"t":"b","c":[{"who":"lee","stars":2,"r":{"who":"kim","n":9}}]})");
    index.refresh();
  }
  std::string nested(const NodeBytes& query, std::string_view path = "c") const {
    return index.ids(Query().constant_score(Query().nested(path, query)));
  }
};

NodeBytes term(std::string_view field, std::string_view value) {
  return Query().term(field, value);
}

TEST(Nested, ClausesOutsideSeeWholeDocumentsAlone) {
  const Docs docs;
  EXPECT_EQ(docs.index.run(Query().match_all())->total, 4U);
  EXPECT_EQ(docs.index.ids(term("c.who", "kim")), "");
  EXPECT_EQ(docs.index.ids(Query().exists("c")), "");
  EXPECT_EQ(docs.index.run(Query().boolean({}, {}, {}, {term("c.who", "kim")}))->total, 4U);
  EXPECT_EQ(docs.index.ids(Query().ids({"1", ""})), "1");
}

TEST(Nested, OneNestedDocumentHasToMatchTheWholeQuery) {
  const Docs docs;
  EXPECT_EQ(docs.nested(term("c.who", "kim")), "1 2");
  EXPECT_EQ(docs.nested(Query().boolean({term("c.who", "kim"), term("c.stars", "5")})), "2");
  EXPECT_EQ(docs.nested(Query().match_all()), "1 2 4");
  EXPECT_EQ(docs.nested(Query().boolean({}, {}, {}, {term("c.who", "kim")})), "1 4");
  EXPECT_EQ(docs.nested(term("o.p.x", "2"), "o.p"), "3");
  EXPECT_EQ(docs.nested(term("t", "a")), "");
  EXPECT_EQ(docs.nested(Query().ids({"2"})), "2");
}

TEST(Nested, PathsInsidePaths) {
  const Docs docs;
  EXPECT_EQ(docs.nested(term("c.r.who", "kim"), "c.r"), "1 4");
  const NodeBytes inner = Query().nested("c.r", term("c.r.who", "kim"));
  EXPECT_EQ(docs.nested(Query().boolean({term("c.who", "lee"), inner})), "4");
  EXPECT_EQ(docs.nested(Query().boolean({term("c.who", "lee")}, {}, {}, {inner})), "1");
  EXPECT_EQ(docs.index.error(Query().nested("c.r", Query().nested("c", Query().match_all()))),
            "query_shard_exception: failed to create query: [nested] the path [c] is not inside "
            "[c.r], whose nested documents the enclosing clause searches");
}

TEST(Nested, ScoresAreJoinedByTheMode) {
  const Docs docs;
  const auto score = [&](uint8_t mode) {
    const NodeBytes stars = Query().boolean({}, {},
                                            {Query(1).constant_score(term("c.who", "kim")),
                                             Query(4).constant_score(term("c.stars", "5"))});
    const NodeBytes nested = Query().nested("c", stars, mode);
    return docs.index.score(Query().boolean({nested}, {Query().ids({"1"})}));
  };
  EXPECT_EQ(score(0), 2.5F);
  EXPECT_EQ(score(1), 5.0F);
  EXPECT_EQ(score(2), 4.0F);
  EXPECT_EQ(score(3), 1.0F);
  EXPECT_EQ(score(4), 0.0F);
  EXPECT_EQ(docs.index.score(Query(3).nested("c", Query(2).constant_score(term("c.who", "kim")))),
            6.0F);
}

TEST(Nested, StatisticsOfFieldsCountNestedDocuments) {
  const Docs docs;
  // Two of the three nested documents with the field have the word.
  const NodeBytes query = Query().nested("c", Query().match("c.text", "dog"), 2);
  EXPECT_EQ(docs.index.ids(query), "2");
  EXPECT_TRUE(docs.index.score(query) > 0.0F);
}

TEST(Nested, DeletedRootsTakeTheirNestedDocumentsAlong) {
  Docs docs;
  docs.index.remove("1");
  EXPECT_EQ(docs.nested(term("c.who", "kim")), "2");
  EXPECT_EQ(docs.nested(term("c.r.who", "kim"), "c.r"), "4");
}

TEST(Nested, UnknownPathsAreErrorsUnlessTheyAreIgnored) {
  const Docs docs;
  const NodeBytes query = Query().match_all();
  EXPECT_EQ(docs.index.error(Query().nested("nope", query)),
            "query_shard_exception: failed to create query: [nested] failed to find nested object "
            "under path [nope]");
  EXPECT_EQ(docs.index.error(Query().nested("o", query)),
            "query_shard_exception: failed to create query: [nested] failed to find nested object "
            "under path [o]");
  EXPECT_EQ(docs.index.ids(Query().nested("nope", query, 0, true)), "");
}

TEST(Nested, DamagedClausesAreErrors) {
  const Docs docs;
  const NodeBytes whole = Query().nested("c", Query().match_all());
  for (size_t size = 8; size < whole.size(); size++) {
    ByteWriter payload;
    payload.put_bytes(Bytes(whole).subspan(8, size - 8));
    EXPECT_TRUE(docs.index.error(testing::raw_node(PlanOp::kNested, payload)) != "");
  }
}

/// The ids of a page and the total.
std::string found(const TestIndex& index, const NodeBytes& query) {
  PlanFrame frame;
  frame.legs.push_back(query);
  frame.window = 5;
  const Result<ShardHits> hits = index.run(frame);
  EXPECT_OK(hits);
  frame.window = 0;
  EXPECT_EQ(index.run(frame)->total, hits->total);
  std::string out = std::to_string(hits->total) + ":";
  for (const uint32_t doc : hits->legs[0].docs) out += " " + index.id(doc);
  return out;
}

TEST(Nested, ManyDocumentsAreCountedAndFoundAsWhatIsInsideThemSays) {
  std::mt19937 random(64);
  TestIndex index(kMapping);
  struct Parent {
    bool tagged, kim, reply;
  };
  std::vector<Parent> parents;
  for (int i = 0; i < 2500; i++) {
    Parent parent{random() % 2 == 0, false, false};
    std::string children;
    // Some have so many that they go over several chunks.
    const size_t count = i % 600 == 300 ? 7000 : random() % 8;
    for (size_t child = 0; child < count; child++) {
      const bool kim = random() % (count > 8 ? 20000 : 9) == 0;
      const bool reply = random() % 5 == 0;
      parent.kim = parent.kim || kim;
      parent.reply = parent.reply || (kim && reply);
      children += std::string(child > 0 ? "," : "") + R"({"who":")" + (kim ? "kim" : "lee") +
                  R"(","stars":)" + (kim ? "7" : "3") + (reply ? R"(,"r":{"who":"lee"}})" : "}");
    }
    index.add(std::to_string(i), std::string(R"({"tag":")") + (parent.tagged ? "u" : "v") +
                                     R"(","c":[)" + children + "]}");
    parents.push_back(parent);
  }
  index.refresh();
  for (size_t i = 0; i < parents.size(); i += 9) index.remove(std::to_string(i));
  const auto expected = [&parents](auto matches) {
    size_t total = 0;
    std::string ids;
    for (size_t i = 0; i < parents.size(); i++) {
      if (i % 9 == 0 || !matches(parents[i])) continue;
      if (total++ < 5) ids += " " + std::to_string(i);
    }
    return std::to_string(total) + ":" + ids;
  };
  const auto has_kim = expected([](const Parent& one) { return one.kim; });
  const uint8_t none = 4;
  const NodeBytes kim = term("c.who", "kim");
  const NodeBytes seven = Query().range("c.stars", 1, {"7"});
  for (const NodeBytes& inner : {kim, seven, NodeBytes(Query().boolean({}, {kim, seven}))}) {
    EXPECT_EQ(found(index, Query().nested("c", inner, none)), has_kim);
    EXPECT_EQ(found(index, Query().constant_score(Query().nested("c", inner))), has_kim);
  }
  const NodeBytes by_kim = Query().nested("c", kim, none);
  EXPECT_EQ(found(index, Query().constant_score(Query().boolean({}, {term("tag", "u"), by_kim}))),
            expected([](const Parent& one) { return one.tagged && one.kim; }));
  EXPECT_EQ(
      found(index, Query().constant_score(Query().boolean({}, {term("tag", "u")}, {}, {by_kim}))),
      expected([](const Parent& one) { return one.tagged && !one.kim; }));
  const NodeBytes replied = Query().nested("c.r", term("c.r.who", "lee"), none);
  const NodeBytes both = Query().boolean({}, {kim, replied});
  EXPECT_EQ(found(index, Query().nested("c", both, none)),
            expected([](const Parent& one) { return one.reply; }));
}

TEST(NestedSegments, AreMergedInWholeBlocks) {
  const Docs docs;
  const auto& segments = docs.index.shard().segments;
  Bitset live(segments[0].segment->max_doc(), true);
  const NestedDocs& before = *segments[0].segment->nested();
  const uint32_t root = before.roots().next(0);
  for (uint32_t doc = before.block_begin(root); doc <= root; doc++) live.clear(doc);
  const std::vector<MergeInput> inputs = {{segments[0].segment.get(), &live},
                                          {segments[1].segment.get(), nullptr}};
  Result<SegmentImage> image = merge_segments(inputs, nullptr);
  EXPECT_OK(image);
  const auto merged = Segment::open(std::move(image).value());
  EXPECT_OK(merged);
  const NestedDocs* nested = (*merged)->nested();
  EXPECT_TRUE(nested != nullptr);
  EXPECT_EQ(nested->roots().count(), 3U);
  EXPECT_EQ(nested->at("c")->count(), 2U);
  EXPECT_EQ(nested->at("c.r")->count(), 1U);
  EXPECT_EQ(nested->at("o.p")->count(), 2U);
  EXPECT_EQ(nested->largest_block(), 2U);
  const auto four = (*merged)->ids().find("4");
  EXPECT_TRUE(four && nested->roots().test(*four) && *four - nested->block_begin(*four) == 2);
}

TEST(NestedSegments, WithoutNestedDocumentsHaveNone) {
  TestIndex index{kMapping};
  index.add("1", R"({"t":"a"})");
  index.refresh();
  EXPECT_TRUE(index.shard().segments[0].segment->nested() == nullptr);
  EXPECT_TRUE(index.shard().segments[0].live == nullptr);
}

TEST(NestedSpace, FindsTheDocumentsInsideOthers) {
  std::mt19937_64 random(5);
  for (const uint32_t size : {1U, 64U, 65U, 1000U}) {
    for (const uint64_t gap : {1U, 3U, 40U, 300U}) {
      Bitset bounds(size), docs(size), expected(size);
      for (uint32_t doc = 0, begin = 0; doc < size; doc++) {
        if (random() % gap != 0) continue;
        bounds.set(doc);
        if (random() % 2 == 0) {
          docs.set(doc);
          for (uint32_t inside = begin; inside < doc; inside++) expected.set(inside);
        }
        begin = doc + 1;
      }
      const Bitset found = docs_inside(docs, bounds);
      EXPECT_TRUE(std::equal(found.words().begin(), found.words().end(), expected.words().begin()));
    }
  }
}

}  // namespace quarry::nested_query_test
