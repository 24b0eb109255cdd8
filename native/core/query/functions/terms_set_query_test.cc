// terms_set: how many terms a document needs, by a field, a script or a number; scores.
#include <string>
#include <vector>

#include "testing/score_nodes.h"
#include "testing/test_index.h"

namespace quarry::terms_set_query_test {

using testing::NodeBytes;
using testing::Query;
using testing::ScriptBytes;
using testing::TestIndex;

const Query kQuery;

struct Least {
  std::string field;
  std::string spec;
  const ScriptBytes* script = nullptr;
};

NodeBytes terms_set(std::string_view field, const std::vector<std::string>& terms,
                    const Least& least, float boost = 1) {
  ByteWriter out;
  out.put(boost);
  out.put_string({});
  out.put_string(field);
  out.put(static_cast<uint32_t>(terms.size()));
  for (const std::string& term : terms) testing::put_scalar(out, term);
  out.put_string(least.field);
  out.put_string(least.spec);
  out.put(static_cast<uint8_t>(least.script == nullptr ? 0 : 1));
  if (least.script != nullptr) out.put_bytes(Bytes(least.script->bytes()));
  return testing::raw_node(PlanOp::kTermsSet, out);
}

TestIndex make_index() {
  TestIndex index(R"({"properties":{"k":{"type":"keyword"},"need":{"type":"long"},
                                    "n":{"type":"long"},"t":{"type":"text"}}})");
  index.add("one", R"({"k":["a","b","c"],"need":2,"n":[1,2],"t":"x"})");
  index.add("two", R"({"k":["a"],"need":1})");
  index.refresh();
  index.add("three", R"({"k":["a","c"],"need":3})");
  index.add("four", R"({"k":["b"],"need":0})");
  index.add("none", R"({"k":["a","b"]})");
  index.refresh();
  return index;
}

TEST(TermsSet, ADocumentSaysHowManyTermsItNeeds) {
  const TestIndex index = make_index();
  const Least need{.field = "need", .spec = "", .script = nullptr};
  EXPECT_EQ(index.ids(kQuery.constant_score(terms_set("k", {"a", "b"}, need))), "one two four");
  EXPECT_EQ(index.ids(kQuery.constant_score(terms_set("k", {"a"}, need))), "two");
  EXPECT_EQ(index.ids(kQuery.constant_score(terms_set("k", {"a", "b", "c"}, need))),
            "one two four");
  EXPECT_EQ(index.ids(kQuery.constant_score(terms_set("k", {"a", "a"}, need))), "one two");
  EXPECT_EQ(index.ids(kQuery.constant_score(terms_set("n", {"1", "2"}, need))), "one");
  EXPECT_EQ(index.ids(terms_set("k", {}, need)), "");
  EXPECT_EQ(index.ids(terms_set("no_field", {"a"}, need)), "");
}

TEST(TermsSet, ANumberForAllDocuments) {
  const TestIndex index = make_index();
  const Least two{.field = "", .spec = "-1", .script = nullptr};
  EXPECT_EQ(index.ids(kQuery.constant_score(terms_set("k", {"a", "b", "c"}, two))),
            "one three none");
}

TEST(TermsSet, AScriptRunsOnlyWhereOtherClausesMatch) {
  const TestIndex index = make_index();
  const ScriptBytes script = ScriptBytes().value("need").whole(2).call(ScriptCall::kMin);
  const Least least{.field = "", .spec = "", .script = &script};
  const NodeBytes terms = terms_set("k", {"a", "b", "c"}, least);
  EXPECT_EQ(index.ids(kQuery.boolean({}, {terms, kQuery.exists("need")})), "one two three four");
  EXPECT_TRUE(index.error(terms).find("A document doesn't have a value") != std::string::npos);
  const ScriptBytes text = ScriptBytes().text("x");
  const Least wrong{.field = "", .spec = "", .script = &text};
  EXPECT_TRUE(index.error(terms_set("k", {"a"}, wrong)).find("needs a number") !=
              std::string::npos);
}

TEST(TermsSet, ScoresTheSumOfTheTerms) {
  const TestIndex index = make_index();
  const Least need{.field = "need", .spec = "", .script = nullptr};
  const NodeBytes both =
      kQuery.boolean({}, {kQuery.ids({"one"})}, {kQuery.term("k", "a"), kQuery.term("k", "b")});
  const NodeBytes set = kQuery.boolean({terms_set("k", {"a", "b"}, need)}, {kQuery.ids({"one"})});
  EXPECT_GT(index.score(set), 0.0F);
  EXPECT_EQ(index.score(set), index.score(both));
}

TEST(TermsSet, RefusesFieldsThatHoldNoNumber) {
  const TestIndex index = make_index();
  EXPECT_TRUE(index.error(terms_set("k", {"a"}, {"k", "", nullptr})).find("needs a number") !=
              std::string::npos);
  EXPECT_TRUE(index.error(terms_set("k", {"a"}, {"no", "", nullptr}))
                  .find("failed to find minimum_should_match field [no]") != std::string::npos);
}

}  // namespace quarry::terms_set_query_test
