// `_source` filtering by patterns: the remaining members, with their original bytes.
#include "json/source_filter.h"

#include "testing/test.h"

namespace quarry::source_filter_test {

using Patterns = std::vector<std::string>;

/// Filters twice with one filter: its cache from the first document must not change the result.
std::string filter(std::string_view source, const Patterns& includes, const Patterns& excludes) {
  Result<SourceFilter> compiled = SourceFilter::compile(includes, excludes);
  if (!compiled.ok()) return "error: " + compiled.status().reason();
  std::string out;
  const Status status = compiled->apply(source, out);
  if (!status.ok()) return "error: " + status.reason();
  std::string again;
  return compiled->apply(source, again).ok() && again == out ? out : "another: " + again;
}

constexpr std::string_view kDocument =
    R"({"a":{"b":1.0,"c":{"d":[1, 2]}},"a.x":5,"list":[{"p":1,"q":2},{"q":3},7],"s":"t","n":null})";

TEST(SourceFilter, IncludesSubtrees) {
  EXPECT_EQ(filter(kDocument, {"a"}, {}), R"({"a":{"b":1.0,"c":{"d":[1, 2]}},"a.x":5})");
  EXPECT_EQ(filter(kDocument, {"a.*"}, {}), R"({"a":{"b":1.0,"c":{"d":[1, 2]}},"a.x":5})");
  EXPECT_EQ(filter(kDocument, {"a.c"}, {}), R"({"a":{"c":{"d":[1, 2]}}})");
  EXPECT_EQ(filter(kDocument, {"*.d"}, {}), R"({"a":{"c":{"d":[1, 2]}}})");
  EXPECT_EQ(filter(kDocument, {"a.x", "s", "n"}, {}), R"({"a.x":5,"s":"t","n":null})");
  EXPECT_EQ(filter(kDocument, {"nothing"}, {}), "{}");
}

TEST(SourceFilter, LooksIntoArrays) {
  EXPECT_EQ(filter(kDocument, {"list.p"}, {}), R"({"list":[{"p":1}]})");
  EXPECT_EQ(filter(kDocument, {"list"}, {"list.q"}), R"({"list":[{"p":1},7]})");
  EXPECT_EQ(filter(R"({"a":[[{"b":1,"c":2}],[]]})", {"a.b"}, {}), R"({"a":[[{"b":1}]]})");
}

TEST(SourceFilter, ExcludesWin) {
  EXPECT_EQ(filter(kDocument, {}, {"a", "list"}), R"({"s":"t","n":null})");
  EXPECT_EQ(filter(kDocument, {"a"}, {"*.b", "a.c.d", "a.x"}), "{}");
  EXPECT_EQ(filter(kDocument, {"s"}, {"s"}), "{}");
}

TEST(SourceFilter, KeepsWhatWasEmptyBefore) {
  EXPECT_EQ(filter(R"({"o":{},"l":[],"x":{"y":1}})", {}, {"x.y", "o.z", "l.z"}),
            R"({"o":{},"l":[]})");
  EXPECT_EQ(filter(R"({"o":{},"l":[]})", {"o.z", "l.z"}, {}), "{}");
}

TEST(SourceFilter, MatchesEscapedNames) {
  EXPECT_EQ(filter(R"({"\u0061":1,"b":2})", {"a"}, {}), R"({"\u0061":1})");
}

TEST(SourceFilter, RefusesPatternsWithoutEnd) {
  const std::string refused = filter("{}", Patterns(30'000, "a*b*c*d*e"), {});
  EXPECT_TRUE(refused.starts_with("error: [_source] has 30000 patterns of 300000 characters"));
}

TEST(SourceFilter, RefusesWhatIsNoObject) {
  EXPECT_TRUE(filter("[1]", {"a"}, {}).starts_with("error"));
  EXPECT_TRUE(filter("{\"a\":", {"a"}, {}).starts_with("error"));
  EXPECT_TRUE(filter("", {"a"}, {}).starts_with("error"));
}

TEST(SourceFilter, SimpleMatch) {
  EXPECT_TRUE(simple_match("*", ""));
  EXPECT_TRUE(simple_match("a*c", "abbc"));
  EXPECT_TRUE(simple_match("a*b*c", "a1b2b3c"));
  EXPECT_TRUE(simple_match("**x", "x"));
  EXPECT_FALSE(simple_match("a*c", "ab"));
  EXPECT_FALSE(simple_match("", "a"));
  EXPECT_FALSE(simple_match("ab", "abc"));
}

}  // namespace quarry::source_filter_test
