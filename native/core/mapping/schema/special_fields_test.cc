// token_count, constant_keyword, wildcard and ranges: the values of documents, and the parameters
// of mappings.
#include <string>

#include "mapping/document/document.h"
#include "mapping/values/numeric.h"
#include "testing/test.h"

namespace quarry::special_fields_test {

using MappingPtr = std::shared_ptr<const Mapping>;

Result<MappingPtr> create(std::string_view properties) {
  return Mapping::create(R"({"properties":{)" + std::string(properties) + "}}",
                         make_mapping_context("").value());
}

/// "field=value" for every value, the requested dynamic mapping, or the error.
std::string parse(const Mapping& mapping, std::string_view source) {
  ParsedDocument document;
  const Status status = parse_document(mapping, source, document, "1");
  if (!status.ok()) return status.cause().empty() ? status.reason() : status.cause();
  if (!document.dynamic_mapping.empty()) return document.dynamic_mapping;
  std::string out;
  for (const FieldValue& value : document.values) {
    const Field& field = mapping.field(value.field);
    const std::string text = field.is_numeric() ? column_to_json(field, value.number)
                             : field.is_range() ? std::to_string(value.text.size()) + " bytes"
                                                : std::string(value.text);
    out += (out.empty() ? "" : " ") + field.name + "=" + text;
  }
  for (const std::string_view name : document.ignored) out += " -" + std::string(name);
  return out;
}
std::string parse(std::string_view properties, std::string_view source) {
  return parse(*create(properties).value(), source);
}

std::string refusal(std::string_view properties) {
  const Result<MappingPtr> made = create(properties);
  return made.ok() ? made.value()->to_json() : made.status().reason();
}

TEST(TokenCount, CountsWhatTheAnalyzerMakes) {
  constexpr std::string_view kField = R"("n":{"type":"token_count","analyzer":"standard"})";
  EXPECT_EQ(parse(kField, R"({"n":"some more text"})"), "n=3");
  EXPECT_EQ(parse(kField, R"({"n":""})"), "n=0");
  EXPECT_EQ(parse(kField, R"({"n":["a b","c"]})"), "n=2 n=1");
  EXPECT_EQ(parse(kField, R"({"n":12})"), "n=1");
  EXPECT_EQ(parse(kField, R"({"n":null})"), "");
}

TEST(TokenCount, GapsCountUnlessMappedOff) {
  EXPECT_EQ(parse(R"("n":{"type":"token_count","analyzer":"english"})", R"({"n":"the cat"})"),
            "n=2");
  EXPECT_EQ(parse(R"("n":{"type":"token_count","analyzer":"english",
                     "enable_position_increments":false})",
                  R"({"n":"the cat"})"),
            "n=1");
}

TEST(TokenCount, NullValueIsTheCount) {
  EXPECT_EQ(
      parse(R"("n":{"type":"token_count","analyzer":"standard","null_value":7})", R"({"n":null})"),
      "n=7");
  EXPECT_EQ(refusal(R"("n":{"type":"token_count","analyzer":"standard","null_value":"many"})"),
            "Error parsing [null_value] on field [n]: For input string: \"many\"");
}

TEST(TokenCount, NeedsAnAnalyzer) {
  EXPECT_EQ(refusal(R"("n":{"type":"token_count"})"),
            "Analyzer must be set for field [n] but wasn't.");
  EXPECT_EQ(refusal(R"("n":{"type":"token_count","analyzer":"nope"})"),
            "analyzer [nope] has not been configured in mappings");
}

TEST(ConstantKeyword, EveryDocumentHasTheValue) {
  constexpr std::string_view kField = R"("c":{"type":"constant_keyword","value":"eu"})";
  EXPECT_EQ(parse(kField, "{}"), "c=eu");
  EXPECT_EQ(parse(kField, R"({"c":"eu"})"), "c=eu");
  EXPECT_EQ(parse(kField, R"({"c":null})"), "c=eu");
  EXPECT_EQ(parse(kField, R"({"c":"us"})"),
            "[constant_keyword] field [c] only accepts values that are equal to the value defined "
            "in the mappings [eu], but got [us]");
}

