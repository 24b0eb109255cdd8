// The bytes that both sides of the boundary use: test/golden/wire, which the TypeScript tests read
// as well.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "json/value.h"
#include "query/highlight/highlight_plan.h"
#include "query/plan/hits.h"
#include "query/plan/plan.h"
#include "testing/golden_bytes.h"
#include "testing/test_index.h"

namespace quarry::wire_golden_test {

using testing::read_golden_bytes;
using testing::TestIndex;

TEST(WireGolden, PlanHeaderAndFrames) {
  const std::vector<uint8_t> bytes = read_golden_bytes("plan_every_node");
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  EXPECT_EQ(plan->flags, kPlanTrackScores | kPlanInlineFetch);
  EXPECT_EQ(plan->track_total_hits, 500);
  EXPECT_EQ(plan->now_ms, 1700000000000);
  EXPECT_EQ(plan->timeout_us, 2000000);
  EXPECT_EQ(plan->size, 5);
  EXPECT_EQ(plan->terminate_after, 1000);
  EXPECT_EQ(plan->min_score, 0.125F);
  EXPECT_EQ(plan->legs.size(), 1);
  EXPECT_TRUE(plan->has_post_filter);
  ASSERT_EQ(plan->sort.size(), 3);
  EXPECT_EQ(plan->sort[0].format, "yyyy");
  EXPECT_EQ(plan->sort[0].missing, 1);
  EXPECT_EQ(plan->sort[1].mode, SortMode::kAvg);
  EXPECT_EQ(plan->sort[1].missing_value.text, "3");
  EXPECT_EQ(plan->sort[1].numeric_type, "double");
  EXPECT_EQ(plan->sort[2].field, "_score");
  ASSERT_EQ(plan->search_after.size(), 3);
  EXPECT_EQ(plan->search_after[2].kind, Scalar::Kind::kNull);
  EXPECT_EQ(plan->fetch.includes[0], "a.*");
  EXPECT_EQ(plan->fetch.docvalue_fields[1].format, "epoch_millis");
  EXPECT_EQ(plan->fetch.fields[0].pattern, "title");
}

TEST(WireGolden, NodesOfVectorSearches) {
  const std::vector<uint8_t> bytes = read_golden_bytes("plan_vectors");
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  ASSERT_EQ(plan->legs.size(), 3);
  EXPECT_EQ(plan->legs[0].op, PlanOp::kKnn);
  EXPECT_EQ(plan->legs[2].op, PlanOp::kDocScores);
  ASSERT_EQ(plan->snapshots.size(), 2);
  EXPECT_EQ(plan->snapshots[0].index, 4);
  EXPECT_EQ(plan->snapshots[0].generation, 7);
  EXPECT_EQ(plan->snapshots[1].generation, uint64_t{1} << 40);
}

TEST(WireGolden, SemanticNodes) {
  const std::vector<uint8_t> bytes = read_golden_bytes("plan_semantic");
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  ASSERT_EQ(plan->legs.size(), 2);
  EXPECT_EQ(plan->legs[0].op, PlanOp::kSemantic);
  EXPECT_EQ(plan->legs[1].op, PlanOp::kSemantic);
}

TEST(WireGolden, NodesOfWhatHitsShow) {
  const std::vector<uint8_t> bytes = read_golden_bytes("plan_shown");
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  EXPECT_EQ(plan->collapse_field, "tag");
  EXPECT_TRUE(plan->collapse_by_terms);
  EXPECT_EQ(plan->unmapped_fields, std::vector<std::string>{"a.*"});
  const Result<HighlightPlan> highlight = read_highlight_plan(*plan->highlight);
  ASSERT_OK(highlight);
  EXPECT_EQ(highlight->index_limit, 1000000);
  ASSERT_EQ(highlight->fields.size(), 2);
  const HighlightSpec& body = highlight->fields[0];
  EXPECT_EQ(body.flags, kHighlightHtml | kHighlightByScore);
  EXPECT_EQ(body.matched_fields[1], "body.stemmed");
  EXPECT_EQ(body.max_analyzed_offset, 500);
  EXPECT_EQ(body.pre_tag, "<b>");
  const HighlightSpec& title = highlight->fields[1];
  EXPECT_TRUE(title.any_field());
  EXPECT_TRUE(title.scanner == FragmentScanner::kChars);
  EXPECT_EQ(title.fragments, 0);
  EXPECT_EQ(title.phrase_limit, 3);
  EXPECT_TRUE(title.query.has_value());
}

TEST(WireGolden, RescoreNodes) {
  const std::vector<uint8_t> bytes = read_golden_bytes("plan_rescore");
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  EXPECT_EQ(plan->window, 20);
  ASSERT_EQ(plan->rescores.size(), 2);
  EXPECT_EQ(plan->rescores[0].op, PlanOp::kMatchPhrase);
  EXPECT_EQ(plan->rescores[1].op, PlanOp::kTerm);
}

TEST(WireGolden, ComputedScoresRun) {
  const std::vector<uint8_t> bytes = read_golden_bytes("plan_scores");
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  ASSERT_EQ(plan->legs.size(), 1);
  EXPECT_EQ(plan->legs[0].op, PlanOp::kFunctionScore);
  ASSERT_EQ(plan->sort.size(), 3);
  EXPECT_EQ(plan->sort[1].numeric_type, "string");
  TestIndex index(
      R"({"properties":{"title":{"type":"text"},"tag":{"type":"keyword"},"n":{"type":"long"},
                     "day":{"type":"date"},"emb":{"type":"dense_vector","dims":3}}})");
  for (int i = 0; i < 4; i++) {
    const std::string n = std::to_string(i);
    index.add(n, R"({"title":"fox","tag":"k)" + n + R"(","n":)" + n +
                     R"(,"day":"2024-01-01","emb":[1,)" + n + ",0]}");
  }
  index.refresh();
  const Result<ShardHits> hits = execute_search(index.context(), *plan);
  ASSERT_OK(hits);
  EXPECT_EQ(hits->total, 4);
  EXPECT_EQ(hits->legs[0].sort[0].doubles[3], 3.0);
  EXPECT_EQ(hits->legs[0].sort[1].strings[0], "k0x");
}

