// Calls of the engine with a token and a deadline: every kind of call fails when it is cancelled.
#include <string>
#include <vector>

#include "query/links/link_walk.h"
#include "query/suggest/suggest_plan.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_cancel_test {

using testing::EngineNode;
using testing::PlanFrame;
using testing::Query;

constexpr CallLimits kCancelled{5, 0};
constexpr CallLimits kOther{6, 0};

/// Error type of a response, which is at the same position in all of them.
ErrorType error_of(const std::vector<uint8_t>& reply) {
  ByteReader reader(reply);
  reader.seek(6);
  return static_cast<ErrorType>(reader.get<uint16_t>());
}

struct Node {
  Node() {
    EXPECT_OK(node.open());
    number = node.create("l", R"("number_of_shards":2,"mappings":{"properties":{
      "t":{"type":"text"},"src":{"type":"keyword"},"dst":{"type":"keyword"},"type":{"type":"keyword"},
      "confidence":{"type":"double"},"valid_at":{"type":"date","format":"epoch_millis"},
      "invalid_at":{"type":"date","format":"epoch_millis"}}})");
    for (int i = 0; i < 20; i++)
      node.put("l", std::to_string(i), R"({"t":"some text","src":"a","dst":"b","type":"t"})");
    node.refresh("l");
  }
  std::vector<uint8_t> plan(uint64_t timeout_us = 0) const {
    PlanFrame frame;
    frame.legs.push_back(Query().match("t", "text"));
    frame.timeout_us = timeout_us;
    frame.window = 100;
    return frame.bytes();
  }
  testing::SearchAnswer search(CallLimits limits) {
    return testing::decode_search(*node.engine->search(node.shards("l"), plan(), limits));
  }
  EngineNode node;
  uint32_t number = 0;
};

std::vector<uint8_t> walk_request() {
  ByteWriter out;
  for (const int value : {3, 1, 0, 0, 0, 0}) out.put(static_cast<uint8_t>(value));
  out.put(0.0);
  out.put(0.0);
  out.put(uint32_t{10});
  out.put(uint32_t{10});
  out.put(uint32_t{1});
  out.put_string("a");
  out.put(uint32_t{0});
  return out.take();
}

std::vector<uint8_t> count_request() {
  ByteWriter out;
  out.put(uint8_t{0});
  out.put(0.0);
  out.put(0.0);
  out.put(uint32_t{3});
  return out.take();
}

std::vector<uint8_t> suggest_request() {
  ByteWriter out;
  out.put(0.0);
  out.put(uint32_t{1});
  out.put(uint32_t{0});
  out.put(uint64_t{0});
  out.put(uint32_t{1});
  out.put(uint8_t{2});
  out.put_string("t");
  out.put_string("texx");
  out.put(uint8_t{1});
  out.put(uint32_t{1});
  out.put(uint32_t{5});
  out.put(uint8_t{0});
  return out.take();
}

TEST(EngineCancel, EveryKindOfCallEndsByItsToken) {
  Node one;
  Engine& engine = *one.node.engine;
  const std::vector<uint32_t> documents{0};
  const auto calls = [&](CallLimits limits) {
    return std::vector<ErrorType>{
        one.search(limits).error,
        error_of(*engine.fetch({one.number, 0}, one.search({}).generations[0], documents,
                               one.plan(), limits)),
        error_of(engine.suggest(one.number, suggest_request(), limits)),
        error_of(engine.walk_links(one.number, walk_request(), limits)),
        error_of(engine.count_links(one.number, {}, count_request(), limits)),
    };
  };
  EXPECT_TRUE(calls(kCancelled) == std::vector<ErrorType>(5, ErrorType::kOk));
  engine.cancel(5);
  EXPECT_TRUE(calls(kCancelled) == std::vector<ErrorType>(5, ErrorType::kTaskCancelled));
  EXPECT_TRUE(calls(kOther) == std::vector<ErrorType>(5, ErrorType::kOk));
  EXPECT_TRUE(calls({}) == std::vector<ErrorType>(5, ErrorType::kOk));
}

TEST(EngineCancel, ADeadlineIsThatOfAllShardsTogether) {
  Node one;
  const auto now_us = static_cast<uint64_t>(one.node.clock.steady_ns() / 1000);
  EXPECT_EQ(one.search({0, now_us + 1000}).hits.size(), 20);
  const testing::SearchAnswer late = one.search({0, now_us - 1});
  EXPECT_EQ(late.error, ErrorType::kOk);
  EXPECT_EQ(late.hits.size(), 0);
}

}  // namespace quarry::engine_cancel_test
