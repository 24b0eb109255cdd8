// One byte changed, one file truncated or removed, anywhere in a data folder: the engine returns
// the original results or an error with the reason. It never returns anything else, and never
// crashes.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_flips_test {

using testing::EngineNode;
using testing::Query;
using testing::SearchAnswer;

constexpr const char* kMembers =
    R"("number_of_shards":2,"mappings":{"properties":{"t":{"type":"text"},"k":{"type":"keyword"},)"
    R"("n":{"type":"long"},"v":{"type":"dense_vector","dims":3}}})";

std::string source_of(int i) {
  return R"({"t":"words of )" + std::to_string(i % 5) + R"(","k":"k)" + std::to_string(i % 3) +
         R"(","n":)" + std::to_string(i) + R"(,"v":[1,)" + std::to_string(i) + ",2]}";
}

/// The results of all requests before the damage.
struct Answers {
  std::map<std::string, uint64_t> totals;  // by index and query
  std::map<std::string, std::string> sources;
};

/// Two indexes with segments, deletions, and acknowledged operations that are only in the log.
struct Sample {
  Sample() {
    EXPECT_OK(node.open());
    node.create("a", kMembers);
    node.create("b");
    for (int i = 0; i < 30; i++) node.put("a", std::to_string(i), source_of(i));
    EXPECT_OK(node.flush("a"));
    for (int i = 20; i < 40; i++) node.put("a", std::to_string(i), source_of(i + 1));
    node.put("b", "1", R"({"t":"words","late":1})");
    EXPECT_OK(node.flush("a"));
    EXPECT_OK(node.flush("b"));
    node.put("a", "3", source_of(333));
    node.erase("a", "4");
    node.put("b", "2", R"({"t":"words again"})");
    EXPECT_OK(node.engine->sync_wal().status());
    for (const std::string index : {"a", "b"}) node.refresh(index);
    expected = ask(node);
    node.engine.reset();
  }

  static Answers ask(EngineNode& node) {
    Answers answers;
    for (const std::string index : {"a", "b"}) {
      const std::pair<std::string, testing::NodeBytes> queries[] = {
          {"all", Query().match_all()},
          {"t", Query().term("t", "words")},
          {"k", Query().term("k", "k1")}};
      for (const auto& [name, query] : queries) {
        const SearchAnswer answer = node.search(index, query);
        if (answer.error == ErrorType::kOk) answers.totals[index + name] = answer.total;
      }
      for (const std::string id : {"1", "2", "3", "4", "25"}) {
        const auto fetched = testing::decode_fetched(
            node.engine->get(node.number_of(index), id, "", true, testing::PlanFrame().bytes()));
        if (fetched.error != ErrorType::kOk) continue;
        const bool found = fetched.documents.at(0).found;
        answers.sources[index + id] = found ? fetched.documents.at(0).source : "(absent)";
      }
    }
    return answers;
  }

  /// Opens the folder and compares. Results may be missing because of an error; all others must be
  /// unchanged.
  void check(EngineNode& damaged, const std::string& what) {
    Result<std::unique_ptr<Engine>> opened = Engine::open(damaged.options);
    if (!opened.ok()) {
      const bool allowed =
          opened.status().type() == ErrorType::kCorrupt &&
          (what.find("/wal/") != std::string::npos || what.find("/NODE") != std::string::npos);
      EXPECT_TRUE(allowed);
      if (!allowed) std::printf("  %s: %s\n", what.c_str(), opened.status().reason().c_str());
      refused_starts++;
      return;
    }
    damaged.engine = std::move(*opened);
    for (const ShardId shard : damaged.engine->needs_recovery()) {
      static_cast<void>(damaged.engine->recover(shard));
    }
    const Answers answers = ask(damaged);
    for (const auto& [name, total] : answers.totals) {
      EXPECT_EQ(total, expected.totals.at(name));
      if (total != expected.totals.at(name)) std::printf("  %s: %s\n", what.c_str(), name.c_str());
    }
    for (const auto& [name, source] : answers.sources) {
      EXPECT_EQ(source, expected.sources.at(name));
      if (source != expected.sources.at(name))
        std::printf("  %s: %s\n", what.c_str(), name.c_str());
    }
    const size_t given = answers.totals.size() + answers.sources.size();
    EXPECT_GE(given, expected.totals.size() / 2);  // the other index is served
    if (given < expected.totals.size() + expected.sources.size()) {
      refused_answers++;
      EXPECT_NE(damaged.engine->damages(), "[]");
    }
  }

  std::vector<std::string> files(const std::string& dir = "/data") {
    std::vector<std::string> found;
    const auto names = node.disk->list(dir);
    for (const std::string& name : *names) {
      const std::string path = dir + "/" + name;
      if (name == "node.lock") continue;
      if (node.disk->read(path).ok()) {
        found.push_back(path);
        continue;
      }
      const std::vector<std::string> below = files(path);
      found.insert(found.end(), below.begin(), below.end());
    }
    return found;
  }

  EngineNode node;
  Answers expected;
  int refused_starts = 0;
  int refused_answers = 0;
};

TEST(EngineFlips, AChangedByteIsNeverAnswered) {
  Sample sample;
  Random random(5);
  EXPECT_EQ(sample.expected.totals.size(), 6);
  for (const std::string& path : sample.files()) {
    const std::vector<uint8_t> bytes = *sample.node.disk->read(path);
    // Log files mostly consist of preallocated space.
    size_t used = bytes.size();
    while (used > 1 && bytes[used - 1] == 0) used--;
    for (int i = 0; i < 25; i++) {
      const std::unique_ptr<EngineNode> damaged = sample.node.crash(0);
      const size_t at = random.below(used);
      damaged->disk->damage(path, at, static_cast<uint8_t>(1U << random.below(8)));
      sample.check(*damaged, path + " at " + std::to_string(at));
    }
  }
  EXPECT_GT(sample.refused_starts, 10);
  EXPECT_GT(sample.refused_answers, 50);
}

TEST(EngineFlips, AFileCutAnywhereIsNeverAnswered) {
  Sample sample;
  Random random(6);
  for (const std::string& path : sample.files()) {
    const std::vector<uint8_t> bytes = *sample.node.disk->read(path);
    for (int i = 0; i < 12; i++) {
      const size_t size = i == 0 ? 0 : i == 1 ? bytes.size() - 1 : random.below(bytes.size());
      const std::unique_ptr<EngineNode> damaged = sample.node.crash(0);
      ASSERT_OK(damaged->disk->create_dirs("/data"));
      auto file = damaged->disk->create(path);
      ASSERT_OK(file.status());
      ASSERT_OK((*file)->append(Bytes(bytes).first(size)));
      sample.check(*damaged, path + " cut at " + std::to_string(size));
    }
  }
  EXPECT_GT(sample.refused_answers, 50);
}

TEST(EngineFlips, AFileThatIsGoneIsMissed) {
  Sample sample;
  for (const std::string& path : sample.files()) {
    const std::unique_ptr<EngineNode> damaged = sample.node.crash(0);
    ASSERT_OK(damaged->disk->remove(path));
    sample.check(*damaged, path + " gone");
  }
  EXPECT_GT(sample.refused_starts, 0);
  EXPECT_GT(sample.refused_answers, 8);
}

}  // namespace quarry::engine_flips_test
