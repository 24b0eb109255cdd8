// Scores, the best hits of a shard, and the path that the planner chooses.
#include "vector/vector_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/random.h"
#include "testing/test.h"
#include "testing/vector_segment.h"

namespace quarry::vector_search_test {

using testing::Shape;
using testing::TestVectorSegment;
using testing::VectorSet;

constexpr VectorSimilarity kAllSimilarities[] = {
    VectorSimilarity::kCosine, VectorSimilarity::kDotProduct, VectorSimilarity::kL2Norm,
    VectorSimilarity::kMaxInnerProduct, VectorSimilarity::kByteDotProduct};

VectorOptions options_of(VectorSimilarity similarity, uint32_t dims,
                         VectorIndex index = VectorIndex::kHnsw) {
  VectorOptions options;
  options.dims = dims;
  options.similarity = similarity;
  options.index = index;
  return options;
}

TEST(PreparedVector, ScoresAreThoseOfTheContract) {
  for (const VectorSimilarity similarity : kAllSimilarities) {
    for (const uint32_t dims : {1U, 2U, 50U, 384U}) {
      VectorSet set(Shape::kClustered, dims, dims);
      const VectorOptions options = options_of(similarity, dims, VectorIndex::kFlat);
      const TestVectorSegment segment(options, set, 40, 0);
      const std::vector<float> query_vector = set.next();
      const PreparedVector query(options, query_vector);
      for (uint32_t doc = 0; doc < 40; doc++) {
        const double expected =
            testing::reference_score(similarity, query_vector, segment.vector(doc));
        EXPECT_NEAR(query.score(segment.column().row(doc)), expected,
                    1e-6 * std::max(1.0, std::abs(expected)));
      }
    }
  }
}

TEST(PreparedVector, ALeastKeyIsReachedByEveryRowOfThatScore) {
  for (const VectorSimilarity similarity : kAllSimilarities) {
    VectorSet set(Shape::kRagged, 20, 9);
    const VectorOptions options = options_of(similarity, 20, VectorIndex::kFlat);
    const TestVectorSegment segment(options, set, 300, 0);
    const PreparedVector query(options, set.next());
    for (uint32_t doc = 0; doc < 300; doc++) {
      const float* row = segment.column().row(doc);
      double dot = 0, squares = 0;
      for (size_t i = 0; i < 20; i++) {
        const double x = static_cast<double>(row[i]);
        dot += x * static_cast<double>(query.vector()[i]);
        squares += x * x;
      }
      const double key = similarity == VectorSimilarity::kL2Norm ? dot - squares / 2 : dot;
      const float score = static_cast<float>(query.score(row));
      EXPECT_TRUE(query.least_key(static_cast<double>(score)) <= key);
    }
    EXPECT_TRUE(std::isinf(query.least_key(-std::numeric_limits<double>::infinity())));
  }
}

TEST(PreparedVector, SimilaritiesCutWhereTheirScoresAre) {
  const std::vector<float> v = {3, 4};
  const auto cut = [&](VectorSimilarity similarity, float value) {
    return PreparedVector(options_of(similarity, 2), v).score_of_similarity(value);
  };
  EXPECT_NEAR(cut(VectorSimilarity::kCosine, 0.5F), 0.75F, 1e-7F);
  EXPECT_NEAR(cut(VectorSimilarity::kDotProduct, 3), 2.0F, 1e-7F);
  EXPECT_NEAR(cut(VectorSimilarity::kL2Norm, 2), 0.2F, 1e-7F);
  EXPECT_NEAR(cut(VectorSimilarity::kMaxInnerProduct, 2), 3.0F, 1e-7F);
  EXPECT_NEAR(cut(VectorSimilarity::kMaxInnerProduct, -1), 0.5F, 1e-7F);
  EXPECT_NEAR(cut(VectorSimilarity::kByteDotProduct, 32768), 1.0F, 1e-7F);
}

TEST(TopVectors, KeepsTheBestAndAmongEqualsTheFirst) {
  TopVectors top(2, {});
  top.push(7, 0.5);
  top.push(3, 0.5);
  EXPECT_NEAR(top.threshold(), 0.5, 0);
  top.push(9, 0.5);
  top.push(1, 0.5 + 1e-12);  // equal as a float
  top.push(5, std::nan(""));
  const std::vector<VectorHit> hits = top.take();
  ASSERT_EQ(hits.size(), 2U);
  EXPECT_EQ(hits[0].doc, 1U);
  EXPECT_EQ(hits[1].doc, 3U);
}

TEST(TopVectors, CutsAtALeastScore) {
  TopVectors top(3, 0.5F);
  top.push(1, 0.4);
  top.push(2, 0.5);
  top.push(3, 1e300);
  const std::vector<VectorHit> hits = top.take();
  ASSERT_EQ(hits.size(), 2U);
  EXPECT_EQ(hits[0].doc, 3U);
  EXPECT_EQ(hits[1].doc, 2U);
  TopVectors none(0, {});
  none.push(1, 1);
  EXPECT_TRUE(none.take().empty());
}

/// The hits in order, without those of an outer document that has a better one.
std::vector<VectorHit> best_of_outer(std::vector<VectorHit> hits, const Bitset& outer, size_t k) {
  std::set<uint32_t> seen;
  std::erase_if(hits,
                [&](const VectorHit& hit) { return !seen.insert(outer.next(hit.doc)).second; });
  hits.resize(std::min(hits.size(), k));
  return hits;
}

bool same(const std::vector<VectorHit>& a, const std::vector<VectorHit>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.doc == y.doc && x.score == y.score;
  });
}

