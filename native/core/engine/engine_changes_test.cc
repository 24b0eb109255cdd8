// Atomic changes of several indexes: after an end of the process at any disk operation, and after
// any error, either all changes are made or none, and the node continues to work.
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "json/value.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_changes_test {

using testing::DiskEvent;
using testing::DiskOp;
using testing::DiskVerdict;
using testing::EngineNode;

std::string member(const JsonValue& index, std::string_view name) {
  const JsonValue* value = index.find(name);
  return value == nullptr ? "" : value->to_json();
}

/// The visible state of all indexes: name, aliases, state and mappings of each, sorted by name.
std::string seen(EngineNode& node) {
  const Result<std::string> lines = node.engine->describe_all();
  if (!lines.ok()) return lines.status().reason();
  std::set<std::string> indexes;
  for (size_t begin = 0; begin < lines->size();) {
    const size_t end = lines->find('\n', begin);
    const Result<JsonValue> index = JsonValue::parse(lines->substr(begin, end - begin));
    if (!index.ok()) return index.status().reason();
    indexes.insert(member(*index, "name") + member(*index, "aliases") + member(*index, "state") +
                   member(*index, "mappings"));
    begin = end + 1;
  }
  std::string all;
  for (const std::string& index : indexes) all += index + "\n";
  return all;
}

/// A rollover from `a` to `c`, a new field in `b`, and the deletion of `d`.
std::string change_of(EngineNode& node) {
  const auto number = [&node](const char* name) { return std::to_string(node.number_of(name)); };
  return R"([{"create":{"name":"c","aliases":{"w":{"is_write_index":true}}}},{"index":)" +
         number("a") + R"(,"members":{"aliases":{"w":{"is_write_index":false}}}},{"index":)" +
         number("b") +
         R"(,"members":{"state":"close"},"mappings":{"properties":{"t":{"type":"date"}}}},)" +
         R"({"drop":)" + number("d") + "}]";
}

void set_up(EngineNode& node) {
  ASSERT_OK(node.open());
  node.create("a", R"("aliases":{"w":{"is_write_index":true}})");
  node.create("b");
  node.create("d");
  node.put("a", "1", R"({"x":1})");
  node.put("d", "1", R"({"x":1})");
  ASSERT_OK(node.engine->sync_wal().status());
}

/// Runs both calls of a change; ok if it is made.
Status change(EngineNode& node) {
  QUARRY_RETURN_IF_ERROR(node.engine->change_indexes(change_of(node)).status());
  return node.engine->finish_changes();
}

struct Pictures {
  std::string before;
  std::string after;
};

Pictures pictures() {
  EngineNode node;
  set_up(node);
  Pictures both;
  both.before = seen(node);
  EXPECT_OK(change(node));
  both.after = seen(node);
  EXPECT_NE(both.before, both.after);
  return both;
}

/// Verifies that the node accepts further changes.
void goes_on(EngineNode& node) {
  const uint32_t index = node.create("next");
  node.put("next", "1", R"({"x":1})");
  EXPECT_OK(node.engine->put_spec(index, R"({"aliases":{"n":{}}})").status());
  ASSERT_OK(node.close());
  ASSERT_OK(node.open());
  EXPECT_TRUE(node.get("next", "1").has_value());
  EXPECT_TRUE(node.get("a", "1").has_value());
  EXPECT_FALSE(node.disk->exists("/data/CHANGES"));
}

TEST(EngineChanges, AreSeenAtOnceAndAfterARestart) {
  const Pictures both = pictures();
  EngineNode node;
  set_up(node);
  const Result<std::string> described = node.engine->change_indexes(change_of(node));
  ASSERT_OK(described.status());
  // The new index and the changed ones, in the requested order.
  EXPECT_EQ(std::count(described->begin(), described->end(), '\n'), 3);
  EXPECT_NE(described->find(R"("name":"c")"), std::string::npos);
  // A dropped index exists until finish_changes().
  EXPECT_TRUE(node.get("d", "1").has_value());
  ASSERT_OK(node.engine->finish_changes());
  EXPECT_EQ(node.engine->describe(node.number_of("d")).status().type(), ErrorType::kIndexNotFound);
  EXPECT_EQ(seen(node), both.after);
  EXPECT_FALSE(node.disk->exists("/data/CHANGES"));
  ASSERT_OK(node.close());
  ASSERT_OK(node.open());
  EXPECT_EQ(seen(node), both.after);
  goes_on(node);
}

/// Ends the process at every operation and kill point, with or without a power cut.
void walk(DiskVerdict verdict, bool power_cut) {
  const Pictures both = pictures();
  size_t before = 0;
  size_t after = 0;
  for (int64_t at = 0; at < 500; at++) {
    EngineNode node;
    set_up(node);
    int64_t event = 0;
    bool died = false;
    node.disk->set_script([&](const DiskEvent&) {
      if (event++ != at) return DiskVerdict::kGo;
      died = true;
      return verdict;
    });
    const bool made = change(node).ok();
    if (!died) {
      EXPECT_TRUE(before > 5 && after > 5);
      return;
    }
    node.engine.reset();
    node.disk->set_script(nullptr);
    if (power_cut) {
      node.disk = node.disk->after_crash(static_cast<uint64_t>(at));
      node.options.file_system = node.disk.get();
    } else {
      node.disk->revive();
    }
    ASSERT_OK(node.open());
    const std::string now = seen(node);
    ASSERT_TRUE(now == both.after || (!made && now == both.before));
    (now == both.after ? after : before)++;
    goes_on(node);
  }
  EXPECT_TRUE(false);  // the change never ended: raise the number of operations
}

