// Fields with a remote embedder: the texts that a request needs embedded, and their vectors in the
// log, in segments and after restarts.
#include <limits>
#include <string>
#include <vector>

#include "testing/engine_node.h"
#include "testing/remote_vectors.h"
#include "testing/test.h"
#include "testing/vector_nodes.h"

namespace quarry::engine_remote_vectors_test {

using testing::BulkAnswer;
using testing::EngineNode;
using testing::Item;
using testing::letter_bytes;
using testing::letters;
using testing::SemanticNode;

using Texts = std::vector<std::string>;

constexpr const char* kMappings = R"("mappings":{"properties":{
  "title":{"type":"text","copy_to":"body"},
  "body":{"type":"semantic_text","inference_id":"mini","embedder":"mini@1","dims":3},
  "own":{"type":"semantic_text","dims":16}}})";

std::string line(std::string_view op, std::string_view id, std::string_view source) {
  return "{\"" + std::string(op) + "\":{\"_id\":\"" + std::string(id) + "\"}}\n" +
         std::string(source) + "\n";
}

/// Writes with the vectors that the request needs.
BulkAnswer write(EngineNode& node, const std::string& body) {
  const std::vector<uint8_t> vectors = letter_bytes("mini@1", node.pending(body, "i")["mini@1"]);
  return node.bulk(body, "i", vectors);
}

Item write_one(EngineNode& node, std::string_view op, std::string_view id,
               std::string_view source) {
  return write(node, line(op, id, source)).items.at(0);
}

/// The ids that a semantic clause for `text` finds, joined by spaces.
std::string found(EngineNode& node, std::string_view text, uint32_t k) {
  SemanticNode query{std::string(text), k};
  query.vectors = {{"mini@1", letters(text)}};
  const testing::SearchAnswer answer = node.search("i", query.bytes());
  EXPECT_EQ(answer.reason, "");
  std::string ids;
  for (size_t i = 0; i < answer.hits.size(); i++) {
    const ShardId shard{node.number_of("i"), answer.hits[i].shard};
    const auto fetched = node.fetch(shard, answer.generations[0], {answer.hits[i].doc});
    if (!fetched.documents.empty()) ids += (i > 0 ? " " : "") + fetched.documents[0].id;
  }
  return ids;
}

std::string long_text(std::string_view word) {
  std::string text;
  for (int i = 0; i < 300; i++) text += std::string(word) + std::to_string(i) + " ";
  return text;
}

TEST(RemoteVectors, ListsEveryTextOnceAfterCopies) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMappings);
  const std::string body = line("index", "1", R"({"title":"t","body":"b","own":"o"})") +
                           line("index", "2", R"({"body":"b"})") +
                           line("index", "3", R"({"body":["b"]})") +
                           line("create", "4", R"({"own":"o"})");
  EXPECT_TRUE(node.pending(body, "i")["mini@1"] == (Texts{"t\nb", "b"}) ||
              node.pending(body, "i")["mini@1"] == (Texts{"b\nt", "b"}));
  EXPECT_EQ(node.pending(body, "i").size(), 1U);
  EXPECT_TRUE(node.pending("{\"delete\":{\"_id\":\"1\"}}\n", "i").empty());
  const Texts parts =
      node.pending(line("index", "1", R"({"body":")" + long_text("a") + "\"}"), "i")["mini@1"];
  ASSERT_EQ(parts.size(), 5U);
  EXPECT_EQ(parts[1].substr(0, 6), "a0 a1 ");
  EXPECT_TRUE(node.all("i").empty());
}

TEST(RemoteVectors, WhatWillBeRefusedAsksForNothing) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMappings);
  EXPECT_EQ(write_one(node, "index", "1", R"({"body":"a"})").status, 201);
  for (const char* lines :
       {"{\"create\":{\"_id\":\"1\"}}\n{\"body\":\"b\"}\n",
        "{\"index\":{\"_id\":\"1\",\"if_seq_no\":9,\"if_primary_term\":1}}\n{\"body\":\"b\"}\n",
        "{\"index\":{\"_id\":\"2\",\"if_seq_no\":0,\"if_primary_term\":1}}\n{\"body\":\"b\"}\n",
        "{\"update\":{\"_id\":\"3\"}}\n{\"doc\":{\"body\":\"b\"}}\n",
        "{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{\"body\":\"a\"}}\n",
        "{\"index\":{\"_id\":\"4\"}}\n{\"body\":{\"no\":\"text\"}}\n",
        "{\"index\":{\"_id\":\"4\"}}\n[]\n"}) {
    EXPECT_TRUE(node.pending(lines, "i").empty());
  }
  const Item refused = node.bulk(line("create", "1", R"({"body":"b"})"), "i").items[0];
  EXPECT_EQ(refused.status, 409);
  EXPECT_TRUE(refused.reason.find("document already exists") != std::string::npos);
}

TEST(RemoteVectors, UpdatesMeetWhatTheRequestWroteBefore) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMappings);
  EXPECT_EQ(write_one(node, "index", "1", R"({"title":"aa"})").status, 201);
  const std::string body = line("update", "1", R"({"doc":{"body":"b"}})") +
                           line("update", "1", R"({"doc":{"title":"cc"}})") +
                           "{\"delete\":{\"_id\":\"1\"}}\n" +
                           line("update", "1", R"({"doc":{"body":"x"},"upsert":{"body":"c"}})") +
                           line("create", "1", R"({"body":"refused"})");
  const BulkAnswer answer = write(node, body);
  ASSERT_EQ(answer.items.size(), 5U);
  for (size_t i = 0; i < 4; i++) EXPECT_EQ(answer.items[i].reason, "");
  EXPECT_EQ(answer.items[4].status, 409);
  EXPECT_EQ(node.get("i", "1")->source, R"({"body":"c"})");
}

