#include "testing/engine_node.h"

#include <utility>

#include "json/value.h"
#include "testing/test.h"

namespace quarry::testing {
namespace {

Item read_item(ByteReader& reader) {
  Item item;
  item.op = reader.get<OpType>();
  item.result = reader.get<ItemResult>();
  item.status = reader.get<uint16_t>();
  item.index = reader.get<uint32_t>();
  item.shard = reader.get<uint32_t>();
  item.primary_term = reader.get<uint32_t>();
  item.version = reader.get<uint64_t>();
  item.seq_no = reader.get<uint64_t>();
  item.name = reader.get_string();
  item.id = reader.get_string();
  item.error = reader.get<ErrorType>();
  if (item.error != ErrorType::kOk) {
    item.reason = reader.get_string();
    reader.get_string();
  }
  item.get = reader.get_string();
  return item;
}

FetchedDocument read_document(ByteReader& reader) {
  FetchedDocument document;
  document.found = reader.get<uint8_t>() != 0;
  document.has_source = reader.get<uint8_t>() != 0;
  reader.get<uint16_t>();
  document.primary_term = reader.get<uint32_t>();
  document.version = reader.get<uint64_t>();
  document.seq_no = reader.get<uint64_t>();
  document.id = reader.get_string();
  document.routing = reader.get_string();
  document.source = reader.get_string();
  document.fields = reader.get_string();
  document.ignored = reader.get_string();
  document.matched_queries = reader.get_string();
  document.explanation = reader.get_string();
  document.highlight = reader.get_string();
  document.ignored_values = reader.get_string();
  document.nested = reader.get_string();
  // These plans have no inner hits.
  EXPECT_EQ(reader.get<uint32_t>(), 0U);
  return document;
}

/// The layout is described in query/plan/hits.h.
constexpr size_t kShardHeaderBytes = 144;

void read_shard(Bytes bytes, SearchAnswer& answer) {
  ByteReader reader(bytes);
  reader.seek(6);
  answer.error = reader.get<ErrorType>();
  answer.generations.push_back(reader.get<uint64_t>());
  reader.get<uint64_t>();
  answer.total += reader.get<uint64_t>();
  reader.seek(40);
  const auto shard = reader.get<uint32_t>();
  reader.seek(kShardHeaderBytes);
  if (answer.error != ErrorType::kOk) {
    answer.reason = reader.get_string();
    return;
  }
  const auto hits = reader.get<uint32_t>();
  reader.get<float>();
  reader.align(8);
  reader.get_bytes(hits * sizeof(float));
  reader.align(8);
  std::vector<Hit> found(hits);
  for (Hit& hit : found) hit.shard = shard;
  for (Hit& hit : found) hit.doc = reader.get<uint32_t>();
  reader.align(8);
  for (Hit& hit : found) hit.seq_no = reader.get<uint64_t>();
  answer.hits.insert(answer.hits.end(), found.begin(), found.end());
}

std::string escaped(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

}  // namespace

BulkAnswer decode_items(Bytes bytes) {
  ByteReader reader(bytes);
  reader.seek(6);
  BulkAnswer answer;
  answer.error = reader.get<ErrorType>();
  if (answer.error != ErrorType::kOk) {
    answer.reason = reader.get_string();
    return answer;
  }
  answer.position = reader.get<uint64_t>();
  const auto missing = reader.get<uint32_t>();
  const auto items = reader.get<uint32_t>();
  const auto touched = reader.get<uint32_t>();
  reader.get<uint32_t>();
  for (uint32_t i = 0; i < missing; i++) answer.missing.emplace_back(reader.get_string());
  for (uint32_t i = 0; i < touched; i++) {
    const auto index = reader.get<uint32_t>();
    answer.touched.push_back({index, reader.get<uint32_t>()});
  }
  for (uint32_t i = 0; i < items; i++) answer.items.push_back(read_item(reader));
  EXPECT_TRUE(reader.done() && !reader.failed());
  return answer;
}

FetchAnswer decode_fetched(Bytes bytes) {
  ByteReader reader(bytes);
  reader.seek(6);
  FetchAnswer answer;
  answer.error = reader.get<ErrorType>();
  const auto count = reader.get<uint32_t>();
  reader.seek(32);
  if (answer.error != ErrorType::kOk) {
    answer.reason = reader.get_string();
    return answer;
  }
  for (uint32_t i = 0; i < count; i++) answer.documents.push_back(read_document(reader));
  return answer;
}

SearchAnswer decode_search(Bytes bytes) {
  ByteReader reader(bytes);
  SearchAnswer answer;
  EXPECT_EQ(reader.get<uint32_t>(), kReplyMagic);
  std::vector<uint32_t> lengths(reader.get<uint32_t>());
  for (uint32_t& length : lengths) length = reader.get<uint32_t>();
  for (const uint32_t length : lengths) {
    reader.align(8);
    read_shard(reader.get_bytes(length), answer);
    if (answer.error != ErrorType::kOk) return answer;
  }
  if (reader.done()) return answer;
  reader.align(8);
  answer.page = decode_fetched(reader.get_bytes(reader.remaining())).documents;
  return answer;
}

EngineNode::EngineNode(std::unique_ptr<FaultFileSystem> on) : disk(std::move(on)) {
  options.data_dir = "/data";
  options.file_system = disk.get();
  options.clock = &clock;
  options.disk_reserve_bytes = 0;
}

Status EngineNode::open() {
  QUARRY_ASSIGN_OR_RETURN(engine, Engine::open(options));
  const std::vector<ShardId> waiting = engine->needs_recovery();
  for (const ShardId shard : waiting) QUARRY_RETURN_IF_ERROR(engine->recover(shard));
  for (const ShardId shard : waiting) QUARRY_RETURN_IF_ERROR(engine->flush(shard));
  return {};
}

Status EngineNode::close() {
  const Status status = engine->close();
  engine.reset();
  return status;
}

std::unique_ptr<EngineNode> EngineNode::crash(uint64_t seed) {
  auto next = std::make_unique<EngineNode>(disk->after_crash(seed));
  const FaultFileSystem* files = next->disk.get();
  next->options = options;
  next->options.file_system = const_cast<FaultFileSystem*>(files);
  next->options.clock = &next->clock;
  next->clock.advance_ms(clock.wall_ms() - next->clock.wall_ms());
  next->numbers_ = numbers_;
  next->shards_ = shards_;
  engine.reset();
  return next;
}

uint32_t EngineNode::create(const std::string& name, const std::string& members) {
  const std::string comma = members.empty() ? "" : ",";
  const auto described = engine->create_index("{\"name\":" + escaped(name) + comma + members + "}");
  EXPECT_OK(described);
  return described.ok() ? adopt(name, *described) : 0;
}

uint32_t EngineNode::adopt(const std::string& name, std::string_view description) {
  const auto json = JsonValue::parse(description, kMaxJsonDepth * 4);
  EXPECT_OK(json);
  numbers_[name] = static_cast<uint32_t>(*json->find("number")->as_int());
  shards_[name] = static_cast<uint32_t>(*json->find("number_of_shards")->as_int());
  return numbers_[name];
}

std::vector<uint8_t> EngineNode::bulk_header(std::string_view default_index) const {
  ByteWriter header;
  header.put(kBulkMagic);
  header.put(uint32_t{0});
  header.put_string(default_index);
  header.put(uint8_t{0});
  header.put_string("");
  header.put(static_cast<uint32_t>(numbers_.size()));
  for (const auto& [name, number] : numbers_) {
    header.put_string(name);
    header.put(number);
  }
  return header.take();
}

BulkAnswer EngineNode::bulk(std::string_view body, std::string_view default_index, Bytes vectors) {
  const auto reply = engine->bulk(bulk_header(default_index), as_bytes(body), vectors);
  EXPECT_OK(reply);
  return decode_items(reply->bytes);
}

Result<std::vector<uint8_t>> EngineNode::pending_bytes(std::string_view body,
                                                       std::string_view default_index) {
  return engine->pending_texts(bulk_header(default_index), as_bytes(body));
}

std::map<std::string, std::vector<std::string>> EngineNode::pending(
    std::string_view body, std::string_view default_index) {
  const auto reply = pending_bytes(body, default_index);
  EXPECT_OK(reply);
  std::map<std::string, std::vector<std::string>> found;
  ByteReader reader{Bytes(*reply)};
  for (auto embedders = reader.get<uint32_t>(); embedders > 0; embedders--) {
    std::vector<std::string>& texts = found[std::string(reader.get_string())];
    for (auto count = reader.get<uint32_t>(); count > 0; count--) {
      texts.emplace_back(reader.get_string());
    }
  }
  EXPECT_TRUE(reader.done() && !reader.failed());
  return found;
}

Item EngineNode::put(const std::string& index, std::string_view id, std::string_view source) {
  const std::string line =
      "{\"index\":{\"_id\":" + escaped(id) + "}}\n" + std::string(source) + "\n";
  return bulk(line, index).items.at(0);
}

Item EngineNode::erase(const std::string& index, std::string_view id) {
  return bulk("{\"delete\":{\"_id\":" + escaped(id) + "}}\n", index).items.at(0);
}

std::optional<FetchedDocument> EngineNode::get(const std::string& index, std::string_view id,
                                               bool realtime, std::string_view routing) {
  const std::vector<uint8_t> plan = PlanFrame().bytes();
  const FetchAnswer answer =
      decode_fetched(engine->get(numbers_.at(index), id, routing, realtime, plan));
  EXPECT_EQ(answer.error, ErrorType::kOk);
  if (answer.documents.empty() || !answer.documents[0].found) return std::nullopt;
  return answer.documents[0];
}

std::vector<ShardId> EngineNode::shards(const std::string& index) const {
  std::vector<ShardId> list;
  for (uint32_t i = 0; i < shards_.at(index); i++) list.push_back({numbers_.at(index), i});
  return list;
}

SearchAnswer EngineNode::search(const std::string& index, const NodeBytes& query, uint32_t window) {
  PlanFrame plan;
  plan.legs.push_back(query);
  plan.window = window;
  plan.flags = kPlanInlineFetch;
  return decode_search(*engine->search(shards(index), plan.bytes()));
}

FetchAnswer EngineNode::fetch(ShardId shard, uint64_t generation,
                              const std::vector<uint32_t>& docs) {
  return decode_fetched(*engine->fetch(shard, generation, docs, PlanFrame().bytes()));
}

std::map<std::string, std::string> EngineNode::all(const std::string& index) {
  const SearchAnswer answer = search(index, Query().match_all());
  EXPECT_EQ(answer.reason, "");
  std::map<std::string, std::string> documents;
  const auto keep = [&](const std::vector<FetchedDocument>& fetched) {
    for (const FetchedDocument& document : fetched) {
      EXPECT_TRUE(documents.emplace(document.id, document.source).second);
    }
  };
  if (answer.generations.size() == 1) {
    keep(answer.page);
    return documents;
  }
  for (const ShardId shard : shards(index)) {
    std::vector<uint32_t> docs;
    for (const Hit& hit : answer.hits) {
      if (hit.shard == shard.shard) docs.push_back(hit.doc);
    }
    keep(fetch(shard, answer.generations[shard.shard], docs).documents);
  }
  return documents;
}

void EngineNode::refresh(const std::string& index) {
  for (const ShardId shard : shards(index)) EXPECT_OK(engine->refresh(shard));
}

Status EngineNode::flush(const std::string& index) {
  for (const ShardId shard : shards(index)) QUARRY_RETURN_IF_ERROR(engine->flush(shard));
  return {};
}

bool EngineNode::merge(const std::string& index, uint32_t max_segments) {
  bool merged = false;
  for (const ShardId shard : shards(index)) {
    const auto step = engine->merge(shard, max_segments);
    EXPECT_OK(step);
    merged = merged || (step.ok() && *step);
  }
  return merged;
}

}  // namespace quarry::testing
