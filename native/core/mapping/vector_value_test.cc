// Vectors in documents: what a dense_vector field takes, and what it refuses.
#include <string>

#include "mapping/document.h"
#include "mapping/mapping.h"
#include "testing/test.h"

namespace quarry {
namespace {

std::shared_ptr<const Mapping> mapping_of(const std::string& parameters) {
  MappingContext context = *make_mapping_context("{}");
  Result<std::shared_ptr<const Mapping>> made = Mapping::create(
      R"({"properties":{"v":{"type":"dense_vector",)" + parameters + "}}}", std::move(context));
  return made.ok() ? *made : nullptr;
}

bool takes(const Mapping& mapping, const std::string& value) {
  ParsedDocument out;
  return parse_document(mapping, R"({"v":)" + value + "}", out).ok();
}

TEST(DenseVector, needs_dims_within_bounds) {
  EXPECT_TRUE(mapping_of(R"("dims":1)") != nullptr);
  EXPECT_TRUE(mapping_of(R"("dims":4096,"similarity":"l2_norm")") != nullptr);
  EXPECT_TRUE(mapping_of(R"("dims":0)") == nullptr);
  EXPECT_TRUE(mapping_of(R"("dims":4097)") == nullptr);
  EXPECT_TRUE(mapping_of(R"("similarity":"cosine")") == nullptr);
  EXPECT_TRUE(mapping_of(R"("dims":3,"similarity":"near")") == nullptr);
}

TEST(DenseVector, takes_arrays_of_its_length) {
  const auto mapping = mapping_of(R"("dims":3)");
  ASSERT_TRUE(mapping != nullptr);
  EXPECT_TRUE(takes(*mapping, "[1, -2.5, 3e-3]"));
  EXPECT_TRUE(takes(*mapping, "null"));
  EXPECT_TRUE(!takes(*mapping, "[1, 2]"));
  EXPECT_TRUE(!takes(*mapping, "[1, 2, 3, 4]"));
  EXPECT_TRUE(!takes(*mapping, R"([1, 2, "3"])"));
  EXPECT_TRUE(!takes(*mapping, "[1, 2, 1e39]"));
  EXPECT_TRUE(!takes(*mapping, "[[1, 2, 3]]"));
  EXPECT_TRUE(!takes(*mapping, "3"));
  EXPECT_TRUE(!takes(*mapping, R"({"a": 1})"));
}

TEST(DenseVector, refuses_zero_under_cosine_alone) {
  EXPECT_TRUE(!takes(*mapping_of(R"("dims":2)"), "[0, 0]"));
  EXPECT_TRUE(takes(*mapping_of(R"("dims":2,"similarity":"dot_product")"), "[0, 0]"));
}

}  // namespace
}  // namespace quarry
