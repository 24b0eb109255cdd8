// Dynamic fields of documents: they are in the mapping if the document is accepted, and not
// otherwise.
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "json/value.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::grown_mapping_test {

using testing::BulkAnswer;
using testing::EngineNode;

/// The properties of an index as JSON, and the version of its mapping.
std::string mapping_of(EngineNode& node, const std::string& index) {
  const Result<std::string> description = node.engine->describe(node.number_of(index));
  const Result<JsonValue> json = JsonValue::parse(*description);
  const JsonValue* properties = json->find("mappings")->find("properties");
  return json->find("mapping_version")->to_json() + " " +
         (properties == nullptr ? "{}" : properties->to_json());
}

TEST(GrownMapping, ARefusedDocumentLeavesNothing) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", R"("mappings":{"properties":{"n":{"type":"integer"},"o":{"type":"object"},
      "s":{"type":"object","dynamic":"strict"},"k":{"type":"keyword"}},
      "dynamic_templates":[{"x":{"match":"*_ip","mapping":{"type":"ip"}}},
        {"y":{"match":"*_key","mapping":{"type":"keyword"}}}]})");
  node.put("i", "there", R"({"n":1})");
  const std::string before = mapping_of(node, "i");
  const std::string immense(40000, 'x');
  for (const std::string& source : {
           std::string(R"({"other":"x","n":"no number"})"),
           std::string(R"({"other":"x","src_ip":"no address"})"),
           std::string(R"({"other":"x","o":5})"),
           std::string(R"({"o":{"a":{"b":1}},"s":{"t":1}})"),
           std::string(R"({"other":"x","broken":)"),
           // An error that is detected only when the document is indexed.
           R"({"other":"x","k":")" + immense + "\"}",
           R"({"new_key":")" + immense + "\"}",
       }) {
    EXPECT_EQ(node.put("i", "refused", source).status, 400);
    EXPECT_EQ(mapping_of(node, "i"), before);
  }
  // Nothing about it is written for the next start either.
  ASSERT_OK(node.close());
  ASSERT_OK(node.open());
  EXPECT_EQ(mapping_of(node, "i").substr(2), before.substr(2));
}

TEST(GrownMapping, AConflictOfVersionsLeavesNothing) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i");
  node.put("i", "1", R"({"n":1})");
  const std::string before = mapping_of(node, "i");
  for (const char* action :
       {R"({"create":{"_index":"i","_id":"1"}})",
        R"({"index":{"_index":"i","_id":"1","if_seq_no":99,"if_primary_term":1}})",
        R"({"index":{"_index":"i","_id":"1","version":1,"version_type":"external"}})"}) {
    const BulkAnswer answer = node.bulk(std::string(action) + "\n{\"other\":\"x\"}\n");
    EXPECT_EQ(answer.items.at(0).status, 409);
    EXPECT_EQ(mapping_of(node, "i"), before);
  }
}

TEST(GrownMapping, DocumentsOfABulkGrowItOneAfterTheOther) {
  for (const char* shards : {"1", "3"}) {
    EngineNode node;
    ASSERT_OK(node.open());
    node.create("i", R"("number_of_shards":)" + std::string(shards));
    const BulkAnswer answer = node.bulk(
        "{\"index\":{\"_id\":\"1\"}}\n{\"a\":1}\n"
        "{\"index\":{\"_id\":\"2\"}}\n{\"lost\":\"x\",\"a\":\"no number\"}\n"
        "{\"index\":{\"_id\":\"3\"}}\n{\"b\":{\"c\":{\"d\":true}},\"a\":2}\n"
        "{\"index\":{\"_id\":\"4\"}}\n{\"b\":5,\"lost\":1}\n"
        "{\"index\":{\"_id\":\"5\"}}\n{\"e\":1.5,\"b\":{\"c\":{\"d\":false}}}\n",
        "i");
    std::vector<int> statuses;
    for (const testing::Item& item : answer.items) statuses.push_back(item.status);
    EXPECT_EQ(statuses, (std::vector<int>{201, 400, 201, 400, 201}));
    const std::string mapping = mapping_of(node, "i");
    EXPECT_EQ(mapping.find("lost"), std::string::npos);
    EXPECT_NE(mapping.find(R"("a":{"type":"long"})"), std::string::npos);
    EXPECT_NE(mapping.find(R"("d":{"type":"boolean"})"), std::string::npos);
    EXPECT_NE(mapping.find(R"("e":{"type":"float"})"), std::string::npos);
    ASSERT_OK(node.engine->sync_wal().status());
    const std::unique_ptr<EngineNode> after = node.crash(1);
    ASSERT_OK(after->open());
    EXPECT_EQ(mapping_of(*after, "i").substr(2), mapping.substr(2));
    EXPECT_EQ(after->all("i").size(), 3);
  }
}

TEST(GrownMapping, DocumentsOfManyThreadsLoseNoField) {
  constexpr int kThreads = 4;
  constexpr int kDocuments = 40;
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", R"("number_of_shards":4)");
  std::vector<std::thread> threads;
  std::atomic<int> refused{0};
  for (int thread = 0; thread < kThreads; thread++) {
    threads.emplace_back([&node, &refused, thread] {
      for (int i = 0; i < kDocuments; i++) {
        const std::string field = "f" + std::to_string(thread) + "_" + std::to_string(i);
        const std::string shared = "s" + std::to_string(i);
        const std::string source = "{\"" + field + "\":1,\"" + shared + "\":\"word\"}";
        if (node.put("i", field, source).status != 201) refused++;
        if (node.put("i", "x" + field, "{\"lost\":1,\"" + field + "\":\"x\"}").status != 400)
          refused++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(refused.load(), 0);
  const std::string mapping = mapping_of(node, "i");
  EXPECT_EQ(mapping.find("lost"), std::string::npos);
  for (int i = 0; i < kDocuments; i++) {
    EXPECT_NE(mapping.find("\"s" + std::to_string(i) + "\""), std::string::npos);
    for (int thread = 0; thread < kThreads; thread++) {
      const std::string name = "\"f" + std::to_string(thread) + "_" + std::to_string(i) + "\"";
      EXPECT_NE(mapping.find(name), std::string::npos);
    }
  }
}

}  // namespace quarry::grown_mapping_test
