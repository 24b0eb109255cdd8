// Scores of Lucene (Elasticsearch scoring) on four collections: top ten and totals of every query.
// The data is outside of the repository; without it the test prints a message and passes.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "json/value.h"
#include "testing/test_index.h"

namespace quarry::golden_bm25_test {

using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

std::string shared_folder() {
  const char* set = std::getenv("QUARRY_SHARED");
  return set != nullptr ? set : std::string(QUARRY_SOURCE_DIR) + "/../shared";
}

struct GoldenHit {
  std::string id;
  double score = 0;
  uint64_t total = 0;
};

std::map<std::string, std::vector<GoldenHit>> read_golden(const std::string& path) {
  std::map<std::string, std::vector<GoldenHit>> out;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::string query;
    std::string rank;
    GoldenHit hit;
    cells >> query >> rank >> hit.id >> hit.score >> hit.total;
    out[query].push_back(hit);
  }
  return out;
}

std::string text_of(const JsonValue& json, std::string_view key) {
  const JsonValue* found = json.find(key);
  return found == nullptr ? std::string() : std::string(found->text());
}

void add_corpus(const std::string& path, TestIndex& index) {
  std::ifstream in(path);
  std::string line;
  uint32_t count = 0;
  while (std::getline(in, line)) {
    const Result<JsonValue> json = JsonValue::parse(line);
    EXPECT_OK(json);
    if (!json.ok()) return;
    std::string source = "{\"text\":";
    append_json_string(source, text_of(*json, "title") + " " + text_of(*json, "text"));
    index.add(text_of(*json, "_id"), source + "}");
    if (++count % 500 == 0) index.refresh();
  }
  index.refresh();
}

void check_query(const TestIndex& index, const std::string& text,
                 const std::vector<GoldenHit>& golden) {
  PlanFrame frame;
  frame.legs.push_back(Query().match("text", text));
  for (const uint32_t track : {kExactTotal, 0U}) {
    frame.track_total_hits = track;
    const Result<ShardHits> hits = index.run(frame);
    EXPECT_OK(hits);
    if (!hits.ok() || hits->legs[0].docs.size() != golden.size()) {
      EXPECT_TRUE(false);
      return;
    }
    if (track == kExactTotal) EXPECT_EQ(hits->total, golden[0].total);
    for (size_t i = 0; i < golden.size(); i++) {
      EXPECT_NEAR(static_cast<double>(hits->legs[0].scores[i]) / golden[i].score, 1.0, 1e-4);
      const bool tied = (i > 0 && golden[i - 1].score - golden[i].score < 1e-4) ||
                        (i + 1 < golden.size() && golden[i].score - golden[i + 1].score < 1e-4) ||
                        i + 1 == golden.size();
      if (!tied) EXPECT_EQ(index.id(hits->legs[0].docs[i]), golden[i].id);
    }
  }
}

void check_set(const std::string& name) {
  const std::string folder = shared_folder() + "/lexical/";
  const auto golden = read_golden(folder + "golden/bm25." + name + ".tsv");
  if (golden.empty()) {
    std::printf("skipped: %sgolden/bm25.%s.tsv is not there\n", folder.c_str(), name.c_str());
    return;
  }
  TestIndex index(R"({"properties":{"text":{"type":"text"}}})");
  add_corpus(folder + name + "/corpus.ndjson", index);
  std::ifstream in(folder + name + "/queries.ndjson");
  std::string line;
  size_t checked = 0;
  while (std::getline(in, line)) {
    const Result<JsonValue> json = JsonValue::parse(line);
    ASSERT_OK(json);
    const auto found = golden.find(text_of(*json, "_id"));
    if (found == golden.end()) continue;
    check_query(index, text_of(*json, "text"), found->second);
    checked++;
  }
  EXPECT_EQ(checked, golden.size());
}

TEST(GoldenBm25, Cacm) { check_set("cacm"); }
TEST(GoldenBm25, Cisi) { check_set("cisi"); }
TEST(GoldenBm25, Cranfield) { check_set("cranfield"); }
TEST(GoldenBm25, Medline) { check_set("medline"); }

}  // namespace quarry::golden_bm25_test
