// Aggregations over more documents than a batch holds, compared with a count over the same
// documents: dense runs, scattered and rare ones, of two legs, fields with and without missing
// values, one segment (no lookups by text) and several, more terms than there are lanes.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "testing/agg_builder.h"
#include "testing/agg_text.h"
#include "testing/test_index.h"

namespace quarry::agg_batches_test {

using namespace testing;

constexpr uint32_t kDocs = 5000;
constexpr int64_t kMonths[] = {1704067200000, 1706745600000, 1709251200000};  // of 2024

/// The matching documents: every one, four in five, one in 23, or the union of these and those of
/// one author.
enum class QueryKind : uint8_t { kAll, kMost, kFew, kUnion };
constexpr QueryKind kQueryKinds[] = {QueryKind::kAll, QueryKind::kMost, QueryKind::kFew,
                                     QueryKind::kUnion};

struct Doc {
  std::string author;  // empty: none
  std::string kind;
  int64_t number = 0;
  size_t month = 0;
  bool scattered = false;
  bool rare = false;
  bool deleted = false;

  bool matches(QueryKind query) const {
    switch (query) {
      case QueryKind::kMost:
        return scattered;
      case QueryKind::kFew:
        return rare;
      case QueryKind::kUnion:
        return rare || kind == "k1";
      default:
        return true;
    }
  }
};

using Docs = std::vector<const Doc*>;

struct World {
  std::vector<Doc> docs;
  TestIndex index{R"({"properties":{"author":{"type":"keyword"},"kind":{"type":"keyword"},
                      "n":{"type":"long"},"day":{"type":"date"},"s":{"type":"boolean"},
                      "rare":{"type":"keyword"}}})"};

  World(uint32_t segments, bool deletions) {
    for (uint32_t i = 0; i < kDocs; i++) {
      const uint32_t mixed = i * 2654435761U >> 8;
      Doc doc;
      if (mixed % 7 != 0) doc.author = "a" + std::to_string(mixed % 1500);
      doc.kind = "k" + std::to_string(mixed / 1500 % 4);
      doc.number = static_cast<int64_t>(mixed % 1000) - 300;
      doc.month = static_cast<size_t>(i) * 3 / kDocs;
      doc.scattered = mixed % 5 != 0;
      doc.rare = mixed % 23 == 0;
      index.add(std::to_string(i), source_of(doc, mixed));
      if ((i + 1) % (kDocs / segments) == 0) index.refresh();
      docs.push_back(std::move(doc));
    }
    index.refresh();
    for (uint32_t i = 0; deletions && i < kDocs; i += 13) {
      docs[i].deleted = true;
      index.remove(std::to_string(i));
    }
  }

  static std::string source_of(const Doc& doc, uint32_t mixed) {
    std::string out = R"({"kind":")" + doc.kind + R"(","n":)" + std::to_string(doc.number) +
                      R"(,"day":)" +
                      std::to_string(kMonths[doc.month] + int64_t{mixed % 28} * 86400000) +
                      R"(,"s":)" + (doc.scattered ? "true" : "false");
    if (doc.rare) out += R"(,"rare":"yes")";
    if (!doc.author.empty()) out += R"(,"author":")" + doc.author + '"';
    return out + "}";
  }

  Docs matching(QueryKind query) const {
    Docs out;
    for (const Doc& doc : docs) {
      if (!doc.deleted && doc.matches(query)) out.push_back(&doc);
    }
    return out;
  }

  static std::vector<NodeBytes> legs_of(QueryKind query) {
    if (query == QueryKind::kAll) return {Query().match_all()};
    if (query == QueryKind::kMost) return {Query().term("s", "true")};
    const NodeBytes rare = Query().term("rare", "yes");
    if (query == QueryKind::kFew) return {rare};
    return {rare, Query().term("kind", "k1")};
  }

  std::string run(const NodeBytes& agg, QueryKind query) const {
    PlanFrame frame;
    frame.legs = legs_of(query);
    frame.aggs.push_back(agg);
    frame.window = 0;
    std::string first;
    // Term ordinals are requested the first time, computed the second, and cached the third.
    for (int time = 0; time < 3; time++) {
      const Result<ShardHits> hits = index.run(frame);
      EXPECT_OK(hits);
      const std::string text = hits.ok() ? read_aggs(hits->aggs)[0] : hits.status().reason();
      if (time > 0) EXPECT_EQ(text, first);
      first = text;
    }
    return first;
  }
};

