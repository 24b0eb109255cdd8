// Printers by number: pieces, their length, closed printers.
#include "engine/printers.h"

#include "testing/test.h"

namespace quarry::printers_test {

std::string text_of(const std::vector<uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

TEST(Printers, PiecesAreBoundedAndOneBehindTheOther) {
  Printers printers;
  const uint32_t number = *printers.open(PrintStyle::kIndented, "");
  const std::string json = std::string(100, '[') + "1" + std::string(100, ']');
  std::string all = "[";
  std::string printed;
  const auto take = [&](std::string_view text, bool last) {
    Result<std::vector<uint8_t>> piece = printers.print(number, text, last);
    while (piece.ok() && piece->size() == Printers::kPieceBytes) {
      printed += text_of(*piece);
      piece = printers.print(number, "", last);
    }
    EXPECT_TRUE(piece.ok() && piece->size() < Printers::kPieceBytes);
    printed += text_of(*piece);
  };
  take("[", false);
  for (int i = 0; i < 200; ++i) {
    const std::string item = (i == 0 ? "" : ",") + json;
    all += item;
    take(item, false);
  }
  take("]", true);
  all += "]";
  printers.close(number);
  EXPECT_TRUE(printed.size() > 10 * Printers::kPieceBytes);
  EXPECT_TRUE(printed.starts_with("[\n  [\n    [") && printed.ends_with("\n  ]\n]\n"));
  std::erase_if(printed, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_TRUE(printed == all);
}

TEST(Printers, ClosedOnesAreGone) {
  Printers printers;
  const uint32_t first = *printers.open(PrintStyle::kYaml, "a");
  const uint32_t second = *printers.open(PrintStyle::kCompact, "");
  EXPECT_EQ(printers.count(), 2U);
  printers.close(first);
  printers.close(first);
  EXPECT_EQ(printers.count(), 1U);
  EXPECT_TRUE(!printers.print(first, "{}", true).ok());
  EXPECT_EQ(text_of(*printers.print(second, R"({"a" : 1})", true)), R"({"a":1})");
}

}  // namespace quarry::printers_test
