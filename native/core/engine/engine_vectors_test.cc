// Vectors over the life of a node: loaded, flushed, merged, replaced, deleted, replayed, damaged
// and repaired.
#include <map>
#include <string>
#include <vector>

#include "json/value.h"
#include "testing/engine_node.h"
#include "testing/test.h"
#include "testing/vector_documents.h"

namespace quarry::engine_vectors_test {

using testing::EngineNode;

constexpr uint32_t kDims = 6;
constexpr int kDocuments = 1300;

const char* const kMapping =
    R"("mappings":{"properties":{"v":{"type":"dense_vector"},"t":{"type":"keyword"}}})";

/// `_id` to source.
using Sources = std::map<std::string, std::string>;

/// Spelled so that only the client's original bytes reproduce it.
std::string source_of(Random& random) {
  return "{ \"t\":\"a\",\"v\" : " + testing::vector_json(testing::random_vector(random, kDims)) +
         " }";
}

/// Writes documents first .. first + count - 1, in bulks of a hundred.
void load(EngineNode& node, uint64_t seed, int first, int count, Sources& sources) {
  Random random(seed);
  for (int done = 0; done < count;) {
    std::string body;
    for (int end = std::min(count, done + 100); done < end; done++) {
      const std::string id = "d" + std::to_string(first + done);
      sources[id] = source_of(random);
      body += R"({"index":{"_id":")" + id + "\"}}\n" + sources[id] + "\n";
    }
    const auto answer = node.bulk(body, "i");
    for (const auto& item : answer.items) ASSERT_EQ(item.reason, "");
  }
}

uint64_t stat(EngineNode& node, const std::string& name) {
  const auto json = JsonValue::parse(*node.engine->index_stats(node.number_of("i")));
  const JsonValue* value = json.ok() ? json->find(name) : nullptr;
  return value == nullptr ? UINT64_MAX : static_cast<uint64_t>(value->as_int().value_or(-1));
}

void merge_all(EngineNode& node) {
  for (int step = 0; step < 20 && !node.engine->merge_candidates().empty(); step++) {
    node.merge("i", 0);
  }
  EXPECT_TRUE(node.engine->merge_candidates().empty());
}

std::string shard_dir(EngineNode& node) {
  return node.options.data_dir + "/indices/" + std::to_string(node.number_of("i")) + "/0";
}

std::string vectors_file(EngineNode& node) {
  const Result<std::vector<std::string>> names = node.disk->list(shard_dir(node));
  if (!names.ok()) return {};
  for (const std::string& name : *names) {
    if (name.ends_with(".vec")) return shard_dir(node) + "/" + name;
  }
  return {};
}

void write_file(EngineNode& node, const std::string& path, Bytes bytes) {
  auto file = node.disk->create(path);
  ASSERT_OK(file);
  ASSERT_OK((*file)->append(bytes));
  ASSERT_OK((*file)->sync());
  ASSERT_OK((*file)->close());
}

TEST(EngineVectors, AreBuiltInTheBackground) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMapping);
  Sources sources;
  load(node, 1, 0, kDocuments, sources);
  node.refresh("i");
  EXPECT_EQ(stat(node, "vector_count"), uint64_t{kDocuments});
  EXPECT_TRUE(stat(node, "vector_row_bytes") >= uint64_t{kDocuments} * kDims * 4);
  ASSERT_OK(node.flush("i"));
  EXPECT_EQ(stat(node, "vector_graph_bytes"), uint64_t{0});
  EXPECT_EQ(vectors_file(node), "");
  EXPECT_EQ(node.engine->merge_candidates().size(), size_t{1});
  merge_all(node);
  EXPECT_TRUE(stat(node, "vector_graph_bytes") > 0);
  EXPECT_TRUE(stat(node, "vector_code_bytes") > 0);
  EXPECT_TRUE(!vectors_file(node).empty());
  EXPECT_TRUE(node.all("i") == sources);
  EXPECT_TRUE(node.engine->describe(node.number_of("i"))->find(R"("dims":6)") != std::string::npos);
}

TEST(EngineVectors, ARestartBuildsNothingAgain) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMapping);
  Sources sources;
  load(node, 2, 0, kDocuments, sources);
  ASSERT_OK(node.flush("i"));
  merge_all(node);
  const uint64_t graph = stat(node, "vector_graph_bytes");
  ASSERT_OK(node.close());
  ASSERT_OK(node.open());
  // From the manifest before the shard is opened, and from its segments afterwards.
  EXPECT_EQ(stat(node, "vector_graph_bytes"), graph);
  EXPECT_TRUE(node.all("i") == sources);
  EXPECT_EQ(stat(node, "vector_graph_bytes"), graph);
  EXPECT_EQ(stat(node, "vector_count"), uint64_t{kDocuments});
  EXPECT_TRUE(node.engine->merge_candidates().empty());
  EXPECT_TRUE(node.engine->take_warnings().empty());
}

