// The bytes of the write path that both sides of the boundary use: test/golden/wire, which the
// TypeScript tests read as well.
#include <algorithm>
#include <string>
#include <vector>

#include "base/routing_hash.h"
#include "engine/write_request.h"
#include "json/value.h"
#include "mapping/vectors/vector_table.h"
#include "query/links/link_counts.h"
#include "query/links/link_walk.h"
#include "testing/engine_node.h"
#include "testing/golden_bytes.h"
#include "testing/test.h"

namespace quarry::wire_golden_test {

using testing::EngineNode;
using testing::golden_json;
using testing::read_golden_bytes;

TEST(WriteGolden, RoutingValuesLieOnTheirShards) {
  const Result<JsonValue> json = golden_json("routing");
  ASSERT_OK(json);
  EXPECT_TRUE(json->items().size() > 40);
  for (const JsonValue& row : json->items()) {
    const auto shards = static_cast<uint32_t>(row.find("shards")->as_int().value_or(0));
    const auto shard = static_cast<uint32_t>(row.find("shard")->as_int().value_or(0));
    EXPECT_EQ(route(row.find("routing")->text(), shards), shard);
  }
}

TEST(WriteGolden, TheBulkHeaderIsRead) {
  const std::string body =
      "{\"index\":{}}\n{}\n{\"update\":{\"_index\":\"Bad\",\"_id\":\"1\"}}\n{\"doc\":{}}\n"
      "{\"update\":{\"_id\":\"2\",\"_source\":false}}\n{\"doc\":{}}\n";
  const std::vector<uint8_t> header = read_golden_bytes("bulk_header");  // the request refers to it
  const auto request = BulkRequest::read(header, as_bytes(body));
  ASSERT_OK(request);
  EXPECT_EQ(request->missing_names().size(), 0);
  ASSERT_EQ(request->size(), 3);
  EXPECT_EQ(request->operation(0).index, 7);
  EXPECT_EQ(request->operation(0).name, "logs");
  EXPECT_EQ(request->operation(1).index, kNoIndex);
  EXPECT_EQ(request->operation(1).refusal.type(), ErrorType::kInvalidIndexName);
  EXPECT_EQ(request->operation(1).refusal.reason(), "Invalid index name [Bad], must be lowercase");
  EXPECT_EQ(request->operation(1).operation.source_filter, "true");
  EXPECT_EQ(request->operation(2).operation.source_filter, "false");
}

TEST(WriteGolden, TheRoutingOfABulkHeaderIsRead) {
  const std::string body =
      "{\"delete\":{\"_index\":\"logs\",\"_id\":\"1\"}}\n"
      "{\"delete\":{\"_index\":\"logs\",\"_id\":\"1\",\"routing\":\"own\"}}\n"
      "{\"delete\":{\"_index\":\"mine\",\"_id\":\"1\",\"routing\":\"me\"}}\n"
      "{\"delete\":{\"_index\":\"mine\",\"_id\":\"1\"}}\n";
  const std::vector<uint8_t> header = read_golden_bytes("bulk_header_routing");
  const auto request = BulkRequest::read(header, as_bytes(body));
  ASSERT_OK(request);
  EXPECT_EQ(request->operation(0).operation.routing, "r");
  EXPECT_EQ(request->operation(1).operation.routing, "own");
  EXPECT_OK(request->operation(1).refusal);
  EXPECT_EQ(request->operation(2).operation.routing, "me");
  EXPECT_OK(request->operation(2).refusal);
  EXPECT_EQ(request->operation(3).refusal.type(), ErrorType::kIllegalArgument);
  EXPECT_EQ(request->operation(3).refusal.reason(),
            "Alias [mine] has index routing associated with it [me], and was provided with routing "
            "value [r], rejecting operation");
  for (size_t size = 0; size < header.size(); size++) {
    EXPECT_FALSE(BulkRequest::read(Bytes(header).first(size), as_bytes(body)).ok());
  }
}

TEST(WriteGolden, OperationsAreRead) {
  const std::vector<uint8_t> bytes = read_golden_bytes("operations");  // the items refer to it
  const auto items = read_operations(bytes);
  ASSERT_OK(items);
  ASSERT_EQ(items->size(), 4);
  const WriteOperation& made = items->at(0).operation;
  EXPECT_EQ(made.type, OpType::kIndex);
  EXPECT_TRUE(made.auto_id);
  EXPECT_EQ(made.id, "auto");
  EXPECT_EQ(made.source, "{\"a\":1}");
  EXPECT_EQ(items->at(0).index, 3);
  const WriteOperation& create = items->at(1).operation;
  EXPECT_EQ(create.type, OpType::kCreate);
  EXPECT_EQ(create.version_type, VersionType::kExternalGte);
  EXPECT_EQ(*create.version, 9);
  EXPECT_EQ(create.routing, "r");
  EXPECT_EQ(create.id, "\xc3\xa9");
  const WriteOperation& update = items->at(2).operation;
  EXPECT_EQ(*update.if_seq_no, 5);
  EXPECT_EQ(*update.if_primary_term, 1);
  EXPECT_FALSE(update.detect_noop);
  EXPECT_TRUE(update.doc_as_upsert);
  EXPECT_EQ(update.source_filter, "{\"includes\":[\"a\"]}");
  EXPECT_EQ(items->at(3).operation.type, OpType::kDelete);
}

TEST(WriteGolden, ItemsAreWrittenAsTheyAreRead) {
  const std::vector<uint8_t> bytes = read_golden_bytes("items");
  const testing::BulkAnswer answer = testing::decode_items(bytes);
  ASSERT_EQ(answer.items.size(), 3);
  EXPECT_EQ(answer.missing, std::vector<std::string>{"missing"});
  ByteWriter items;
  for (const testing::Item& item : answer.items) {
    WriteOutcome outcome;
    outcome.result = item.result;
    outcome.http_status = item.status;
    outcome.primary_term = item.primary_term;
    outcome.version = item.version;
    outcome.seq_no = item.seq_no;
    outcome.error = Status(item.error, item.reason);
    outcome.get_source = item.get;
    put_item(items, {item.op, item.index, item.shard, item.name, item.id, &outcome});
  }
  std::vector<TouchedShard> touched;
  for (const ShardId shard : answer.touched) touched.push_back({shard.index, shard.shard});
  // The header, without the missing index name, which a response with items never has.
  const std::vector<uint8_t> written = encode_items(answer.position, touched, 3, items.view());
  const size_t name_bytes = sizeof(uint32_t) + answer.missing[0].size();
  EXPECT_EQ(written.size(), bytes.size() - name_bytes);
  EXPECT_TRUE(std::equal(items.view().rbegin(), items.view().rend(), bytes.rbegin()));
  EXPECT_TRUE(std::equal(written.begin(), written.begin() + 16, bytes.begin()));
}

TEST(WriteGolden, CutOffRequestsAreRefused) {
  const std::vector<uint8_t> operations = read_golden_bytes("operations");
  for (size_t size = 0; size < operations.size(); size++) {
    EXPECT_FALSE(read_operations(Bytes(operations).first(size)).ok());
  }
  const std::vector<uint8_t> header = read_golden_bytes("bulk_header");
  for (size_t size = 0; size < header.size(); size++) {
    EXPECT_FALSE(
        BulkRequest::read(Bytes(header).first(size), as_bytes("{\"index\":{}}\n{}\n")).ok());
  }
}

TEST(WriteGolden, VectorsAreFoundByTheirText) {
  const std::vector<uint8_t> bytes = read_golden_bytes("vectors");
  const Result<VectorTable> table = VectorTable::read(bytes);
  ASSERT_OK(table);
  const VectorTable::Entry* note = table->find("mini@1", TextHash::of("note"));
  ASSERT_TRUE(note != nullptr);
  ASSERT_EQ(note->floats.size(), 2 * sizeof(float));
  EXPECT_EQ(load<float>(note->floats.data() + sizeof(float)), -0.5F);
  const VectorTable::Entry* gone = table->find("mini@1", TextHash::of("gone"));
  ASSERT_TRUE(gone != nullptr);
  EXPECT_TRUE(gone->failed);
  EXPECT_EQ(gone->reason, "the service is down");
  EXPECT_EQ(table->find("other", TextHash::of("note"))->floats.size(), sizeof(float));
  EXPECT_TRUE(table->find("other", TextHash::of("gone")) == nullptr);
  EXPECT_TRUE(table->find("nobody", TextHash::of("note")) == nullptr);
}

TEST(WriteGolden, TextsToEmbedAreListed) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("logs", R"("mappings":{"properties":{"title":{"type":"text","copy_to":"body"},
    "body":{"type":"semantic_text","inference_id":"mini","embedder":"mini@1","dims":3}}})");
  const std::vector<uint8_t> expected = read_golden_bytes("wanted_texts");
  const Result<std::vector<uint8_t>> found = node.pending_bytes(
      "{\"index\":{}}\n{\"title\":\"t\",\"body\":\"b\"}\n{\"index\":{}}\n{\"body\":\"b\"}\n",
      "logs");
  ASSERT_OK(found);
  EXPECT_TRUE(*found == expected);
}

