// The actions of clients and of the background on the node of a simulation, step by step.
#include <set>
#include <utility>

#include "faults/simulation.h"

namespace quarry::faults {
namespace {

constexpr uint64_t kUnlimited = uint64_t{1} << 40;
constexpr const char* kNames[] = {"a", "b", "c"};

std::string number(uint64_t value) { return std::to_string(value); }

std::string members(Random& random) {
  const uint64_t shards = 1 + random.below(3);
  std::string json = "\"number_of_shards\":" + number(shards) + R"(,"mappings":{"properties":{
    "v":{"type":"dense_vector","dims":3,"similarity":"l2_norm"}, "k":{"type":"keyword"},
    "p":{"type":"nested","properties":{"q":{"type":"keyword"},
      "w":{"type":"dense_vector","dims":3,"similarity":"l2_norm"},
      "r":{"type":"nested","properties":{"q":{"type":"keyword"}}}}})";
  if (random.below(2) == 0) {
    json += R"(,"s":{"type":"semantic_text","inference_id":"mini","embedder":"mini@1","dims":3})";
  }
  return json + "}}";
}

/// Up to three nested objects; the first has the revision as a keyword and a vector of it. Nothing
/// is drawn, so that seeds that found a fault still lead to the same requests.
std::string nested_of(uint64_t rev) {
  const std::string q = "\"q\":\"q" + number(rev) + "\"";
  std::string json =
      "[{" + q + ",\"w\":[" + number(rev % 97) + "," + number(rev) + ",1],\"r\":{" + q + "}}";
  for (uint64_t i = rev / 2 % 3; i > 0; i--) json += ",{\"r\":[{\"q\":\"x\"},null]}";
  return json + "]";
}

}  // namespace

std::string Simulation::pick_key() { return "d" + number(random_.below(20)); }

/// The name of an index that can be used; null if there is none.
std::string* Simulation::pick_index() {
  std::vector<std::string> names;
  for (const auto& [name, index] : indices_) {
    if (index.usable) names.push_back(name);
  }
  if (names.empty()) return nullptr;
  picked_ = names[random_.below(names.size())];
  return &picked_;
}

void Simulation::step() {
  if (pick_index() == nullptr) {
    create();
    return;
  }
  const uint64_t what = random_.below(100);
  if (what < 42) return write();
  if (what < 55) return sync();
  if (what < 61) return check_search(picked_);
  if (what < 79) {
    // Other clients may write during it.
    interruptible_ = true;
    what < 68 ? flush() : what < 74 ? merge() : maintain();
    interruptible_ = false;
    return;
  }
  if (what < 82) return rest();
  if (what < 84) return create();
  if (what < 86) return drop();
  if (what < 90) return put_mapping();
  if (what < 92) return plan_.kills ? write() : limit();
  if (what < 95 && limited_) return lift();
  check_key(picked_, pick_key());
}

std::string Simulation::source(uint64_t rev) {
  std::string json = "{\"rev\":" + number(rev) + ",\"t\":\"common word" + number(rev % 7) + " tok" +
                     number(rev) + "\",\"k\":\"k" + number(rev) + "\",\"n\":" + number(rev);
  json +=
      ",\"v\":[" + number(rev % 31) + "," + number(rev / 31 % 31) + "," + number(rev / 961) + "]";
  if (rev % 2 == 0) json += ",\"p\":" + nested_of(rev);
  if (random_.below(3) == 0)
    json += ",\"s\":\"" + std::string(1 + random_.below(5), 'a') + " b" + number(rev) + "\"";
  if (random_.below(4) == 0) json += ",\"f" + number(random_.below(6)) + "\":true";
  if (random_.below(12) == 0) json += ",\"blob\":\"" + std::string(random_.below(3000), 'x') + "\"";
  return json + "}";
}

