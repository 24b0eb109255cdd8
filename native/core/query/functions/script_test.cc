// Scripts: arithmetic of integers and fractions, values of fields, vectors, sorts; invalid
// programs.
#include "query/functions/script.h"

#include <cmath>
#include <string>

#include "testing/score_nodes.h"
#include "testing/test_index.h"

namespace quarry::script_test {

using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::script_score;
using testing::ScriptBytes;
using testing::TestIndex;

TestIndex make_index() {
  TestIndex index(
      R"({"properties":{"n":{"type":"long"},"x":{"type":"double"},"k":{"type":"keyword"},
                                    "b":{"type":"boolean"},"ip":{"type":"ip"},"t":{"type":"text"},
                                    "v":{"type":"dense_vector","dims":2},
                                    "u":{"type":"dense_vector","dims":2,"similarity":"l2_norm"}}})");
  index.add("a", R"({"n":7,"x":2.5,"k":"red","b":true,"ip":"10.0.0.1","v":[3,4],"u":[3,4]})");
  index.add("b", R"({"n":[1,9],"k":["blue","red"]})");
  index.refresh();
  index.add("c", "{}");
  index.refresh();
  return index;
}

const Query kQuery;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

float score(const ScriptBytes& script, const std::string& id = "a") {
  return make_index().score(script_score(kQuery.ids({id}), script));
}
std::string error(const ScriptBytes& script, const std::string& id = "a") {
  return make_index().error(script_score(kQuery.ids({id}), script));
}

TEST(Script, WholeNumbersDivideAsSuch) {
  EXPECT_EQ(score(ScriptBytes().value("n").whole(2).op(ScriptCode::kDivide)), 3.0F);
  EXPECT_EQ(score(ScriptBytes().value("n").number(2).op(ScriptCode::kDivide)), 3.5F);
  EXPECT_EQ(score(ScriptBytes().value("n").whole(4).op(ScriptCode::kRemainder)), 3.0F);
  EXPECT_EQ(score(ScriptBytes().whole(INT64_MIN).whole(-1).op(ScriptCode::kRemainder)), 0.0F);
  EXPECT_TRUE(
      contains(error(ScriptBytes().value("n").whole(0).op(ScriptCode::kDivide)), "/ by zero"));
}

TEST(Script, BitsAreThoseOf64BitNumbers) {
  const auto bits = [](double a, double b, ScriptCall call) {
    return score(ScriptBytes().number(a).number(b).call(call));
  };
  EXPECT_EQ(bits(12.9, 10, ScriptCall::kBitAnd), 8.0F);
  EXPECT_EQ(bits(12, 3, ScriptCall::kBitOr), 15.0F);
  EXPECT_EQ(bits(12, 10, ScriptCall::kBitXor), 6.0F);
  EXPECT_EQ(bits(1, 40, ScriptCall::kShiftLeft), 1099511627776.0F);
  EXPECT_EQ(bits(3, 64, ScriptCall::kShiftLeft), 3.0F);
  EXPECT_EQ(bits(-7, 63, ScriptCall::kShiftRightUnsigned), 1.0F);
  EXPECT_EQ(bits(9, 1, ScriptCall::kShiftRight), 4.0F);
  EXPECT_EQ(bits(NAN, 5, ScriptCall::kBitOr), 5.0F);
  EXPECT_EQ(bits(1e300, 62, ScriptCall::kShiftRight), 1.0F);
  EXPECT_EQ(score(ScriptBytes().number(-6).call(ScriptCall::kBitNot)), 5.0F);
}