TEST(RemoteVectors, AreFoundAndSurviveEveryWayToTheDisk) {
  auto node = std::make_unique<EngineNode>();
  ASSERT_OK(node->open());
  node->create("i", kMappings);
  const std::string body = line("index", "a", R"({"body":"aaaa"})") +
                           line("index", "b", R"({"body":"bbbb","own":"word"})") +
                           line("index", "c", R"({"body":")" + long_text("c") + "\"}");
  for (const Item& item : write(*node, body).items) EXPECT_EQ(item.status, 201);
  ASSERT_OK(node->engine->sync_wal());
  node->refresh("i");
  EXPECT_EQ(found(*node, "aaa", 1), "a");
  EXPECT_EQ(found(*node, "ccc", 1), "c");
  node = node->crash(1);
  ASSERT_OK(node->open());
  EXPECT_EQ(found(*node, "aaa", 1), "a");
  EXPECT_EQ(found(*node, "ccc", 2), "c a");
  EXPECT_EQ(write_one(*node, "index", "a", R"({"body":"b"})").status, 200);
  ASSERT_OK(node->flush("i"));
  node->merge("i", 1);
  EXPECT_EQ(found(*node, "bb", 2), "b a");
  node = node->crash(2);
  ASSERT_OK(node->open());
  EXPECT_EQ(found(*node, "bb", 2), "b a");
}

TEST(RemoteVectors, AFailedTextFailsItsDocumentAlone) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMappings);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<uint8_t> vectors = testing::vector_bytes(
      "mini@1", 3,
      {{"fine", {1, 2, 3}}, {"down", {}, "no answer"}, {"nan", {1, nan, 3}}, {"zero", {0, 0, 0}}});
  std::string body;
  for (const char* text : {"fine", "down", "nan", "zero", "missing"}) {
    body += line("index", text, R"({"body":")" + std::string(text) + "\"}");
  }
  const BulkAnswer answer = node.bulk(body, "i", vectors);
  ASSERT_EQ(answer.items.size(), 5U);
  const uint16_t expected[] = {201, 502, 400, 400, 409};
  for (size_t i = 0; i < 5; i++) EXPECT_EQ(answer.items[i].status, expected[i]);
  EXPECT_EQ(answer.items[1].error, ErrorType::kInference);
  EXPECT_EQ(answer.items[1].reason, "no answer");
  EXPECT_EQ(answer.items[4].reason,
            "[missing]: the document changed while its text was embedded, send it again");
  EXPECT_FALSE(node.get("i", "down").has_value());
  node.refresh("i");
  EXPECT_EQ(node.all("i").size(), 1U);
  for (const uint32_t dims : {0U, 2U, 4U}) {
    const std::vector<float> wrong(dims, 1.0F);
    const auto table = testing::vector_bytes("mini@1", dims, {{"dims", wrong}});
    EXPECT_EQ(node.bulk(line("index", "d", R"({"body":"dims"})"), "i", table).items[0].status, 400);
  }
  EXPECT_EQ(node.put("i", "words", R"({"own":"no remote text"})").status, 201);
}

TEST(RemoteVectors, AWriteInBetweenIsAConflict) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMappings);
  EXPECT_EQ(write_one(node, "index", "1", R"({"title":"a"})").status, 201);
  const std::string body = line("update", "1", R"({"doc":{"body":"b"}})");
  const std::vector<uint8_t> vectors = letter_bytes("mini@1", node.pending(body, "i")["mini@1"]);
  EXPECT_EQ(write_one(node, "index", "1", R"({"title":"c"})").status, 200);
  const Item late = node.bulk(body, "i", vectors).items[0];
  EXPECT_EQ(late.status, 409);
  EXPECT_EQ(late.reason, "[1]: the document changed while its text was embedded, send it again");
  EXPECT_EQ(write(node, body).items[0].status, 200);
}

TEST(RemoteVectors, TheFirstVectorSaysHowManyDims) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", R"("mappings":{"properties":{"body":{"type":"semantic_text",
                      "inference_id":"mini","embedder":"mini@1"}}})");
  EXPECT_EQ(write_one(node, "index", "1", R"({"body":"a"})").status, 201);
  const auto two = testing::vector_bytes("mini@1", 2, {{"b", {1, 2}}});
  EXPECT_EQ(node.bulk(line("index", "2", R"({"body":"b"})"), "i", two).items[0].status, 400);
  ASSERT_OK(node.engine->sync_wal());
  auto again = node.crash(3);
  ASSERT_OK(again->open());
  EXPECT_TRUE(again->engine->describe(again->number_of("i"))->find("\"dims\":3") !=
              std::string::npos);
  EXPECT_EQ(found(*again, "a", 5), "1");
}

TEST(RemoteVectors, MalformedTablesAreRefusedBeforeAnythingIsWritten) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMappings);
  const std::string body = line("index", "1", R"({"body":"a"})");
  const std::vector<uint8_t> whole =
      testing::vector_bytes("mini@1", 3, {{"a", {1, 2, 3}}, {"b", {}, "why"}});
  for (size_t size = 1; size < whole.size(); size++) {
    const BulkAnswer answer = node.bulk(body, "i", Bytes(whole).first(size));
    EXPECT_EQ(answer.error, ErrorType::kIllegalArgument);
  }
  for (size_t at = 0; at < whole.size(); at++) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::vector<uint8_t> damaged = whole;
      damaged[at] = static_cast<uint8_t>(value);
      static_cast<void>(node.bulk(body, "i", damaged));
    }
  }
  EXPECT_EQ(node.bulk(body, "i", whole).items[0].reason, "");
}

}  // namespace quarry::engine_remote_vectors_test
