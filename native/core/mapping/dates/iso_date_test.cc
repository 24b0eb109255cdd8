// The fast parser accepts only the usual spelling, and returns the same as the general one.
#include "mapping/dates/iso_date.h"

#include <array>
#include <string>

#include "base/random.h"
#include "mapping/dates/date_pattern.h"
#include "mapping/dates/date_reader.h"
#include "testing/test.h"

namespace quarry::iso_date_test {

/// Parses by the items of the default format, without the fast parser.
std::optional<int64_t> general(std::string_view text, int32_t& below_ms) {
  static const DateItems items = compile_date_pattern("strict_date_optional_time").value();
  return read_date(items.parsed, text, nullptr, false, below_ms);
}

TEST(IsoDate, ReadsTheUsualSpelling) {
  int32_t below = 0;
  EXPECT_EQ(read_iso_date("1970-01-01T00:00:00Z", below), std::optional<int64_t>(0));
  EXPECT_EQ(read_iso_date("2017-07-14T02:40:00.123456789Z", below),
            std::optional<int64_t>(1'500'000'000'123));
  EXPECT_EQ(below, 456'789);
  EXPECT_EQ(read_iso_date("2017-07-14T04:40:00.5+02:00", below),
            std::optional<int64_t>(1'500'000'000'500));
}

TEST(IsoDate, LeavesOtherSpellings) {
  int32_t below = 0;
  for (const std::string_view text :
       {"", "2024", "2024-02-29", "2024-02-29T13:45:10", "2024-02-29T13:45:10.",
        "2024-02-29T13:45:10.Z", "2024-02-29T13:45:10,5Z", "2024-02-29T13:45:10.1234567890Z",
        "2024-02-29T13:45:10+0100", "2024-02-29T13:45:10+18:00", "2024-02-29T13:45:10Zz",
        "2023-02-29T13:45:10Z", "2024-02-29T24:00:00Z", "2024-13-01T00:00:00Z",
        "2024-02-29 13:45:10Z", "2024-02-29T13:45:10z", "+2024-02-29T13:45:10Z",
        "2024-02-29T13:45:10 Z"}) {
    EXPECT_EQ(read_iso_date(text, below), std::optional<int64_t>());
  }
}

TEST(IsoDate, AgreesWithTheGeneralReader) {
  Random random(11);
  const std::array<std::string, 8> bases = {
      "2024-02-29T13:45:10Z",          "1900-02-28T23:59:59.9Z",
      "0000-12-31T00:00:00.000001Z",   "9999-12-31T23:59:59.999999999Z",
      "2000-02-29T00:00:00.120+17:59", "1969-12-31T23:59:59-11:30",
      "2024-06-30T12:00:00.5+01:00",   "1582-10-10T10:10:10.10Z"};
  const std::string letters = "0123456789-:.TZ+,z ";
  uint32_t read = 0;
  for (int i = 0; i < 20000; i++) {
    std::string text = bases[random.below(bases.size())];
    for (uint64_t changes = random.below(4); changes > 0; changes--) {
      text[random.below(text.size())] = letters[random.below(letters.size())];
    }
    int32_t quick_below = 0;
    const std::optional<int64_t> quick = read_iso_date(text, quick_below);
    if (!quick) continue;
    read++;
    int32_t below = 0;
    EXPECT_EQ(general(text, below), quick);
    EXPECT_EQ(below, quick_below);
  }
  EXPECT_TRUE(read > 5000);
}

}  // namespace quarry::iso_date_test