TEST(WireGolden, ScriptsOfQueriesAndFieldsRun) {
  const std::vector<uint8_t> bytes = read_golden_bytes("plan_scripts");
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  ASSERT_EQ(plan->script_fields.size(), 2);
  EXPECT_EQ(plan->script_fields[0].name, "double");
  EXPECT_TRUE(plan->script_fields[1].ignore_failure);
  TestIndex index(R"({"properties":{"tag":{"type":"keyword"},"n":{"type":"long"}}})");
  for (int i = 2; i < 6; i++) index.add(std::to_string(i), R"({"n":)" + std::to_string(i) + "}");
  index.refresh();
  EXPECT_EQ(execute_search(index.context(), *plan)->total, 2);
  const auto fetched = execute_fetch(index.context(), *plan, std::vector<uint32_t>{2});
  ASSERT_OK(fetched);
  EXPECT_EQ((*fetched)[0].fields, R"({"double":[8]})");
}

TEST(WireGolden, RankFeaturesRun) {
  const std::vector<uint8_t> bytes = read_golden_bytes("plan_features");
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  TestIndex index(R"({"properties":{"rank":{"type":"rank_feature"},
                     "topics":{"type":"rank_features"}}})");
  index.add("1", R"({"rank":8,"topics":{"a":4}})");
  index.refresh();
  const Result<ShardHits> hits = execute_search(index.context(), *plan);
  ASSERT_OK(hits);
  ASSERT_EQ(hits->total, 1);
  // Half of the weight at the pivot, twice; log(4 + 8); the sigmoid; the value of the topic.
  const double sigmoid = std::sqrt(8.0) / (std::sqrt(8.0) + std::sqrt(7.0));
  const double expected = 0.5 + 1.25 + std::log(12.0) + sigmoid + 4;
  EXPECT_TRUE(std::abs(static_cast<double>(hits->legs[0].scores[0]) - expected) < 1e-5);
}

TestIndex make_index() {
  TestIndex index(
      R"({"properties":{"title":{"type":"text"},"body":{"type":"text"},"tag":{"type":"keyword"},
                     "n":{"type":"keyword"},"day":{"type":"keyword"},
                     "emb":{"type":"dense_vector","dims":3}}})");
  index.add("1", R"({"title":"fox","body":"a quick fox","tag":"k","n":"x","day":"2020",
                     "emb":[1,2,3]})");
  index.refresh();
  return index;
}

TEST(WireGolden, EveryNodeOfThePlanCompiles) {
  const std::vector<uint8_t> bytes = read_golden_bytes("plan_every_node");
  Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  const TestIndex index = make_index();
  plan->sort.clear();  // "day" is no date here: its values do not match the plan's format
  plan->search_after.clear();
  EXPECT_OK(execute_search(index.context(), *plan));
}