/// Draws one operation and returns its lines of a bulk body.
std::string Simulation::line_of(IndexModel& index, Operation& operation) {
  const State& before = index.keys[operation.id].now;
  const uint64_t rev = ++revision_;
  const uint64_t what = random_.below(10);
  operation.kind = what < 5 ? "index" : what < 6 ? "create" : what < 8 ? "update" : "delete";
  const std::string meta = "{\"" + operation.kind + "\":{\"_id\":\"" + operation.id + "\"";
  note("  " + operation.kind + " " + operation.id + " revision " + number(rev) + " over " +
       show(before));
  if (operation.kind == "delete") {
    operation.next = std::nullopt;
    return meta + "}}\n";
  }
  if (operation.kind == "update") {
    operation.next = Document{rev, "", 0};
    const std::string doc = "{\"rev\":" + number(rev) + ",\"t\":\"common tok" + number(rev) + "\"}";
    return meta + ",\"_source\":true}}\n{\"doc\":" + doc + "}\n";
  }
  operation.next = Document{rev, source(rev), 0};
  return meta + "}}\n" + operation.next->source + "\n";
}

void Simulation::write() {
  const std::string name = picked_;
  IndexModel& index = indices_[name];
  std::set<std::string> ids;
  for (uint64_t i = 1 + random_.below(5); i > 0; i--) ids.insert(pick_key());
  std::vector<Operation> operations;
  std::string body;
  note("write to " + name);
  for (const std::string& id : ids) {
    Operation& operation = operations.emplace_back();
    operation.id = id;
    body += line_of(index, operation);
  }
  const Result<std::vector<Item>> items = node_.bulk(name, index.number, body);
  expect(items.status(), "bulk");
  if (items.ok() && items->size() != operations.size()) return fail("a bulk lacks items");
  for (size_t i = 0; i < operations.size() && ok(); i++) {
    if (items.ok()) {
      settle(index, operations[i], (*items)[i]);
    } else {
      index.keys[operations[i].id].attempted(operations[i].next);
    }
  }
  after_request();
  if (ok() && !dead() && random_.below(3) > 0) sync();
}

/// Writes as a client during a flush or a merge. Not during a refresh, nor while a manifest is
/// written: a writer may have to do these itself.
void Simulation::intrude(std::string_view point) {
  const bool apart =
      point.starts_with("checkpoint") || point.find("merge") != std::string_view::npos;
  if (!interruptible_ || !apart || random_.below(4) > 0) return;
  interruptible_ = false;
  const std::string picked = picked_;
  if (pick_index() != nullptr) {
    note("  meanwhile, " + std::string(point));
    intrusions_++;
    write();
  }
  picked_ = picked;
  interruptible_ = true;
}

/// Updates the expected state by the result of one operation.
void Simulation::settle(IndexModel& index, const Operation& operation, const Item& item) {
  Key& key = index.keys[operation.id];
  if (item.error != ErrorType::kOk) return settle_failure(index, operation, item);
  if (stopped_) return fail("a write is answered with success after writes have stopped");
  const bool exists = key.now.has_value();
  if (operation.kind == "create" && exists) return fail("created " + operation.id + " again");
  if (exists && item.version != key.now->version + 1) {
    return fail("version " + number(item.version) + " of " + operation.id + " follows " +
                show(key.now));
  }
  if (operation.kind == "delete") {
    if (exists != (item.result == ItemResult::kDeleted)) return fail("a wrong result of a delete");
    if (exists) key.applied(std::nullopt);
    return;
  }
  Document written = *operation.next;
  written.version = item.version;
  if (operation.kind == "update") written.source = item.get;
  key.applied(std::move(written));
}

void Simulation::settle_failure(IndexModel& index, const Operation& operation, const Item& item) {
  Key& key = index.keys[operation.id];
  note("    refused: " + item.reason);
  const bool exists = key.now.has_value();
  const bool conflict =
      operation.kind == "create" && exists && item.error == ErrorType::kVersionConflict;
  const bool missing =
      operation.kind == "update" && !exists && item.error == ErrorType::kDocumentMissing;
  if (conflict || missing) return;
  if (!excused()) return fail(operation.kind + " is refused for no reason: " + item.reason);
  // Lack of space is detected before anything is written.
  if (item.error != ErrorType::kClusterBlock || dead()) key.attempted(operation.next);
}