TEST(LinksGolden, RequestsAreRead) {
  const std::vector<uint8_t> walk_bytes = read_golden_bytes("links_walk_request");
  const Result<LinkWalkRequest> walk = decode_link_walk(walk_bytes);
  ASSERT_OK(walk);
  EXPECT_EQ(walk->sides, kLinksIn);
  EXPECT_EQ(walk->hops, 2);
  EXPECT_TRUE(walk->with_retired && walk->with_degrees && walk->some_types);
  EXPECT_EQ(walk->moment.world, 1700000000000);
  EXPECT_EQ(walk->moment.system.value_or(0), -5);
  EXPECT_EQ(walk->limit, 100);
  EXPECT_EQ(walk->frontier, 1000);
  EXPECT_EQ(walk->seeds.at(1), "\xc3\xbc");
  EXPECT_EQ(walk->types.at(0), "t");
  const Result<LinkCountRequest> count =
      decode_link_count(read_golden_bytes("links_count_request"));
  ASSERT_OK(count);
  EXPECT_EQ(count->moment.world, 7);
  EXPECT_FALSE(count->moment.system.has_value());
  EXPECT_EQ(count->top, 50);
}

TEST(LinksGolden, RepliesAreWritten) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create(
      "l",
      "\"mappings\":{\"properties\":{\"src\":{\"type\":\"keyword\"},\"dst\":{\"type\":\"keyword\"},"
      "\"type\":{\"type\":\"keyword\"},\"valid_at\":{\"type\":\"long\"}}}");
  node.put("l", "ab",
           "{\"src\":\"a\",\"dst\":\"b\",\"type\":\"t\",\"confidence\":0.5,\"valid_at\":10}");
  node.refresh("l");
  ByteWriter walk;
  for (const uint8_t byte : std::vector<uint8_t>{3, 1, 0, 1, 0, 0}) walk.put(byte);
  walk.put(20.0);
  walk.put(0.0);
  walk.put(uint32_t{10});
  walk.put(uint32_t{10});
  walk.put(uint32_t{1});
  walk.put_string("a");
  walk.put(uint32_t{0});
  std::vector<uint8_t> reply = node.engine->walk_links(number, walk.view());
  ASSERT_TRUE(reply.size() > 24);
  std::fill(reply.begin() + 8, reply.begin() + 24, uint8_t{0});  // the measured cost
  EXPECT_TRUE(reply == read_golden_bytes("links_walk_reply"));
  ByteWriter count;
  count.put(uint8_t{0});
  count.put(20.0);
  count.put(0.0);
  count.put(uint32_t{1});
  EXPECT_TRUE(node.engine->count_links(number, {}, count.view()) ==
              read_golden_bytes("links_count_reply"));
}

}  // namespace quarry::wire_golden_test
