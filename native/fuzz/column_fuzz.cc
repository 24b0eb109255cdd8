// Reads a column section: arbitrary bytes, or a valid one with random damage. The first byte
// selects which; for damage the rest of the input is the seed.
#include <cstdint>
#include <cstdlib>

#include "columns/read_everything.h"
#include "testing/damage.h"

namespace {

using namespace quarry;

constexpr uint32_t kMaxDoc = 3000;

std::vector<uint8_t> make_valid(Random& random) {
  constexpr uint64_t kRanges[] = {1, 200, 60000, uint64_t{1} << 30, uint64_t{1} << 50};
  const uint64_t range = kRanges[random.below(5)];
  const auto every = static_cast<uint32_t>(1 + random.below(40));
  const uint64_t most = 1 + random.below(3);
  ColumnWriter writer(random.below(2) == 0);
  for (uint32_t doc = 0; doc < kMaxDoc; doc += every) {
    for (uint64_t left = 1 + random.below(most); left > 0; --left) {
      writer.add(doc, static_cast<int64_t>(random.below(range)) - 50);
    }
  }
  return writer.finish(kMaxDoc);
}

std::vector<uint8_t> damaged(Bytes input) {
  uint64_t seed = input.size();
  for (const uint8_t byte : input) seed = seed * 0x100000001b3 + byte;
  Random random(seed);
  std::vector<uint8_t> section = make_valid(random);
  testing::damage(section, random);
  return section;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes input(data, size);
  const bool raw = size > 0 && data[0] % 2 == 0;
  const std::vector<uint8_t> section =
      raw ? std::vector<uint8_t>(input.begin() + 1, input.end()) : damaged(input);
  const Result<Column> column = Column::open(section, kMaxDoc);
  if (column.ok() && !testing::read_everything(*column)) std::abort();
  return 0;
}
