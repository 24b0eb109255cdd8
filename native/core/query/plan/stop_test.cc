// Each kind of work ends soon after its timeout or cancellation: the counters of its work stop
// increasing.
#include <string>
#include <utility>
#include <vector>

#include "query/fetch/timed_fetch.h"
#include "testing/agg_builder.h"
#include "testing/counting_clock.h"
#include "testing/highlight_builder.h"
#include "testing/score_nodes.h"
#include "testing/test_index.h"

namespace quarry::stop_test {

using testing::AggBuilder;
using testing::CountingClock;
using testing::highlight_node;
using testing::HighlightedField;
using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::stats_agg;
using testing::TestIndex;

constexpr uint32_t kDocs = 3000;
constexpr uint32_t kRepeated = 10;  // one document in kRepeated contains the same words repeatedly

struct Docs {
  TestIndex index{
      R"({"properties":{"t":{"type":"text"},"k":{"type":"keyword"},"n":{"type":"integer"}}})"};
  Docs() {
    std::string repeated;
    for (int i = 0; i < 60; i++) repeated += "aa ab ";
    for (uint32_t i = 0; i < kDocs; i++) {
      const std::string number = std::to_string(i);
      index.add(number, "{\"t\":\"common w" + number + " x" + std::to_string(i % 7) + " " +
                            (i % kRepeated == 0 ? repeated : "") + "\",\"k\":\"key" + number +
                            "\",\"n\":" + number + "}");
    }
    index.refresh();
  }
};

const Docs& docs() {
  static const Docs made;
  return made;
}

struct Outcome {
  Status status;
  bool timed_out = false;
  uint64_t looks = 0;
  uint64_t work = 0;  // sum of all counters
  std::vector<uint32_t> docs;
};

Outcome run(const PlanFrame& frame, const CountingClock& clock,
            const CancelTable* cancels = nullptr) {
  SearchContext context = docs().index.context();
  context.clock = &clock;
  context.cancels = cancels;
  context.limits.cancel_token = cancels == nullptr ? 0 : 9;
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  EXPECT_OK(plan);
  Outcome out;
  const Result<ShardHits> hits = execute_search(context, *plan);
  out.looks = clock.looks();
  out.status = hits.status();
  if (!hits.ok()) return out;
  out.timed_out = hits->timed_out;
  out.work = hits->docs_scored + hits->terms_visited + hits->postings.positions +
             hits->postings.blocks + hits->vectors.exact_distances;
  out.docs = hits->legs[0].docs;
  return out;
}

PlanFrame timed(PlanFrame frame) {
  frame.timeout_us = CountingClock::kTimeoutUs;
  return frame;
}

PlanFrame leg(NodeBytes query) {
  PlanFrame frame;
  frame.legs.push_back(std::move(query));
  return frame;
}

/// Clock readings before a search is stopped; a complete search has a multiple of them.
constexpr uint64_t kFewLooks = 3;

/// n + 1 + 1 + … > 5
testing::ScriptBytes large_script() {
  testing::ScriptBytes script;
  script.value("n");
  for (int i = 0; i < 50; i++) script.whole(1).op(ScriptCode::kAdd);
  return script.whole(5).op(ScriptCode::kGreater);
}

/// Searches that read the clock often, by name.
std::vector<std::pair<std::string, PlanFrame>> hostile_searches() {
  std::string phrase;
  for (int i = 0; i < 30; i++) phrase += "aa ab ";
  std::vector<NodeBytes> many;
  for (int i = 0; i < 210; i++) many.push_back(Query().term("t", "x" + std::to_string(i % 7)));
  PlanFrame rescored = leg(Query().match("t", "common"));
  rescored.window = kDocs;
  ByteWriter queries;
  queries.put(uint32_t{10});
  for (int i = 0; i < 10; i++) queries.put_bytes(Bytes(Query().match_phrase("t", phrase, 1000)));
  rescored.more.push_back(testing::raw_node(PlanOp::kRescore, queries));
  PlanFrame tower = leg(Query().match_all());
  NodeBytes inner = stats_agg("n");
  for (int level = 0; level < 3; level++) {
    AggBuilder filters(PlanOp::kAggFilters, "filters");
    filters.put(uint8_t{0}).put(uint32_t{20});
    for (int i = 0; i < 20; i++) filters.node(Query().match_all());
    inner = filters.finish({inner});
  }
  tower.aggs.push_back(inner);
  tower.window = 0;
  return {
      {"sloppy phrase", leg(Query().match_phrase("t", phrase, 1000))},
      {"exact phrase", leg(Query().match_phrase("t", phrase))},
      {"phrase as a filter", leg(Query().boolean({}, {Query().match_phrase("t", phrase, 1000)}))},
      {"phrase that is excluded", leg(Query().boolean({Query().match_all()}, {}, {},
                                                      {Query().match_phrase("t", phrase, 1000)}))},
      {"wildcard", leg(Query().wildcard("k", "*k*e*y*9*"))},
      {"regexp", leg(Query().regexp("k", "(k|e|y|[0-9])*7(k|e|y|[0-9])*"))},
      {"fuzzy", leg(Query().fuzzy("k", "key15x5", "2"))},
      {"some of many clauses", leg(Query().boolean({}, {Query().boolean({}, {}, many, {}, "31")}))},
      {"rescorers", rescored},
      {"filters within filters", tower},
      {"script", leg(testing::script_query(large_script()))},
      {"script that excludes", leg(Query().boolean({Query().match_all()}, {}, {},
                                                   {testing::script_query(large_script())}))},
  };
}

TEST(Stop, EverySearchThatTakesLongLooksAtTheClock) {
  for (const auto& [name, frame] : hostile_searches()) {
    const CountingClock clock;
    const Outcome whole = run(timed(frame), clock);
    EXPECT_TRUE(whole.status.ok() && !whole.timed_out);
    if (!(whole.looks >= 4 * kFewLooks)) EXPECT_EQ(name + " looks too seldom", "");
  }
}

TEST(Stop, WorkEndsWhenTheTimeIsUp) {
  for (const auto& [name, frame] : hostile_searches()) {
    const Outcome whole = run(timed(frame), CountingClock());
    const CountingClock clock(kFewLooks);
    const Outcome cut = run(timed(frame), clock);
    const bool ended = cut.status.ok() && cut.timed_out && cut.looks <= kFewLooks + 1 &&
                       cut.work <= whole.work / 2 + 64;
    if (!ended) {
      EXPECT_EQ(name + ": " + std::to_string(cut.work) + " of " + std::to_string(whole.work) +
                    ", " + std::to_string(cut.looks) + " looks",
                "");
    }
  }
}

TEST(Stop, WhatIsExcludedStaysSoWhenTheTimeIsUp) {
  for (uint64_t looks = 1; looks < 40; looks += 3) {
    PlanFrame frame = leg(Query().boolean({Query().match_all()}, {}, {},
                                          {Query().match_phrase("t", "aa ab aa ab", 5)}));
    frame.window = kDocs;
    const CountingClock clock(looks);
    for (const uint32_t doc : run(timed(frame), clock).docs) EXPECT_NE(doc % kRepeated, 0);
  }
}

TEST(Stop, ACancelledSearchHasNoAnswer) {
  for (const auto& [name, frame] : hostile_searches()) {
    CancelTable cancels;
    cancels.cancel(9);
    const CountingClock clock;
    const Outcome cut = run(frame, clock, &cancels);
    if (cut.status.type() != ErrorType::kTaskCancelled) EXPECT_EQ(name, "");
  }
}

/// Cancels its token at the n-th reading.
class LeavingClient final : public Clock {
 public:
  LeavingClient(CancelTable& cancels, uint64_t looks) : cancels_(cancels), left_(looks) {}
  int64_t wall_ms() const override { return 0; }
  int64_t steady_ns() const override {
    if (++looks_ == left_) cancels_.cancel(9);
    return 0;
  }
  uint64_t looks() const { return looks_; }