TEST(WireGolden, ReadsNestedDocuments) {
  const std::vector<uint8_t> bytes = read_golden_bytes("plan_nested");
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  ASSERT_EQ(plan->inner_hits.size(), 1);
  const InnerHitsSpec& inner = plan->inner_hits[0];
  EXPECT_EQ(inner.name, "a");
  EXPECT_EQ(inner.path, "a");
  EXPECT_EQ(inner.plan.from, 1);
  EXPECT_EQ(inner.plan.size, 2);
  EXPECT_EQ(inner.plan.now_ms, plan->now_ms);
  EXPECT_EQ(inner.plan.sort.at(0).field, "a.n");
  ASSERT_EQ(inner.plan.inner_hits.size(), 1);
  EXPECT_EQ(inner.plan.inner_hits[0].name, "deep");
  EXPECT_EQ(inner.plan.inner_hits[0].path, "a.b");
  ASSERT_EQ(plan->sort.size(), 2);
  EXPECT_EQ(plan->sort[0].mode, SortMode::kSum);
  ASSERT_EQ(plan->sort[0].nested.size(), 2);
  EXPECT_TRUE(plan->sort[0].nested[0].has_filter);
  EXPECT_EQ(plan->sort[0].nested[1].path, "a.b");
  ASSERT_EQ(plan->sort[1].nested.size(), 1);
  EXPECT_EQ(plan->sort[1].nested[0].max_children, 3U);
}

