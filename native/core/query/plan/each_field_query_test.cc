// Clauses of query strings over several fields: patterns, normalized forms, lenience, limits.

#include "testing/test_index.h"

namespace quarry::each_field_query_test {

using testing::NodeBytes;
using testing::Query;
using testing::raw_node;
using testing::TestIndex;

using Fields = std::vector<std::pair<std::string, float>>;

NodeBytes each_field(const Fields& fields, const NodeBytes& clause, bool lenient = false,
                     float tie_breaker = 0, std::string_view analyzer = "",
                     bool analyzes_keywords = false) {
  ByteWriter out;
  out.put(1.0F);
  out.put_string("");
  out.put(static_cast<uint32_t>(fields.size()));
  for (const auto& [field, boost] : fields) {
    out.put_string(field);
    out.put(boost);
  }
  out.put(tie_breaker);
  out.put(static_cast<uint8_t>((lenient ? 1 : 0) | (analyzes_keywords ? 2 : 0)));
  out.put_string(analyzer);
  out.put_bytes(Bytes(clause));
  return raw_node(PlanOp::kEachField, out);
}

constexpr std::string_view kMapping = R"({"properties":{
  "title":{"type":"text"},
  "body":{"type":"text"},
  "tag":{"type":"keyword"},
  "year":{"type":"integer"},
  "hidden":{"type":"text","index":false}}})";

struct Notes {
  TestIndex index{kMapping};

  Notes() {
    index.add("1", R"({"title":"Quick fox","body":"runs","tag":"Red","year":1999})");
    index.add("2", R"({"title":"lazy dog","body":"quickly","tag":"blue","year":2005})");
    index.add("3", R"({"title":"other","body":"thing","tag":"quick","year":2010})");
    index.refresh();
  }
};

TEST(EachField, PatternsNameFieldsOfText) {
  const Notes notes;
  EXPECT_EQ(notes.index.ids(each_field({{"*", 1}}, Query().prefix("", "quick"))), "1 2 3");
  EXPECT_EQ(notes.index.ids(each_field({{"t*", 1}}, Query().prefix("", "quick"))), "1 3");
  EXPECT_EQ(notes.index.ids(each_field({{"none*", 1}}, Query().prefix("", "quick"))), "");
  EXPECT_EQ(notes.index.ids(each_field({{"gone", 1}}, Query().prefix("", "quick"))), "");
}

TEST(EachField, TextIsNormalisedAndKeywordsAreNot) {
  const Notes notes;
  EXPECT_EQ(notes.index.ids(each_field({{"*", 1}}, Query().prefix("", "QUICK"))), "1 2");
  EXPECT_EQ(notes.index.ids(each_field({{"*", 1}}, Query().wildcard("", "Q?ICK*"))), "1 2");
  EXPECT_EQ(notes.index.ids(each_field({{"*", 1}}, Query().fuzzy("", "QUIK", "1"))), "1");
  EXPECT_EQ(notes.index.ids(each_field({{"tag", 1}}, Query().wildcard("", "R*d"))), "1");
  EXPECT_EQ(notes.index.ids(each_field({{"tag", 1}}, Query().wildcard("", "r*d"))), "");
  EXPECT_EQ(notes.index.ids(each_field({{"title", 1}}, Query().wildcard("", "\\Qu*"))), "");
  EXPECT_EQ(notes.index.ids(each_field({{"title", 1}}, Query().wildcard("", "\\Éu*"))), "");
  EXPECT_EQ(notes.index.ids(each_field({{"title", 1}}, Query().regexp("", "q.+k"))), "1");
}

TEST(EachField, RangesAreNormalisedAsWell) {
  const Notes notes;
  const NodeBytes range = Query().range("", 1 | 8, {"Q", "R"});
  EXPECT_EQ(notes.index.ids(each_field({{"title", 1}}, range)), "1");
  EXPECT_EQ(notes.index.ids(each_field({{"title", 1}}, range, false, 0, "keyword")), "");
  EXPECT_EQ(notes.index.ids(each_field({{"tag", 1}}, range)), "");
  EXPECT_EQ(notes.index.ids(each_field({{"tag", 1}}, range, false, 0, "simple", true)), "3");
}