TEST(TopVectors, KeepsTheBestOfEachOuterDocument) {
  Random random(3);
  for (uint32_t round = 0; round < 300; round++) {
    const uint32_t k = 1 + static_cast<uint32_t>(random.below(8));
    const uint64_t outer_count = 1 + random.below(20), scores = 2 + random.below(40);
    std::vector<uint32_t> docs(200);
    for (uint32_t i = 0; i < 200; i++) docs[i] = i;
    for (uint32_t i = 199; i > 0; i--) std::swap(docs[i], docs[random.below(i + 1)]);
    Bitset outer(400);
    for (uint64_t i = 1; i <= outer_count; i++)
      outer.set(static_cast<uint32_t>(399 * i / outer_count));
    TopVectors top(k, {}, TopOf::kOuterDocs);
    std::vector<VectorHit> all;
    for (const uint32_t doc : docs) {
      all.push_back({doc, static_cast<float>(random.below(scores))});
      top.push(doc, outer.next(doc), static_cast<double>(all.back().score));
    }
    std::sort(all.begin(), all.end(), [](const VectorHit& a, const VectorHit& b) {
      return a.score != b.score ? a.score > b.score : a.doc < b.doc;
    });
    const std::vector<VectorHit> expected = best_of_outer(all, outer, k);
    if (expected.size() == k) EXPECT_NEAR(top.threshold(), expected.back().score, 0);
    EXPECT_TRUE(same(top.take(), expected));
  }
}

/// Documents 6 i are around the five before them.
TEST(VectorSearch, FiltersFindTheBestOuterDocuments) {
  for (const Shape shape : {Shape::kClustered, Shape::kAnisotropic, Shape::kConstant}) {
    for (const uint32_t max_doc : {61U, 901U, 6001U}) {
      VectorSet set(shape, 130, 4);
      const VectorOptions options = options_of(VectorSimilarity::kCosine, 130);
      const TestVectorSegment segment(options, set, max_doc, 6);
      const PreparedVector query(options, set.next());
      Bitset outer(max_doc);
      for (uint32_t doc = 0; doc < max_doc; doc += 6) outer.set(doc);
      Random random(max_doc);
      for (const uint64_t percent : {2U, 10U, 40U, 70U, 100U}) {
        Bitset filter(max_doc), live(max_doc, true);
        for (uint32_t doc = 0; doc < max_doc; doc++) {
          if (doc % 6 != 0 && random.below(100) < percent) filter.set(doc);
          if (random.below(10) == 0) live.clear(doc);
        }
        for (const uint32_t k : {1U, 10U, 300U}) {
          TopVectors top(k, {}, TopOf::kOuterDocs);
          StopCheck stop(nullptr, 0);
          VectorCounters counters;
          VectorSearcher searcher;
          searcher.search({&segment.column(), 0, &live, &filter, &outer}, query, 100, top, stop,
                          counters);
          const std::vector<VectorHit> all =
              testing::reference_hits(segment, query, &live, &filter);
          EXPECT_TRUE(same(top.take(), best_of_outer(all, outer, k)));
        }
      }
    }
  }
}