TEST(WireGolden, NodesOfVectorSearchesRun) {
  const std::vector<uint8_t> bytes = read_golden_bytes("plan_vectors");
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  TestIndex index(R"({"properties":{"emb":{"type":"dense_vector","dims":3}}})");
  for (int i = 0; i < 3; i++) {
    const std::string n = std::to_string(i);
    index.add(n, R"({"emb":[1,)" + n + ",0]}");
  }
  index.refresh();
  SearchContext context = index.context();
  context.index_number = 4;
  const Result<ShardHits> hits = execute_search(context, *plan);
  ASSERT_OK(hits);
  EXPECT_EQ(hits->legs[0].docs.size(), 0);  // no document reaches the requested similarity
  EXPECT_EQ(hits->legs[1].docs.size(), 3);
  EXPECT_TRUE(hits->legs[2].docs == (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(hits->legs[2].scores[0], 0.375F);
}

void damage_everywhere(const std::vector<uint8_t>& bytes) {
  const TestIndex index = make_index();
  for (size_t size = 0; size < bytes.size(); size++) {
    const std::vector<uint8_t> cut(bytes.begin(),
                                   bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(decode_plan(cut).ok());
  }
  for (size_t at = 0; at < bytes.size(); at++) {
    for (const int change : {0x01, 0x80, 0xff}) {
      std::vector<uint8_t> damaged = bytes;
      damaged[at] = static_cast<uint8_t>(damaged[at] ^ change);
      const Result<Plan> plan = decode_plan(damaged);
      if (!plan.ok()) continue;
      static_cast<void>(execute_search(index.context(), *plan));
      static_cast<void>(execute_fetch(index.context(), *plan, std::vector<uint32_t>{0}));
    }
  }
}

TEST(WireGolden, DamagedPlansAreRefused) {
  damage_everywhere(read_golden_bytes("plan_every_node"));
  damage_everywhere(read_golden_bytes("plan_vectors"));
  damage_everywhere(read_golden_bytes("plan_shown"));
  damage_everywhere(read_golden_bytes("plan_rescore"));
  damage_everywhere(read_golden_bytes("plan_scores"));
  damage_everywhere(read_golden_bytes("plan_nested"));
  damage_everywhere(read_golden_bytes("plan_scripts"));
  damage_everywhere(read_golden_bytes("plan_tuples"));
}

SortColumn column(SortColumnKind kind, std::vector<uint8_t> nulls) {
  SortColumn out;
  out.kind = kind;
  out.nulls = std::move(nulls);
  return out;
}

std::vector<SortColumn> sample_columns() {
  std::vector<SortColumn> out;
  out.push_back(column(SortColumnKind::kInt, {0, 0, 1}));
  out.back().ints = {-5, 9007199254740993, 0};
  out.push_back(column(SortColumnKind::kDouble, {0, 0, 0}));
  out.back().doubles = {1, 0.1, std::numeric_limits<double>::infinity()};
  out.push_back(column(SortColumnKind::kUnsigned, {0, 0, 0}));
  out.back().ints = {-1, 0, 1};
  out.push_back(column(SortColumnKind::kString, {0, 0, 1}));
  out.back().strings = {"k\u00f6lsch", "a\"b", ""};
  out.push_back(column(SortColumnKind::kScore, {0, 0, 0}));
  out.back().doubles = {static_cast<double>(1.3862944F), 1, 0.5};
  out.push_back(column(SortColumnKind::kBoolean, {0, 0, 0}));
  out.back().ints = {0, 1, 1};
  out.push_back(column(SortColumnKind::kFormatted, {0, 0, 1}));
  out.back().strings = {"\x01", "\x02", ""};
  out.back().texts = {"2024-01-01", "2024-01-02", ""};
  return out;
}

ShardHits sample_hits() {
  ShardHits hits;
  hits.generation = 7;
  hits.mapping_version = 3;
  hits.total = 12345;
  hits.total_is_lower_bound = hits.terminated_early = true;
  hits.index_number = 4;
  hits.shard = 2;
  hits.postings = {99, 321, 65536};
  hits.terms_visited = 12;
  hits.docs_scored = 1000;
  hits.docs_sorted = 77;
  hits.vectors = {5000, 800, 40, 77, uint64_t{1} << 40};
  LegHits leg;
  leg.has_max_score = true;
  leg.max_score = 2.5F;
  leg.scores = {2.5F, 1.25F, std::numeric_limits<float>::quiet_NaN()};
  leg.docs = {10, 5, 4000000000};
  leg.seq_nos = {100, 50, uint64_t{1} << 60};
  leg.sort = sample_columns();
  hits.legs.push_back(leg);
  LegHits empty;
  for (const SortColumn& sample : leg.sort) empty.sort.push_back(column(sample.kind, {}));
  hits.legs.push_back(empty);
  return hits;
}

TEST(WireGolden, ShardReply) {
  const std::vector<uint8_t> golden = read_golden_bytes("search_reply");
  ASSERT_GT(golden.size(), 64);
  const auto length = load<uint32_t>(golden.data() + 8);
  const std::vector<uint8_t> expected(golden.begin() + 16, golden.begin() + 16 + length);
  EXPECT_TRUE(encode_shard_hits(sample_hits()) == expected);
}

TEST(WireGolden, FetchReplyAndJoin) {
  const std::vector<uint8_t> golden = read_golden_bytes("fetch_reply");
  FetchedDocument full;
  full.found = full.has_source = true;
  full.version = 3;
  full.seq_no = 17;
  full.primary_term = 1;
  ByteReader reader{Bytes(golden)};
  reader.seek(32 + 4);
  full.primary_term = reader.get<uint32_t>();
  full.version = reader.get<uint64_t>();
  full.seq_no = reader.get<uint64_t>();
  full.id = "id\u00e9";
  full.routing = "r1";
  full.source = "{\"a\": 1.0}";
  full.fields = R"({"a":[1]})";
  full.ignored = R"(["b"])";
  full.matched_queries = R"(["q"])";
  full.explanation = R"({"value":1})";
  full.highlight = R"({"a":["<em>"]})";
  full.ignored_values = R"({"b":["x"]})";
  full.nested = R"({"field":"c","offset":1})";
  reader.seek(32 + 24);
  for (const std::string* text :
       {&full.id, &full.routing, &full.source, &full.fields, &full.ignored, &full.matched_queries,
        &full.explanation, &full.highlight, &full.ignored_values, &full.nested}) {
    EXPECT_EQ(reader.get_string(), *text);
  }
  FetchedDocument nested;
  nested.found = true;
  nested.id = full.id;
  nested.version = full.version;
  nested.seq_no = full.seq_no;
  full.inner_hits.push_back({sample_hits(), {nested}});
  const std::vector<uint8_t> one = encode_fetched({full});
  EXPECT_TRUE(std::equal(one.begin() + 32, one.end(), golden.begin() + 32));

  const std::vector<uint8_t> reply = read_golden_bytes("search_reply");
  const auto first = load<uint32_t>(reply.data() + 8);
  const auto second = load<uint32_t>(reply.data() + 12);
  const auto at = [&reply](size_t offset, size_t length) {
    const auto begin = reply.begin() + static_cast<std::ptrdiff_t>(offset);
    return std::vector<uint8_t>(begin, begin + static_cast<std::ptrdiff_t>(length));
  };
  const size_t second_at = 16 + ((first + 7) / 8) * 8;
  EXPECT_TRUE(join_replies({at(16, first), at(second_at, second)}, golden) == reply);
}

TEST(WireGolden, ErrorsCarryTypeReasonAndCause) {
  Status status(ErrorType::kQueryShard, "failed to create query: [f]");
  status.with_cause("number_format_exception: x");
  const std::vector<uint8_t> bytes = encode_shard_error(4, 2, status);
  ByteReader reader{Bytes(bytes)};
  reader.seek(6);
  EXPECT_EQ(reader.get<uint16_t>(), static_cast<uint16_t>(ErrorType::kQueryShard));
  reader.seek(144);
  EXPECT_EQ(reader.get_string(), "failed to create query: [f]");
  EXPECT_EQ(reader.get_string(), "number_format_exception: x");
}

}  // namespace quarry::wire_golden_test
