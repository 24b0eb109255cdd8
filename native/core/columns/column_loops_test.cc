// Loops over codes compared with the values document by document: every width, presence and number
// of values.
#include <random>
#include <utility>
#include <vector>

#include "columns/listed_loops.h"
#include "testing/test.h"

namespace quarry::column_loops_test {

using Values = std::vector<std::pair<uint32_t, int64_t>>;

struct Shape {
  uint32_t docs = 0;
  uint32_t one_in = 1;  // one document in `one_in` has values
  uint32_t most = 1;    // maximum values of a document
  uint64_t values = 1;  // number of different values
};

Values looped(const Column& column, const Bitset* wanted, uint32_t first, uint32_t end) {
  const ColumnCodes codes = column.codes();
  Values out;
  each_code(codes, wanted == nullptr ? nullptr : wanted->words().data(), first, end,
            [&](uint32_t doc, uint64_t code) {
              const uint64_t value = static_cast<uint64_t>(codes.base) + codes.step * code;
              out.emplace_back(doc, static_cast<int64_t>(value));
            });
  return out;
}

Values walked(const Column& column, const Bitset* wanted, uint32_t first, uint32_t end) {
  Values out;
  for (uint32_t doc = first; doc < end; doc++) {
    if (wanted != nullptr && !wanted->test(doc)) continue;
    column.each(doc, [&](int64_t value) { out.emplace_back(doc, value); });
  }
  return out;
}

std::vector<uint32_t> listed(const Bitset& wanted) {
  std::vector<uint32_t> docs;
  for (uint32_t doc = wanted.next(0); doc < wanted.size(); doc = wanted.next(doc + 1))
    docs.push_back(doc);
  return docs;
}

Values looped_over(const Column& column, const std::vector<uint32_t>& docs) {
  const ColumnCodes codes = column.codes();
  Values out;
  each_listed_code(codes, docs, [&](uint32_t doc, uint64_t code) {
    const uint64_t value = static_cast<uint64_t>(codes.base) + codes.step * code;
    out.emplace_back(doc, static_cast<int64_t>(value));
  });
  return out;
}

void check_listed(const Column& column, const Bitset& wanted) {
  const std::vector<uint32_t> docs = listed(wanted);
  const ColumnCodes codes = column.codes();
  size_t taken = 0;
  each_code_of(codes, docs, [&](size_t index, uint64_t code) {
    EXPECT_EQ(index, taken++);
    const uint64_t value = static_cast<uint64_t>(codes.base) + codes.step * code;
    EXPECT_EQ(static_cast<int64_t>(value), column.value(docs[index]));
  });
  EXPECT_EQ(taken, docs.size());
}

void check(const Shape& shape, uint32_t seed) {
  std::mt19937_64 random(seed);
  ColumnWriter writer(false);
  Bitset wanted(shape.docs);
  for (uint32_t doc = 0; doc < shape.docs; doc++) {
    if (random() % 3 == 0 || doc / 128 == 1) wanted.set(doc);
    if (random() % shape.one_in != 0) continue;
    for (uint64_t left = 1 + random() % shape.most; left > 0; left--)
      writer.add(doc, static_cast<int64_t>(random() % shape.values) * 7 - 1000);
  }
  if (writer.empty()) writer.add(0, 5);
  const std::vector<uint8_t> section = writer.finish(shape.docs);
  const Result<Column> column = Column::open(section, shape.docs);
  ASSERT_OK(column);
  EXPECT_TRUE(looped_over(*column, listed(wanted)) == walked(*column, &wanted, 0, shape.docs));
  EXPECT_TRUE(looped_over(*column, {}).empty());
  if (shape.most == 1 && column->dense()) check_listed(*column, wanted);
  for (const Bitset* bits : {static_cast<const Bitset*>(nullptr), &std::as_const(wanted)}) {
    EXPECT_TRUE(looped(*column, bits, 0, shape.docs) == walked(*column, bits, 0, shape.docs));
    if (shape.docs < 256) continue;
    EXPECT_TRUE(looped(*column, bits, 64, 192) == walked(*column, bits, 64, 192));
    EXPECT_TRUE(looped(*column, bits, 192, shape.docs) == walked(*column, bits, 192, shape.docs));
  }
}

TEST(ColumnLoops, ReadEveryCodeOfTheGivenDocuments) {
  uint32_t seed = 0;
  for (const uint32_t docs : {1U, 63U, 64U, 1000U, 4096U}) {
    for (const uint32_t one_in : {1U, 2U, 100U}) {
      for (const uint32_t most : {1U, 4U}) {
        for (const uint64_t values : {1ULL, 200ULL, 50000ULL, 3000000000ULL, 1ULL << 52})
          check({docs, one_in, most, values}, seed++);
      }
    }
  }
}

}  // namespace quarry::column_loops_test
