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
