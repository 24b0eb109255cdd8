// Field sorts: types, directions, missing values, modes, several segments, search_after, errors.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "base/random.h"
#include "columns/column.h"
#include "testing/test_index.h"

namespace quarry::sort_test {

using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

SortKey key(std::string field, bool descending = false) {
  SortKey out;
  out.field = std::move(field);
  out.descending = descending;
  return out;
}

PlanFrame sorted_by(std::vector<SortKey> keys) {
  PlanFrame frame;
  frame.legs.push_back(Query().match_all());
  frame.sort = std::move(keys);
  return frame;
}

struct Items {
  TestIndex index{R"({"properties":{"n":{"type":"long"},"f":{"type":"float"},"k":{"type":"keyword"},
                      "d":{"type":"date"},"b":{"type":"boolean"},"u":{"type":"unsigned_long"},"ip":{"type":"ip"},
                      "t":{"type":"text"},"flat":{"type":"flattened"},"nodv":{"type":"keyword","doc_values":false}}})"};
  Items() {
    index.add(
        "a", R"({"n":[5,1],"f":1.1,"k":["m","c"],"d":"2024-01-02","b":true,"u":18446744073709551615,
                       "ip":"10.0.0.2","flat":{"x":"2","y":"9"}})");
    index.add("b", R"({"n":3,"f":-2,"k":"d","d":"2023-01-02","b":false,"u":7,"ip":"10.0.0.10"})");
    index.refresh();
    index.add("c", R"({"n":-7,"k":"a","t":"text"})");
    index.add("d", R"({"f":1.1,"k":"z","flat":{"x":"1"}})");
    index.refresh();
    index.add("e", R"({"n":3,"t":"other"})");
    index.refresh();
  }
};

TEST(Sort, NumbersInBothDirections) {
  const Items items;
  EXPECT_EQ(items.index.ids(sorted_by({key("n")})), "c a b e d");
  EXPECT_EQ(items.index.ids(sorted_by({key("n", true)})), "a b e c d");
  EXPECT_EQ(items.index.ids(sorted_by({key("f")})), "b a d c e");
  EXPECT_EQ(items.index.ids(sorted_by({key("u", true)})), "a b c d e");
  EXPECT_EQ(items.index.ids(sorted_by({key("b")})), "b a c d e");
}

TEST(Sort, MissingSmallNumbersHave32Bits) {
  TestIndex index(R"({"properties":{"n":{"type":"integer"},"s":{"type":"short"},"y":{"type":"byte"},
                      "l":{"type":"long"}}})");
  index.add("a", R"({"n":2147483647,"s":1,"y":1,"l":1})");
  index.add("b", "{}");
  index.refresh();
  const auto shown = [&index](std::string field, bool descending, uint8_t missing,
                              const std::string& type = "") {
    SortKey sorted = key(std::move(field), descending);
    sorted.missing = missing;
    sorted.numeric_type = type;
    const Result<ShardHits> hits = index.run(sorted_by({sorted}));
    EXPECT_TRUE(hits.ok());
    const LegHits& leg = hits->legs[0];
    const size_t at = leg.docs[0] == 1 ? 0 : 1;
    return leg.sort[0].ints[at];
  };
  const int64_t largest = std::numeric_limits<int64_t>::max();
  for (const char* field : {"n", "s", "y"}) {
    EXPECT_EQ(shown(field, false, 0), 2147483647);
    EXPECT_EQ(shown(field, true, 0), -2147483648);
    EXPECT_EQ(shown(field, false, 1), -2147483648);
    EXPECT_EQ(shown(field, true, 1), 2147483647);
    EXPECT_EQ(shown(field, false, 0, "long"), largest);
  }
  EXPECT_EQ(shown("l", false, 0), largest);
}

TEST(Sort, MissingFirstLastOrAValue) {
  const Items items;
  SortKey first = key("n");
  first.missing = 1;
  EXPECT_EQ(items.index.ids(sorted_by({first})), "d c a b e");
  first.descending = true;
  EXPECT_EQ(items.index.ids(sorted_by({first})), "d a b e c");
  SortKey value = key("n");
  value.missing = 2;
  value.missing_value = {Scalar::Kind::kNumber, "2"};
  EXPECT_EQ(items.index.ids(sorted_by({value})), "c a d b e");
  SortKey text = key("k");
  text.missing = 2;
  text.missing_value = {Scalar::Kind::kString, "e"};
  EXPECT_EQ(items.index.ids(sorted_by({text})), "c a b e d");
  text.missing = 1;
  EXPECT_EQ(items.index.ids(sorted_by({text})), "e c a b d");
}

