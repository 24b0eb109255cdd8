// Vectors in documents: values that a dense_vector field accepts, and errors with their messages.
#include <cstring>
#include <string>

#include "mapping/document/document.h"
#include "mapping/schema/mapping.h"
#include "testing/test.h"

namespace quarry::vector_value_test {

using MappingPointer = std::shared_ptr<const Mapping>;

MappingPointer mapping_of(const std::string& properties) {
  MappingContext context = *make_mapping_context("{}");
  Result<MappingPointer> made =
      Mapping::create(R"({"properties":{)" + properties + "}}", std::move(context));
  EXPECT_OK(made);
  return made.ok() ? *made : nullptr;
}

MappingPointer vector_of(const std::string& parameters) {
  return mapping_of(R"("v":{"type":"dense_vector",)" + parameters + "}");
}

/// "" if the document is accepted, otherwise type, reason and cause.
std::string parse(const Mapping& mapping, const std::string& document) {
  ParsedDocument out;
  const Status status = parse_document(mapping, document, out, "7");
  if (status.ok()) return {};
  return std::string(error_wire_type(status.type())) + ": " + status.reason() + " | " +
         status.cause();
}
std::string refusal(const Mapping& mapping, const std::string& value) {
  return parse(mapping, R"({"v":)" + value + "}");
}
bool takes(const Mapping& mapping, const std::string& value) {
  return refusal(mapping, value).empty();
}
void expect_refused(const Mapping& mapping, const std::string& value, const std::string& words) {
  const std::string got = refusal(mapping, value);
  EXPECT_TRUE(got.starts_with("document_parsing_exception: "));
  EXPECT_TRUE(got.find("[v]") != std::string::npos);
  EXPECT_TRUE(got.find(words) != std::string::npos);
  if (got.find(words) == std::string::npos) EXPECT_EQ(got, words);
}

TEST(DenseVector, GivesItsFloats) {
  ParsedDocument out;
  ASSERT_OK(parse_document(*vector_of(R"("dims":3)"), R"({"v":[1, -2.5, 3e-3]})", out));
  ASSERT_EQ(out.values.size(), size_t{1});
  const float expected[] = {1.0F, -2.5F, 3e-3F};
  ASSERT_EQ(out.values[0].text.size(), sizeof(expected));
  EXPECT_EQ(std::memcmp(out.values[0].text.data(), expected, sizeof(expected)), 0);
}

TEST(DenseVector, TakesArraysOfItsLength) {
  const auto mapping = vector_of(R"("dims":3)");
  EXPECT_TRUE(takes(*mapping, " [ 1 , -2.5,\n3e-3 ] "));
  EXPECT_TRUE(takes(*mapping, "null"));
  EXPECT_TRUE(takes(*mapping, "[3.4e38, 0, 1e-60]"));
  expect_refused(*mapping, "[1, 2]", "has 2 dimensions, field [v] is mapped with dims [3]");
  expect_refused(*mapping, "[1, 2, 3, 4]", "has 4 dimensions, field [v] is mapped with dims [3]");
  expect_refused(*mapping, "[]", "has 0 dimensions, field [v] is mapped with dims [3]");
  expect_refused(*mapping, R"([1, 2, "3"])", "dimension [2] of the vector is [3]");
  expect_refused(*mapping, "[1, null, 3]", "dimension [1] of the vector is [null]");
  expect_refused(*mapping, "[1, true, 3]", "dimension [1] of the vector is [true]");
  expect_refused(*mapping, "[1, 2, 1e39]", "dimension [2] of the vector is [1e39]");
  expect_refused(*mapping, "[1, 2, -1e400]", "dimension [2] of the vector is [-1e400]");
  expect_refused(*mapping, "[1, 2, 3, null]", "dimension [3] of the vector is [null]");
  expect_refused(*mapping, "[{}, 2, 3]", "dimension [0] of the vector is [START_OBJECT]");
  expect_refused(*mapping, "[[1, 2, 3]]", "a document has one vector of a field");
  expect_refused(*mapping, "3", "expecting token of type [START_ARRAY] but found [VALUE_NUMBER]");
  expect_refused(*mapping, R"("AAAA")", "but found [VALUE_STRING]");
  expect_refused(*mapping, R"({"a": 1})", "but found [START_OBJECT]");
  EXPECT_TRUE(refusal(*mapping, "[1, 2, NaN]").starts_with("document_parsing_exception"));
  EXPECT_TRUE(refusal(*mapping, "[1, 2, 3").starts_with("document_parsing_exception"));
}

TEST(DenseVector, ShowsTheStartOfWhatItRefuses) {
  const std::string words = refusal(*vector_of(R"("dims":3)"), "[1,2]");
  EXPECT_TRUE(words.find("[1:6] failed to parse field [v] of type [dense_vector] in document with "
                         "id '7'. Preview of field's value: '[1,2]") != std::string::npos);
}

TEST(DenseVector, RefusesWhatItsSimilarityCannotCompare) {
  expect_refused(*vector_of(R"("dims":2)"), "[0, -0.0]",
                 "The [cosine] similarity does not support vectors with zero magnitude");
  EXPECT_TRUE(takes(*vector_of(R"("dims":2)"), "[1e-45, 0]"));
  const auto dot = vector_of(R"("dims":2,"similarity":"dot_product")");
  expect_refused(*dot, "[0, 0]", "The [dot_product] similarity can only be used with unit-length");
  expect_refused(*dot, "[2, 0]", "Preview of invalid vector: [2.0, 0.0]; scale it");
  EXPECT_TRUE(takes(*dot, "[0.6, 0.8]"));
  const auto bytes = vector_of(R"("dims":2,"similarity":"dot_product","element_type":"byte")");
  EXPECT_TRUE(takes(*bytes, "[127, -128.0]"));
  EXPECT_TRUE(takes(*bytes, "[0, 0]"));
  expect_refused(*bytes, "[1, 128]",
                 "element_type [byte] vectors only support integers between [-128, 127] but found "
                 "[128.0] at dim [1]. Preview of invalid vector: [1.0, 128.0]");
  expect_refused(*bytes, "[-129, 1]", "but found [-129.0] at dim [0]");
  expect_refused(*bytes, "[1, 2.5]",
                 "only support non-decimal values but found decimal value [2.5] at dim [1]");
  expect_refused(*vector_of(R"("dims":2,"element_type":"byte","index":false)"), "[300, 0]",
                 "between [-128, 127]");
  EXPECT_TRUE(takes(*dot, "[0.6002, 0.8]"));
  EXPECT_TRUE(takes(*vector_of(R"("dims":2,"similarity":"l2_norm")"), "[0, 0]"));
  EXPECT_TRUE(takes(*vector_of(R"("dims":2,"similarity":"max_inner_product")"), "[0, 7]"));
  EXPECT_TRUE(takes(*vector_of(R"("dims":2,"index":false)"), "[0, 0]"));
  expect_refused(*vector_of(R"("dims":2,"similarity":"l2_norm")"), "[3e38, 3e38]",
                 "the length of the vector is beyond 32-bit numbers");
}

TEST(DenseVector, HasOneValuePerDocument) {
  const auto mapping = mapping_of(R"("a":{"properties":{"v":{"type":"dense_vector","dims":2}}})");
  EXPECT_EQ(parse(*mapping, R"({"a":[{"v":[1,2]},{"b":1}]})"), "");
  EXPECT_TRUE(parse(*mapping, R"({"a":[{"v":[1,2]},{"v":[1,2]}]})")
                  .find("doesn't support indexing multiple values") != std::string::npos);
}

TEST(DenseVector, IsNeitherCopiedNorCopiedTo) {
  const auto to =
      mapping_of(R"("v":{"type":"dense_vector","dims":2},"t":{"type":"float","copy_to":"v"})");
  EXPECT_TRUE(parse(*to, R"({"t":1.5})").find("expecting token of type [START_ARRAY] but found") !=
              std::string::npos);
  const auto from =
      mapping_of(R"("v":{"type":"dense_vector","dims":2,"copy_to":"w"},"w":{"type":"float"})");
  EXPECT_TRUE(parse(*from, R"({"v":[1,2]})").find("Cannot copy field [v]") != std::string::npos);
  EXPECT_EQ(parse(*from, R"({"v":null})"), "");
}

TEST(DenseVector, TakesItsDimsFromTheFirstVector) {
  const auto mapping = mapping_of(
      R"("o":{"dynamic":false,"properties":{"v":{"type":"dense_vector","similarity":"l2_norm"}}})");
  ParsedDocument out;
  ASSERT_OK(parse_document(*mapping, R"({"o":{"v":null,"x":1}})", out));
  EXPECT_EQ(out.dynamic_mapping, "");
  ASSERT_OK(parse_document(*mapping, R"({"o":{"v":[1,2,3],"x":1}})", out));
  EXPECT_EQ(out.dynamic_mapping, R"({"properties":{"o":{"properties":{"v":{"type":"dense_vector",)"
                                 R"("similarity":"l2_norm","dims":3}}}}})");
  const auto grown = mapping->merge(out.dynamic_mapping);
  ASSERT_OK(grown);
  EXPECT_EQ((*grown)->find("o.v")->vector.dims, 3U);
  EXPECT_TRUE((*grown)->find("o.v")->vector.similarity == VectorSimilarity::kL2Norm);
  EXPECT_EQ((*grown)->find("o.v")->id, mapping->find("o.v")->id);
  ASSERT_OK(parse_document(**grown, R"({"o":{"v":[1,2,3]}})", out));
  EXPECT_EQ(out.values.size(), size_t{1});
  EXPECT_TRUE(!parse_document(**grown, R"({"o":{"v":[1,2]}})", out).ok());
}

TEST(DenseVector, TakesNoDimsFromABadVector) {
  const auto mapping = vector_of(R"("index":true)");
  EXPECT_TRUE(!takes(*mapping, "[]"));
  EXPECT_TRUE(!takes(*mapping, "[1,1e39]"));
  EXPECT_TRUE(!takes(*mapping, "[0,0]"));
  EXPECT_TRUE(!takes(*mapping, R"([1,"2"])"));
  std::string long_one = "[1";
  for (int i = 0; i < 4096; i++) long_one += ",1";
  expect_refused(*mapping, long_one + "]", "has 4097 dimensions");
  expect_refused(*vector_of(R"("dims":4096)"), long_one + "]",
                 "has 4097 dimensions, field [v] is mapped with dims [4096]");
}

TEST(DenseVector, IsNeverGuessed) {
  ParsedDocument out;
  std::string numbers = "[0.5";
  for (int i = 0; i < 200; i++) numbers += ",0.5";
  ASSERT_OK(parse_document(*mapping_of(""), R"({"x":)" + numbers + "]}", out));
  EXPECT_EQ(out.dynamic_mapping, R"({"properties":{"x":{"type":"float"}}})");
}

}  // namespace quarry::vector_value_test