TEST(ConstantKeyword, TheFirstValueBecomesTheMappings) {
  const MappingPtr empty = create(R"("c":{"type":"constant_keyword"})").value();
  EXPECT_EQ(parse(*empty, "{}"), "");
  const std::string mapping_update = parse(*empty, R"({"c":"eu"})");
  EXPECT_EQ(mapping_update, R"({"properties":{"c":{"type":"constant_keyword","value":"eu"}}})");
  const MappingPtr grown = empty->merge(mapping_update).value();
  EXPECT_EQ(parse(*grown, "{}"), "c=eu");
}

TEST(ConstantKeyword, TheValueStays) {
  const MappingPtr mapping = create(R"("c":{"type":"constant_keyword","value":"eu"})").value();
  const auto other =
      mapping->merge(R"({"properties":{"c":{"type":"constant_keyword","value":"us"}}})");
  EXPECT_EQ(other.status().reason(),
            "Mapper for [c] conflicts with existing mapper:\n\tCannot update parameter [value] "
            "from [eu] to [us]");
  const auto unsaid = mapping->merge(R"({"properties":{"c":{"type":"constant_keyword"}}})");
  EXPECT_EQ(unsaid.value()->to_json(), mapping->to_json());
}

TEST(ConstantKeyword, IsNoMultiField) {
  EXPECT_EQ(refusal(R"("k":{"type":"keyword","fields":{"c":{"type":"constant_keyword"}}})"),
            "Field [k.c] of type [constant_keyword] can't be used in multifields");
}

TEST(Wildcard, IsAKeywordWithFewParameters) {
  constexpr std::string_view kField =
      R"("w":{"type":"wildcard","ignore_above":3,"null_value":"-"})";
  EXPECT_EQ(parse(kField, R"({"w":["abc","abcd",null]})"), "w=abc w=- -w");
  EXPECT_EQ(refusal(R"("w":{"type":"wildcard","index":false})"),
            "unknown parameter [index] on mapper [w] of type [wildcard]");
}

TEST(Ranges, AreOneTermEach) {
  constexpr std::string_view kField = R"("r":{"type":"long_range"},"i":{"type":"ip_range"})";
  EXPECT_EQ(parse(kField, R"({"r":[{"gte":1,"lte":2},{"lt":5}]})"), "r=16 bytes r=16 bytes");
  EXPECT_EQ(parse(kField, R"({"i":["10.0.0.0/8",{"gte":"::1"}],"r":null})"),
            "i=32 bytes i=32 bytes");
  EXPECT_EQ(parse(kField, R"({"r":{"gte":2,"lte":1}})"),
            "min value (2) is greater than max value (1)");
  EXPECT_EQ(parse(kField, R"({"r":"5"})"),
            "error parsing field [r], expected an object but got \"5\"");
  EXPECT_EQ(parse(kField, R"({"i":"10.0.0.0/33"})"),
            "Illegal prefix length [33] in [10.0.0.0/33]. Must be 0-32 for IPv4 ranges, 0-128 for "
            "IPv6 ranges");
}

TEST(Ranges, TakeFormatsOfDatesOnly) {
  EXPECT_EQ(parse(R"("r":{"type":"date_range","format":"yyyy"})", R"({"r":{"gte":"2024"}})"),
            "r=16 bytes");
  EXPECT_EQ(refusal(R"("r":{"type":"long_range","format":"yyyy"})"),
            "unknown parameter [format] on mapper [r] of type [long_range]");
  EXPECT_EQ(refusal(R"("r":{"type":"date_range","format":"yyyy{"})"),
            "Error parsing [format] on field [r]: Invalid format: [yyyy{]: Pattern includes "
            "reserved character: '{'");
}

}  // namespace quarry::special_fields_test
