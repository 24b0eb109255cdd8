// Char filters: the filtered text, and the offsets into the original.
#include "text/char_filters/char_filters.h"

#include "testing/analysis.h"
#include "text/analysis/utf8.h"

namespace quarry::char_filters_test {
std::string char_filtered(const std::string& type, const Options& options, std::string_view text,
                          const std::string& tokenizer = "whitespace") {
  const auto registry = AnalysisBuilder().char_filter("c", type, options).build();
  if (!registry.ok()) return registry.status().reason();
  const auto analyzer = (*registry)->combine(tokenizer, {"c"}, {});
  TokenBuffer buffer;
  EXPECT_TRUE((*analyzer)->analyze(text, buffer).ok());
  return show_offsets(buffer);
}

std::string stripped(std::string_view html) {
  std::string out;
  OffsetMap map;
  AnalysisBudget budget;
  HtmlStripCharFilter({}).apply(html, out, map, budget);
  return out;
}

TEST(MappingCharFilter, ReplacesTheLongestKey) {
  EXPECT_EQ(char_filtered("mapping", {{"mappings", {":) => _happy_", ":( => _sad_"}}}, "I :) x"),
            "I[0-1] _happy_[2-4] x[5-6]");
  EXPECT_EQ(
      char_filtered("mapping", {{"mappings", {"a => 1", "ab => 2", "\\u0020 => -"}}}, "abac d"),
      "21c-d[0-6]");
  EXPECT_EQ(char_filtered("mapping", {{"mappings", {"\u00e9 => e", "\u00df => ss"}}},
                          "\u00e9t\u00e9 stra\u00dfe x"),
            "ete[0-5] strasse[6-13] x[14-15]");
  EXPECT_EQ(char_filtered("mapping", {{"mappings", {"a"}}}, ""),
            "char_filter [c] of type [mapping]: Invalid mapping rule : [a]");
}

TEST(PatternReplaceCharFilter, KeepsOffsets) {
  EXPECT_EQ(char_filtered("pattern_replace",
                          {{"pattern", {"(\\d+)-(?=\\d)"}}, {"replacement", {"$1_"}}}, "12-3 4-x"),
            "12_3[0-4] 4-x[5-8]");
  EXPECT_EQ(char_filtered("pattern_replace", {{"pattern", {"(\\d+)-"}}, {"replacement", {"$1_"}}},
                          "card 123-456 x"),
            "card[0-4] 123_456[5-12] x[13-14]");
  EXPECT_EQ(char_filtered("pattern_replace", {{"pattern", {"b+"}}}, "abbbc d"), "ac[0-5] d[6-7]");
}

TEST(HtmlStrip, RemovesMarkup) {
  EXPECT_EQ(stripped("<p>I&apos;m so <b>happy</b>!</p>"), "\nI'm so happy!\n");
  EXPECT_EQ(stripped("a<!-- x > y -->b<script>if (a<b) {}</script>c<br/>d"), "ab\nc\nd");
  EXPECT_EQ(stripped("caf&eacute; &lt;b&gt; &#65;&#x42; &nbsp;&bogus; AT&T a<b 1 < 2"),
            "caf\u00e9 <b> AB  &bogus; AT&T a<b 1 < 2");
  EXPECT_EQ(stripped("<a href=\"x>y\" title='<'>link</a>"), "link");
  EXPECT_EQ(stripped("<![CDATA[a & <b>c</b>]]>d"), "a & <b>c</b>d");
  EXPECT_EQ(stripped("<!DOCTYPE html><?xml?>x <unclosed"), "x <unclosed");
}

TEST(HtmlStrip, LeadsBackToTheWords) {
  EXPECT_EQ(char_filtered("html_strip", {}, "<p>so <b>happy</b>&#33; \u00e9</p>"),
            "so[3-5] happy![9-23] \u00e9[24-26]");
  EXPECT_EQ(char_filtered("html_strip", {{"escaped_tags", {"b"}}}, "<b>x</b><i>y</i>", "keyword"),
            "<b>x</b>y[0-16]");
}

TEST(HtmlStrip, MarkupInsideALineBelongsToTheWordBeforeIt) {
  const auto offsets = [](std::string_view html) { return char_filtered("html_strip", {}, html); };
  EXPECT_EQ(offsets("<b>x</b>y"), "xy[3-9]");
  EXPECT_EQ(offsets("<b>x</b> y"), "x[3-8] y[9-10]");
  EXPECT_EQ(offsets("<p>x</p>y<b>z</b>"), "x[3-4] yz[8-17]");
  EXPECT_EQ(offsets("x<b> y"), "x[0-4] y[5-6]");
  EXPECT_EQ(offsets("x<!-- c --> y<?php ?> z"), "x[0-11] y[12-21] z[22-23]");
  EXPECT_EQ(offsets("x<![CDATA[ y ]]> z"), "x[0-10] y[11-12] z[17-18]");
  EXPECT_EQ(offsets("x</b><br> z"), "x[0-5] z[10-11]");
  EXPECT_EQ(offsets("x<br></b> z"), "x[0-1] z[10-11]");
  EXPECT_EQ(offsets("<b></b>x"), "x[7-8]");
  EXPECT_EQ(offsets("&amp;</b> caf&eacute;</b>"), "&[0-9] caf\u00e9[10-25]");
}

TEST(HtmlStrip, HostileTextIsLinear) {
  std::string quotes;
  std::string openings;
  for (int i = 0; i < 100000; ++i) {
    quotes += "<a '\"";
    openings += "<!--<![CDATA[<script>";
  }
  EXPECT_FALSE(stripped(quotes).empty());
  EXPECT_FALSE(stripped(openings).empty());
}

}  // namespace quarry::char_filters_test
