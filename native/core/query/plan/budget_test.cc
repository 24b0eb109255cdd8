// A search or fetch whose budget ends at any of its looks has no answer and leaves nothing behind:
// every answer, of later attempts and of searches without a budget, is that of a new process.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "query/fetch/timed_fetch.h"
#include "testing/agg_builder.h"
#include "testing/counting_clock.h"
#include "testing/highlight_builder.h"
#include "testing/test_index.h"
#include "testing/vector_nodes.h"

namespace quarry::budget_test {

using testing::AggBuilder;
using testing::CountingClock;
using testing::date_histogram_agg;
using testing::filters_agg;
using testing::highlight_node;
using testing::HighlightedField;
using testing::histogram_agg;
using testing::KnnNode;
using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::stats_agg;
using testing::terms_agg;
using testing::TermsOptions;
using testing::TestIndex;

using CacheOwner = std::unique_ptr<FilterCache>;

constexpr size_t kCacheBytes = size_t{32} << 20;

/// Segments of some size, so that filters, totals and numbers of terms are cached.
struct Docs {
  TestIndex index{R"({"properties":{"t":{"type":"text"},"k":{"type":"keyword"},
    "w":{"type":"wildcard"},"tag":{"type":"keyword"},"n":{"type":"integer"},
    "at":{"type":"date","format":"epoch_millis"},"ok":{"type":"boolean"},
    "emb":{"type":"dense_vector","dims":4,"similarity":"l2_norm"}}})"};
  Docs() {
    for (uint32_t i = 0; i < 6000; i++) {
      if (i == 4300 || i == 5900) index.refresh();
      const std::string number = std::to_string(i);
      const std::string repeated = i % 50 == 0 ? " aa ab aa ab aa aa ab" : "";
      index.add(number,
                R"({"t":"common w)" + std::to_string(i % 997) + " x" + std::to_string(i % 7) +
                    repeated + R"(","k":"key)" + number + R"(","w":"path/)" + number +
                    R"(","tag":"tag)" + std::to_string(i % 13) + R"(","n":)" +
                    std::to_string(i * 7919 % 5003) + R"(,"at":)" +
                    std::to_string(1'600'000'000'000 + int64_t{3'600'000} * i) + R"(,"ok":)" +
                    (i % 3 == 0 ? "true" : "false") + R"(,"emb":[)" + std::to_string(i % 17) + ',' +
                    std::to_string(i % 29) + ',' + std::to_string(i % 31) + R"(,1]})");
    }
    index.refresh();
    for (uint32_t i = 3; i < 6000; i += 100) index.remove(std::to_string(i));
  }
};

const Docs& docs() {
  static const Docs made;
  return made;
}

PlanFrame leg(NodeBytes query, uint32_t window = 10) {
  PlanFrame frame;
  frame.legs.push_back(std::move(query));
  frame.window = window;
  return frame;
}

PlanFrame aggregated(NodeBytes agg, NodeBytes query = Query().match_all()) {
  PlanFrame frame = leg(std::move(query), 0);
  frame.aggs.push_back(std::move(agg));
  return frame;
}

PlanFrame sorted(NodeBytes query, std::vector<std::string> fields) {
  PlanFrame frame = leg(std::move(query), 20);
  for (std::string& field : fields) {
    SortKey key;
    key.field = std::move(field);
    key.descending = true;
    frame.sort.push_back(std::move(key));
  }
  return frame;
}

PlanFrame collapsed() {
  PlanFrame frame = leg(Query().match("t", "common x3"));
  ByteWriter out;
  out.put_string("tag");
  out.put(uint8_t{1});
  frame.more.push_back(testing::raw_node(PlanOp::kCollapse, out));
  return frame;
}

PlanFrame two_legs() {
  PlanFrame frame = leg(Query().match("t", "x3 w5"));
  frame.legs.push_back(KnnNode{{3, 4, 5, 1}}.bytes());
  return frame;
}

