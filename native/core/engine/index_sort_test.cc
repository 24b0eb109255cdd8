// An index with `index.sort`: segments are in its order in memory, on disk and after a merge.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "segment/segment_merger.h"
#include "shard/snapshot.h"
#include "testing/engine_node.h"
#include "testing/query_builder.h"
#include "testing/test.h"
#include "testing/test_index.h"

namespace quarry::index_sort_test {

using testing::EngineNode;
using testing::Hit;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

constexpr const char* kSorted =
    R"("settings":{"index":{"sort":{"field":["k","n"],"order":["desc","asc"]}}},)"
    R"("mappings":{"properties":{"k":{"type":"keyword"},"n":{"type":"long"}}})";

struct Document {
  std::optional<std::string> k;
  int64_t n = 0;
  uint64_t seq_no = 0;
};

/// The sequence numbers of all documents in the order of the index.
std::vector<uint64_t> expected_order(const std::map<std::string, Document>& documents) {
  std::vector<Document> sorted;
  for (const auto& [id, document] : documents) sorted.push_back(document);
  std::sort(sorted.begin(), sorted.end(), [](const Document& a, const Document& b) {
    if (a.k.has_value() != b.k.has_value()) return a.k.has_value();
    if (a.k != b.k) return *a.k > *b.k;
    return std::tie(a.n, a.seq_no) < std::tie(b.n, b.seq_no);
  });
  std::vector<uint64_t> out;
  for (const Document& document : sorted) out.push_back(document.seq_no);
  return out;
}

std::vector<uint64_t> order_of(EngineNode& node) {
  std::vector<uint64_t> out;
  for (const Hit& hit : node.search("i", Query().match_all()).hits) out.push_back(hit.seq_no);
  return out;
}

TEST(IndexSort, SegmentsInMemoryAreInOrder) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kSorted);
  std::map<std::string, Document> documents;
  for (int64_t n = 0; n < 40; n++) {
    const std::string id = std::to_string(n);
    const std::string k(1, static_cast<char>('a' + n * 7 % 5));
    const auto item = node.put("i", id, R"({"k":")" + k + R"(","n":)" + std::to_string(-n) + "}");
    documents[id] = {k, -n, item.seq_no};
  }
  node.refresh("i");
  EXPECT_TRUE(order_of(node) == expected_order(documents));
}

TEST(IndexSort, RandomWritesAndMergesKeepTheOrder) {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    Random random(seed);
    auto node = std::make_unique<EngineNode>();
    ASSERT_OK(node->open());
    node->create("i", kSorted);
    std::map<std::string, Document> documents;
    for (int step = 0; step < 600; step++) {
      const std::string id = std::to_string(random.below(150));
      switch (random.below(20)) {
        case 0:
          node->refresh("i");
          break;
        case 1:
          EXPECT_OK(node->flush("i"));
          break;
        case 2:
          node->merge("i", 0);
          break;
        case 3:
          node->erase("i", id);
          documents.erase(id);
          break;
        default: {
          Document document;
          document.n = static_cast<int64_t>(random.below(10));
          std::string source = R"({"n":)" + std::to_string(document.n);
          if (random.below(4) > 0) {
            document.k = std::string(1, static_cast<char>('a' + random.below(6)));
            source += R"(,"k":")" + *document.k + '"';
          }
          document.seq_no = node->put("i", id, source + "}").seq_no;
          documents[id] = document;
        }
      }
      if (step % 200 != 199) continue;
      EXPECT_OK(node->flush("i"));
      node = node->crash(seed * 1000 + static_cast<uint64_t>(step));
      ASSERT_OK(node->open());
      node->merge("i", 1);
      EXPECT_TRUE(order_of(*node) == expected_order(documents));
      EXPECT_EQ(node->all("i").size(), documents.size());
    }
  }
}

TEST(IndexSort, DeletesDuringAMergeAreCarriedOver) {
  TestIndex index(R"({"properties":{"n":{"type":"long"}}})");
  for (int id = 0; id < 6; id++) {
    index.add(std::to_string(id), R"({"n":)" + std::to_string(6 - id) + "}");
    if (id == 2) index.refresh();
  }
  index.refresh();
  std::vector<SegmentEntry> before;
  for (const SegmentView& view : index.shard().segments)
    before.push_back({view.segment, nullptr, view.live_count, before.size() + 1, 0});
  const std::vector<IndexSortKey> sort = {{"n", false, false, false}};
  Result<SegmentImage> image =
      merge_segments(merge_inputs(before), nullptr, VectorEffort::kRows, sort);
  ASSERT_OK(image);
  const auto merged = Segment::open(std::move(image).value());
  ASSERT_OK(merged);
  std::vector<SegmentEntry> after = before;
  auto live = std::make_shared<Bitset>(3, true);
  live->clear(1);  // the document "4"
  after[1].live = live;
  after[1].live_count = 2;
  const auto carried = carry_deletes(before, after, merged->get());
  ASSERT_TRUE(carried != nullptr);
  for (uint32_t doc = 0; doc < 6; doc++) {
    IdBuffer buffer;
    EXPECT_EQ(carried->test(doc), (*merged)->ids().id(doc, buffer) != "4");
  }
}

