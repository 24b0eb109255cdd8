// search_as_you_type: its subfields, the printing and updating of its mapping, and searches.
#include <string>

#include "testing/test_index.h"

namespace quarry::as_you_type_test {

using testing::Query;
using testing::TestIndex;

TestIndex make_index() {
  TestIndex index(
      R"({"properties":{"t":{"type":"search_as_you_type"},
                     "k":{"type":"keyword","fields":{"s":{"type":"search_as_you_type","max_shingle_size":2}}}}})");
  index.add("1", R"({"t":"quick brown fox","k":"Quick brown"})");
  index.add("2", R"({"t":"brown quick fence","k":"brown quick"})");
  index.refresh();
  return index;
}

std::string typed(const TestIndex& index, const std::string& text) {
  return index.ids(Query().multi_match({{"t", 1}, {"t._2gram", 1}, {"t._3gram", 1}}, text,
                                       MultiMatchType::kBoolPrefix));
}

TEST(AsYouType, HasFieldsForRunsOfWordsAndTheirBeginnings) {
  const TestIndex index = make_index();
  for (const std::string_view name :
       {"t", "t._2gram", "t._3gram", "t._index_prefix", "k.s", "k.s._2gram", "k.s._index_prefix"}) {
    EXPECT_TRUE(index.mapping().find(name) != nullptr);
  }
  EXPECT_TRUE(index.mapping().find("k.s._3gram") == nullptr);
  const Query q;
  EXPECT_EQ(index.ids(q.term("t._2gram", "quick brown")), "1");
  EXPECT_EQ(index.ids(q.term("t._3gram", "brown quick fence")), "2");
  EXPECT_EQ(index.ids(q.term("t._index_prefix", "quick br")), "1");
  EXPECT_EQ(index.ids(q.term("t._index_prefix", "fe")), "2");
  EXPECT_EQ(index.ids(q.term("k.s._2gram", "brown quick")), "2");
}

TEST(AsYouType, FindsWhatIsBeingTyped) {
  const TestIndex index = make_index();
  EXPECT_EQ(typed(index, "quick br"), "1 2");
  EXPECT_EQ(typed(index, "brown qu"), "2 1");
  EXPECT_EQ(typed(index, "brown quick fe"), "2 1");
  EXPECT_EQ(typed(index, "fen"), "2");
  EXPECT_EQ(typed(index, "cat"), "");
}

TEST(AsYouType, MappingsPrintAndCompareIt) {
  const TestIndex index = make_index();
  const std::string json = index.mapping().to_json();
  EXPECT_TRUE(json.find(R"("t":{"type":"search_as_you_type"})") != std::string::npos);
  EXPECT_TRUE(json.find(R"("type":"search_as_you_type","max_shingle_size":2)") !=
              std::string::npos);
  EXPECT_OK(index.mapping().merge(R"({"properties":{"t":{"type":"search_as_you_type"}}})"));
  EXPECT_EQ(index.mapping().merge(R"({"properties":{"t":{"type":"text"}}})").status().reason(),
            "mapper [t] cannot be changed from type [search_as_you_type] to [text]");
  const auto with = [&index](const std::string& parameter) {
    return index.mapping().merge(R"({"properties":{"t":{"type":"search_as_you_type",)" + parameter +
                                 "}}}");
  };
  EXPECT_OK(with(R"("doc_values":false)"));
  EXPECT_OK(with(R"("doc_values":"false","max_shingle_size":"3")"));
  EXPECT_EQ(with(R"("doc_values":true)").status().reason(),
            "Cannot set [doc_values] on field of type [search_as_you_type], leave it out (field "
            "[t])");
  const Status other =
      index.mapping()
          .merge(R"({"properties":{"t":{"type":"search_as_you_type","max_shingle_size":4}}})")
          .status();
  EXPECT_TRUE(other.reason().find("Cannot update parameter [max_shingle_size]") !=
              std::string::npos);
}

TEST(AsYouType, RefusesWhatItDoesNotTake) {
  const auto refusal = [](const std::string& rest) {
    return Mapping::create(R"({"properties":{"t":{"type":"search_as_you_type")" + rest + "}}}",
                           make_mapping_context("{}").value())
        .status()
        .reason();
  };
  EXPECT_EQ(refusal(R"(,"max_shingle_size":5)"),
            "[max_shingle_size] must be at least [2] and at most [4], got [5] (field [t])");
  EXPECT_EQ(refusal(R"(,"fielddata":false)"),
            "unknown parameter [fielddata] on mapper [t] of type [search_as_you_type]");
  EXPECT_EQ(refusal(R"(,"shingles":2)"),
            "unknown parameter [shingles] on mapper [t] of type [search_as_you_type]");
}

}  // namespace quarry::as_you_type_test
