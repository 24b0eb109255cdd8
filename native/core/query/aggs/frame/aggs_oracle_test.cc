// Aggregations over random documents compared with a naive count over the same documents: several
// segments, deletions, multi-valued fields, filters, two levels of buckets.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "query/aggs/metrics/hdr_bins.h"
#include "testing/agg_builder.h"
#include "testing/agg_text.h"
#include "testing/query_builder.h"
#include "testing/test_index.h"

namespace quarry::aggs_oracle_test {

using namespace testing;

struct Doc {
  std::vector<std::string> tags;
  std::vector<int64_t> numbers;
  std::vector<double> prices;
  bool color = false;  // matched by the query
  bool deleted = false;
};

std::string json_list(const auto& values, auto&& print) {
  std::string out = "[";
  for (const auto& value : values) out += (out.size() > 1 ? "," : "") + print(value);
  return out + "]";
}

struct World {
  std::vector<Doc> docs;
  TestIndex index{R"({"properties":{"tag":{"type":"keyword"},"n":{"type":"long"},
                                    "price":{"type":"double"},"color":{"type":"keyword"}}})"};

  FilterCache cache{1 << 20};

  explicit World(uint32_t seed) {
    index.use_cache(&cache);
    std::mt19937 random(seed);
    const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
    const uint32_t count = 50 + below(300);
    const bool multi = below(2) == 0;
    const bool rare = below(2) == 0;
    for (uint32_t i = 0; i < count; i++) {
      Doc doc;
      for (uint32_t left = multi ? below(4) : below(6) == 0 ? 0 : 1; left > 0; left--)
        doc.tags.push_back("t" + std::to_string(below(20)));
      for (uint32_t left = multi ? below(3) : 1; left > 0; left--)
        doc.numbers.push_back(static_cast<int64_t>(below(40)) - 20);
      for (uint32_t left = below(3); left > 0; left--)
        doc.prices.push_back(static_cast<double>(below(400)) / 4 - 30);
      doc.color = rare ? below(12) == 0 : below(3) != 0;
      index.add(std::to_string(i), source_of(doc));
      if (below(100) == 0) index.refresh();
      docs.push_back(std::move(doc));
    }
    index.refresh();
    for (uint32_t i = 0; i < count; i++) {
      if (below(10) != 0) continue;
      docs[i].deleted = true;
      index.remove(std::to_string(i));
    }
  }

  static std::string source_of(const Doc& doc) {
    return R"({"tag":)" + json_list(doc.tags, [](const std::string& t) { return '"' + t + '"'; }) +
           R"(,"n":)" + json_list(doc.numbers, [](int64_t n) { return std::to_string(n); }) +
           R"(,"price":)" + json_list(doc.prices, [](double p) { return std::to_string(p); }) +
           R"(,"color":")" + (doc.color ? "red" : "blue") + "\"}";
  }

  /// Documents that the query `color: red` matches; `all`: every live one.
  std::vector<const Doc*> matching(bool all) const {
    std::vector<const Doc*> out;
    for (const Doc& doc : docs) {
      if (!doc.deleted && (all || doc.color)) out.push_back(&doc);
    }
    return out;
  }

  std::string run(const NodeBytes& agg, bool all) const {
    PlanFrame frame;
    frame.legs.push_back(all ? Query().match_all() : Query().term("color", "red"));
    frame.aggs.push_back(agg);
    frame.window = 0;
    std::string first;
    // Term ordinals are requested the first time, computed the second, and cached the third.
    for (int time = 0; time < 3; time++) {
      const Result<ShardHits> hits = index.run(frame);
      EXPECT_OK(hits);
      if (!hits.ok()) return hits.status().reason();
      EXPECT_EQ(hits->total, matching(all).size());
      const std::string text = read_aggs(hits->aggs)[0];
      if (time > 0) EXPECT_EQ(text, first);
      first = text;
    }
    return first;
  }
};

using Docs = std::vector<const Doc*>;