TEST(IndexSort, IsCheckedWhereAnIndexIsCreated) {
  EngineNode node;
  ASSERT_OK(node.open());
  const auto refusal = [&node](const std::string& sort) {
    const auto made = node.engine->create_index(
        R"({"name":"x","number_of_shards":1,"settings":{"index":{"sort":)" + sort + R"(}},
        "mappings":{"properties":{"k":{"type":"keyword"},"t":{"type":"text"},
        "off":{"type":"long","doc_values":false},"al":{"type":"alias","path":"k"},
        "fl":{"type":"flattened"},"bin":{"type":"binary","doc_values":true},
        "c":{"type":"nested","properties":{"n":{"type":"long"}}}}}})");
    return made.ok() ? std::string() : made.status().reason();
  };
  EXPECT_EQ(refusal(R"({"field":"k","order":"DESC"})"), "");
  EXPECT_EQ(refusal(R"({"field":"k,off"})"), "docvalues not found for index sort field:[off]");
  EXPECT_EQ(refusal(R"({"field":"x"})"), "unknown index sort field:[x]");
  EXPECT_EQ(refusal(R"({"field":"c.n"})"),
            "cannot apply index sort to field [c.n] under nested object [c]");
  EXPECT_EQ(refusal(R"({"field":"al"})"), "Cannot use alias [al] as an index sort field");
  EXPECT_EQ(refusal(R"({"field":"t"})"), "docvalues not found for index sort field:[t]");
  EXPECT_TRUE(refusal(R"({"field":"bin"})").find("sort field:[bin]") != std::string::npos);
  EXPECT_EQ(refusal(R"({"field":["k"],"order":["asc","desc"]})"),
            "index.sort.field:[k] index.sort.order:[asc, desc], size mismatch");
  EXPECT_EQ(refusal(R"({"order":"asc"})"),
            "index.sort.field:[] index.sort.order:[asc], size mismatch");
  EXPECT_EQ(
      refusal(R"({"field":"k","missing":"first"})"),
      "Illegal missing value:[first] of [index.sort.missing], must be one of [_last, _first]");
}

constexpr std::string_view kDays =
    R"({"properties":{"day":{"type":"keyword"},"n":{"type":"integer"},"other":{"type":"double"}}})";
constexpr std::string_view kByDay =
    R"({"index":{"sort.field":["day","n"],"sort.order":["asc","desc"]}})";

SortKey key(std::string field, bool descending = false) {
  SortKey out;
  out.field = std::move(field);
  out.descending = descending;
  return out;
}

/// What a search without a total reads of the documents: how many, and the values of its hits.
struct Page {
  uint64_t read = 0;
  LegHits leg;
};

Page first_page(const TestIndex& index, std::vector<SortKey> keys,
                const testing::NodeBytes& query) {
  PlanFrame frame;
  frame.legs.push_back(query);
  frame.sort = std::move(keys);
  frame.track_total_hits = 0;
  Result<ShardHits> hits = index.run(frame);
  EXPECT_OK(hits);
  if (!hits.ok()) return {};
  return {hits->docs_sorted, std::move(hits->legs[0])};
}

TEST(IndexSort, SearchesInItsOrderReadTheFirstDocumentsOfEachSegment) {
  TestIndex index(kDays, kByDay);
  TestIndex unsorted(kDays);
  for (int i = 0; i < 30000; i++) {
    const std::string source = R"({"day":"d)" + std::to_string(i % 3) + R"(","n":)" +
                               std::to_string(i * 7 % 1000) + R"(,"other":)" +
                               std::to_string(i * 13 % 777) + "}";
    index.add(std::to_string(i), source);
    unsorted.add(std::to_string(i), source);
    if (i % 10000 != 9999) continue;
    index.refresh();
    unsorted.refresh();
  }
  const auto read = [&index](std::vector<SortKey> keys, const testing::NodeBytes& query) {
    return first_page(index, std::move(keys), query).read;
  };
  // A page and one document more of each of the 3 segments, at most.
  EXPECT_LE(read({key("day")}, Query().match_all()), 33U);
  EXPECT_LE(read({key("day"), key("n", true)}, Query().match_all()), 33U);
  EXPECT_EQ(first_page(unsorted, {key("day"), key("n", true)}, Query().match_all()).read, 30000U);
  // A query reads what it matches among them; here each segment matches on its last day alone.
  EXPECT_LT(read({key("day"), key("n", true)}, Query().term("day", "d2")), 200U);
  // Ties of the first key are read when the second key is another.
  const uint64_t ties = read({key("day"), key("other")}, Query().match_all());
  EXPECT_GE(ties, 10000U);
  EXPECT_LT(ties, 10010U);
  // Other orders, and what changes the order of values, read as they would of any index.
  EXPECT_GE(read({key("day", true), key("n", true)}, Query().match_all()), 10000U);
  SortKey missing = key("day");
  missing.missing = 1;
  EXPECT_GT(read({missing, key("n", true)}, Query().match_all()), 10000U);
  SortKey average = key("n");
  average.mode = SortMode::kAvg;
  EXPECT_GE(read({key("day"), average}, Query().match_all()), 10000U);
}

