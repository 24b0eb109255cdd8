// Places of codes by steps compared with places of timestamps, and the counting of cells.
#include "query/aggs/frame/place_counting.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "columns/listed_loops.h"
#include "mapping/dates/calendar.h"
#include "testing/test.h"

namespace quarry::place_counting_test {

Rounding make(uint8_t unit, int64_t fixed_ms, const char* zone) {
  RoundingSpec spec;
  spec.unit = unit;
  spec.fixed_ms = fixed_ms;
  spec.time_zone = zone;
  Result<Rounding> rounding = Rounding::make(spec);
  EXPECT_OK(rounding);
  return std::move(rounding).value();
}

/// False if there are no steps; otherwise compares them with the table for every value.
bool check(Rounding rounding, const std::vector<int64_t>& values) {
  ColumnWriter writer(false);
  for (uint32_t doc = 0; doc < values.size(); doc++) writer.add(doc, values[doc]);
  const std::vector<uint8_t> section = writer.finish(static_cast<uint32_t>(values.size()));
  const Result<Column> opened = Column::open(section, static_cast<uint32_t>(values.size()));
  EXPECT_OK(opened);
  const Column& column = *opened;
  rounding.prepare(column.bounds().min, column.bounds().max);
  const PlaceIndex index(rounding, column);
  if (index.empty()) return false;
  const ColumnCodes codes = column.codes();
  std::vector<uint32_t> docs(values.size());
  for (uint32_t doc = 0; doc < docs.size(); doc++) docs[doc] = doc;
  each_code_of(codes, docs, [&](size_t doc, uint64_t code) {
    EXPECT_EQ(index.place_of(static_cast<uint32_t>(code)), rounding.place_of(values[doc]));
  });
  // Codes that no document has also lead to a place inside the table.
  for (const uint32_t code : {0x7fffffffU, 0x80000000U, 0xffffffffU})
    EXPECT_LT(index.place_of(code), rounding.table_size());
  return true;
}

TEST(PlaceIndex, SaysWhatTheTableSays) {
  std::mt19937_64 random(7);
  const int64_t from = days_from_civil({1999, 6, 3}) * kMsPerDay;
  const std::pair<uint8_t, int64_t> units[] = {{1, 0}, {2, 0}, {3, 0},
                                               {4, 0}, {5, 0}, {0, 36 * kMsPerHour}};
  uint32_t made = 0;
  for (const char* zone : {"", "America/New_York", "Australia/Lord_Howe"}) {
    for (const auto& [unit, fixed] : units) {
      for (const int64_t days : {0, 1, 20, 70, 400, 9000}) {
        for (const int64_t grain : {int64_t{1}, int64_t{1000}, kMsPerDay}) {
          std::vector<int64_t> values;
          const auto span = static_cast<uint64_t>(days * kMsPerDay / grain + 1);
          for (int i = 0; i < 300; i++)
            values.push_back(from + static_cast<int64_t>(random() % span) * grain);
          const Rounding rounding = make(unit, fixed, zone);
          // The bounds themselves, if the granularity allows it.
          for (int64_t key = rounding.round(from); grain == 1000 && key <= values[0];
               key = rounding.next(key)) {
            if (key > from && values.size() < 2000) values.insert(values.end(), {key - 1000, key});
          }
          made += check(rounding, values) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(made, 150U);
}

TEST(PlaceIndex, IsEmptyWhereItWouldBeLarge) {
  const int64_t day = kMsPerDay;
  EXPECT_FALSE(check(make(6, 0, "Europe/Berlin"), {0, 1, 2 * 365 * day}));
  // Codes of eight bytes.
  EXPECT_FALSE(check(make(1, 0, ""), {0, 1, 9000 * day}));
}

TEST(CountCells, CountsEveryOne) {
  std::mt19937_64 random(8);
  for (uint32_t size = 0; size < 70; size++) {
    std::vector<uint32_t> cells;
    std::vector<uint32_t> expected(5);
    for (uint32_t i = 0; i < size; i++) {
      cells.push_back(static_cast<uint32_t>(random() % 5));
      expected[cells.back()]++;
    }
    std::vector<uint32_t> counts(5);
    count_cells(cells, counts.data());
    EXPECT_TRUE(counts == expected);
  }
}

}  // namespace quarry::place_counting_test
