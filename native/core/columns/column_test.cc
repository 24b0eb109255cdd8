// Columns of every layout compared with plain lists of values.
#include "columns/column.h"

#include <algorithm>
#include <map>

#include "base/random.h"
#include "testing/test.h"

namespace quarry::column_test {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

using Model = std::map<uint32_t, std::vector<int64_t>>;

/// The distribution of the values of a random column.
struct Shape {
  uint32_t max_doc = 0;
  uint32_t present_in_1000 = 1000;
  uint32_t max_values = 1;
  int64_t base = 0;
  uint64_t range = 1;  // values are base + step x [0, range)
  int64_t step = 1;
  bool ascending = false;  // values ascend with docIds, so that zones can decide
};

Model make_model(const Shape& shape, Random& random) {
  Model model;
  for (uint32_t doc = 0; doc < shape.max_doc; ++doc) {
    if (random.below(1000) >= shape.present_in_1000) continue;
    for (uint64_t left = 1 + random.below(shape.max_values); left > 0; --left) {
      const uint64_t code =
          shape.ascending ? doc * shape.range / shape.max_doc : random.below(shape.range);
      model[doc].push_back(shape.base + shape.step * static_cast<int64_t>(code));
    }
  }
  return model;
}

std::vector<uint8_t> write(const Model& model, uint32_t max_doc, bool unique) {
  ColumnWriter writer(unique);
  for (const auto& [doc, values] : model) {
    for (const int64_t value : values) writer.add(doc, value);
  }
  return writer.finish(max_doc);
}

/// The expected content of the column: ascending, and each value once if `unique`.
Model expected(Model model, bool unique) {
  for (auto& [doc, values] : model) {
    std::sort(values.begin(), values.end());
    if (unique) values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  return model;
}

void expect_values(const Column& column, const Model& model) {
  uint64_t total = 0;
  Bitset present(column.max_doc());
  column.collect_present(present);
  for (uint32_t doc = 0; doc < column.max_doc(); ++doc) {
    const auto found = model.find(doc);
    const std::vector<int64_t> none;
    const std::vector<int64_t>& values = found == model.end() ? none : found->second;
    EXPECT_EQ(column.has(doc), !values.empty());
    EXPECT_EQ(present.test(doc), !values.empty());
    ASSERT_EQ(column.count(doc), values.size());
    for (uint32_t i = 0; i < values.size(); ++i) EXPECT_EQ(column.value(doc, i), values[i]);
    std::vector<int64_t> visited;
    column.each(doc, [&visited](int64_t value) { visited.push_back(value); });
    EXPECT_TRUE(visited == values);
    total += values.size();
  }
  EXPECT_EQ(column.value_count(), total);
  EXPECT_EQ(column.doc_count(), model.size());
  EXPECT_EQ(column.dense(), model.size() == column.max_doc());
}

/// Looks up a random half of the values, as if they were ordinals.
void expect_members(const Column& column, const Model& model, Random& random) {
  Bitset wanted(100);
  for (uint32_t value = 0; value < wanted.size(); ++value) {
    if (random.below(2) == 0) wanted.set(value);
  }
  Bitset out(column.max_doc());
  column.collect_members(wanted, out);
  for (uint32_t doc = 0; doc < column.max_doc(); ++doc) {
    const auto found = model.find(doc);
    const bool matches = found != model.end() &&
                         std::any_of(found->second.begin(), found->second.end(), [&](int64_t v) {
                           return v >= 0 && v < 100 && wanted.test(static_cast<uint32_t>(v));
                         });
    EXPECT_EQ(out.test(doc), matches);
  }
}

void expect_decoded(const Column& column, const Model& model, Random& random) {
  for (int round = 0; round < 5; ++round) {
    const auto first = static_cast<uint32_t>(random.below(column.max_doc()));
    const auto count = static_cast<uint32_t>(random.below(column.max_doc() - first + 1));
    std::vector<int64_t> out(count);
    column.decode(first, count, -99, out.data());
    for (uint32_t i = 0; i < count; ++i) {
      const auto found = model.find(first + i);
      EXPECT_EQ(out[i], found == model.end() ? -99 : found->second[0]);
    }
  }
}

void expect_range(const Column& column, const Model& model, int64_t low, int64_t high) {
  Bitset out(column.max_doc());
  column.collect_range(low, high, out);
  for (uint32_t doc = 0; doc < column.max_doc(); ++doc) {
    const auto found = model.find(doc);
    const bool matches =
        found != model.end() && std::any_of(found->second.begin(), found->second.end(),
                                            [&](int64_t v) { return low <= v && v <= high; });
    EXPECT_EQ(out.test(doc), matches);
    EXPECT_EQ(column.matches_range(doc, low, high), matches);
  }
}

void expect_column(const Shape& shape, bool unique, uint64_t seed) {
  Random random(seed);
  const Model raw = make_model(shape, random);
  const Model model = expected(raw, unique);
  const std::vector<uint8_t> section = write(raw, shape.max_doc, unique);
  const Result<Column> opened = Column::open(section, shape.max_doc);
  ASSERT_OK(opened);
  const Column& column = *opened;
  expect_values(column, model);
  expect_decoded(column, model, random);
  expect_members(column, model, random);
  expect_range(column, model, kMin, kMax);
  for (int round = 0; round < 8; ++round) {
    int64_t low = shape.base + shape.step * static_cast<int64_t>(random.below(shape.range)) - 1;
    int64_t high = shape.base + shape.step * static_cast<int64_t>(random.below(shape.range)) + 1;
    if (low > high) std::swap(low, high);
    expect_range(column, model, low, high);
    expect_range(column, model, low, low);
    expect_range(column, model, low + 1, low + 1);
  }
}

TEST(Column, HoldsEveryWidthAndPresence) {
  uint64_t seed = 1;
  for (const uint64_t range :
       {uint64_t{1}, uint64_t{200}, uint64_t{60000}, uint64_t{1} << 31, uint64_t{1} << 60}) {
    for (const uint32_t present : {1000U, 700U, 200U, 10U}) {
      for (const uint32_t most : {1U, 4U}) {
        const Shape shape{.max_doc = 2500,
                          .present_in_1000 = present,
                          .max_values = most,
                          .base = -7,
                          .range = range};
        expect_column(shape, false, seed);
        expect_column(shape, true, seed++);
      }
    }
  }
}

TEST(Column, HoldsSmallSegments) {
  for (const uint32_t max_doc : {1U, 2U, 63U, 64U, 65U}) {
    for (const uint32_t present : {1000U, 600U, 300U}) {
      const Shape shape{
          .max_doc = max_doc, .present_in_1000 = present, .max_values = 3, .base = 5, .range = 9};
      expect_column(shape, true, max_doc);
    }
  }
}

TEST(Column, DividesByTheCommonStep) {
  const Shape shape{.max_doc = 3000, .base = 1700000000000, .range = 200, .step = 86400000};
  expect_column(shape, false, 3);
  Random random(3);
  EXPECT_LT(write(make_model(shape, random), shape.max_doc, false).size(), 3000 + 200);
}

TEST(Column, DecidesByZonesWhenValuesFollowDocuments) {
  expect_column({.max_doc = 5000, .base = -100, .range = 700, .ascending = true}, false, 4);
  expect_column({.max_doc = 5000, .present_in_1000 = 20, .range = 700, .ascending = true}, false,
                5);
  Random random(6);
  const Shape shape{.max_doc = 3000, .range = 3000, .ascending = true};
  const std::vector<uint8_t> section = write(make_model(shape, random), shape.max_doc, false);
  const Result<Column> column = Column::open(section, shape.max_doc);
  ASSERT_OK(column);
  ASSERT_EQ(column->zone_count(), 3);
  EXPECT_EQ(column->zone(1).min, 1024);
  EXPECT_EQ(column->zone(1).max, 2047);
  EXPECT_EQ(column->zone(2).max, 2999);
}

TEST(Column, HoldsTheExtremesOfInt64) {
  const Model model = {{0, {kMin}}, {1, {kMax}}, {2, {kMin, 0, kMax}}, {4, {-1}}};
  const std::vector<uint8_t> section = write(model, 5, false);
  const Result<Column> column = Column::open(section, 5);
  ASSERT_OK(column);
  expect_values(*column, model);
  EXPECT_EQ(column->bounds().min, kMin);
  EXPECT_EQ(column->bounds().max, kMax);
  for (const int64_t low : {kMin, kMin + 1, int64_t{-1}, int64_t{0}, kMax}) {
    for (const int64_t high : {kMin, int64_t{-1}, int64_t{0}, kMax - 1, kMax}) {
      if (low <= high) expect_range(*column, model, low, high);
    }
  }
}

TEST(Column, CanBeEmpty) {
  const std::vector<uint8_t> section = write({}, 70, true);
  const Result<Column> column = Column::open(section, 70);
  ASSERT_OK(column);
  expect_values(*column, {});
  expect_range(*column, {}, kMin, kMax);
  EXPECT_GT(column->bounds().min, column->bounds().max);
  EXPECT_GT(column->zone(0).min, column->zone(0).max);
}

TEST(Column, RefusesAnotherSegmentsSize) {
  const std::vector<uint8_t> section = write({{0, {1}}}, 70, true);
  EXPECT_FALSE(Column::open(section, 71).ok());
}

}  // namespace quarry::column_test