std::string stats_text(const Docs& docs, auto&& values_of) {
  double count = 0;
  double sum = 0;
  double min = 0;
  double max = 0;
  for (const Doc* doc : docs) {
    for (const auto value : values_of(*doc)) {
      const auto number = static_cast<double>(value);
      min = count == 0 ? number : std::min(min, number);
      max = count == 0 ? number : std::max(max, number);
      count++;
      sum += number;
    }
  }
  return number_text(count) + "," + number_text(sum) + "," + number_text(min) + "," +
         number_text(max);
}

/// Documents by their keys, each key once.
template <typename Key>
std::map<Key, Docs> group(const Docs& docs, auto&& keys_of) {
  std::map<Key, Docs> out;
  for (const Doc* doc : docs) {
    std::set<Key> keys;
    for (const auto& key : keys_of(*doc)) keys.insert(key);
    for (const Key& key : keys) out[key].push_back(doc);
  }
  return out;
}

std::string bucket_text(const std::string& key, const Docs& docs, const std::string& below) {
  return key + "=" + std::to_string(docs.size()) + (below.empty() ? "" : "{" + below + "}");
}

/// Buckets by descending count, then key; the first `keep`.
template <typename Key>
std::string terms_text(const std::map<Key, Docs>& groups, size_t keep, auto&& print, auto&& below) {
  std::vector<std::pair<Key, Docs>> list(groups.begin(), groups.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  std::string out = "[";
  size_t other = 0;
  for (size_t i = 0; i < list.size(); i++) {
    if (i >= keep) {
      other += list[i].second.size();
      continue;
    }
    out += (i == 0 ? "" : " ") +
           bucket_text(print(list[i].first), list[i].second, below(list[i].second));
  }
  out += "]";
  if (other > 0)
    out += "+" + std::to_string(other) + "/" + std::to_string(list[keep - 1].second.size());
  return out;
}

template <typename Key>
std::string ordered_text(const std::map<Key, Docs>& groups, auto&& print, auto&& below) {
  std::string out = "[";
  for (const auto& [key, docs] : groups)
    out += (out.size() > 1 ? " " : "") + bucket_text(print(key), docs, below(docs));
  return out + "]";
}

const auto kTags = [](const Doc& doc) { return doc.tags; };
const auto kNumbers = [](const Doc& doc) { return doc.numbers; };
const auto kPrices = [](const Doc& doc) { return doc.prices; };
const auto kAsIs = [](const std::string& key) { return key; };
const auto kPrint = [](int64_t key) { return std::to_string(key); };
const auto kNothing = [](const Docs&) { return std::string(); };

std::vector<int64_t> price_steps(const Doc& doc) {
  std::vector<int64_t> out;
  for (const double price : doc.prices)
    out.push_back(static_cast<int64_t>(std::floor((price - 2) / 10)));
  return out;
}

constexpr uint32_t kSeeds = 40;

TEST(AggsOracle, Terms) {
  for (uint32_t seed = 1; seed <= kSeeds; seed++) {
    const World world(seed);
    const bool all = seed % 2 == 0;
    const Docs docs = world.matching(all);
    const auto below = [](const Docs& own) { return stats_text(own, kPrices); };
    EXPECT_EQ(world.run(terms_agg("tag", {}, {stats_agg("price")}), all),
              terms_text(group<std::string>(docs, kTags), SIZE_MAX, kAsIs, below));
    TermsOptions cut;
    cut.shard_size = 3;
    cut.exact_limit = 0;
    EXPECT_EQ(world.run(terms_agg("tag", cut, {stats_agg("price")}), all),
              terms_text(group<std::string>(docs, kTags), 3, kAsIs, below));
    EXPECT_EQ(world.run(terms_agg("n", cut, {stats_agg("price")}), all),
              terms_text(group<int64_t>(docs, kNumbers), 3, kPrint, below));
  }
}

TEST(AggsOracle, BucketsBelowBuckets) {
  for (uint32_t seed = 100; seed < 100 + kSeeds; seed++) {
    const World world(seed);
    const bool all = seed % 2 == 0;
    const Docs docs = world.matching(all);
    const auto by_price = [](const Docs& own) {
      return ordered_text(group<int64_t>(own, price_steps), kPrint,
                          [](const Docs& inner) { return stats_text(inner, kNumbers); });
    };
    EXPECT_EQ(
        world.run(terms_agg("tag", {}, {histogram_agg("price", 10, 2, {stats_agg("n")})}), all),
        terms_text(group<std::string>(docs, kTags), SIZE_MAX, kAsIs, by_price));
    const auto by_tag = [](const Docs& own) {
      return terms_text(group<std::string>(own, kTags), 2, kAsIs, kNothing);
    };
    TermsOptions cut;
    cut.shard_size = 2;
    cut.exact_limit = 0;
    EXPECT_EQ(world.run(histogram_agg("price", 10, 2, {terms_agg("tag", cut)}), all),
              ordered_text(group<int64_t>(docs, price_steps), kPrint, by_tag));
    const auto by_number = [&](const Docs& own) {
      return terms_text(group<int64_t>(own, kNumbers), SIZE_MAX, kPrint, by_tag);
    };
    EXPECT_EQ(world.run(terms_agg("tag", {}, {terms_agg("n", {}, {terms_agg("tag", cut)})}), all),
              terms_text(group<std::string>(docs, kTags), SIZE_MAX, kAsIs, by_number));
  }
}

/// There are more owners times places than documents, so that cells are left for a hash table.
TEST(AggsOracle, ManyKeysBelowManyBuckets) {
  const auto quarters = [](const Doc& doc) {
    std::vector<int64_t> out;
    for (const double price : doc.prices) out.push_back(static_cast<int64_t>(price * 4));
    return out;
  };
  for (uint32_t seed = 500; seed < 500 + kSeeds; seed++) {
    const World world(seed);
    const bool all = seed % 2 == 0;
    const std::map<int64_t, Docs> numbers = group<int64_t>(world.matching(all), kNumbers);
    const auto plain = [&](const Docs& own) {
      return ordered_text(group<int64_t>(own, quarters), kPrint, kNothing);
    };
    EXPECT_EQ(world.run(terms_agg("n", {}, {histogram_agg("price", 0.25)}), all),
              terms_text(numbers, SIZE_MAX, kPrint, plain));
    const auto filled = [&](const Docs& own) {
      return ordered_text(group<int64_t>(own, quarters), kPrint,
                          [](const Docs& inner) { return stats_text(inner, kNumbers); });
    };
    EXPECT_EQ(
        world.run(terms_agg("n", {}, {histogram_agg("price", 0.25, 0, {stats_agg("n")})}), all),
        terms_text(numbers, SIZE_MAX, kPrint, filled));
  }
}

TEST(AggsOracle, FiltersRangesMissingAndGlobal) {
  for (uint32_t seed = 200; seed < 200 + kSeeds; seed++) {
    const World world(seed);
    const Docs docs = world.matching(false);
    Docs with;
    Docs without;
    Docs untagged;
    Docs low;
    for (const Doc* doc : docs) {
      const bool has = std::find(doc->tags.begin(), doc->tags.end(), "t3") != doc->tags.end();
      (has ? with : without).push_back(doc);
      if (doc->tags.empty()) untagged.push_back(doc);
      const bool below = std::any_of(doc->numbers.begin(), doc->numbers.end(),
                                     [](int64_t n) { return n >= -5 && n < 5; });
      if (below) low.push_back(doc);
    }
    const auto text = [](const Docs& own) { return stats_text(own, kPrices); };
    EXPECT_EQ(
        world.run(filters_agg({Query().term("tag", "t3")}, true, {stats_agg("price")}), false),
        "[" + bucket_text("0", with, text(with)) + " " + bucket_text("1", without, text(without)) +
            "]");
    EXPECT_EQ(
        world.run(
            AggBuilder(PlanOp::kAggMissing, "missing").source("tag").finish({stats_agg("price")}),
            false),
        "[" + bucket_text("0", untagged, text(untagged)) + "]");
    EXPECT_EQ(world.run(AggBuilder(PlanOp::kAggRange, "range")
                            .source("n")
                            .put(uint8_t{0})
                            .put(uint32_t{1})
                            .scalar(number_scalar("-5"))
                            .scalar(number_scalar("5"))
                            .text("")
                            .finish({stats_agg("price")}),
                        false),
              "[" + bucket_text("0", low, text(low)) + "]");
    const Docs everything = world.matching(true);
    EXPECT_EQ(
        world.run(
            AggBuilder(PlanOp::kAggGlobal, "global").put(uint8_t{0}).finish({stats_agg("price")}),
            false),
        "[" + bucket_text("0", everything, text(everything)) + "]");
  }
}

TEST(AggsOracle, CompositePages) {
  for (uint32_t seed = 300; seed < 300 + kSeeds; seed++) {
    const World world(seed);
    const Docs docs = world.matching(true);
    std::map<std::pair<std::string, int64_t>, Docs> groups;
    for (const Doc* doc : docs) {
      std::set<std::pair<std::string, int64_t>> keys;
      for (const std::string& tag : doc->tags) {
        for (const int64_t number : doc->numbers) keys.insert({tag, -number});
      }
      for (const auto& key : keys) groups[key].push_back(doc);
    }
    std::vector<Scalar> after;
    auto at = groups.begin();
    do {
      std::string expected = "[";
      const auto first = at;
      for (; at != groups.end() && std::distance(first, at) < 7; ++at) {
        expected += (expected.size() > 1 ? " " : "") +
                    bucket_text(at->first.first + "|" + std::to_string(-at->first.second),
                                at->second, stats_text(at->second, kPrices));
      }
      AggBuilder builder(PlanOp::kAggComposite, "composite");
      builder.put(uint32_t{7}).put(uint32_t{2});
      builder.put(uint8_t{0}).source("tag").put(uint8_t{0}).put(uint8_t{0}).put(uint8_t{0});
      builder.put(uint8_t{0}).source("n").put(uint8_t{1}).put(uint8_t{0}).put(uint8_t{0});
      EXPECT_EQ(world.run(builder.scalars(after).finish({stats_agg("price")}), true),
                expected + "]");
      if (at != first) {
        const auto& key = std::prev(at)->first;
        after = {string_scalar(key.first), number_scalar(std::to_string(-key.second))};
      }
    } while (at != groups.end());
  }
}

TEST(AggsOracle, ValuesAndHowManyDifferent) {
  for (uint32_t seed = 400; seed < 400 + kSeeds; seed++) {
    const World world(seed);
    const Docs docs = world.matching(false);
    std::set<std::string> tags;
    std::map<double, int> prices;
    for (const Doc* doc : docs) {
      tags.insert(doc->tags.begin(), doc->tags.end());
      for (const double price : doc->prices) prices[price]++;
    }
    std::string expected;
    for (const auto& [price, count] : prices)
      expected += (expected.empty() ? "" : " ") + number_text(price) + "x" + std::to_string(count);
    EXPECT_EQ(world.run(AggBuilder(PlanOp::kAggPercentiles, "percentiles")
                            .source("price")
                            .put(100.0)
                            .put(HdrBins::kNone)
                            .finish(),
                        false),
              expected);
    EXPECT_EQ(world.run(AggBuilder(PlanOp::kAggCardinality, "cardinality")
                            .source("tag")
                            .put(uint32_t{3000})
                            .put(static_cast<uint8_t>(seed % 2))
                            .finish(),
                        false),
              std::to_string(tags.size()));
  }
}

}  // namespace quarry::aggs_oracle_test
