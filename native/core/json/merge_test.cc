// Partial updates: changed members, members whose bytes are kept, and the detection of updates
// without a change.
#include "json/merge.h"

#include "testing/test.h"

namespace quarry::merge_test {

std::string merge(std::string_view existing, std::string_view patch) {
  const Result<MergedDocument> merged = merge_documents(existing, patch);
  if (!merged.ok()) return "error: " + merged.status().reason();
  return (merged->changed ? "" : "noop ") + merged->source;
}

TEST(Merge, ReplacesAndAppends) {
  EXPECT_EQ(merge(R"({ "a": 1.0, "b" : [1] })", R"({"b":2,"c":3,"d":{"e":1}})"),
            R"({ "a": 1.0, "b" : 2,"c":3,"d":{"e":1} })");
  EXPECT_EQ(merge("{}", R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(merge(" { } ", R"( {"a":1} )"), R"( {"a":1 } )");
}

TEST(Merge, GoesIntoObjectsButNotIntoArrays) {
  EXPECT_EQ(
      merge(R"({"o":{"x":1,"y":{"z":1}},"l":[{"a":1}]})", R"({"o":{"y":{"w":2}},"l":[{"b":2}]})"),
      R"({"o":{"x":1,"y":{"z":1,"w":2}},"l":[{"b":2}]})");
  EXPECT_EQ(merge(R"({"o":1})", R"({"o":{"a":1}})"), R"({"o":{"a":1}})");
  EXPECT_EQ(merge(R"({"o":{"a":1}})", R"({"o":null})"), R"({"o":null})");
}

TEST(Merge, SaysWhenNothingChanged) {
  EXPECT_EQ(
      merge(R"({"a":1,"o":{"x":[1, {"p":1,"q":2}]}})", R"({"o":{"x":[1,{"q":2,"p":1}]},"a":1})"),
      R"(noop {"a":1,"o":{"x":[1, {"p":1,"q":2}]}})");
  EXPECT_EQ(merge(R"({"a":1})", R"({"a":1.0})"), R"({"a":1.0})");
  EXPECT_EQ(merge(R"({"a":1})", "{}"), R"(noop {"a":1})");
  EXPECT_EQ(merge(R"({"a":"A"})", R"({"\u0061":"\u0041"})"), R"(noop {"a":"A"})");
  EXPECT_EQ(merge(R"({})", R"({"a":null})"), R"({"a":null})");
}

TEST(Merge, RefusesWhatIsNoObject) {
  EXPECT_EQ(merge("{}", "[1]"), "error: Malformed content, must start with an object");
  EXPECT_TRUE(merge("{}", "{\"a\":1").starts_with("error: failed to parse"));
  EXPECT_TRUE(merge("{}", "{\"a\":1,\"a\":2}").starts_with("error: failed to parse"));
  EXPECT_TRUE(merge("", "{}").starts_with("error"));
}

}  // namespace quarry::merge_test