TEST(Script, PartsOfDates) {
  TestIndex index(R"({"properties":{"d":{"type":"date"},"s":{"type":"date_nanos"},
                                    "n":{"type":"long"}}})");
  index.add("a", R"({"d":["2021-01-03T23:04:05.678Z","2030-06-01"],"s":"2020-12-31T00:00:01Z"})");
  index.add("b", R"({"d":"1969-12-31T23:59:59.999Z"})");
  index.add("c", "{}");
  index.refresh();
  const auto part = [&index](ScriptDatePart which, std::string_view field, const char* id) {
    return index.score(script_score(kQuery.ids({id}), ScriptBytes().date(which, field)));
  };
  const std::vector<std::pair<ScriptDatePart, float>> expected = {
      {ScriptDatePart::kCenturyOfEra, 20},
      {ScriptDatePart::kDayOfMonth, 3},
      {ScriptDatePart::kDayOfWeek, 7},
      {ScriptDatePart::kDayOfYear, 3},
      {ScriptDatePart::kEra, 1},
      {ScriptDatePart::kHourOfDay, 23},
      {ScriptDatePart::kMillisOfDay, 83045678},
      {ScriptDatePart::kMillisOfSecond, 678},
      {ScriptDatePart::kMinuteOfDay, 1384},
      {ScriptDatePart::kMinuteOfHour, 4},
      {ScriptDatePart::kMonth, 0},
      {ScriptDatePart::kMonthOfYear, 1},
      {ScriptDatePart::kSecondOfDay, 83045},
      {ScriptDatePart::kSecondOfMinute, 5},
      {ScriptDatePart::kWeekOfWeekyear, 53},
      {ScriptDatePart::kWeekyear, 2020},
      {ScriptDatePart::kYear, 2021},
      {ScriptDatePart::kYearOfCentury, 21},
      {ScriptDatePart::kYearOfEra, 2021}};
  for (const auto& [which, value] : expected) EXPECT_EQ(part(which, "d", "a"), value);
  EXPECT_EQ(part(ScriptDatePart::kSecondOfMinute, "s", "a"), 1.0F);
  EXPECT_EQ(part(ScriptDatePart::kMillisOfSecond, "d", "b"), 999.0F);
  EXPECT_EQ(part(ScriptDatePart::kYear, "d", "b"), 1969.0F);
  EXPECT_EQ(part(ScriptDatePart::kYear, "d", "c"), 0.0F);
  EXPECT_TRUE(contains(
      index.error(script_score(kQuery.ids({"a"}), ScriptBytes().date(ScriptDatePart::kYear, "n"))),
      "parts of a date need a field of type [date], [n] is of type [long]"));
}

TEST(Script, ComparesAndChooses) {
  // n > 5 ? 2 : 3
  const auto choose = [](ScriptCode code) {
    return ScriptBytes()
        .value("n")
        .whole(7)
        .op(code)
        .jump(ScriptCode::kJumpUnless, 6)
        .whole(2)
        .jump(ScriptCode::kJump, 7)
        .whole(3);
  };
  EXPECT_EQ(score(choose(ScriptCode::kEqual)), 2.0F);
  EXPECT_EQ(score(choose(ScriptCode::kUnequal)), 3.0F);
  EXPECT_EQ(score(choose(ScriptCode::kLessEqual)), 2.0F);
  EXPECT_EQ(score(choose(ScriptCode::kGreater)), 3.0F);
}

TEST(Script, ReadsTheFirstValueOfAField) {
  EXPECT_EQ(score(ScriptBytes().value("n"), "b"), 1.0F);
  EXPECT_EQ(score(ScriptBytes().size("n"), "b"), 2.0F);
  EXPECT_EQ(score(ScriptBytes().size("n"), "c"), 0.0F);
  EXPECT_EQ(score(ScriptBytes().value("x")), 2.5F);
  EXPECT_EQ(score(ScriptBytes().value("b")), 1.0F);
  EXPECT_EQ(score(ScriptBytes().value("k").text("red").op(ScriptCode::kEqual)), 1.0F);
  EXPECT_EQ(score(ScriptBytes().value("ip").text("10.0.0.1").op(ScriptCode::kEqual)), 1.0F);
  EXPECT_TRUE(contains(error(ScriptBytes().value("n"), "c"), "A document doesn't have a value"));
}

TEST(Script, ComparesVectorsAsTheCallerSentThem) {
  for (const std::string_view field : {"v", "u"}) {
    const auto compared = [field](ScriptVector function) {
      return score(ScriptBytes().vector(function, field, {6, 8}));
    };
    EXPECT_NEAR(compared(ScriptVector::kCosine), 1.0, 1e-6);
    EXPECT_NEAR(compared(ScriptVector::kDot), 50.0, 1e-4);
    EXPECT_NEAR(compared(ScriptVector::kL2), 5.0, 1e-5);
    EXPECT_NEAR(compared(ScriptVector::kL1), 7.0, 1e-5);
  }
  EXPECT_TRUE(contains(error(ScriptBytes().vector(ScriptVector::kDot, "v", {1})),
                       "different number of dimensions [1] than the document vectors [2]"));
  EXPECT_TRUE(contains(error(ScriptBytes().vector(ScriptVector::kDot, "n", {1})), "dense_vector"));
  EXPECT_TRUE(contains(error(ScriptBytes().vector(ScriptVector::kDot, "v", {1, 2}), "b"),
                       "doesn't have a value for a vector field"));
}

TEST(Script, ScoresMustBePossible) {
  EXPECT_TRUE(contains(error(ScriptBytes().number(-1)), "invalid score [-1.0]"));
  EXPECT_TRUE(contains(error(ScriptBytes().number(NAN)), "invalid score"));
  EXPECT_TRUE(contains(error(ScriptBytes().value("k")), "it must give a number"));
  EXPECT_TRUE(contains(error(ScriptBytes().value("none")), "No field found for [none] in mapping"));
  EXPECT_TRUE(contains(error(ScriptBytes().value("t")), "Fielddata is disabled on [t]"));
  EXPECT_TRUE(contains(error(ScriptBytes().text("a").whole(1).op(ScriptCode::kLess)),
                       "a string and a number cannot be compared"));
}

