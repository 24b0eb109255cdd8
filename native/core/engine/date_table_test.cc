// Calendar requests: formatted strings, sequences, roundings, and invalid requests.
#include "engine/date_table.h"

#include <string>
#include <vector>

#include "testing/test.h"

namespace quarry::date_table_test {

void put_rounding(ByteWriter& out, uint8_t unit, int64_t fixed_ms, std::string_view zone) {
  out.put(unit);
  out.put(fixed_ms);
  out.put_string(zone);
  out.put(int64_t{0});
}

void put_moments(ByteWriter& out, const std::vector<double>& moments) {
  out.put(static_cast<uint32_t>(moments.size()));
  for (const double moment : moments) out.put(moment);
}

std::vector<double> read_moments(ByteReader& reader) {
  std::vector<double> out;
  for (auto left = reader.get<uint32_t>(); left > 0 && !reader.failed(); left--)
    out.push_back(reader.get<double>());
  return out;
}

ByteWriter three_operations() {
  ByteWriter request;
  request.put(uint8_t{0});
  request.put_string("yyyy-MM-dd HH:mm");
  request.put_string("Europe/Berlin");
  put_moments(request, {1711846800000, 0});
  request.put(uint8_t{1});
  put_rounding(request, 5, 0, "Europe/Berlin");
  request.put(1711753200000.0);
  request.put(1711922400000.0);
  request.put(uint32_t{10});
  request.put(uint8_t{2});
  put_rounding(request, 3, 0, "");
  put_moments(request, {1711846800000, -1});
  return request;
}

Result<std::vector<uint8_t>> exact_text(std::string_view format, std::string_view zone,
                                        double moment) {
  ByteWriter request;
  request.put(uint8_t{3});
  request.put_string(format);
  request.put_string(zone);
  put_moments(request, {moment});
  return date_table(request.view());
}

TEST(DateTable, ExactTextsStandForTheirMoments) {
  const Result<std::vector<uint8_t>> reply =
      exact_text("yyyy-MM-dd HH:mm", "Europe/Berlin", 1711753200000);
  ASSERT_OK(reply);
  ByteReader reader(*reply);
  EXPECT_EQ(reader.get<uint32_t>(), 1U);
  EXPECT_EQ(reader.get_string(), "2024-03-30 00:00");
  EXPECT_TRUE(exact_text("yyyy", "", 1704067200000).ok());
}

TEST(DateTable, RefusesTextsThatStandForOtherMoments) {
  const Status refused = exact_text("yyyy", "", 1706745600000).status();
  EXPECT_TRUE(refused.type() == ErrorType::kIllegalArgument);
  EXPECT_EQ(refused.reason(),
            "Format [yyyy] created output it couldn't parse for value [1706745600000]. formatted "
            "value: [2024]");
}

TEST(DateTable, AnswersOperationsInOrder) {
  const ByteWriter request = three_operations();
  const Result<std::vector<uint8_t>> reply = date_table(request.view());
  ASSERT_OK(reply);
  ByteReader reader(*reply);
  EXPECT_EQ(reader.get<uint32_t>(), 2U);
  EXPECT_EQ(reader.get_string(), "2024-03-31 03:00");
  EXPECT_EQ(reader.get_string(), "1970-01-01 01:00");
  // The day in between has 23 hours.
  EXPECT_TRUE(read_moments(reader) ==
              (std::vector<double>{1711753200000, 1711839600000, 1711922400000}));
  EXPECT_TRUE(read_moments(reader) == (std::vector<double>{1709251200000, -2678400000}));
  EXPECT_TRUE(reader.done());
}

TEST(DateTable, SequencesAreBounded) {
  ByteWriter request;
  request.put(uint8_t{1});
  put_rounding(request, 0, 1, "");
  request.put(0.0);
  request.put(1e15);
  request.put(uint32_t{100});
  EXPECT_EQ(date_table(request.view()).status().type(), ErrorType::kTooManyBuckets);
}

TEST(DateTable, BadRequestsAreRefused) {
  const ByteWriter request = three_operations();
  const Bytes whole = request.view();
  size_t complete = 0;
  for (size_t size = 0; size < whole.size(); size++) {
    if (date_table(whole.subspan(0, size)).ok()) complete++;
  }
  EXPECT_EQ(complete, size_t{3});  // no operation, one, two
  ByteWriter zone;
  zone.put(uint8_t{0});
  zone.put_string("");
  zone.put_string("Nowhere/Land");
  put_moments(zone, {0});
  EXPECT_EQ(date_table(zone.view()).status().type(), ErrorType::kIllegalArgument);
}

}  // namespace quarry::date_table_test