TEST(EachField, TheRequestsAnalyzerStandsForTheFields) {
  const Notes notes;
  const auto ids = [&notes](const char* field, const NodeBytes& clause, bool keywords) {
    return notes.index.ids(each_field({{field, 1}}, clause, false, 0, "keyword", keywords));
  };
  EXPECT_EQ(ids("title", Query().prefix("", "QUICK"), false), "");
  EXPECT_EQ(ids("title", Query().prefix("", "quick"), false), "1");
  EXPECT_EQ(ids("title", Query().wildcard("", "Q?ick"), false), "");
  EXPECT_EQ(ids("title", Query().fuzzy("", "Quik", "1"), false), "");
  const auto simple = [&notes](const char* field, const NodeBytes& clause, bool keywords) {
    return notes.index.ids(each_field({{field, 1}}, clause, false, 0, "simple", keywords));
  };
  EXPECT_EQ(simple("title", Query().regexp("", "Q.+K"), true), "1");
  EXPECT_EQ(simple("tag", Query().prefix("", "Red"), false), "1");
  EXPECT_EQ(simple("tag", Query().prefix("", "Red"), true), "");
  EXPECT_FALSE(
      notes.index.run(each_field({{"tag", 1}}, Query().prefix("", "x"), false, 0, "nope")).ok());
}

TEST(WithAnalyzers, AreLookedUpWhateverTheClauseNeeds) {
  const Notes notes;
  const auto frame_of = [](std::string_view analyzer) {
    ByteWriter out;
    out.put(1.0F);
    out.put_string("");
    out.put_string("query_string");
    out.put(uint32_t{1});
    out.put_string("quote_analyzer");
    out.put_string(analyzer);
    const NodeBytes inside = Query().match_all();
    out.put_bytes(Bytes(inside));
    return raw_node(PlanOp::kWithAnalyzers, out);
  };
  EXPECT_EQ(notes.index.ids(frame_of("english")), "1 2 3");
  const auto refused = notes.index.run(frame_of("nope"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().type(), ErrorType::kQueryShard);
  EXPECT_EQ(refused.status().reason(), "[query_string] quote_analyzer [nope] not found");
}

TEST(EachField, TheBestFieldCounts) {
  const Notes notes;
  const NodeBytes prefix = Query().prefix("", "quick");
  EXPECT_EQ(notes.index.score(each_field({{"title", 2}, {"body", 3}}, prefix)), 3.0F);
  EXPECT_EQ(notes.index.ids(each_field({{"title", 2}, {"body", 3}}, prefix)), "2 1");
}

TEST(EachField, LenienceLeavesMisfitsOut) {
  const Notes notes;
  const NodeBytes range = Query().range("", 1, {"quick"});
  EXPECT_EQ(notes.index.ids(each_field({{"tag", 1}, {"year", 1}}, range, true)), "3");
  EXPECT_EQ(notes.index.ids(each_field({{"year", 1}}, Query().range("", 1, {"2005"}))), "2 3");
  EXPECT_FALSE(notes.index.run(each_field({{"year", 1}}, range)).ok());
  EXPECT_FALSE(notes.index.run(each_field({{"year", 1}}, Query().prefix("", "1"))).ok());
  EXPECT_FALSE(notes.index.run(each_field({{"hidden", 1}}, Query().prefix("", "x"))).ok());
}

TEST(EachField, RefusesWhatItCannotRepeat) {
  const Notes notes;
  EXPECT_FALSE(notes.index.run(each_field({{"title", 1}}, Query().match_all())).ok());
  EXPECT_FALSE(notes.index.run(each_field({{"title", 1}}, Query().prefix("body", "x"))).ok());
  EXPECT_FALSE(notes.index.run(each_field({{"title", -1}}, Query().prefix("", "x"))).ok());
  const NodeBytes whole = each_field({{"title", 1}}, Query().prefix("", "x"));
  for (size_t length = 8; length < whole.size(); length++) {
    ByteWriter payload;
    payload.put_bytes(Bytes(whole).subspan(8, length - 8));
    EXPECT_FALSE(notes.index.run(raw_node(PlanOp::kEachField, payload)).ok());
  }
}

}  // namespace quarry::each_field_query_test