/// The work of one search for `k` over a whole segment.
VectorCounters work(const VectorSegment& segment, const PreparedVector& query, uint32_t min_beam,
                    uint32_t num_candidates, std::vector<VectorHit>* hits = nullptr,
                    uint32_t k = 10) {
  VectorSearcher searcher;
  searcher.set_min_beam(min_beam);
  TopVectors top(k, {});
  StopCheck stop(nullptr, 0);
  VectorCounters counters;
  searcher.search(segment, query, num_candidates, top, stop, counters);
  if (hits != nullptr) *hits = top.take();
  return counters;
}

TEST(VectorSearch, FewRowsAreReadAsTheyAreAndMoreThroughTheirCodes) {
  VectorSet set(Shape::kAnisotropic, 130, 4);
  const VectorOptions options = options_of(VectorSimilarity::kCosine, 130, VectorIndex::kFlat);
  const TestVectorSegment segment(options, set, 4000, 0);
  const PreparedVector query(options, set.next());
  const auto filtered = [&](uint32_t every) {
    Bitset filter(4000);
    for (uint32_t doc = 0; doc < 4000; doc += every) filter.set(doc);
    return work({&segment.column(), 0, nullptr, &filter}, query, kMinBeam, 100);
  };
  const VectorCounters few = filtered(20), some = filtered(4), all = filtered(1);
  EXPECT_EQ(few.exact_distances, 200U);
  EXPECT_EQ(few.full_distances, 0U);
  EXPECT_EQ(some.full_distances, 1000U);
  EXPECT_EQ(some.sketch_distances, 0U);
  EXPECT_EQ(all.sketch_distances, 4000U);
}

TEST(VectorSearch, RowsThatMayNotBeReturnedAreNotRead) {
  VectorSet set(Shape::kClustered, 40, 4);
  const VectorOptions options = options_of(VectorSimilarity::kCosine, 40, VectorIndex::kFlat);
  const TestVectorSegment segment(options, set, 1000, 0, VectorEffort::kRows);
  const PreparedVector query(options, set.next());
  Bitset filter(1000), live(1000, true);
  for (uint32_t doc = 0; doc < 600; doc++) filter.set(doc);
  live.clear(7);
  const VectorCounters counters = work({&segment.column(), 0, &live, &filter}, query, 1, 10);
  EXPECT_EQ(counters.exact_distances, 599U);
  EXPECT_EQ(counters.bytes_read, 599U * 40 * sizeof(float));
}

TEST(VectorSearch, AGraphServesWhatIsDearToScan) {
  VectorSet set(Shape::kClustered, 40, 4);
  const VectorOptions options = options_of(VectorSimilarity::kCosine, 40);
  const TestVectorSegment segment(options, set, 6000, 9);
  ASSERT_TRUE(segment.column().graph() != nullptr);
  const PreparedVector query(options, set.next());
  const VectorSegment all = {&segment.column(), 0, nullptr, nullptr};
  EXPECT_EQ(work(all, query, kMinBeam, 100).hops, 0U);  // exact is cheaper than a beam of 800
  std::vector<VectorHit> hits;
  EXPECT_GT(work(all, query, 20, 20, &hits).hops, 0U);
  EXPECT_EQ(hits.size(), 10U);
  Bitset filter(6000, true);
  EXPECT_EQ(work({&segment.column(), 0, nullptr, &filter}, query, 20, 20).hops, 0U);
  Bitset live(6000, true);
  live.clear(hits[0].doc);
  std::vector<VectorHit> rest;
  EXPECT_GT(work({&segment.column(), 0, &live, nullptr}, query, 20, 20, &rest).hops, 0U);
  EXPECT_EQ(rest.size(), 10U);
  for (const VectorHit& hit : rest) EXPECT_NE(hit.doc, hits[0].doc);
}