TEST(Script, NumbersAreAddedToStringsAsJavaPrintsThem) {
  const auto is = [](ScriptBytes script, std::string_view text) {
    return score(script.text(text).op(ScriptCode::kEqual));
  };
  EXPECT_EQ(is(ScriptBytes().text("a").value("n").op(ScriptCode::kAdd), "a7"), 1.0F);
  EXPECT_EQ(is(ScriptBytes().value("x").text("a").op(ScriptCode::kAdd), "2.5a"), 1.0F);
  EXPECT_EQ(is(ScriptBytes().value("b").text("").op(ScriptCode::kAdd), "true"), 1.0F);
  EXPECT_EQ(is(ScriptBytes().number(2).text("").op(ScriptCode::kAdd), "2.0"), 1.0F);
  EXPECT_EQ(is(ScriptBytes().number(INFINITY).text("").op(ScriptCode::kAdd), "Infinity"), 1.0F);
}

TEST(Script, StringsOfOneDocumentTakeBoundedMemory) {
  const std::string half(400'000, 'x');
  const ScriptBytes twice =
      ScriptBytes().text(half).text(half).op(ScriptCode::kAdd).text("").op(ScriptCode::kAdd);
  EXPECT_TRUE(contains(error(twice), "take more than [1048576] bytes"));
  EXPECT_TRUE(contains(error(ScriptBytes().text(half).text("a").op(ScriptCode::kAdd)),
                       "it must give a number"));
}

TEST(Script, BoostAndMinScoreOfScriptScore) {
  const TestIndex index = make_index();
  const ScriptBytes size = ScriptBytes().size("n");
  EXPECT_EQ(index.ids(script_score(kQuery.match_all(), size, 3)), "b a c");
  EXPECT_EQ(index.score(script_score(kQuery.match_all(), size, 3)), 6.0F);
  EXPECT_EQ(index.ids(script_score(kQuery.match_all(), size, 3, 4)), "b");
}

std::string sorted(const ScriptBytes& script, const std::string& type, bool descending) {
  const TestIndex index = make_index();
  const std::vector<uint8_t> bytes = script.bytes();
  PlanFrame frame;
  frame.legs = {kQuery.match_all()};
  SortKey key;
  key.field = std::string(kScriptSort);
  key.numeric_type = type;
  key.descending = descending;
  key.details = bytes;
  frame.sort = {key};
  return index.ids(frame);
}

TEST(Script, SortsByNumbersAndTexts) {
  EXPECT_EQ(sorted(ScriptBytes().size("n"), "number", false), "c a b");
  EXPECT_EQ(sorted(ScriptBytes().size("n"), "number", true), "b a c");
  const ScriptBytes first = ScriptBytes()
                                .size("k")
                                .jump(ScriptCode::kJumpUnless, 4)
                                .value("k")
                                .jump(ScriptCode::kJump, 5)
                                .text("z");
  EXPECT_EQ(sorted(first, "string", false), "b a c");
  EXPECT_EQ(sorted(first, "string", true), "c a b");
  EXPECT_TRUE(contains(sorted(first, "number", false), "a sort of type [number] needs a number"));
}

TEST(Script, ProgramsThatAreNoneAreRefused) {
  const auto refused = [](const ScriptBytes& script) {
    return error(script).find("malformed search plan") != std::string::npos;
  };
  EXPECT_TRUE(refused(ScriptBytes()));
  EXPECT_TRUE(refused(ScriptBytes().op(ScriptCode::kAdd)));
  EXPECT_TRUE(refused(ScriptBytes().whole(1).whole(2)));
  EXPECT_TRUE(refused(ScriptBytes().whole(1).jump(ScriptCode::kJump, 0)));
  EXPECT_TRUE(refused(ScriptBytes().whole(1).jump(ScriptCode::kJump, 9)));
  EXPECT_TRUE(refused(ScriptBytes().whole(1).jump(ScriptCode::kJumpUnless, 3).whole(2)));
  EXPECT_TRUE(refused(ScriptBytes().whole(1).call(ScriptCall::kMax)));
  EXPECT_TRUE(refused(ScriptBytes().whole(1).call(static_cast<ScriptCall>(99))));
  EXPECT_TRUE(refused(ScriptBytes().op(static_cast<ScriptCode>(99))));
}

}  // namespace quarry::script_test
