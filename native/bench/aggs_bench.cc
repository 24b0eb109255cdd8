// Measures the cost of aggregations over 1,000,000 documents in one shard of four segments: CPU
// milliseconds of the searching thread, best of several passes, and bytes of the partial result.
// Before a case is timed, its document count is compared with that of a plain search.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "base/random.h"
#include "query/aggs/metrics/hdr_bins.h"
#include "testing/agg_builder.h"
#include "testing/query_builder.h"
#include "testing/test_index.h"

namespace {

using namespace quarry;
using namespace quarry::testing;

constexpr uint32_t kDocs = 1000000;
constexpr uint32_t kSegmentDocs = 250000;
constexpr uint32_t kNodes = 24000;
constexpr int kPasses = 5;

double cpu_ms() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void load(TestIndex& index) {
  Random random(7);
  for (uint32_t i = 0; i < kDocs; i++) {
    const auto below = [&](uint64_t limit) { return std::to_string(random.next() % limit); };
    index.add(
        std::to_string(i),
        R"({"src":"node-)" + below(kNodes) + R"(","type":"type-)" + below(10) + R"(","tags":["a)" +
            below(50) + R"(","b)" + below(50) + R"("],"n":)" + below(100000) + R"(,"price":)" +
            below(10000000) + R"(.5,"day":)" +
            std::to_string(1600000000000 + static_cast<int64_t>(random.next() % 94608000000)) +
            "}");
    if ((i + 1) % kSegmentDocs == 0) index.refresh();
  }
}

struct Case {
  std::string name;
  NodeBytes agg;
  NodeBytes query;
};

void run(const TestIndex& index, const Case& one) {
  PlanFrame frame;
  frame.legs.push_back(one.query);
  frame.aggs.push_back(one.agg);
  frame.window = 0;
  PlanFrame plain = frame;
  plain.aggs.clear();
  const Result<ShardHits> counted = index.run(plain);
  const Result<ShardHits> seen = index.run(frame);
  if (!counted.ok() || !seen.ok() || counted->total != seen->total) {
    std::printf("%s: wrong number of documents\n", one.name.c_str());
    return;
  }
  double best = 1e9;
  size_t bytes = 0;
  for (int pass = 0; pass < kPasses; pass++) {
    const double start = cpu_ms();
    const Result<ShardHits> hits = index.run(frame);
    best = std::min(best, cpu_ms() - start);
    if (!hits.ok()) {
      std::printf("%s: %s\n", one.name.c_str(), hits.status().reason().c_str());
      return;
    }
    bytes = hits->aggs.size();
  }
  std::printf("%-44s %8.2f ms %10zu bytes\n", one.name.c_str(), best, bytes);
}

}  // namespace

int main() {
  TestIndex index(R"({"properties":{"src":{"type":"keyword"},"type":{"type":"keyword"},
      "tags":{"type":"keyword"},"n":{"type":"long"},"price":{"type":"double"},
      "day":{"type":"date"}}})");
  load(index);
  TermsOptions cut;
  cut.exact_limit = 0;
  RoundingSpec month;
  month.unit = 3;
  RoundingSpec day;
  day.unit = 5;
  day.time_zone = "Europe/Paris";
  const NodeBytes all = Query().match_all();
  const NodeBytes some = Query().term("type", "type-3");
  const NodeBytes percentiles = AggBuilder(PlanOp::kAggPercentiles, "percentiles")
                                    .source("price")
                                    .put(100.0)
                                    .put(quarry::HdrBins::kNone)
                                    .finish();
  const NodeBytes cardinality = AggBuilder(PlanOp::kAggCardinality, "cardinality")
                                    .source("src")
                                    .put(uint32_t{3000})
                                    .put(uint8_t{0})
                                    .finish();
  const std::vector<Case> cases = {
      {"stats(price)", stats_agg("price"), all},
      {"terms(type), 10 keys", terms_agg("type", cut), all},
      {"terms(src), 24,000 keys, best 10", terms_agg("src", cut), all},
      {"terms(src), 24,000 keys, all", terms_agg("src"), all},
      {"terms(src) of a tenth", terms_agg("src", cut), some},
      {"terms(tags), two values each", terms_agg("tags", cut), all},
      {"terms(n), 100,000 numbers", terms_agg("n", cut), all},
      {"terms(type) > stats(price)", terms_agg("type", cut, {stats_agg("price")}), all},
      {"terms(src) > stats(price)", terms_agg("src", cut, {stats_agg("price")}), all},
      {"terms(src) > terms(type)", terms_agg("src", cut, {terms_agg("type", cut)}), all},
      {"date_histogram(month) > stats(price)",
       date_histogram_agg("day", month, {stats_agg("price")}), all},
      {"date_histogram(day, Paris) > stats(price)",
       date_histogram_agg("day", day, {stats_agg("price")}), all},
      {"histogram(n, 1000)", histogram_agg("n", 1000), all},
      {"percentiles(price)", percentiles, all},
      {"cardinality(src)", cardinality, all},
  };
  for (const Case& one : cases) run(index, one);
  return 0;
}
