// Damaged column sections are rejected, or read within their bytes and bounds; only meaningful
// under ASan.
#include <vector>

#include "base/random.h"
#include "columns/read_everything.h"
#include "testing/damage.h"
#include "testing/test.h"

namespace quarry::column_corruption_test {

constexpr uint32_t kMaxDoc = 1100;

/// `every`: one document in `every` has a value; `most`: maximum values per document.
std::vector<uint8_t> make_section(uint32_t every, uint32_t most, uint64_t range) {
  Random random(every * 100 + most);
  ColumnWriter writer(false);
  for (uint32_t doc = 0; doc < kMaxDoc; doc += every) {
    for (uint64_t left = 1 + random.below(most); left > 0; --left) {
      writer.add(doc, static_cast<int64_t>(random.below(range)) * 5 - 1000);
    }
  }
  return writer.finish(kMaxDoc);
}

/// Opens a copy of exact size, so that ASan detects a read one byte past the end. True: rejected,
/// or read within bounds.
bool survives(const std::vector<uint8_t>& section) {
  const std::vector<uint8_t> copy = section;
  const Result<Column> column = Column::open(copy, kMaxDoc);
  if (!column.ok()) return column.status().type() == ErrorType::kCorrupt;
  return testing::read_everything(*column);
}

void expect_damage_survived(const std::vector<uint8_t>& whole, uint64_t seed) {
  EXPECT_TRUE(survives(whole));
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(Column::open(Bytes(whole).first(size), kMaxDoc).ok());
  }
  std::vector<uint8_t> flipped = whole;
  for (uint8_t& byte : flipped) {
    const uint8_t before = byte;
    for (const uint32_t mask : {0x01U, 0xffU}) {
      byte = static_cast<uint8_t>(before ^ mask);
      EXPECT_TRUE(survives(flipped));
    }
    byte = before;
  }
  Random random(seed);
  for (int round = 0; round < 500; ++round) {
    std::vector<uint8_t> damaged = whole;
    testing::damage(damaged, random);
    EXPECT_TRUE(survives(damaged));
  }
}

TEST(ColumnCorruption, IsSurvivedInEveryLayout) {
  for (const uint32_t every : {1U, 2U, 5U, 50U}) {
    expect_damage_survived(make_section(every, 1, 200), every);
    expect_damage_survived(make_section(every, 3, 60000), every);
  }
  expect_damage_survived(make_section(50, 1, uint64_t{1} << 40), 9);
}

}  // namespace quarry::column_corruption_test
