#include "faults/node.h"

#include <utility>

#include "json/value.h"
#include "testing/remote_vectors.h"

namespace quarry::faults {
namespace {

constexpr const char* kEmbedder = "mini@1";

std::vector<uint8_t> bulk_header(const std::string& name, uint32_t number) {
  ByteWriter header;
  header.put(kBulkMagic);
  header.put(uint32_t{0});
  header.put_string(name);
  header.put(uint8_t{0});
  header.put_string("");
  header.put(uint32_t{1});
  header.put_string(name);
  header.put(number);
  return header.take();
}

/// Reads the list of texts for one embedder.
std::vector<std::string> read_texts(Bytes bytes) {
  std::vector<std::string> texts;
  ByteReader reader(bytes);
  for (auto embedders = reader.get<uint32_t>(); embedders > 0; embedders--) {
    reader.get_string();
    for (auto count = reader.get<uint32_t>(); count > 0; count--) {
      texts.emplace_back(reader.get_string());
    }
  }
  return texts;
}

Status wrong(const std::string& what) { return {ErrorType::kInternal, what}; }

}  // namespace

Node::Node(const EngineOptions& settings) : options(settings) {
  options.data_dir = "/srv/quarry/data";
  options.file_system = disk.get();
  options.clock = &clock;
}

Status Node::open() {
  QUARRY_ASSIGN_OR_RETURN(engine, Engine::open(options));
  const std::vector<ShardId> waiting = engine->needs_recovery();
  for (const ShardId shard : waiting) QUARRY_RETURN_IF_ERROR(engine->recover(shard));
  for (const ShardId shard : waiting) QUARRY_RETURN_IF_ERROR(engine->flush(shard));
  return {};
}

void Node::revive() {
  kill();
  disk->set_script(nullptr);
  disk->revive();
}

void Node::cut_power(uint64_t seed) {
  kill();
  disk = disk->after_crash(seed);
  options.file_system = disk.get();
}

Result<uint32_t> Node::create(const std::string& name, const std::string& members) {
  QUARRY_ASSIGN_OR_RETURN(const std::string described,
                          engine->create_index("{\"name\":\"" + name + "\"," + members + "}"));
  QUARRY_ASSIGN_OR_RETURN(const JsonValue json, JsonValue::parse(described, kMaxJsonDepth * 4));
  return static_cast<uint32_t>(*json.find("number")->as_int());
}

Result<std::vector<Item>> Node::bulk(const std::string& name, uint32_t number,
                                     std::string_view body) {
  const std::vector<uint8_t> header = bulk_header(name, number);
  QUARRY_ASSIGN_OR_RETURN(const std::vector<uint8_t> pending,
                          engine->pending_texts(header, as_bytes(body)));
  const std::vector<std::string> texts = read_texts(pending);
  const std::vector<uint8_t> vectors =
      texts.empty() ? std::vector<uint8_t>() : testing::letter_bytes(kEmbedder, texts);
  QUARRY_ASSIGN_OR_RETURN(const WriteReply reply, engine->bulk(header, as_bytes(body), vectors));
  testing::BulkAnswer answer = testing::decode_items(reply.bytes);
  if (answer.error != ErrorType::kOk) return Status(answer.error, answer.reason);
  return std::move(answer.items);
}

Result<std::optional<Seen>> Node::get(uint32_t index, const std::string& id) {
  const std::vector<uint8_t> plan = testing::PlanFrame().bytes();
  const auto answer = testing::decode_fetched(engine->get(index, id, "", true, plan));
  if (answer.error != ErrorType::kOk) return Status(answer.error, answer.reason);
  if (answer.documents.empty() || !answer.documents[0].found) return std::optional<Seen>();
  return std::optional(Seen{answer.documents[0].source, answer.documents[0].version});
}

Result<std::map<std::string, Seen>> Node::search(uint32_t index, uint32_t shards,
                                                 const testing::NodeBytes& query, uint32_t window) {
  std::map<std::string, Seen> found;
  for (uint32_t i = 0; i < shards; i++) {
    testing::PlanFrame plan;
    plan.legs.push_back(query);
    plan.window = window;
    plan.flags = kPlanInlineFetch;
    const auto answer = testing::decode_search(*engine->search({{index, i}}, plan.bytes()));
    if (answer.error != ErrorType::kOk) return Status(answer.error, answer.reason);
    if (answer.page.size() != answer.hits.size()) return wrong("a hit cannot be fetched");
    for (const auto& document : answer.page) {
      const bool first = found.emplace(document.id, Seen{document.source, document.version}).second;
      if (!first) return wrong("[" + document.id + "] is found twice");
    }
  }
  return found;
}

Result<std::map<std::string, IndexSeen>> Node::indices() {
  QUARRY_ASSIGN_OR_RETURN(const std::string described, engine->describe_all());
  std::map<std::string, IndexSeen> found;
  for (size_t begin = 0; begin < described.size();) {
    const size_t end = described.find('\n', begin);
    const std::string_view line = std::string_view(described).substr(begin, end - begin);
    begin = end + 1;
    QUARRY_ASSIGN_OR_RETURN(const JsonValue item, JsonValue::parse(line, kMaxJsonDepth * 4));
    const std::string name(item.find("name")->text());
    const IndexSeen seen{static_cast<uint32_t>(*item.find("number")->as_int()),
                         static_cast<uint32_t>(*item.find("number_of_shards")->as_int()),
                         item.to_json()};
    if (!found.emplace(name, seen).second) return wrong("two indexes are named [" + name + "]");
  }
  return found;
}

}  // namespace quarry::faults