TEST(EngineVectors, ReplacedAndDeletedOnesGoWithTheNextMerge) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMapping);
  Sources sources;
  load(node, 3, 0, kDocuments, sources);
  ASSERT_OK(node.flush("i"));
  merge_all(node);
  load(node, 4, 100, 300, sources);
  for (int i = 500; i < 700; i++) {
    node.erase("i", "d" + std::to_string(i));
    sources.erase("d" + std::to_string(i));
  }
  ASSERT_OK(node.flush("i"));
  EXPECT_TRUE(node.all("i") == sources);
  while (node.merge("i", 1)) {
  }
  EXPECT_EQ(stat(node, "vector_count"), sources.size());
  EXPECT_TRUE(stat(node, "vector_graph_bytes") > 0);
  EXPECT_TRUE(node.all("i") == sources);
}

TEST(EngineVectors, ComeBackFromTheLog) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMapping);
  Sources sources;
  load(node, 5, 0, kDocuments, sources);
  ASSERT_OK(node.engine->sync_wal());
  const auto after = node.crash(7);
  ASSERT_OK(after->open());
  EXPECT_TRUE(after->all("i") == sources);
  EXPECT_EQ(stat(*after, "vector_count"), uint64_t{kDocuments});
  merge_all(*after);
  EXPECT_TRUE(stat(*after, "vector_graph_bytes") > 0);
}

TEST(EngineVectors, AForcedMergeBuildsTheOnlySegment) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMapping);
  Sources sources;
  load(node, 6, 0, kDocuments, sources);
  EXPECT_TRUE(node.merge("i", 1));
  EXPECT_TRUE(stat(node, "vector_graph_bytes") > 0);
  EXPECT_FALSE(node.merge("i", 1));
}

TEST(EngineVectors, ADamagedVectorsFileIsReportedAndMadeAgain) {
  for (const std::string how : {"flipped", "cut", "gone"}) {
    EngineNode node;
    ASSERT_OK(node.open());
    node.create("i", kMapping);
    Sources sources;
    load(node, 8, 0, kDocuments, sources);
    ASSERT_OK(node.flush("i"));
    merge_all(node);
    ASSERT_OK(node.close());
    const std::string path = vectors_file(node);
    const std::vector<uint8_t> bytes = *node.disk->read(path);
    if (how == "flipped") node.disk->damage(path, bytes.size() / 2, 4);
    if (how == "cut") write_file(node, path, Bytes(bytes).first(bytes.size() / 2));
    if (how == "gone") ASSERT_OK(node.disk->remove(path));
    ASSERT_OK(node.open());
    EXPECT_TRUE(node.all("i") == sources);
    const std::vector<std::string> warnings = node.engine->take_warnings();
    ASSERT_EQ(warnings.size(), size_t{1});
    EXPECT_TRUE(warnings[0].starts_with("index [i]: segment ["));
    EXPECT_TRUE(node.engine->take_warnings().empty());
    EXPECT_EQ(stat(node, "vector_graph_bytes"), uint64_t{0});
    merge_all(node);
    EXPECT_TRUE(stat(node, "vector_graph_bytes") > 0);
    EXPECT_TRUE(node.all("i") == sources);
    ASSERT_OK(node.close());
    ASSERT_OK(node.open());
    EXPECT_TRUE(node.all("i") == sources);
    EXPECT_TRUE(node.engine->take_warnings().empty());
  }
}

TEST(EngineVectors, AbortedMergesLeaveWorkForTheNextStart) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMapping);
  Sources sources;
  load(node, 9, 0, kDocuments, sources);
  ASSERT_OK(node.flush("i"));
  node.engine->abort_merges();
  EXPECT_TRUE(!node.engine->merge({node.number_of("i"), 0}, 0).ok());
  load(node, 10, kDocuments, 50, sources);
  ASSERT_OK(node.flush("i"));
  ASSERT_OK(node.close());
  ASSERT_OK(node.open());
  EXPECT_TRUE(node.all("i") == sources);
  merge_all(node);
  EXPECT_TRUE(stat(node, "vector_graph_bytes") > 0);
}

TEST(EngineVectors, ARefusedVectorFailsItsItemAlone) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMapping);
  const auto answer = node.bulk(
      "{\"index\":{\"_id\":\"a\"}}\n{\"v\":[1,2,3]}\n"
      "{\"index\":{\"_id\":\"b\"}}\n{\"v\":[1,2]}\n"
      "{\"index\":{\"_id\":\"c\"}}\n{\"v\":[1,2,1e39]}\n"
      "{\"index\":{\"_id\":\"d\"}}\n{\"v\":[3,2,1]}\n",
      "i");
  ASSERT_EQ(answer.items.size(), size_t{4});
  EXPECT_EQ(answer.items[0].status, 201);
  EXPECT_EQ(answer.items[1].status, 400);
  EXPECT_EQ(answer.items[2].status, 400);
  EXPECT_EQ(answer.items[3].status, 201);
  node.refresh("i");
  EXPECT_EQ(stat(node, "vector_count"), uint64_t{2});
}

}  // namespace quarry::engine_vectors_test
