// Columns whose documents have several vectors: their values, searches by every path, and damage.
#include <algorithm>
#include <map>
#include <memory>

#include "testing/damage.h"
#include "testing/test.h"
#include "testing/vector_segment.h"
#include "vector/vector_format.h"

namespace quarry::vector_repeats_test {

using testing::Shape;
using testing::VectorSet;

constexpr uint32_t kDims = 20;

VectorOptions options_of(VectorIndex index = VectorIndex::kHnsw) {
  VectorOptions options;
  options.dims = kDims;
  options.index = index;
  return options;
}

/// Every document has up to `most` rows.
struct Repeated {
  Repeated(uint64_t seed, uint32_t max_doc, uint32_t most, VectorEffort effort) {
    VectorSet set(Shape::kClustered, kDims, seed);
    Random random(seed);
    VectorWriter writer(options_of());
    for (uint32_t doc = 0; doc < max_doc; doc++) {
      counts.push_back(static_cast<uint32_t>(random.below(most + 1)));
      for (uint32_t i = 0; i < counts[doc]; i++) writer.add(doc, query_vector = set.next());
    }
    sections = *writer.finish(max_doc, effort, nullptr, nullptr);
    column =
        std::make_unique<VectorColumn>(*VectorColumn::open(testing::views_of(sections), max_doc));
  }

