// What does a query cost, by family? CPU microseconds of the searching thread, best of several
// passes, mean over the family's queries, for top 10, top 10 with the exact total, and the total
// alone; blocks decoded for the first. Arguments: a corpus (one JSON document a line, members
// subject, body, repo, date) and a workload (see
// ../shared/lexical). Before anything is timed, pruned hits are compared with exhaustive ones.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "json/value.h"
#include "testing/test_index.h"

namespace {

using namespace quarry;
using namespace quarry::testing;

constexpr int kPasses = 4;

double cpu_us() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

std::string text_of(const JsonValue& json, std::string_view key) {
  const JsonValue* found = json.find(key);
  return found == nullptr ? std::string() : std::string(found->text());
}

void load_corpus(const char* path, TestIndex& index) {
  std::ifstream in(path);
  uint32_t number = 0;
  for (std::string line; std::getline(in, line); number++) {
    const Result<JsonValue> json = JsonValue::parse(line);
    if (!json.ok()) continue;
    JsonValue document = JsonValue::object();
    document.set("text",
                 JsonValue::string(text_of(*json, "subject") + " " + text_of(*json, "body")));
    document.set("repo", JsonValue::string(text_of(*json, "repo")));
    document.set("ts", JsonValue::string(text_of(*json, "date")));
    index.add(std::to_string(number), document.to_json());
  }
  index.refresh();
}

std::vector<NodeBytes> term_nodes(const JsonValue& query) {
  std::vector<NodeBytes> out;
  for (const JsonValue& term : query.find("terms")->items())
    out.push_back(Query().term("text", term.text()));
  return out;
}

std::string joined_terms(const JsonValue& query) {
  std::string out;
  for (const JsonValue& term : query.find("terms")->items()) out += std::string(term.text()) + " ";
  return out;
}

/// The workload's times are in seconds.
NodeBytes time_range(const JsonValue& query) {
  return Query().range("ts", 1 | 8, {text_of(query, "gte") + "000", text_of(query, "lt") + "000"});
}

/// No legs: a kind this bench does not run.
PlanFrame make_frame(const JsonValue& query) {
  PlanFrame frame;
  const std::string kind = text_of(query, "kind");
  if (kind == "term") frame.legs = term_nodes(query);
  if (kind == "and") frame.legs = {Query().boolean(term_nodes(query))};
  if (kind == "or") frame.legs = {Query().boolean({}, {}, term_nodes(query))};
  if (kind == "phrase") frame.legs = {Query().match_phrase("text", joined_terms(query))};
  if (kind == "prefix") frame.legs = {Query().prefix("text", text_of(query, "prefix"))};
  if (kind == "wildcard") frame.legs = {Query().wildcard("text", text_of(query, "pattern"))};
  if (kind == "fuzzy") frame.legs = {Query().fuzzy("text", text_of(query, "term"), "1")};
  if (kind == "range_term") frame.legs = {Query().boolean(term_nodes(query), {time_range(query)})};
  if (kind == "filter") {
    const std::vector<JsonValue>& filters = query.find("filters")->items();
    frame.legs = {Query().boolean(
        {}, {Query().term("repo", text_of(filters[0], "value")), time_range(filters[1])})};
  }
  if (kind == "sort") {
    frame.legs = term_nodes(query);
    SortKey key;
    key.field = "ts";
    key.descending = true;
    frame.sort = {key};
  }
  return frame;
}

struct Mode {
  uint32_t window;
  uint32_t track;
};
constexpr Mode kModes[] = {{10, 0}, {10, kExactTotal}, {0, kExactTotal}};

struct Family {
  uint32_t queries = 0;
  double hits = 0;
  double us[3] = {};
  double blocks = 0;
};

bool same_hits(const ShardHits& a, const ShardHits& b) { return a.legs[0].docs == b.legs[0].docs; }

void measure(const TestIndex& index, PlanFrame frame, Family& family) {
  std::vector<ShardHits> results;
  for (size_t mode = 0; mode < 3; mode++) {
    frame.window = kModes[mode].window;
    frame.track_total_hits = kModes[mode].track;
    const std::vector<uint8_t> bytes = frame.bytes();
    const Result<Plan> plan = decode_plan(bytes);
    const SearchContext context = index.context();
    double best = 1e18;
    for (int pass = 0; pass <= kPasses; pass++) {
      const double start = cpu_us();
      Result<ShardHits> hits = execute_search(context, *plan);
      best = std::min(best, cpu_us() - start);
      if (!hits.ok()) {
        std::fprintf(stderr, "%s\n", hits.status().reason().c_str());
        std::exit(1);
      }
      if (pass == 0) results.push_back(std::move(hits).value());
    }
    family.us[mode] += best;
  }
  if (!same_hits(results[0], results[1])) {
    std::fprintf(stderr, "wrong: pruned hits differ\n");
    std::exit(1);
  }
  family.queries++;
  family.hits += static_cast<double>(results[1].total);
  family.blocks += static_cast<double>(results[0].blocks_decoded);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: query_bench <corpus.ndjson> <workload.ndjson>\n");
    return 2;
  }
  TestIndex index(
      R"({"properties":{"text":{"type":"text"},"repo":{"type":"keyword"},"ts":{"type":"date"}}})");
  load_corpus(argv[1], index);
  std::map<std::string, Family> families;
  std::ifstream in(argv[2]);
  for (std::string line; std::getline(in, line);) {
    const Result<JsonValue> query = JsonValue::parse(line);
    if (!query.ok()) continue;
    const PlanFrame frame = make_frame(*query);
    if (!frame.legs.empty()) measure(index, frame, families[text_of(*query, "family")]);
  }
  std::printf("%-18s %6s %9s %10s %10s %10s %8s\n", "family", "n", "hits", "top10", "+count",
              "count", "blocks");
  for (const auto& [name, family] : families) {
    const auto n = static_cast<double>(family.queries);
    std::printf("%-18s %6u %9.0f %10.1f %10.1f %10.1f %8.1f\n", name.c_str(), family.queries,
                family.hits / n, family.us[0] / n, family.us[1] / n, family.us[2] / n,
                family.blocks / n);
  }
  return 0;
}
