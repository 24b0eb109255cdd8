// Range fields: every relation compared with its definition, invalid bounds, and unsupported uses.
#include "query/clauses/range_field_query.h"

#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "mapping/values/range_value.h"
#include "testing/query_builder.h"
#include "testing/test_index.h"

namespace quarry::range_field_query_test {

using testing::NodeBytes;
using testing::Query;
using testing::TestIndex;

constexpr uint8_t kGteLte = 1 | 4;
constexpr uint8_t kGtLt = 2 | 8;
constexpr uint8_t kContains = 16;
constexpr uint8_t kWithin = 32;

using Spans = std::vector<std::pair<int, int>>;

std::string source_of(const Spans& spans) {
  std::string list;
  for (const auto& [low, high] : spans) {
    list += (list.empty() ? "" : ",") + std::string(R"({"gte":)") + std::to_string(low) +
            R"(,"lte":)" + std::to_string(high) + "}";
  }
  return R"({"r":[)" + list + "]}";
}

bool fits(const std::pair<int, int>& span, int low, int high, uint8_t relation) {
  if (relation == kContains) return span.first <= low && span.second >= high;
  if (relation == kWithin) return span.first >= low && span.second <= high;
  return span.first <= high && span.second >= low;
}

TEST(RangeField, RelationsAreWhatTheySay) {
  Random random(7);
  TestIndex index(R"({"properties":{"r":{"type":"integer_range"}}})");
  std::vector<Spans> documents;
  for (int id = 0; id < 200; id++) {
    Spans spans;
    for (uint64_t left = random.below(4); left > 0; left--) {
      const int low = static_cast<int>(random.below(40)) - 20;
      spans.emplace_back(low, low + static_cast<int>(random.below(12)));
    }
    index.add(std::to_string(id), source_of(spans));
    if (id % 70 == 69) index.refresh();
    documents.push_back(std::move(spans));
  }
  index.refresh();
  for (int round = 0; round < 150; round++) {
    const int low = static_cast<int>(random.below(60)) - 30;
    const int high = low + static_cast<int>(random.below(15));
    const uint8_t relation = std::vector<uint8_t>{0, kContains, kWithin}[random.below(3)];
    testing::PlanFrame frame;
    frame.window = 500;
    frame.legs.push_back(Query().range("r", static_cast<uint8_t>(kGteLte | relation),
                                       {std::to_string(low), std::to_string(high)}));
    std::string expected;
    for (size_t id = 0; id < documents.size(); id++) {
      bool any = false;
      for (const auto& span : documents[id]) any = any || fits(span, low, high, relation);
      if (any) expected += (expected.empty() ? "" : " ") + std::to_string(id);
    }
    EXPECT_EQ(index.ids(frame), expected);
  }
}

struct Kinds {
  TestIndex index{R"({"properties":{"n":{"type":"long_range"},"d":{"type":"date_range"},
      "a":{"type":"ip_range","index":false},"f":{"type":"double_range","doc_values":false},
      "off":{"type":"long_range","index":false,"doc_values":false}}})"};

  Kinds() {
    index.add("1", R"({"n":{"gt":5,"lt":10},"d":{"gte":"2024-01-10","lt":"2024-01-12"},
                       "a":"10.0.0.0/8","f":{"lt":0.5},"off":{"gte":1}})");
    index.add("2", R"({"n":{"gte":10},"d":{"lte":"2024-01-01"},"a":{"gt":"::1","lte":"::5"},
                       "f":{"gt":0.5}})");
    index.refresh();
  }
};

TEST(RangeField, ExclusiveEndsLeaveTheEndOut) {
  const Kinds kinds;
  EXPECT_EQ(kinds.index.ids(Query().term("n", "5")), "");
  EXPECT_EQ(kinds.index.ids(Query().term("n", "6")), "1");
  EXPECT_EQ(kinds.index.ids(Query().term("n", "10")), "2");
  EXPECT_EQ(kinds.index.ids(Query().range("n", kGtLt, {"9", "10"})), "");
  EXPECT_EQ(kinds.index.ids(Query().range("n", kGtLt | kContains, {"5", "8"})), "1");
  EXPECT_EQ(kinds.index.ids(Query().term("f", "0.5")), "");
  EXPECT_EQ(kinds.index.ids(Query().term("f", "0.49")), "1");
}

TEST(RangeField, ADayIsAllOfIt) {
  const Kinds kinds;
  EXPECT_EQ(kinds.index.ids(Query().term("d", "2024-01-11")), "1");
  EXPECT_EQ(kinds.index.ids(Query().term("d", "2024-01-12")), "");
  EXPECT_EQ(kinds.index.ids(Query().term("d", "2024-01-01T23:59:59.999")), "2");
  EXPECT_EQ(kinds.index.ids(Query().range("d", kGteLte | kWithin, {"2024-01-10", "2024-01-11"})),
            "1");
}

TEST(RangeField, Addresses) {
  const Kinds kinds;
  EXPECT_EQ(kinds.index.ids(Query().term("a", "10.255.255.255")), "1");
  EXPECT_EQ(kinds.index.ids(Query().term("a", "::1")), "");
  EXPECT_EQ(kinds.index.ids(Query().range("a", kGteLte | kWithin, {"::", "::ff"})), "2");
}

TEST(RangeField, RefusesWhatIsNoEnd) {
  const Kinds kinds;
  EXPECT_EQ(kinds.index.error(Query().term("n", "five")),
            "query_shard_exception: failed to create query: For input string: \"five\"");
  EXPECT_EQ(kinds.index.error(Query().term("a", "10.0.0.0/8")),
            "query_shard_exception: failed to create query: '10.0.0.0/8' is not an IP string "
            "literal.");
  EXPECT_EQ(kinds.index.error(Query().term("off", "5")),
            "query_shard_exception: failed to create query: Cannot search on field [off] since it "
            "is not indexed nor has doc values.");
  EXPECT_EQ(kinds.index.error(Query().prefix("n", "5")),
            "query_shard_exception: Can only use prefix queries on keyword, text and wildcard "
            "fields - not on [n] which is of type [long_range]");
}

}  // namespace quarry::range_field_query_test