TEST(EngineChanges, AnEndBeforeAnyOperationLeavesAllOrNothing) {
  walk(DiskVerdict::kDieBefore, false);
}
TEST(EngineChanges, AnEndAfterAnyOperationLeavesAllOrNothing) {
  walk(DiskVerdict::kDieAfter, false);
}
TEST(EngineChanges, APowerCutInAnyOperationLeavesAllOrNothing) {
  walk(DiskVerdict::kDieDuring, true);
}

/// Fails one operation; the reported result is correct at once, and after the next start.
void walk_failures(DiskVerdict verdict) {
  const Pictures both = pictures();
  for (int64_t at = 0; at < 500; at++) {
    EngineNode node;
    set_up(node);
    int64_t event = 0;
    bool failed = false;
    bool is_sync = false;
    node.disk->set_script([&](const DiskEvent& what) {
      if (what.op == DiskOp::kPoint || event++ != at) return DiskVerdict::kGo;
      failed = true;
      is_sync = what.op == DiskOp::kSync || what.op == DiskOp::kSyncDir;
      return verdict;
    });
    const bool made = node.engine->change_indexes(change_of(node)).ok();
    const Status finished = node.engine->finish_changes();
    if (!failed) return;
    node.disk->set_script(nullptr);
    if (!is_sync) {
      // Remaining work has been done by now, or is done by the next change.
      if (!finished.ok()) EXPECT_OK(node.engine->finish_changes());
      EXPECT_EQ(seen(node), made ? both.after : both.before);
    }
    node.engine.reset();
    ASSERT_OK(node.open());
    const std::string now = seen(node);
    // After a failed sync the result is unknown, but it is one of the two states.
    EXPECT_TRUE(now == both.after || (!made && now == both.before));
    goes_on(node);
  }
  EXPECT_TRUE(false);  // the change never ended: raise the number of operations
}

TEST(EngineChanges, AFailureOfAnyOperationLeavesAllOrNothing) { walk_failures(DiskVerdict::kFail); }
TEST(EngineChanges, AFullDiskAtAnyOperationLeavesAllOrNothing) {
  walk_failures(DiskVerdict::kFull);
}

TEST(EngineChanges, OneThatIsRefusedRefusesAll) {
  EngineNode node;
  set_up(node);
  const std::string before = seen(node);
  const std::string a = std::to_string(node.number_of("a"));
  for (const std::string& bad :
       {std::string(R"({"create":{"name":""}})"), std::string(R"({"drop":999})"),
        std::string(R"({"restore":999,"spec":{"name":"r"}})"), R"({"drop":)" + a + "}",
        std::string(R"({"index":999,"members":{}})"),
        std::string(R"({"create":{"name":"x","mappings":{"properties":{"f":{"type":"no"}}}}})")}) {
    const std::string changes =
        R"([{"create":{"name":"c"}},{"index":)" + a + R"(,"members":{"aliases":{}}},)" + bad + "]";
    EXPECT_FALSE(node.engine->change_indexes(changes).ok());
    EXPECT_EQ(seen(node), before);
  }
  ASSERT_OK(node.close());
  ASSERT_OK(node.open());
  EXPECT_EQ(seen(node), before);
}

TEST(EngineChanges, AMappingThatDocumentsGrowMeanwhileIsKept) {
  EngineNode node;
  set_up(node);
  ASSERT_OK(change(node));
  node.put("b", "1", R"({"grown":1})");
  ASSERT_OK(node.engine->sync_wal().status());
  const std::unique_ptr<EngineNode> after = node.crash(1);
  ASSERT_OK(after->open());
  const std::string now = seen(*after);
  EXPECT_NE(now.find("grown"), std::string::npos);
  EXPECT_NE(now.find(R"("t":{"type":"date"})"), std::string::npos);
}

TEST(EngineChanges, ReportsAndSetsAsideADamagedRecord) {
  EngineNode node;
  set_up(node);
  node.disk->set_script([](const DiskEvent& event) {
    return event.path == "index of a change born" ? DiskVerdict::kDieBefore : DiskVerdict::kGo;
  });
  EXPECT_FALSE(change(node).ok());
  node.engine.reset();
  node.disk->set_script(nullptr);
  node.disk->revive();
  node.disk->damage("/data/CHANGES", 5, 1);
  ASSERT_OK(node.open());
  const std::vector<std::string> warnings = node.engine->take_warnings();
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_NE(warnings[0].find("/data/CHANGES"), std::string::npos);
  goes_on(node);
}

}  // namespace quarry::engine_changes_test