std::vector<std::pair<std::string, PlanFrame>> searches() {
  const auto range = [](const char* from, const char* to) {
    return Query().range("n", 1 | 8, {from, to});
  };
  TermsOptions by_regexp;
  by_regexp.include_regexp = "key.*7";
  TermsOptions zero;
  zero.min_doc_count = 0;
  zero.flags = 1;
  RoundingSpec day;
  day.fixed_ms = 86'400'000;
  return {
      {"term", leg(Query().term("tag", "tag3"))},
      {"match", leg(Query().match("t", "common w5 x3"))},
      {"conjunction",
       leg(Query().boolean({Query().match("t", "common"), Query().match("t", "x3")}))},
      {"cached range", leg(Query().boolean({Query().match("t", "common")}, {range("10", "2000")}))},
      {"cached exists", leg(Query().boolean({}, {Query().exists("n"), Query().exists("emb")}))},
      {"cached bool",
       leg(Query().boolean(
           {}, {Query().boolean({}, {}, {Query().term("tag", "tag1"), range("7", "9")})}))},
      {"excluded", leg(Query().boolean({Query().match_all()}, {}, {},
                                       {Query().match_phrase("t", "aa ab", 2)}))},
      {"phrase", leg(Query().match_phrase("t", "aa ab aa"))},
      {"sloppy phrase", leg(Query().match_phrase("t", "aa ab aa ab", 20))},
      {"phrase prefix", leg(Query().match_phrase_prefix("t", "common w5"))},
      {"prefix", leg(Query().prefix("k", "key1"))},
      {"wildcard", leg(Query().wildcard("k", "*ey*9*"))},
      {"wildcard on grams", leg(Query().wildcard("w", "*th/99*"))},
      {"regexp", leg(Query().regexp("k", "key[0-9]*7[0-9]"))},
      {"fuzzy", leg(Query().fuzzy("k", "key15x5", "2"))},
      {"fuzzy by one", leg(Query().fuzzy("k", "key155x", "1"))},
      {"term range", leg(Query().range("k", 1 | 8, {"key2", "key4"}))},
      {"terms", leg(Query().terms("k", {"key1", "key77", "key9000", "none"}))},
      {"numbers", leg(Query().terms("n", {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}))},
      {"ids", leg(Query().ids({"1", "2", "3000", "none"}))},
      {"boolean", leg(Query().term("ok", "true"))},
      {"disjunction of many",
       leg(Query().multi_match({{"t", 1.0F}, {"k", 2.0F}}, "common w3 key5"))},
      {"dis_max",
       leg(Query().dis_max({Query().match("t", "w3 x1"), Query().term("tag", "tag2")}, 0.3F))},
      {"constant", leg(Query().constant_score(Query().match("t", "x1 x2")))},
      {"counted", leg(Query().boolean({}, {range("5", "900")}), 0)},
      {"large page", leg(Query().match("t", "common"), 4000)},
      {"sorted by number", sorted(Query().match("t", "common"), {"n"})},
      {"sorted by term", sorted(Query().boolean({}, {range("10", "3000")}), {"k", "n"})},
      {"sorted by version", sorted(Query().match_all(), {"_seq_no"})},
      {"collapsed", collapsed()},
      {"knn", leg(KnnNode{{3, 4, 5, 1}}.bytes())},
      {"filtered knn", leg(KnnNode{{3, 4, 5, 1}, 10, range("10", "2000")}.bytes())},
      {"legs", two_legs()},
      {"terms agg", aggregated(terms_agg("tag"))},
      {"terms agg of many", aggregated(terms_agg("k"), Query().match("t", "x3"))},
      {"terms agg of a term", aggregated(terms_agg("tag"), Query().term("tag", "tag3"))},
      {"terms agg by regexp", aggregated(terms_agg("k", by_regexp))},
      {"terms agg with empty ones", aggregated(terms_agg("tag", zero), Query().term("k", "key5"))},
      {"terms agg with children", aggregated(terms_agg("tag", {}, {stats_agg("n")}))},
      {"dates within terms", aggregated(terms_agg("tag", {}, {date_histogram_agg("at", day)}))},
      {"dates", aggregated(date_histogram_agg("at", day), range("5", "4000"))},
      {"all dates", aggregated(date_histogram_agg("at", day))},
      {"numbers in buckets", aggregated(histogram_agg("n", 100, 0, {stats_agg("n", {}, true)}))},
      {"filters",
       aggregated(filters_agg({range("1", "50"), Query().match_phrase("t", "aa ab")}, true))},
      {"distinct terms", aggregated(AggBuilder(PlanOp::kAggCardinality, "cardinality")
                                        .source("k")
                                        .put(uint32_t{3000})
                                        .put(uint8_t{1})
                                        .finish())},
      {"distinct numbers", aggregated(AggBuilder(PlanOp::kAggCardinality, "cardinality")
                                          .source("n")
                                          .put(uint32_t{100})
                                          .put(uint8_t{0})
                                          .finish(),
                                      range("5", "4000"))},
      {"stats", aggregated(stats_agg("n", {}, true), Query().match("t", "x1"))},
  };
}

constexpr uint64_t kBudgetUs = 1'000'000;

/// Ends a budget of kBudgetUs at its reading number `looks`; only then does time pass, so that
/// every piece of work fits before. Not thread-safe.
class JumpingClock final : public Clock {
 public:
  explicit JumpingClock(uint64_t looks) : left_(looks) {}
  int64_t wall_ms() const override { return 0; }
  int64_t steady_ns() const override { return looks_++ < left_ ? 0 : int64_t{1} << 40; }

 private:
  uint64_t left_;
  mutable uint64_t looks_ = 0;
};

SearchContext context_with(FilterCache& cache, const Clock& clock, CallBudget* budget) {
  SearchContext context = docs().index.context();
  context.filters = &cache;
  context.clock = &clock;
  context.budget = budget;
  return context;
}