void Simulation::sync() {
  note("sync");
  const Result<WalSync> synced = node_.engine->sync_wal();
  if (!expect(synced.status(), "sync")) return after_request();
  for (auto& [name, index] : indices_) {
    for (auto& [id, key] : index.keys) key.acknowledged();
  }
  report_.acknowledged++;
}

void Simulation::flush() {
  note("flush " + picked_);
  IndexModel& index = indices_[picked_];
  bool complete = true;
  const uint64_t intrusions = intrusions_;
  for (uint32_t i = 0; i < index.shards && !dead(); i++) {
    complete = expect(node_.engine->flush({index.number, i}), "flush") && complete;
  }
  after_request();
  // The flush may not include a write that happened during it.
  if (!complete || dead() || intrusions_ > intrusions) return;
  for (auto& [id, key] : index.keys) key.acknowledged();
}

void Simulation::merge() {
  const uint32_t most = random_.below(3) == 0 ? 1 : 0;
  note("merge " + picked_ + " to " + number(most));
  const IndexModel& index = indices_[picked_];
  for (uint32_t i = 0; i < index.shards && !dead(); i++) {
    expect(node_.engine->merge({index.number, i}, most).status(), "merge");
  }
  after_request();
}

/// The background work that the coordinator starts after writes.
void Simulation::maintain() {
  note("maintain");
  for (const ShardId shard : node_.engine->flush_candidates()) {
    if (!dead()) expect(node_.engine->flush(shard), "flush");
  }
  for (const ShardId shard : node_.engine->merge_candidates()) {
    if (!dead()) expect(node_.engine->merge(shard, 0).status(), "merge");
  }
  after_request();
}

/// Advances the clock without requests, so that idle indexes are closed.
void Simulation::rest() {
  note("rest");
  for (int i = 0; i < 2 && !dead(); i++) {
    node_.clock.advance_ms(2000);
    for (const ShardId shard : node_.engine->flush_candidates()) {
      if (!dead()) expect(node_.engine->flush(shard), "flush");
    }
    if (!dead()) note("  closed " + number(node_.engine->close_idle()));
  }
  after_request();
}

void Simulation::create() {
  const std::string name = kNames[random_.below(3)];
  const std::string spec = members(random_);
  IndexModel& index = indices_[name];
  if (index.usable || index.presence == Presence::kMaybe) return;
  note("create " + name);
  const Result<uint32_t> made = node_.create(name, spec);
  index = IndexModel();
  if (!expect(made.status(), "create")) {
    index.presence = Presence::kMaybe;
    return after_request();
  }
  if (stopped_) return fail("an index is created after writes have stopped");
  index.number = *made;
  index.shards = static_cast<uint32_t>(spec[spec.find(':') + 1] - '0');
  index.presence = Presence::kThere;
  index.usable = true;
}

void Simulation::drop() {
  IndexModel& index = indices_[picked_];
  note("drop " + picked_);
  if (!expect(node_.engine->drop_index(index.number), "drop")) {
    index.presence = Presence::kMaybe;
    return after_request();
  }
  index = IndexModel();
}

void Simulation::put_mapping() {
  IndexModel& index = indices_[picked_];
  const std::string field = "m" + number(random_.below(4));
  note("put mapping " + field + " of " + picked_);
  const auto put = node_.engine->put_mapping(
      index.number, R"({"properties":{")" + field + R"(":{"type":"long"}}})");
  Presence& presence = index.fields.try_emplace(field, Presence::kGone).first->second;
  if (expect(put.status(), "put mapping")) {
    presence = Presence::kThere;
  } else if (presence == Presence::kGone) {
    presence = Presence::kMaybe;
  }
  after_request();
}

/// Limits the free space of the disk.
void Simulation::limit() {
  if (limited_) return lift();
  const uint64_t left = random_.below(40000);
  note("the disk has " + number(left) + " bytes left");
  node_.disk->set_capacity(node_.disk->used() + left);
  limited_ = true;
}

/// Removes the limit on the space: writes succeed again without a restart.
void Simulation::lift() {
  note("the disk is large again");
  node_.disk->set_capacity(kUnlimited);
  limited_ = false;
}

}  // namespace quarry::faults
