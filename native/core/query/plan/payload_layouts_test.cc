// The layouts of opcodes.def: every payload of the golden plans, which TypeScript writes, is read
// with the values that its row lists, in their order and width, and every row is read.
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "query/highlight/highlight_plan.h"
#include "query/plan/plan.h"
#include "testing/golden_bytes.h"
#include "testing/node_bytes.h"
#include "testing/test_index.h"

namespace quarry::payload_layouts_test {

using testing::read_golden_bytes;
using testing::TestIndex;

std::string_view part_layout(std::string_view part) {
  static const std::map<std::string_view, std::string_view> kParts = {
#define PLAN_PART(name, layout) {#name, layout},
#include "query/plan/opcodes.def"
  };
  const auto found = kParts.find(part);
  return found == kParts.end() ? std::string_view() : found->second;
}

/// The expression for the kinds (PlanTrace) of the values of a layout.
std::string kinds_of(std::string_view layout) {
  static const std::map<std::string_view, std::string_view> kLetters = {
      {"u8", "b"},   {"u16", "h"}, {"u32", "i"}, {"u64", "q"}, {"i64", "q"},
      {"f32", "f"},  {"f64", "d"}, {"str", "s"}, {"opt", "s"}, {"scalar", "bs"},
      {"node", "n"}, {">", ")*"},  {"[", "(?:"}, {"]", ")?"},  {"(", "(?:"},
      {")", ")"},    {"{", "(?:"}, {"}", ")"},   {"|", "|"},   {"list<", "i(?:"},
  };
  static const std::regex kToken("list<|[A-Za-z_0-9]+|[>(){}|]|\\[|\\]");
  const std::string text(layout);
  std::string kinds;
  for (std::sregex_iterator at(text.begin(), text.end(), kToken), end; at != end; ++at) {
    const std::string token = at->str();
    const std::string_view part = part_layout(token);
    if (!part.empty()) {
      kinds += kinds_of(part);
    } else if (const auto letter = kLetters.find(token); letter != kLetters.end()) {
      kinds += letter->second;  // other tokens are names of values
    }
  }
  return kinds;
}

std::map<PlanOp, std::regex> layouts() {
  std::map<PlanOp, std::regex> out;
  const auto add = [&out](PlanOp op, const std::string& layout) {
    out.emplace(op, std::regex(kinds_of(layout)));
  };
#define PLAN_OP(id, number, name, layout) add(PlanOp::k##id, layout);
#define PLAN_CLAUSE(id, number, name, compile, caching, layout) \
  add(PlanOp::k##id, "f32, opt, " layout);
#define PLAN_AGG(id, number, name, make, reads, layout) \
  add(PlanOp::k##id, "str, str, " layout ", list<node>");
#include "query/plan/opcodes.def"
  return out;
}

TestIndex make_index(std::string_view type_of_n, std::string_view type_of_day) {
  const std::string number = R"({"type":")" + std::string(type_of_n) + "\"}";
  const std::string day = R"({"type":")" + std::string(type_of_day) + "\"}";
  TestIndex index(
      R"({"properties":{"title":{"type":"text"},"body":{"type":"semantic_text"},
          "tag":{"type":"keyword"},"host":{"type":"ip"},"m":{"type":"long"},
          "emb":{"type":"dense_vector","dims":3},"rank":{"type":"rank_feature"},
          "topics":{"type":"rank_features"},"p":{"type":"geo_point"},
          "a":{"type":"nested","properties":{"k":{"type":"keyword"},"n":{"type":"long"},
               "b":{"type":"nested","properties":{"n":{"type":"long"}}}}},
          "notes":{"type":"nested","properties":{"body":{"type":"text"}}},
          "n":)" +
      number + R"(,"day":)" + day + "}}");
  for (int i = 0; i < 3; i++) {
    index.add(std::to_string(i), R"({"title":"fox","body":"a quick fox","tag":"k","n":"1",
                                     "day":"2020","host":"10.0.0.1","emb":[1,2,3],"rank":8,"p":[2,1]})");
  }
  index.refresh();
  return index;
}

/// Reads all payloads of a plan: its frames, and the nodes in them by searching.
void read_all(const std::vector<uint8_t>& bytes, const TestIndex& index, PlanTrace& trace) {
  const Result<Plan> plan = decode_plan(bytes, &trace);
  ASSERT_OK(plan);
  if (plan->highlight.has_value()) EXPECT_OK(read_highlight_plan(*plan->highlight));
  SearchContext context = index.context();
  context.index_number = 4;
  static_cast<void>(execute_search(context, *plan));
}

TEST(PayloadLayouts, EveryPayloadIsReadAsItsRowSays) {
  PlanTrace trace;
  // The plans search fields of one name as different types.
  const TestIndex longs = make_index("long", "date");
  const TestIndex doubles = make_index("double", "date");
  const TestIndex keywords = make_index("keyword", "keyword");
  std::vector<std::vector<uint8_t>> plans;  // outlive the trace's nodes
  for (const char* name : {"plan_every_node", "plan_shown", "plan_rescore", "plan_nested",
                           "plan_aggs", "plan_scores", "plan_features", "plan_places",
                           "plan_scripts", "plan_tuples", "plan_vectors", "plan_semantic"}) {
    plans.push_back(read_golden_bytes(name));
    for (const TestIndex* index : {&longs, &doubles, &keywords})
      read_all(plans.back(), *index, trace);
  }
  testing::PlanFrame sliced;
  ByteWriter slice;
  slice.put(1.0F);
  slice.put_string("");
  slice.put(uint32_t{1});
  slice.put(uint32_t{5});
  sliced.legs.push_back(testing::raw_node(PlanOp::kSlice, slice));
  plans.push_back(sliced.bytes());
  read_all(plans.back(), longs, trace);

  const std::map<PlanOp, std::regex> expected = layouts();
  std::map<PlanOp, std::set<std::string>> whole;  // payloads that were read to their end
  for (const PlanTrace::Payload& payload : trace.payloads) {
    if (std::regex_match(payload.kinds, expected.at(payload.op)))
      whole[payload.op].insert(payload.kinds);
  }
  const auto check = [&whole](PlanOp op, const char* name) {
    if (whole[op].empty()) std::printf("no payload of [%s] was read as its row says\n", name);
    EXPECT_FALSE(whole[op].empty());
  };
#define PLAN_OP(id, number, name, layout) check(PlanOp::k##id, name);
#include "query/plan/opcodes.def"
  // A clause may refuse a field before the end of its payload; what it read must be a beginning.
  for (const PlanTrace::Payload& payload : trace.payloads) {
    bool begins = false;
    for (const std::string& kinds : whole[payload.op]) begins |= kinds.starts_with(payload.kinds);
    if (!begins) {
      std::printf("node %u was read as %s\n", static_cast<unsigned>(payload.op),
                  payload.kinds.c_str());
    }
    EXPECT_TRUE(begins);
  }
}

TEST(PayloadLayouts, AnotherOrderOrWidthDoesNotFit) {
  const std::regex term = layouts().at(PlanOp::kTerm);
  EXPECT_TRUE(std::regex_match("fssbsb", term));
  for (const char* kinds : {"fsbssb", "fssbsi", "fssbs", "fssbsbb", "fssbbs"})
    EXPECT_FALSE(std::regex_match(kinds, term));
}

}  // namespace quarry::payload_layouts_test