/// The answer without the counters of work, which caches save; nothing: the budget ended.
std::string answer(const Plan& plan, const SearchContext& context) {
  Result<ShardHits> hits = execute_search(context, plan);
  if (context.out_of_budget()) {
    EXPECT_FALSE(hits.ok());
    return {};
  }
  EXPECT_OK(hits);
  if (!hits.ok()) return "error: " + hits.status().reason();
  EXPECT_FALSE(hits->timed_out);
  hits->postings = {};
  hits->docs_scored = hits->docs_sorted = hits->terms_visited = 0;
  hits->vectors = {};
  const std::vector<uint8_t> bytes = encode_shard_hits(*hits);
  return std::string(bytes.begin(), bytes.end());
}

std::string fetched(const Plan& plan, const SearchContext& context) {
  std::vector<uint32_t> some;
  for (uint32_t doc = 0; doc < 300; doc += 7) some.push_back(doc);
  const Result<TimedFetch> fetched = fetch_within(context, plan, some, 0);
  if (context.out_of_budget()) {
    EXPECT_FALSE(fetched.ok());
    return {};
  }
  EXPECT_OK(fetched);
  if (!fetched.ok()) return "error: " + fetched.status().reason();
  const std::vector<uint8_t> bytes = encode_timed_fetch(*fetched);
  return std::string(bytes.begin(), bytes.end());
}

using Run = std::string (*)(const Plan&, const SearchContext&);

std::string run_whole(Run run, const Plan& plan, FilterCache& cache) {
  const CountingClock clock;
  return run(plan, context_with(cache, clock, nullptr));
}

/// Attempts that end at each look up to the last, and without a budget in between. Returns how many
/// ended.
uint32_t try_every_look(Run run, const std::string& name, const Plan& plan, FilterCache& cache) {
  const std::string expected = run_whole(run, plan, *std::make_unique<FilterCache>(kCacheBytes));
  EXPECT_FALSE(expected.empty());
  uint32_t ended = 0;
  for (uint64_t looks = 1; looks < 100'000; looks += 1 + looks / 4) {
    const JumpingClock clock(looks);
    CallBudget budget(clock, kBudgetUs);
    const std::string got = run(plan, context_with(cache, clock, &budget));
    const bool whole = run_whole(run, plan, cache) == expected;
    if (!whole || (!got.empty() && got != expected))
      EXPECT_EQ(name + " differs behind " + std::to_string(looks) + " looks", "");
    if (!got.empty()) return ended;
    ended++;
  }
  EXPECT_EQ(name + " never answers", "");
  return ended;
}

Plan plan_of(const std::vector<uint8_t>& bytes) {
  Result<Plan> plan = decode_plan(bytes);
  EXPECT_OK(plan);
  return std::move(plan).value();
}

TEST(Budget, AnAttemptThatEndsAnywhereLeavesNothingBehind) {
  FilterCache shared(kCacheBytes);
  for (const auto& [name, frame] : searches()) {
    const std::vector<uint8_t> bytes = frame.bytes();
    const Plan plan = plan_of(bytes);
    // By one cache for all, as in a process, and by a new one that has only seen attempts.
    if (try_every_look(answer, name, plan, shared) == 0) EXPECT_EQ(name + " never ends", "");
    FilterCache own(kCacheBytes);
    for (uint64_t looks = 1; looks < 12; looks++) {
      const JumpingClock clock(looks);
      CallBudget budget(clock, kBudgetUs);
      answer(plan, context_with(own, clock, &budget));
    }
    EXPECT_TRUE(run_whole(answer, plan, own) == run_whole(answer, plan, shared));
  }
}

TEST(Budget, AFetchThatEndsAnywhereHasNoDocuments) {
  PlanFrame frame = leg(Query(1, "named").match_phrase("t", "aa ab aa ab", 20));
  frame.more.push_back(highlight_node({HighlightedField{"t"}}));
  FilterCache cache(kCacheBytes);
  const std::vector<uint8_t> bytes = frame.bytes();
  EXPECT_GT(try_every_look(fetched, "fetch", plan_of(bytes), cache), 10);
}

TEST(Budget, TimeoutAndTokenStillEndAnAttempt) {
  PlanFrame frame = leg(Query().match_phrase("t", "aa ab aa ab", 20));
  frame.timeout_us = CountingClock::kTimeoutUs;
  const std::vector<uint8_t> bytes = frame.bytes();
  const Plan plan = plan_of(bytes);
  FilterCache cache(kCacheBytes);
  const CountingClock clock(3);
  CallBudget wide(clock, uint64_t{1} << 30);
  const Result<ShardHits> late = execute_search(context_with(cache, clock, &wide), plan);
  ASSERT_OK(late);
  EXPECT_TRUE(late->timed_out);
  CancelTable cancels;
  cancels.cancel(9);
  const CountingClock standing;
  CallBudget other(standing, kBudgetUs);
  SearchContext context = context_with(cache, standing, &other);
  context.cancels = &cancels;
  context.limits.cancel_token = 9;
  EXPECT_EQ(execute_search(context, plan).status().reason(), client_gone().reason());
  EXPECT_FALSE(wide.ended() || other.ended());
}

}  // namespace quarry::budget_test