 private:
  CancelTable& cancels_;
  uint64_t left_;
  mutable uint64_t looks_ = 0;
};

TEST(Stop, AClientThatLeavesEndsTheSearchAtTheNextLook) {
  for (const auto& [name, frame] : hostile_searches()) {
    CancelTable cancels;
    const LeavingClient clock(cancels, kFewLooks);
    SearchContext context = docs().index.context();
    context.clock = &clock;
    context.cancels = &cancels;
    context.limits.cancel_token = 9;
    const std::vector<uint8_t> bytes = timed(frame).bytes();
    const Result<Plan> plan = decode_plan(bytes);
    ASSERT_OK(plan);
    const Result<ShardHits> hits = execute_search(context, *plan);
    const bool ended =
        hits.status().type() == ErrorType::kTaskCancelled && clock.looks() <= kFewLooks;
    if (!ended) EXPECT_EQ(name + ": " + std::to_string(clock.looks()) + " looks", "");
  }
}

TEST(Stop, RescorersThatWereStoppedChangeNothing) {
  const PlanFrame rescored = hostile_searches()[8].second;
  SearchContext context = docs().index.context();
  const CountingClock clock(12);
  context.clock = &clock;
  const std::vector<uint8_t> bytes = timed(rescored).bytes();
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  const Result<ShardHits> hits = execute_search(context, *plan);
  ASSERT_OK(hits);
  EXPECT_TRUE(hits->timed_out);
  const LegHits& found = hits->legs[0];
  ASSERT_EQ(found.sort.size(), 10);
  for (const SortColumn& column : found.sort) {
    EXPECT_EQ(column.nulls.size(), found.docs.size());
    for (const uint8_t null : column.nulls) EXPECT_EQ(null, 1);
  }
}

// ---- fetch ----

Result<TimedFetch> fetch(PlanFrame frame, const Clock& clock, uint64_t most_bytes = kFetchBytes,
                         const CancelTable* cancels = nullptr) {
  SearchContext context = docs().index.context();
  context.clock = &clock;
  context.cancels = cancels;
  context.limits.cancel_token = cancels == nullptr ? 0 : 9;
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  if (!plan.ok()) return plan.status();
  std::vector<uint32_t> all(100);
  for (uint32_t i = 0; i < all.size(); i++) all[i] = i;
  return fetch_within(context, *plan, all, 0, most_bytes);
}

TEST(Stop, APageEndsWithItsTime) {
  const PlanFrame frame = timed(leg(Query().match_all()));
  const Result<TimedFetch> whole = fetch(frame, CountingClock());
  ASSERT_OK(whole);
  EXPECT_EQ(whole->documents.size(), 100);
  EXPECT_FALSE(whole->timed_out);
  const Result<TimedFetch> cut = fetch(frame, CountingClock(21));
  ASSERT_OK(cut);
  EXPECT_EQ(cut->documents.size(), 20);
  EXPECT_TRUE(cut->timed_out);
}

TEST(Stop, APageEndsWhereOneReplyIsFull) {
  const PlanFrame frame = leg(Query().match_all());
  const Result<TimedFetch> whole = fetch(frame, CountingClock());
  ASSERT_OK(whole);
  const uint64_t one = whole->documents[0].source.size();
  const Result<TimedFetch> some = fetch(frame, CountingClock(), 10 * one);
  ASSERT_OK(some);
  EXPECT_FALSE(some->timed_out);
  EXPECT_GT(some->documents.size(), 2);
  EXPECT_LT(some->documents.size(), 50);
  const Result<TimedFetch> least = fetch(frame, CountingClock(), 1);
  ASSERT_OK(least);
  EXPECT_EQ(least->documents.size(), 1);
}

TEST(Stop, NobodysPageIsNotRead) {
  CancelTable cancels;
  cancels.cancel(9);
  EXPECT_EQ(fetch(leg(Query().match_all()), CountingClock(), kFetchBytes, &cancels).status().type(),
            ErrorType::kTaskCancelled);
}

TEST(Stop, HighlightingStopsWithinADocument) {
  std::string phrase;
  for (int i = 0; i < 40; i++) phrase += "aa ab ";
  PlanFrame frame = leg(Query().match_phrase("t", phrase, 1000));
  HighlightedField field{"t"};
  frame.more.push_back(highlight_node({field}));
  const CountingClock clock;
  ASSERT_OK(fetch(timed(frame), clock));
  EXPECT_GT(clock.looks(), 40);
  const Result<TimedFetch> cut = fetch(timed(frame), CountingClock(6));
  ASSERT_OK(cut);
  EXPECT_TRUE(cut->timed_out);
  EXPECT_LE(cut->documents.size(), 5);
}

TEST(Stop, BucketsOfBucketsStayWithinTheirMemory) {
  NodeBytes inner = stats_agg("n");
  for (int level = 0; level < 4; level++) {
    AggBuilder filters(PlanOp::kAggFilters, "filters");
    filters.put(uint8_t{0}).put(uint32_t{400});
    for (int i = 0; i < 400; i++) filters.node(Query().match_all());
    inner = filters.finish({inner});
  }
  PlanFrame frame = leg(Query().term("t", "w5"));
  frame.aggs.push_back(inner);
  frame.window = 0;
  const Outcome refused = run(frame, CountingClock());
  EXPECT_EQ(refused.status.type(), ErrorType::kCircuitBreaking);
}

}  // namespace quarry::stop_test