  std::vector<uint32_t> counts;
  std::vector<float> query_vector;
  VectorSections sections;
  std::unique_ptr<VectorColumn> column;
};

TEST(VectorRepeats, RowsOfADocumentAreReadBackTogether) {
  const Repeated made(1, 300, 4, VectorEffort::kRows);
  const VectorColumn& column = *made.column;
  EXPECT_TRUE(column.repeats());
  EXPECT_FALSE(column.dense());
  uint32_t ordinal = 0;
  for (uint32_t doc = 0; doc < 300; doc++) {
    const VectorColumn::Rows rows = column.rows_of(doc);
    EXPECT_EQ(rows.end - rows.begin, made.counts[doc]);
    EXPECT_EQ(column.ordinal(doc), made.counts[doc] == 0 ? kNoVector : ordinal);
    if (made.counts[doc] > 0) EXPECT_EQ(rows.begin, ordinal);
    for (uint32_t i = rows.begin; i < rows.end; i++) EXPECT_EQ(column.doc(i), doc);
    ordinal += made.counts[doc];
  }
  EXPECT_EQ(column.size(), ordinal);
}

TEST(VectorRepeats, AsManyRowsAsDocumentsAreNotTakenForDense) {
  VectorWriter writer(options_of());
  VectorSet set(Shape::kIsotropic, kDims, 3);
  for (const uint32_t doc : {1U, 1U, 2U}) writer.add(doc, set.next());
  const VectorSections sections = *writer.finish(3, VectorEffort::kRows, nullptr, nullptr);
  const auto column = VectorColumn::open(testing::views_of(sections), 3);
  ASSERT_OK(column);
  EXPECT_FALSE(column->dense());
  EXPECT_EQ(column->ordinal(0), kNoVector);
  EXPECT_EQ(column->ordinal(2), 2U);
}

TEST(VectorRepeats, OtherColumnsKeepTheirVersion) {
  VectorSet set(Shape::kIsotropic, kDims, 3);
  VectorWriter writer(options_of());
  for (const uint32_t doc : {0U, 2U}) writer.add(doc, set.next());
  const VectorSections sections = *writer.finish(3, VectorEffort::kRows, nullptr, nullptr);
  EXPECT_EQ(sections.head[4], vector_format::kVersion);
  EXPECT_EQ(Repeated(1, 20, 3, VectorEffort::kRows).sections.head[4],
            vector_format::kRepeatsVersion);
}

std::vector<VectorHit> reference(const Repeated& made, const PreparedVector& query,
                                 const Bitset* live, const Bitset* filter, size_t k) {
  std::vector<VectorHit> hits;
  for (uint32_t i = 0; i < made.column->size(); i++) {
    const uint32_t doc = made.column->doc(i);
    if (live != nullptr && !live->test(doc)) continue;
    if (filter != nullptr && !filter->test(doc)) continue;
    hits.push_back({doc, static_cast<float>(query.score(made.column->row(i)))});
  }
  std::sort(hits.begin(), hits.end(), [](const VectorHit& a, const VectorHit& b) {
    return a.score != b.score ? a.score > b.score : a.doc < b.doc;
  });
  hits.resize(std::min(hits.size(), k));
  return hits;
}

Bitset some(Random& random, uint32_t size, uint64_t percent) {
  Bitset bits(size);
  for (uint32_t i = 0; i < size; i++) {
    if (random.below(100) < percent) bits.set(i);
  }
  return bits;
}

TEST(VectorRepeats, ExactSearchesFindEveryRow) {
  const Repeated made(5, 1500, 5, VectorEffort::kFull);
  EXPECT_TRUE(made.column->planes() != nullptr);
  const PreparedVector query(options_of(), made.query_vector);
  Random random(9);
  VectorSearcher searcher;
  for (const uint64_t percent : {0, 1, 5, 20, 50, 90, 100}) {
    const Bitset live = some(random, 1500, 70);
    const Bitset filter = some(random, 1500, percent);
    for (const Bitset* alive : {&live, static_cast<const Bitset*>(nullptr)}) {
      for (const VectorPath path : {VectorPath::kAuto, VectorPath::kRows, VectorPath::kCascade}) {
        TopVectors top(40, {});
        StopCheck stop(nullptr, 0);
        VectorCounters counters;
        searcher.search({made.column.get(), 0, alive, &filter}, query, 0, top, stop, counters,
                        path);
        const std::vector<VectorHit> hits = top.take();
        const std::vector<VectorHit> wanted = reference(made, query, alive, &filter, 40);
        ASSERT_EQ(hits.size(), wanted.size());
        for (size_t i = 0; i < hits.size(); i++) {
          EXPECT_EQ(hits[i].doc, wanted[i].doc);
          EXPECT_EQ(hits[i].score, wanted[i].score);
        }
      }
    }
  }
}

TEST(VectorRepeats, WalksFindThemAmongTombstones) {
  const Repeated made(6, 900, 4, VectorEffort::kFull);
  ASSERT_TRUE(made.column->graph() != nullptr);
  const PreparedVector query(options_of(), made.query_vector);
  Random random(2);
  const Bitset live = some(random, 900, 60);
  VectorSearcher searcher;
  searcher.set_min_beam(200);
  TopVectors top(10, {});
  StopCheck stop(nullptr, 0);
  VectorCounters counters;
  searcher.search({made.column.get(), 0, &live, nullptr}, query, 0, top, stop, counters,
                  VectorPath::kFullWalk);
  EXPECT_TRUE(counters.hops > 0);
  const std::vector<VectorHit> hits = top.take();
  const std::vector<VectorHit> wanted = reference(made, query, &live, nullptr, 10);
  ASSERT_EQ(hits.size(), wanted.size());
  size_t found = 0;
  for (const VectorHit& hit : hits) {
    EXPECT_TRUE(live.test(hit.doc));
    found += std::any_of(wanted.begin(), wanted.end(), [&hit](const VectorHit& other) {
      return other.doc == hit.doc && other.score == hit.score;
    });
  }
  EXPECT_TRUE(found >= 9);
}

TEST(VectorRepeats, DocumentsOutOfOrderAreDamage) {
  const Repeated made(7, 40, 3, VectorEffort::kRows);
  const auto refused = [&](VectorSections sections) {
    const auto column = VectorColumn::open(testing::views_of(sections), 40);
    return !column.ok() && column.status().type() == ErrorType::kCorrupt;
  };
  VectorSections sections = made.sections;
  store(sections.docs.data() + 4, uint32_t{40});
  EXPECT_TRUE(refused(sections));
  sections = made.sections;
  store(sections.docs.data() + sections.docs.size() - 4, uint32_t{0});
  EXPECT_TRUE(refused(sections));
  sections = made.sections;
  sections.head[4] = vector_format::kVersion;
  EXPECT_TRUE(refused(sections));
  sections = made.sections;
  sections.head[28] = static_cast<uint8_t>(sections.head[28] | vector_format::kDense);
  EXPECT_TRUE(refused(sections));
}

TEST(VectorRepeats, RandomDamageIsSurvived) {
  const Repeated made(8, 200, 4, VectorEffort::kFull);
  Random random(11);
  std::vector<uint8_t> VectorSections::* const parts[] = {
      &VectorSections::head, &VectorSections::docs, &VectorSections::rows, &VectorSections::full,
      &VectorSections::bounds};
  for (int round = 0; round < 300; round++) {
    VectorSections sections = made.sections;
    testing::damage(sections.*parts[random.below(5)], random);
    const VectorSections copy = sections;
    const auto column = VectorColumn::open(testing::views_of(copy), 200);
    if (!column.ok()) {
      EXPECT_TRUE(column.status().type() == ErrorType::kCorrupt);
      continue;
    }
    EXPECT_TRUE(testing::search_everything(*column, std::vector<float>(kMaxVectorDims, 0.5F)));
    for (uint32_t doc = 0; doc < 200; doc++) EXPECT_LE(column->rows_of(doc).end, column->size());
  }
}

}  // namespace quarry::vector_repeats_test