TEST(Sort, ModesOfSeveralValues) {
  const Items items;
  const auto with_mode = [&](SortMode mode) {
    SortKey mode_key = key("n");
    mode_key.mode = mode;
    return items.index.ids(sorted_by({mode_key}));
  };
  EXPECT_EQ(with_mode(SortMode::kMax), "c b e a d");
  EXPECT_EQ(with_mode(SortMode::kSum), "c b e a d");
  EXPECT_EQ(with_mode(SortMode::kAvg), "c a b e d");
  EXPECT_EQ(with_mode(SortMode::kMedian), "c a b e d");
}

TEST(Sort, KeywordsAddressesKeysAndIds) {
  const Items items;
  EXPECT_EQ(items.index.ids(sorted_by({key("k")})), "c a b d e");
  EXPECT_EQ(items.index.ids(sorted_by({key("k", true)})), "d a b c e");
  EXPECT_EQ(items.index.ids(sorted_by({key("ip", true)})), "b a c d e");
  EXPECT_EQ(items.index.ids(sorted_by({key("flat.x")})), "d a b c e");
  EXPECT_EQ(items.index.ids(sorted_by({key("_id", true)})), "e d c b a");
  EXPECT_EQ(items.index.ids(sorted_by({key("_doc", true)})), "e d c b a");
  EXPECT_EQ(items.index.ids(sorted_by({key("_doc")})), "a b c d e");
  EXPECT_EQ(items.index.ids(sorted_by({key("n"), key("_id", true)})), "c a e b d");
}

/// `node` must outlive the key.
SortKey score_of(const testing::NodeBytes& node, bool descending = false) {
  SortKey out;
  out.descending = descending;
  out.has_query = true;
  PlanReader reader(Bytes(node), nullptr);
  out.query = *read_node(reader);
  return out;
}

TEST(Sort, TheScoreOfAQueryIsAColumnAndAnOrder) {
  const Items items;
  const testing::NodeBytes other = Query(3).constant_score(Query().term("k", "m"));
  const testing::NodeBytes third = Query(2).constant_score(Query().term("n", "3"));
  EXPECT_EQ(items.index.ids(sorted_by({score_of(third), key("_doc", true)})), "e b d c a");
  EXPECT_EQ(items.index.ids(sorted_by({score_of(third, true), score_of(other)})), "b e a c d");
  const Result<ShardHits> hits =
      items.index.run(sorted_by({key("_doc"), score_of(other), score_of(third)}));
  ASSERT_OK(hits);
  const std::vector<SortColumn>& columns = hits->legs[0].sort;  // a b c d e
  EXPECT_EQ(columns[1].kind, SortColumnKind::kScore);
  EXPECT_EQ(columns[1].doubles[0], 3);
  EXPECT_EQ(columns[1].nulls, (std::vector<uint8_t>{0, 1, 1, 1, 1}));
  EXPECT_EQ(columns[2].doubles[4], 2);
  EXPECT_EQ(columns[2].nulls, (std::vector<uint8_t>{1, 0, 1, 1, 0}));
}

