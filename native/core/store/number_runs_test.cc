// Texts are restored byte for byte with any spelling of numbers, long arrays shrink, and reading
// arbitrary bytes is safe.
#include "store/number_runs.h"

#include <charconv>

#include "base/random.h"
#include "testing/test.h"

namespace quarry::number_runs_test {

struct Packed {
  std::string text;
  std::vector<uint8_t> runs;
};

Packed pack(std::string_view source) {
  Packed out;
  NumberPacker packer;
  packer.pack(source, out.text, out.runs);
  return out;
}

std::string unpack(const Packed& packed) {
  std::string out = "before";
  NumberUnpacker unpacker(packed.runs);
  if (!unpacker.unpack(packed.text, out)) return "none";
  return out.substr(6);
}

std::string array_of(const std::vector<std::string>& numbers, std::string_view separator) {
  std::string out = "[";
  for (size_t i = 0; i < numbers.size(); i++) {
    if (i > 0) out += separator;
    out += numbers[i];
  }
  return out + "]";
}

std::string repeated(std::string_view number, size_t count, std::string_view separator = ",") {
  return array_of(std::vector<std::string>(count, std::string(number)), separator);
}

std::string shortest(double value, bool fixed) {
  char room[400];
  const auto end = fixed ? std::to_chars(room, room + sizeof(room), value, std::chars_format::fixed)
                         : std::to_chars(room, room + sizeof(room), value);
  return {room, end.ptr};
}

/// Numbers in common and in unusual spellings.
std::string random_number(Random& random) {
  const auto mantissa = static_cast<double>(static_cast<int64_t>(random.next()));
  const double value = mantissa / static_cast<double>(uint64_t{1} << (10 + random.below(54)));
  switch (random.below(12)) {
    case 0:
      return shortest(value, true);
    case 1:
      return shortest(value, false);
    case 2:
      return shortest(static_cast<double>(static_cast<float>(value)), true);
    case 3:
      return std::to_string(random.below(1000));
    case 4:
      return "-" + std::to_string(random.next());
    case 5:
      return "0." + std::string(random.below(20), '0') + std::to_string(random.below(1000));
    case 6:
      return std::to_string(random.below(100)) + ".500";
    case 7:
      return "1e-0" + std::to_string(random.below(10));
    case 8:
      return "-0";
    case 9:
      return random.below(2) == 0 ? "007" : "1.";
    case 10:
      return random.below(2) == 0 ? "\x01" : "[";
    default:
      return std::to_string(static_cast<float>(random.below(1000000)) / 1e6F);
  }
}

TEST(NumberRuns, ArraysOfClientsShrink) {
  std::vector<std::string> digits;
  std::vector<std::string> floats;
  Random random(1);
  for (int i = 0; i < 384; i++) {
    const float value = static_cast<float>(random.below(2000001)) / 1e7F - 0.1F;
    digits.push_back((i % 2 == 0 ? "-0.0" : "0.0") + std::to_string(100000 + random.below(900000)));
    floats.push_back(shortest(static_cast<double>(value), true));
  }
  for (const char* separator : {",", ", ", ",\n      "}) {
    for (const auto& [numbers, most] :
         {std::pair{digits, size_t{384 * 22 / 8 + 20}}, {floats, 384 * 4 + 20}}) {
      const std::string source =
          R"({"text":"one [2,3] of","v":)" + array_of(numbers, separator) + "}";
      const Packed packed = pack(source);
      EXPECT_EQ(packed.text, std::string(R"({"text":"one [2,3] of","v":[)") + kRunMark + "]}");
      EXPECT_LT(packed.runs.size(), most);
      EXPECT_TRUE(unpack(packed) == source);
    }
  }
}

TEST(NumberRuns, SpellingsComeBack) {
  const char* const spellings[] = {"0",
                                   "-0",
                                   "0.0",
                                   "-0.0",
                                   "1",
                                   "-1",
                                   "10",
                                   "0.5",
                                   "0.50",
                                   "-0.000",
                                   "12345678901234567",
                                   "123456789012345678",
                                   "0.12345678901234567",
                                   "0.099999999999999999",
                                   "0.999999999999999999",
                                   "0.123456789012345678",
                                   "99999999999999999",
                                   "0.000000000000000001",
                                   "0.0000000000000000001",
                                   "-0.000000000000000000000000000001",
                                   "0.00000000000012345678901234567",
                                   "0.0000000000001234567890123456789",
                                   "0.0000000000000000000000000000001",
                                   "1.00000000",
                                   "1.000000001",
                                   "9.99999999",
                                   "1234567.8901234567",
                                   "0.10000000149011612",
                                   "1e5",
                                   "1E-5",
                                   "1.5e3",
                                   "00",
                                   "01",
                                   "-01",
                                   "-",
                                   "1.",
                                   ".5",
                                   "+1",
                                   "NaN",
                                   "true",
                                   "18446744073709551616",
                                   "340282346638528860000000000000000000000",
                                   "0.000000000000000000000000000000000000011754943508222875"};
  for (const char* spelling : spellings) {
    for (const size_t count : {1, 7, 8, 9, 64, 65}) {
      for (const char* separator : {",", ", ", " ,", ",                        "}) {
        const std::string source = "x" + repeated(spelling, count, separator) + "y";
        EXPECT_EQ(unpack(pack(source)), source);
      }
    }
  }
}

TEST(NumberRuns, OddTextsComeBack) {
  const std::string run = repeated("1.5", 10);
  const std::string mark(1, kRunMark);
  for (const std::string& source :
       {std::string(), std::string("["), std::string("[1,2"), std::string("[1,2,3,4,5,6,7,8,9,"),
        mark, mark + run + mark, "[" + mark + "1,2,3,4,5,6,7,8,9]",
        "[1,2,3,4,5,6,7,8,9" + mark + "]", "[1,2,3,4,5,6,7,8,9," + mark + "1,2]" + run,
        "[" + run + "," + run + "]", run.substr(0, run.size() - 1), "[ " + run.substr(1),
        std::string("[1,2,3, 4,5,6,7,8,9,10,11,12,13]"), std::string("[\"a\",1,2,3,4,5,6,7,8,9]"),
        std::string("[1,2,3,4,5,6,7,8,1e-5,1,2,3,4,5,6,7,8,9,x,1,2,3,4,5,6,7,8]")}) {
    EXPECT_EQ(unpack(pack(source)), source);
  }
}

TEST(NumberRuns, RandomTextsComeBack) {
  Random random(7);
  for (int round = 0; round < 3000; round++) {
    std::string source;
    for (uint64_t arrays = 1 + random.below(3); arrays > 0; arrays--) {
      std::vector<std::string> numbers;
      const std::string always = random.below(2) == 0 ? "" : random_number(random);
      for (uint64_t count = random.below(40); count > 0; count--) {
        numbers.push_back(always.empty() || random.below(20) == 0 ? random_number(random) : always);
      }
      source += "{\"v\":" + array_of(numbers, random.below(2) == 0 ? "," : ", ") + "}";
    }
    EXPECT_EQ(unpack(pack(source)), source);
  }
}

TEST(NumberRuns, SkipsWhatIsNotRequested) {
  std::string text;
  std::vector<uint8_t> runs;
  NumberPacker packer;
  std::vector<std::string> sources;
  std::vector<size_t> ends{0};
  for (int i = 0; i < 20; i++) {
    sources.push_back(std::string(1, kRunMark) + repeated(std::to_string(i) + ".25", 9) +
                      repeated("0.30000001192092896", 8));
    packer.pack(sources.back(), text, runs);
    ends.push_back(text.size());
  }
  for (size_t i = 0; i < sources.size(); i++) {
    NumberUnpacker unpacker(runs);
    std::string out;
    const std::string_view all = text;
    ASSERT_TRUE(unpacker.skip(all.substr(0, ends[i])));
    ASSERT_TRUE(unpacker.unpack(all.substr(ends[i], ends[i + 1] - ends[i]), out));
    EXPECT_EQ(out, sources[i]);
  }
  NumberUnpacker unpacker(runs);
  EXPECT_FALSE(unpacker.skip(text + kRunMark));
}

TEST(NumberRuns, AnyBytesAreSafe) {
  Random random(3);
  const Packed good = pack(repeated("0.123456", 20) + repeated("0.30000001192092896", 20) +
                           std::string(1, kRunMark));
  for (size_t length = 0; length < good.runs.size(); length++) {
    const Packed cut{good.text,
                     {good.runs.begin(), good.runs.begin() + static_cast<std::ptrdiff_t>(length)}};
    EXPECT_EQ(unpack(cut), "none");
  }
  for (int round = 0; round < 20000; round++) {
    Packed damaged = good;
    for (uint64_t edits = 1 + random.below(4); edits > 0; edits--) {
      damaged.runs[random.below(damaged.runs.size())] = static_cast<uint8_t>(random.next());
    }
    const std::string out = unpack(damaged);
    EXPECT_LT(out.size(), damaged.runs.size() * 400);
    NumberUnpacker unpacker(damaged.runs);
    static_cast<void>(unpacker.skip(damaged.text));
  }
}

}  // namespace quarry::number_runs_test
