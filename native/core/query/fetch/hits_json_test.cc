// Hits as JSON texts: scores with the digits that identify them, members in the order of the
// response.
#include "query/fetch/hits_json.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <random>

#include "base/coding.h"
#include "query/plan/plan.h"
#include "testing/test.h"

namespace quarry::hits_json_test {

std::string score_text(float score) {
  std::string out;
  append_score(out, score);
  return out;
}

/// The text after the header of the response.
std::string text_of(const std::vector<uint8_t>& reply) {
  ByteReader reader{Bytes(reply)};
  reader.seek(32);
  return std::string(reader.get_string());
}

/// A plan whose page begins with hit `from` and shows what the flags say.
Plan page_from(uint32_t from, uint8_t flags) {
  Plan plan;
  plan.from = from;
  plan.fetch.flags = flags;
  return plan;
}

TEST(hits_json, scores_are_printed_as_the_coordinator_prints_them) {
  EXPECT_EQ(score_text(1.0F), "1.0");
  EXPECT_EQ(score_text(0.0F), "0.0");
  EXPECT_EQ(score_text(-0.0F), "0.0");
  EXPECT_EQ(score_text(-3.0F), "-3.0");
  EXPECT_EQ(score_text(16777216.0F), "16777216.0");
  EXPECT_EQ(score_text(1.5F), "1.5");
  EXPECT_EQ(score_text(0.1F), "0.1");
  EXPECT_EQ(score_text(12.345678F), "12.345678");
  EXPECT_EQ(score_text(-0.25F), "-0.25");
  EXPECT_EQ(score_text(0.001F), "0.001");
  EXPECT_EQ(score_text(1e-6F), "0.000001");
  EXPECT_EQ(score_text(1.5e-7F), "1.5e-7");
  EXPECT_EQ(score_text(1e-45F), "1e-45");
  EXPECT_EQ(score_text(1e16F), "10000000000000000");
  EXPECT_EQ(score_text(1e20F), "100000000000000000000");
  EXPECT_EQ(score_text(1e21F), "1e+21");
  EXPECT_EQ(score_text(3.4028235e38F), "3.4028235e+38");
  EXPECT_EQ(score_text(std::numeric_limits<float>::quiet_NaN()), "null");
  EXPECT_EQ(score_text(std::numeric_limits<float>::infinity()), "null");
}

TEST(hits_json, scores_read_back_as_themselves) {
  std::mt19937 random(7);
  for (int i = 0; i < 20000; i++) {
    const auto bits = static_cast<uint32_t>(random());
    const auto score = load<float>(&bits);
    if (!std::isfinite(score)) continue;
    const std::string text = score_text(score);
    float back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    EXPECT_EQ(back, score);
  }
}

TEST(hits_json, members_stand_in_the_order_of_the_answer) {
  TimedFetch fetched;
  FetchedDocument& full = fetched.documents.emplace_back();
  full.found = true;
  full.has_source = true;
  full.id = "a\"b";
  full.version = 3;
  full.seq_no = 7;
  full.primary_term = 2;
  full.routing = "r";
  full.source = "{\"a\":1}";
  full.fields = "{\"f\":[1]}";
  full.ignored = "[\"x\"]";
  full.ignored_values = "{\"x\":[\"y\"]}";
  full.matched_queries = "[\"q\"]";
  full.highlight = "{\"t\":[\"<em>\"]}";
  FetchedDocument& bare = fetched.documents.emplace_back();
  bare.id = "2";
  LegHits leg;
  leg.scores = {9.0F, 1.5F, 1.0F};
  const Plan page = page_from(1, kFetchVersion | kFetchSeqNo);
  EXPECT_EQ(text_of(encode_hits_json(fetched, leg, page, "books")),
            "{\"_index\":\"books\",\"_id\":\"a\\\"b\",\"_version\":3,\"_seq_no\":7,"
            "\"_primary_term\":2,\"_score\":1.5,\"_routing\":\"r\",\"_ignored\":[\"x\"],"
            "\"_source\":{\"a\":1},\"fields\":{\"f\":[1]},\"ignored_field_values\":{\"x\":[\"y\"]},"
            "\"highlight\":{\"t\":[\"<em>\"]},\"matched_queries\":[\"q\"]},"
            "{\"_index\":\"books\",\"_id\":\"2\",\"_version\":0,\"_seq_no\":0,\"_primary_term\":1,"
            "\"_score\":1.0}");
  EXPECT_EQ(text_of(encode_hits_json({}, {}, page_from(0, 0), "books")), "");
}

TEST(hits_json, sorted_hits_show_their_values) {
  TimedFetch fetched;
  fetched.documents.emplace_back().id = "1";
  fetched.documents.back().matched_queries = "[\"q\"]";
  LegHits leg;
  leg.scores = {std::numeric_limits<float>::quiet_NaN()};
  leg.sort.push_back({SortColumnKind::kInt, {0}, {-5}, {}, {}, {}});
  leg.sort.push_back({SortColumnKind::kString, {1}, {}, {}, {""}, {}});
  EXPECT_EQ(text_of(encode_hits_json(fetched, leg, page_from(0, 0), "books")),
            "{\"_index\":\"books\",\"_id\":\"1\",\"_score\":null,\"sort\":[-5,null],"
            "\"matched_queries\":[\"q\"]}");
}

TEST(hits_json, hits_show_their_inner_hits_by_name) {
  TimedFetch fetched;
  FetchedDocument& hit = fetched.documents.emplace_back();
  hit.id = "1";
  LegHits leg;
  leg.scores = {2.0F};
  Plan plan = page_from(0, 0);
  plan.inner_hits.push_back({"first\"", "c", page_from(1, kFetchVersion)});
  plan.inner_hits.push_back({"none", "c", page_from(0, 0)});
  LegHits found;
  found.scores = {4.0F, 3.0F};
  found.has_max_score = true;
  found.max_score = 4.0F;
  InnerHits& first = hit.inner_hits.emplace_back();
  first.hits.total = 2;
  first.hits.legs.push_back(found);
  first.documents.emplace_back().id = "1";
  first.documents.back().nested = R"({"field":"c","offset":1})";
  InnerHits& none = hit.inner_hits.emplace_back();
  none.hits.total_is_lower_bound = true;
  none.hits.legs.emplace_back();
  EXPECT_EQ(text_of(encode_hits_json(fetched, leg, plan, "books")),
            R"({"_index":"books","_id":"1","_score":2.0,"inner_hits":{"first\"":{"hits":{)"
            R"("total":{"value":2,"relation":"eq"},"max_score":4.0,"hits":[{"_index":"books",)"
            R"("_id":"1","_nested":{"field":"c","offset":1},"_version":0,"_score":3.0}]}},)"
            R"("none":{"hits":{"total":{"value":0,"relation":"gte"},"max_score":null,)"
            R"("hits":[]}}}})");
}

}  // namespace quarry::hits_json_test
