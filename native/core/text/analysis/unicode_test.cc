// UTF-8 and the properties of code points.
#include "text/analysis/unicode.h"

#include "testing/test.h"
#include "text/analysis/utf8.h"

namespace quarry::unicode_test {

TEST(Utf8, DecodesWhatItEncodes) {
  for (const uint32_t cp : {0x24U, 0x7FU, 0x80U, 0x7FFU, 0x800U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
    std::string bytes;
    append_utf8(bytes, cp);
    const CodePoint back = decode_utf8(bytes, 0);
    EXPECT_EQ(back.value, cp);
    EXPECT_EQ(back.bytes, bytes.size());
    EXPECT_EQ(decode_before(bytes, bytes.size()).value, cp);
  }
}

TEST(Utf8, MalformedBytesAreOneReplacementEach) {
  const std::string_view malformed[] = {"\x80",         "\xC0\x80",         "\xC3",
                                        "\xE2\x82",     "\xED\xA0\x80",     "\xF4\x90\x80\x80",
                                        "\xE0\x80\x80", "\xF0\x80\x80\x80", "\xFF"};
  for (const std::string_view bytes : malformed) {
    EXPECT_EQ(decode_utf8(bytes, 0).value, kReplacementChar);
    EXPECT_EQ(decode_utf8(bytes, 0).bytes, 1);
    EXPECT_FALSE(is_valid_utf8(bytes));
    EXPECT_EQ(code_point_count(bytes), bytes.size());
  }
  EXPECT_TRUE(is_valid_utf8("\xEF\xBF\xBD"));
}

TEST(Utf8, CountsUtf16Units) {
  EXPECT_EQ(utf16_length("a\u00e9\u65e5\U0001F600"), 5);
  EXPECT_EQ(utf16_prefix("a\U0001F600b", 2), "a");
  EXPECT_EQ(utf16_prefix("a\U0001F600b", 3), "a\U0001F600");
  EXPECT_EQ(utf16_prefix("ab", 5), "ab");
}

TEST(Unicode, LowerCasesOneToOne) {
  EXPECT_EQ(to_lower(uint32_t{'A'}), 'a');
  EXPECT_EQ(to_lower(uint32_t{0x130}), 'i');    // Lucene's lower case of the dotted capital I
  EXPECT_EQ(to_lower(uint32_t{0x1E9E}), 0xDF);  // capital sharp s
  EXPECT_EQ(to_lower(uint32_t{0x3A3}), 0x3C3);  // sigma, never the final form
  EXPECT_EQ(to_lower(uint32_t{0x10400}), 0x10428);
  EXPECT_EQ(to_upper(uint32_t{0xDF}), 0xDF);  // SS would be two characters
  EXPECT_EQ(fold_case(0x3C2), fold_case(0x3A3));
  EXPECT_EQ(to_lower(std::string_view("\u00c9T\u00c9")), "\u00e9t\u00e9");
}

TEST(Unicode, KnowsCategories) {
  EXPECT_TRUE(category('a') == Category::kLetter);
  EXPECT_TRUE(category(0x661) == Category::kDigit);
  EXPECT_TRUE(category(0xA0) == Category::kOther);  // a no-break space is no separator
  EXPECT_TRUE(category(0x3000) == Category::kSpace);
  EXPECT_TRUE(category('$') == Category::kSymbol);
  EXPECT_TRUE(category('!') == Category::kPunctuation);
}

TEST(Unicode, FoldsLatinToAscii) {
  EXPECT_EQ(ascii_fold(0xE9), "e");
  EXPECT_EQ(ascii_fold(0xDF), "ss");
  EXPECT_EQ(ascii_fold(0x142), "l");
  EXPECT_EQ(ascii_fold(0x1EA5), "a");
  EXPECT_EQ(ascii_fold(0xFF21), "A");
  EXPECT_EQ(ascii_fold(0xFB03), "ffi");
  EXPECT_EQ(ascii_fold(0x2019), "'");
  EXPECT_EQ(ascii_fold(0x3B1), "");
  EXPECT_EQ(ascii_fold('a'), "");
}

}  // namespace quarry::unicode_test
