// Random histories compared with a map: after any refreshes, flushes, merges, restarts or power
// cuts, gets and searches agree with the model, and synced data survives. A failure prints the
// seed.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_model_test {

using testing::EngineNode;
using testing::Item;

struct Document {
  std::string source;
  uint64_t version = 0;
  friend bool operator==(const Document&, const Document&) = default;
};
/// Nullopt: the document does not exist.
using State = std::optional<Document>;

class History {
 public:
  explicit History(uint64_t seed) : random_(seed), node_(std::make_unique<EngineNode>()) {
    node_->options.wal_file_bytes = 8192;
    node_->options.memtable_flush_bytes = 1 << 20;
    EXPECT_OK(node_->open());
    shards_ = 1 + random_.below(3);
    node_->create("i", "\"number_of_shards\":" + std::to_string(shards_));
  }

  void run(int steps) {
    for (int i = 0; i < steps; i++) step();
    node_->refresh("i");
    check_search();
  }

 private:
  void step() {
    switch (random_.below(24)) {
      case 0:
      case 1:
        node_->refresh("i");
        check_search();
        break;
      case 2:
        EXPECT_OK(node_->flush("i"));
        check_search();
        break;
      case 3:
        node_->merge("i", 0);
        break;
      case 4:
        if (random_.below(4) == 0) node_->merge("i", 1);
        break;
      case 5:
        restart();
        break;
      case 6:
        EXPECT_OK(node_->engine->sync_wal());
        synced();
        break;
      case 7:
        if (random_.below(3) == 0) crash();
        break;
      case 8:
        if (random_.below(3) == 0) rest();
        break;
      default:
        write();
        check(id());
        break;
    }
  }

  std::string id() { return "d" + std::to_string(random_.below(30)); }

  std::string source() {
    return "{\"n\":" + std::to_string(random_.below(1000)) + ",\"t\":\"word" +
           std::to_string(random_.below(9)) + " common\",\"f" + std::to_string(random_.below(5)) +
           "\":true}";
  }

  void write() {
    const std::string at = id();
    const std::string body = source();
    const State before = now_[at];
    Item item;
    switch (random_.below(5)) {
      case 0:
        item = node_->erase("i", at);
        EXPECT_EQ(item.result, before ? ItemResult::kDeleted : ItemResult::kNotFound);
        set(at, std::nullopt);
        return;
      case 1:
        item =
            node_->bulk("{\"create\":{\"_id\":\"" + at + "\"}}\n" + body + "\n", "i").items.at(0);
        EXPECT_EQ(item.error, before ? ErrorType::kVersionConflict : ErrorType::kOk);
        if (before) return;
        break;
      case 2:
        update(at, before);
        return;
      default:
        item = node_->put("i", at, body);
        EXPECT_EQ(item.result, before ? ItemResult::kUpdated : ItemResult::kCreated);
        break;
    }
    if (before) EXPECT_EQ(item.version, before->version + 1);
    set(at, Document{body, item.version});
  }

  void update(const std::string& at, const State& before) {
    const std::string line = "{\"update\":{\"_id\":\"" + at + "\",\"_source\":true}}\n" +
                             "{\"doc\":{\"u\":" + std::to_string(random_.below(3)) + "}}\n";
    const Item item = node_->bulk(line, "i").items.at(0);
    EXPECT_EQ(item.error, before ? ErrorType::kOk : ErrorType::kDocumentMissing);
    if (!before) return;
    if (item.result == ItemResult::kNoop) {
      EXPECT_EQ(item.version, before->version);
      EXPECT_EQ(item.get, before->source);
    } else {
      set(at, Document{item.get, item.version});
    }
  }

  void set(const std::string& at, State state) {
    since_sync_[at].push_back(now_[at]);
    now_[at] = std::move(state);
  }

  void synced() { since_sync_.clear(); }

  State read(const std::string& at) {
    const auto found = node_->get("i", at);
    if (!found) return std::nullopt;
    return Document{found->source, found->version};
  }

  void check(const std::string& at) { EXPECT_TRUE(read(at) == now_[at]); }

  void check_search() {
    std::map<std::string, std::string> expected;
    for (const auto& [at, state] : now_) {
      if (state) expected[at] = state->source;
    }
    EXPECT_TRUE(node_->all("i") == expected);
  }

  /// Ends the process; the page cache is kept.
  void restart() {
    if (random_.below(2) == 0) {
      EXPECT_OK(node_->close());
      synced();
    } else {
      node_->engine.reset();
    }
    EXPECT_OK(node_->open());
    for (const auto& [at, state] : now_) check(at);
    check_search();
  }

  /// Advances the clock without requests, until the index is closed.
  void rest() {
    for (int i = 0; i < 2; i++) {
      node_->clock.advance_ms(node_->options.idle_close_ms);
      for (const ShardId shard : node_->engine->flush_candidates()) {
        EXPECT_OK(node_->engine->flush(shard));
        synced();
      }
    }
    static_cast<void>(node_->engine->close_idle());
    check_search();
  }

  /// Cuts the power. Unsynced data may be lost or kept, but nothing else may exist.
  void crash() {
    node_ = node_->crash(random_.next());
    const Status opened = node_->open();
    EXPECT_OK(opened);
    if (!opened.ok()) return;
    for (auto& [at, state] : now_) {
      const State found = read(at);
      bool allowed = found == state;
      for (const State& earlier : since_sync_[at]) allowed = allowed || found == earlier;
      EXPECT_TRUE(allowed);
      state = found;
    }
    synced();
    check_search();
  }

  Random random_;
  uint64_t shards_ = 1;
  std::unique_ptr<EngineNode> node_;
  std::map<std::string, State> now_;
  std::map<std::string, std::vector<State>> since_sync_;
};

TEST(EngineModel, RandomHistoriesAgreeWithAMap) {
  for (uint64_t seed = 1; seed <= 12; seed++) {
    const size_t failures = testing::failures().size();
    History(seed).run(400);
    if (testing::failures().size() > failures) {
      EXPECT_EQ(seed, 0);
      return;
    }
  }
}

}  // namespace quarry::engine_model_test