/// Buckets by descending count, then key; `below` prints their content.
template <typename KeyOf, typename Below>
std::string terms_text(const Docs& docs, KeyOf key_of, Below below) {
  std::map<std::string, Docs> groups;
  for (const Doc* doc : docs) {
    if (!key_of(*doc).empty()) groups[key_of(*doc)].push_back(doc);
  }
  std::vector<std::pair<std::string, Docs>> list(groups.begin(), groups.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  std::string out = "[";
  for (const auto& [key, own] : list) {
    out += (out.size() > 1 ? " " : "") + key + "=" + std::to_string(own.size()) + below(own);
  }
  return out + "]";
}

/// The first `keep` of them, and the document count of the others.
template <typename KeyOf>
std::string best_text(const Docs& docs, KeyOf key_of, size_t keep) {
  std::map<std::string, size_t> counts;
  for (const Doc* doc : docs) {
    if (!key_of(*doc).empty()) counts[key_of(*doc)]++;
  }
  std::vector<std::pair<std::string, size_t>> list(counts.begin(), counts.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string out = "[";
  size_t other = 0;
  for (size_t i = 0; i < list.size(); i++) {
    if (i >= keep) {
      other += list[i].second;
      continue;
    }
    out += (i > 0 ? " " : "") + list[i].first + "=" + std::to_string(list[i].second);
  }
  return out + "]+" + std::to_string(other) + "/" + std::to_string(list[keep - 1].second);
}

std::string months_text(const Docs& docs) {
  size_t counts[3] = {};
  for (const Doc* doc : docs) counts[doc->month]++;
  std::string out = "[";
  for (size_t i = 0; i < 3; i++) {
    if (counts[i] == 0) continue;
    out +=
        (out.size() > 1 ? " " : "") + std::to_string(kMonths[i]) + "=" + std::to_string(counts[i]);
  }
  return out + "]";
}

std::string stats_text(const Docs& docs) {
  int64_t sum = 0;
  int64_t least = docs[0]->number;
  int64_t most = least;
  for (const Doc* doc : docs) {
    sum += doc->number;
    least = std::min(least, doc->number);
    most = std::max(most, doc->number);
  }
  const auto text = [](auto number) { return number_text(static_cast<double>(number)); };
  return text(docs.size()) + "," + text(sum) + "," + text(least) + "," + text(most);
}

std::string authors_text(const Docs& docs) {
  std::map<std::string, int> seen;
  for (const Doc* doc : docs) {
    if (!doc->author.empty()) seen[doc->author]++;
  }
  return std::to_string(seen.size());
}

TEST(AggBatches, EqualACountOverTheDocuments) {
  const auto nothing = [](const Docs&) { return std::string(); };
  const auto author = [](const Doc& doc) { return doc.author; };
  const auto kind = [](const Doc& doc) { return doc.kind; };
  RoundingSpec month;
  month.unit = 3;
  TermsOptions best;
  best.exact_limit = 0;
  for (const uint32_t segments : {1U, 3U}) {
    for (const bool deletions : {false, true}) {
      FilterCache cache(1 << 20);
      World world(segments, deletions);
      world.index.use_cache(&cache);
      for (const QueryKind query : kQueryKinds) {
        const Docs docs = world.matching(query);
        EXPECT_EQ(world.run(terms_agg("author"), query), terms_text(docs, author, nothing));
        EXPECT_EQ(world.run(terms_agg("kind"), query), terms_text(docs, kind, nothing));
        EXPECT_EQ(world.run(date_histogram_agg("day", month), query), months_text(docs));
        EXPECT_EQ(
            world.run(terms_agg("kind", {}, {date_histogram_agg("day", month)}), query),
            terms_text(docs, kind, [](const Docs& own) { return "{" + months_text(own) + "}"; }));
        EXPECT_EQ(world.run(stats_agg("n"), query), stats_text(docs));
        for (const uint8_t alone : {uint8_t{0}, uint8_t{1}}) {
          EXPECT_EQ(world.run(AggBuilder(PlanOp::kAggCardinality, "cardinality")
                                  .source("author")
                                  .put(uint32_t{3000})
                                  .put(alone)
                                  .finish(),
                              query),
                    authors_text(docs));
        }
        EXPECT_EQ(world.run(terms_agg("author", best), query), best_text(docs, author, 10));
      }
    }
  }
}

TEST(AggBatches, TerminateAfterCutsFewDocuments) {
  const World world(1, true);
  for (const QueryKind query : {QueryKind::kMost, QueryKind::kFew}) {
    PlanFrame frame;
    frame.legs = World::legs_of(query);
    frame.aggs.push_back(stats_agg("n"));
    frame.window = 0;
    frame.terminate_after = 7;
    const Result<ShardHits> hits = world.index.run(frame);
    ASSERT_OK(hits);
    Docs first = world.matching(query);
    first.resize(7);
    EXPECT_EQ(read_aggs(hits->aggs)[0], stats_text(first));
    EXPECT_EQ(hits->total, 7U);
    EXPECT_TRUE(hits->terminated_early);
  }
}

}  // namespace quarry::agg_batches_test