TEST(IndexSort, SearchesInItsOrderAnswerAsThoseOfAnotherIndex) {
  Random random(3);
  constexpr std::string_view kOrders[] = {
      R"({"index":{"sort.field":["k","n"],"sort.order":["desc","asc"]}})",
      R"({"index":{"sort.field":["n","k"],"sort.missing":["_first","_last"]}})",
      R"({"index":{"sort.field":["n","k"],"sort.order":["desc","asc"],"sort.mode":["min","max"]}})",
      R"({"index":{"sort.field":["f","n"],"sort.order":["desc","desc"]}})",
  };
  constexpr std::string_view kFields =
      R"({"properties":{"k":{"type":"keyword"},"n":{"type":"integer"},"f":{"type":"double"}}})";
  for (const std::string_view order : kOrders) {
    TestIndex index(kFields, order);
    TestIndex unsorted(kFields);
    for (int i = 0; i < 3000; i++) {
      // The ends of the range tie with missing values.
      constexpr const char* kNumbers[] = {"-2147483648", "2147483647", "0", "[1,5]", "[-3,2]"};
      std::string source = R"({"i":)" + std::to_string(i);
      if (random.below(4) > 0) source += std::string(R"(,"n":)") + kNumbers[random.below(5)];
      if (random.below(4) > 0) source += R"(,"k":"k)" + std::to_string(random.below(4)) + '"';
      if (random.below(4) > 0) source += R"(,"f":)" + std::to_string(random.below(3));
      source += "}";
      index.add(std::to_string(i), source);
      unsorted.add(std::to_string(i), source);
      if (i % 1000 != 999) continue;
      index.refresh();
      unsorted.refresh();
    }
    for (int i = 0; i < 3000; i += 7) {
      index.remove(std::to_string(i));
      unsorted.remove(std::to_string(i));
    }
    constexpr const char* kNames[] = {"k", "n", "f"};
    for (int trial = 0; trial < 60; trial++) {
      std::vector<SortKey> keys;
      for (uint64_t count = 1 + random.below(2); count > 0; count--) {
        SortKey& added = keys.emplace_back(key(kNames[random.below(3)], random.below(2) == 0));
        added.missing = static_cast<uint8_t>(random.below(2));
        added.mode = random.below(2) == 0   ? SortMode::kDefault
                     : random.below(2) == 0 ? SortMode::kMin
                                            : SortMode::kMax;
      }
      const testing::NodeBytes query =
          random.below(2) == 0 ? Query().match_all() : Query().exists("k");
      const LegHits found = first_page(index, keys, query).leg;
      const LegHits expected = first_page(unsorted, keys, query).leg;
      for (size_t i = 0; i < keys.size(); i++) {
        EXPECT_TRUE(found.sort[i].nulls == expected.sort[i].nulls);
        EXPECT_TRUE(found.sort[i].ints == expected.sort[i].ints);
        EXPECT_TRUE(found.sort[i].doubles == expected.sort[i].doubles);
        EXPECT_TRUE(found.sort[i].strings == expected.sort[i].strings);
      }
    }
  }
}

TEST(IndexSort, NestedDocumentsStayWithTheirRoot) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", R"("settings":{"index.sort.field":"n"},"mappings":{"properties":{)"
                   R"("n":{"type":"long"},"c":{"type":"nested","properties":{)"
                   R"("x":{"type":"long"}}}}})");
  std::map<int64_t, uint64_t> seq_nos;
  for (int64_t n = 9; n >= 0; n--) {
    const std::string text = std::to_string(n);
    std::string nested;
    for (int64_t i = 0; i < n % 4; i++) nested += (i > 0 ? R"(,{"x":)" : R"({"x":)") + text + "}";
    seq_nos[n] = node.put("i", text, R"({"n":)" + text + R"(,"c":[)" + nested + "]}").seq_no;
    if (n % 4 == 0) node.refresh("i");
  }
  node.erase("i", "6");
  seq_nos.erase(6);
  EXPECT_OK(node.flush("i"));
  node.merge("i", 1);
  std::vector<uint64_t> expected;
  for (const auto& [n, seq_no] : seq_nos) expected.push_back(seq_no);
  EXPECT_TRUE(order_of(node) == expected);
  for (int64_t n = 0; n < 10; n++) {
    const auto found =
        node.search("i", Query().nested("c", Query().term("c.x", std::to_string(n)))).hits;
    ASSERT_EQ(found.size(), n % 4 == 0 || n == 6 ? 0U : 1U);
    if (!found.empty()) EXPECT_EQ(found[0].seq_no, seq_nos.at(n));
  }
}

}  // namespace quarry::index_sort_test