TEST(Sort, AnOrderByScoreHasColumnsBehindThePlace) {
  const Items items;
  PlanFrame frame = sorted_by({key("_score", true), key("_doc"), key("_id"), key("n")});
  frame.legs = {Query().terms("k", {"a", "c", "d"})};
  frame.track_total_hits = 0;
  const Result<ShardHits> hits = items.index.run(frame);
  ASSERT_OK(hits);
  const LegHits& leg = hits->legs[0];
  EXPECT_EQ(leg.docs, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_TRUE(std::isnan(leg.scores[0]));
  EXPECT_EQ(leg.sort[0].doubles, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(leg.sort[2].strings, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(leg.sort[3].ints, (std::vector<int64_t>{1, 3, -7}));
}

TEST(Sort, ColumnsOfTheReply) {
  const Items items;
  SortKey day = key("d");
  day.format = "yyyy";
  const Result<ShardHits> hits =
      items.index.run(sorted_by({key("f"), key("u"), day, key("ip"), key("b"), key("k")}));
  ASSERT_OK(hits);
  const std::vector<SortColumn>& columns = hits->legs[0].sort;  // b a d c e
  EXPECT_EQ(columns[0].kind, SortColumnKind::kDouble);
  EXPECT_EQ(columns[0].doubles[1], 1.1);
  EXPECT_TRUE(std::isinf(columns[0].doubles[4]));
  EXPECT_EQ(columns[1].kind, SortColumnKind::kUnsigned);
  EXPECT_EQ(static_cast<uint64_t>(columns[1].ints[1]), UINT64_MAX);
  EXPECT_EQ(columns[2].texts[0], "2023");
  EXPECT_EQ(columns[2].nulls[4], 1);
  EXPECT_EQ(columns[3].texts[1], "10.0.0.2");
  EXPECT_EQ(columns[3].strings[1].size(), 16);
  EXPECT_EQ(columns[4].kind, SortColumnKind::kBoolean);
  EXPECT_EQ(columns[4].ints[1], 1);
  EXPECT_EQ(columns[4].ints[4], INT64_MAX);  // missing: after true, also on other shards and pages
  EXPECT_EQ(columns[5].strings[1], "c");
  EXPECT_EQ(columns[5].nulls[4], 1);
  EXPECT_TRUE(std::isnan(hits->legs[0].scores[0]));
  EXPECT_FALSE(hits->legs[0].has_max_score);
}

TEST(Sort, Refusals) {
  const Items items;
  const auto reason = [&](const SortKey& bad) {
    const Result<ShardHits> hits = items.index.run(sorted_by({bad}));
    return hits.ok()
               ? ""
               : std::string(error_wire_type(hits.status().type())) + ": " + hits.status().reason();
  };
  EXPECT_EQ(reason(key("t")).substr(0, 71),
            "illegal_argument_exception: Fielddata is disabled on [t] in [films]. Te");
  EXPECT_EQ(reason(key("nope")),
            "query_shard_exception: No mapping found for [nope] in order to sort on");
  EXPECT_EQ(reason(key("nodv")),
            "illegal_argument_exception: Can't load fielddata on [nodv] because fielddata is "
            "unsupported on fields of "
            "type [keyword]. Use doc values instead.");
  SortKey sum = key("k");
  sum.mode = SortMode::kSum;
  EXPECT_EQ(reason(sum),
            "query_shard_exception: we only support AVG, MEDIAN and SUM on number based fields");
  SortKey unmapped = key("nope");
  unmapped.unmapped_type = "long";
  EXPECT_EQ(items.index.ids(sorted_by({unmapped})), "a b c d e");
  SortKey again = unmapped;
  again.unmapped_type = "keyword";
  EXPECT_EQ(items.index.ids(sorted_by({unmapped, again, key("_doc")})), "a b c d e");
  unmapped.unmapped_type = "strange";
  EXPECT_EQ(reason(unmapped), "illegal_argument_exception: No mapper found for type [strange]");
  PlanFrame frame = sorted_by({key("n"), key("k")});
  frame.search_after = {{Scalar::Kind::kNumber, "1"}};
  EXPECT_EQ(items.index.ids(frame), "error: search_after has 1 value(s) but sort has 2.");
  frame.sort.pop_back();
  frame.search_after = {{Scalar::Kind::kString, "x"}};
  EXPECT_EQ(items.index.ids(frame), "error: Failed to parse search_after value for field [n].");
}

TEST(Sort, NumbersAreMillisecondsWhateverTheFormatOfDates) {
  const Items items;
  SortKey day = key("d");
  day.format = "yyyy-MM-dd";
  PlanFrame frame = sorted_by({day});
  frame.search_after = {{Scalar::Kind::kNumber, "1672617600000"}};  // 2023-01-02
  EXPECT_EQ(items.index.ids(frame), "a c d e");
  frame.search_after = {{Scalar::Kind::kString, "2023-01-02"}};
  EXPECT_EQ(items.index.ids(frame), "a c d e");
  frame.search_after = {{Scalar::Kind::kString, "1672617600000"}};
  EXPECT_EQ(items.index.ids(frame), "error: Failed to parse search_after value for field [d].");
  day.missing = 2;
  day.missing_value = {Scalar::Kind::kNumber, "1700000000000"};  // between b's and a's
  EXPECT_EQ(items.index.ids(sorted_by({day})), "b c d e a");
  day.missing_value = {Scalar::Kind::kNumber, "17e11x"};
  EXPECT_EQ(items.index.ids(sorted_by({day})),
            "error: failed to parse date field [17e11x] with format [yyyy-MM-dd]");
}

/// The last values of a page as search_after of the next page.
std::vector<Scalar> after_last(const LegHits& leg) {
  std::vector<Scalar> out;
  for (const SortColumn& column : leg.sort) {
    if (column.nulls.back() != 0) {
      out.push_back({});
    } else if (column.kind == SortColumnKind::kString) {
      out.push_back({Scalar::Kind::kString, column.strings.back()});
    } else {
      out.push_back({Scalar::Kind::kNumber, std::to_string(column.ints.back())});
    }
  }
  return out;
}

TEST(Sort, BlocksOfDocumentsWithoutTermsAreSkipped) {
  TestIndex index(R"({"properties":{"k":{"type":"keyword"}}})");
  const int block = static_cast<int>(kZoneDocs);
  for (int i = 0; i < 3 * block; i++) {
    const bool has = i / block != 1;
    index.add(std::to_string(i), has ? "{\"k\":\"k" + std::to_string(i % 7) + "\"}" : "{}");
  }
  index.refresh();
  const auto best = [&index](bool descending) {
    PlanFrame frame = sorted_by({key("k", descending)});
    frame.window = 3;
    frame.track_total_hits = 0;
    return index.ids(frame);
  };
  EXPECT_EQ(best(false), "0 7 14");
  EXPECT_EQ(best(true), "6 13 20");
}

TEST(Sort, PagesBySearchAfterAreTheWholeListAndPruningChangesNothing) {
  Random random(5);
  TestIndex index(R"({"properties":{"n":{"type":"long"},"k":{"type":"keyword"}}})");
  for (int i = 0; i < 20000; i++) {
    std::string source = "{\"i\":" + std::to_string(i);
    if (random.below(10) != 0)
      source += ",\"n\":" + std::to_string(i / 50 + static_cast<int>(random.below(200)));
    if (random.below(10) != 0) source += ",\"k\":\"k" + std::to_string(random.below(300)) + "\"";
    index.add(std::to_string(i), source + "}");
    if (random.below(6000) == 0) index.refresh();
  }
  index.refresh();
  for (int i = 0; i < 20000; i += 13) index.remove(std::to_string(i));
  for (const bool descending : {false, true}) {
    for (const uint8_t missing : {uint8_t{0}, uint8_t{1}}) {
      SortKey n = key("n", descending);
      n.missing = missing;
      SortKey k = key("k", !descending);
      k.missing = missing;
      PlanFrame frame = sorted_by({n, k, key("_id")});
      frame.window = 100000;
      const Result<ShardHits> all = index.run(frame);
      ASSERT_OK(all);
      frame.window = 700;
      frame.track_total_hits = 0;
      std::vector<uint32_t> paged;
      while (true) {
        const Result<ShardHits> page = index.run(frame);
        ASSERT_OK(page);
        const LegHits& leg = page->legs[0];
        if (leg.docs.empty()) break;
        paged.insert(paged.end(), leg.docs.begin(), leg.docs.end());
        frame.search_after = after_last(leg);
      }
      EXPECT_TRUE(paged == all->legs[0].docs);
      PlanFrame one = sorted_by({n});
      one.window = 100000;
      const Result<ShardHits> by_one = index.run(one);
      one.window = 7;
      one.track_total_hits = 0;
      const Result<ShardHits> first = index.run(one);
      ASSERT_OK(by_one);
      ASSERT_OK(first);
      EXPECT_TRUE(std::equal(first->legs[0].docs.begin(), first->legs[0].docs.end(),
                             by_one->legs[0].docs.begin()));
    }
  }
}

}  // namespace quarry::sort_test