TEST(VectorSearch, OtherSimilaritiesAreExactWithoutAGraph) {
  for (const VectorSimilarity similarity : kAllSimilarities) {
    for (const VectorIndex index : {VectorIndex::kHnsw, VectorIndex::kInt8Hnsw}) {
      const VectorOptions options = options_of(similarity, 20, index);
      if (options.wants_graph()) continue;
      VectorSet set(Shape::kClustered, 20, 4);
      const TestVectorSegment segment(options, set, 2000, 0);
      const PreparedVector query(options, set.next());
      const VectorCounters counters = work({&segment.column(), 0, nullptr, nullptr}, query, 1, 10);
      EXPECT_EQ(counters.hops, 0U);
      EXPECT_EQ(counters.full_distances, 2000U);
    }
  }
}

/// Mean fraction of the exact ten best that graph searches find.
double recall(const TestVectorSegment& segment, VectorSet& set, const Bitset* live,
              VectorPath path) {
  VectorSearcher searcher;
  uint32_t found = 0;
  for (int round = 0; round < 20; round++) {
    const PreparedVector query(segment.column().options(), set.next());
    TopVectors top(10, {});
    StopCheck stop(nullptr, 0);
    VectorCounters counters;
    searcher.search({&segment.column(), 0, live, nullptr}, query, 100, top, stop, counters, path);
    EXPECT_GT(counters.hops, 0U);
    const float least = testing::reference_hits(segment, query, live, nullptr)[9].score;
    for (const VectorHit& hit : top.take()) found += hit.score >= least ? 1 : 0;
  }
  return found / 200.0;
}

TEST(VectorSearch, WalksFindNearlyAllAlsoAmongTombstones) {
  VectorSet set(Shape::kAnisotropic, 130, 4);
  const VectorOptions options = options_of(VectorSimilarity::kCosine, 130);
  const TestVectorSegment segment(options, set, 5000, 7);
  ASSERT_TRUE(segment.column().planes()->sketch_dims != 0);
  Random random(1);
  Bitset live(5000);
  for (uint32_t doc = 0; doc < 5000; doc++) {
    if (random.below(2) == 0) live.set(doc);
  }
  for (const VectorPath path : {VectorPath::kSketchWalk, VectorPath::kFullWalk}) {
    EXPECT_GE(recall(segment, set, nullptr, path), 0.98);
    EXPECT_GE(recall(segment, set, &live, path), 0.98);
  }
}

TEST(VectorSearch, ABeamGrowsWithTheShareOfTheDead) {
  VectorSet set(Shape::kClustered, 40, 4);
  const VectorOptions options = options_of(VectorSimilarity::kCosine, 40);
  const TestVectorSegment segment(options, set, 6000, 0);
  const PreparedVector query(options, set.next());
  // Of so few rows, a half that lives would be scanned.
  const auto hops = [&](uint32_t dead_one_in) {
    Bitset live(6000, true);
    for (uint32_t doc = 0; dead_one_in != 0 && doc < 6000; doc += dead_one_in) live.clear(doc);
    VectorSearcher searcher;
    searcher.set_min_beam(100);
    TopVectors top(10, {});
    StopCheck stop(nullptr, 0);
    VectorCounters counters;
    searcher.search({&segment.column(), 0, &live, nullptr}, query, 10, top, stop, counters,
                    VectorPath::kFullWalk);
    return counters.hops;
  };
  const uint64_t alive = hops(0), half = hops(2);
  EXPECT_GE(hops(4) * 100, alive * 120);
  EXPECT_GE(half * 100, alive * 170);
  EXPECT_LT(half * 100, alive * 230);
}

TEST(VectorSearch, WhatIsLeftAmongTombstonesIsAllFound) {
  VectorSet set(Shape::kClustered, 40, 4);
  const VectorOptions options = options_of(VectorSimilarity::kCosine, 40);
  const TestVectorSegment segment(options, set, 3000, 0);
  const PreparedVector query(options, set.next());
  Bitset live(3000);
  for (const uint32_t doc : {5U, 1000U, 2999U}) live.set(doc);
  for (const VectorPath path :
       {VectorPath::kAuto, VectorPath::kSketchWalk, VectorPath::kFullWalk}) {
    VectorSearcher searcher;
    TopVectors top(10, {});
    StopCheck stop(nullptr, 0);
    VectorCounters counters;
    searcher.search({&segment.column(), 0, &live, nullptr}, query, 100, top, stop, counters, path);
    EXPECT_EQ(top.take().size(), 3U);
  }
}

}  // namespace quarry::vector_search_test
