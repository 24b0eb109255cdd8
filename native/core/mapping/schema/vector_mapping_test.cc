// dense_vector in mappings: its parameters, their combinations, the printed form, allowed changes.
#include <string>

#include "mapping/schema/mapping.h"
#include "testing/test.h"

namespace quarry::vector_mapping_test {

Result<std::shared_ptr<const Mapping>> create(const std::string& definition) {
  return Mapping::create(R"({"properties":{"v":)" + definition + "}}", *make_mapping_context("{}"));
}

std::string with(const std::string& parameters) {
  return R"({"type":"dense_vector")" + (parameters.empty() ? "" : "," + parameters) + "}";
}

VectorOptions options_of(const std::string& parameters) {
  const auto made = create(with(parameters));
  EXPECT_OK(made);
  return made.ok() ? (*made)->find("v")->vector : VectorOptions();
}

void expect_refused(const std::string& definition, const std::string& words) {
  const auto made = create(definition);
  EXPECT_TRUE(!made.ok());
  if (made.ok()) return;
  EXPECT_TRUE(made.status().type() == ErrorType::kMapperParsing);
  const bool found = made.status().reason().find(words) != std::string::npos;
  EXPECT_TRUE(found);
  if (!found) EXPECT_EQ(made.status().reason(), words);
}

TEST(VectorMapping, HasDefaults) {
  const VectorOptions options = options_of("");
  EXPECT_EQ(options.dims, 0U);
  EXPECT_TRUE(options.similarity == VectorSimilarity::kCosine);
  EXPECT_TRUE(options.index == VectorIndex::kHnsw);
  EXPECT_EQ(options.m, 16U);
  EXPECT_EQ(options.ef_construction, 100U);
}

TEST(VectorMapping, ReadsEveryForm) {
  EXPECT_EQ(options_of(R"("dims":1)").dims, 1U);
  EXPECT_EQ(options_of(R"("dims":"4096")").dims, 4096U);
  const auto similarity = [](const std::string& name) {
    return options_of(R"("dims":3,"similarity":")" + name + "\"").similarity;
  };
  EXPECT_TRUE(similarity("cosine") == VectorSimilarity::kCosine);
  EXPECT_TRUE(similarity("dot_product") == VectorSimilarity::kDotProduct);
  EXPECT_TRUE(similarity("l2_norm") == VectorSimilarity::kL2Norm);
  EXPECT_TRUE(similarity("max_inner_product") == VectorSimilarity::kMaxInnerProduct);
  const auto index = [](const std::string& parameters) { return options_of(parameters).index; };
  EXPECT_TRUE(index(R"("index_options":{"type":"hnsw"})") == VectorIndex::kHnsw);
  EXPECT_TRUE(index(R"("index_options":{"type":"int8_hnsw"})") == VectorIndex::kInt8Hnsw);
  EXPECT_TRUE(index(R"("index_options":{"type":"flat"})") == VectorIndex::kFlat);
  EXPECT_TRUE(index(R"("index_options":{"type":"int8_flat"})") == VectorIndex::kInt8Flat);
  EXPECT_TRUE(index(R"("index_options":{"type":"bbq_hnsw"})") == VectorIndex::kHnsw);
  EXPECT_TRUE(index(R"("index_options":{"type":"int4_flat","confidence_interval":0})") ==
              VectorIndex::kInt8Flat);
  EXPECT_TRUE(
      options_of(R"("dims":3,"element_type":"byte","similarity":"dot_product")").similarity ==
      VectorSimilarity::kByteDotProduct);
  EXPECT_TRUE(options_of(R"("dims":3,"element_type":"byte")").similarity ==
              VectorSimilarity::kCosine);
  EXPECT_TRUE(index(R"("index_options":null,"similarity":null)") == VectorIndex::kHnsw);
  EXPECT_TRUE(index(R"("quantization":"scalar8")") == VectorIndex::kInt8Hnsw);
  EXPECT_TRUE(index(R"("quantization":"scalar8","index_options":{"type":"flat"})") ==
              VectorIndex::kInt8Flat);
  EXPECT_TRUE(index(R"("index_options":{"quantization":"scalar8","type":"flat"})") ==
              VectorIndex::kInt8Flat);
  EXPECT_TRUE(index(R"("index":false,"element_type":"float")") == VectorIndex::kNone);
  const VectorOptions tuned =
      options_of(R"("index_options":{"type":"int8_hnsw","m":"24","ef_construction":200})");
  EXPECT_EQ(tuned.m, 24U);
  EXPECT_EQ(tuned.ef_construction, 200U);
  EXPECT_EQ(options_of(R"("index_options":{"m":32})").m, 32U);
}

TEST(VectorMapping, RefusesByName) {
  const std::string range = "field [v] should be in the range [1, 4096] but was [";
  expect_refused(with(R"("dims":0)"), range + "0]");
  expect_refused(with(R"("dims":4097)"), range + "4097]");
  expect_refused(with(R"("dims":-1)"), "[dims] must be positive, got [-1]");
  expect_refused(with(R"("dims":2.5)"), "must be a whole number, got [2.5]");
  expect_refused(with(R"("dims":"many")"), "must be a whole number, got [many]");
  expect_refused(with(R"("dims":[3])"), "[dims] on mapper [v] of type [dense_vector]");
  expect_refused(with(R"("dims":null)"), "must not have a [null] value");
  expect_refused(with(R"("similarity":"near")"),
                 "Unknown value [near] for field [similarity] - accepted values are [cosine, "
                 "dot_product, l2_norm, max_inner_product]");
  expect_refused(
      with(R"("element_type":"bit")"),
      "Unknown value [bit] for field [element_type] - accepted values are [float, byte]");
  expect_refused(with(R"("quantization":"scalar4")"), "does not support [\"scalar4\"]");
  expect_refused(with(R"("index":"perhaps")"), "as only [true] or [false] are allowed");
  expect_refused(with(R"("doc_values":true)"), "unknown parameter [doc_values] on mapper [v]");
  expect_refused(with(R"("null_value":[1])"), "unknown parameter [null_value]");
  expect_refused(with(R"("fields":{"k":{"type":"keyword"}})"),
                 "Field [v] of type [dense_vector] can't have multifields");
  expect_refused(R"({"type":"text","fields":{"w":{"type":"dense_vector","dims":3}}})",
                 "Field [v.w] of type [dense_vector] can't be used in multifields");
}

TEST(VectorMapping, RefusesIndexOptionsByName) {
  const auto options = [](const std::string& json) { return with(R"("index_options":)" + json); };
  expect_refused(
      options(R"({"type":"ivf"})"),
      "Unknown vector index options type [ivf] for field [v] - accepted values are [hnsw, "
      "int8_hnsw, flat, int8_flat, int4_hnsw, int4_flat, bbq_hnsw, bbq_flat]");
  for (const char* oversample : {"0.5", "11", "\"x\"", "{}"}) {
    expect_refused(options(std::string(R"({"type":"bbq_hnsw","rescore_vector":{"oversample":)") +
                           oversample + "}}"),
                   "[rescore_vector] in [index_options] of field [v] must be an object");
  }
  expect_refused(options(R"({"type":"bbq_flat","rescore_vector":3})"), "must be an object");
  expect_refused(options(R"({"type":"hnsw","rescore_vector":{"oversample":2}})"), "unsupported");
  expect_refused(options(R"({"type":"int8_flat","confidence_interval":0.5})"),
                 "0 or in the range [0.9, 1]");
  expect_refused(options(R"({"type":"bbq_flat","confidence_interval":0.95})"), "unsupported");
  expect_refused(options(R"({"type":7})"), "Unknown vector index options type [7] for field [v]");
  expect_refused(options(R"("hnsw")"), "[index_options] of field [v] must be an object");
  expect_refused(options("[]"), "[index_options] of field [v] must be an object");
  expect_refused(options(R"({"type":"flat","m":16})"),
                 "Mapping definition for [v] has unsupported parameters:  [m : 16]");
  expect_refused(options(R"({"type":"hnsw","shape":{"a":1}})"), R"([shape : {"a":1}])");
  for (const char* m : {"1", "0", "-4", "513", "16.5", "\"x\"", "null", "[16]"}) {
    expect_refused(options(std::string(R"({"type":"hnsw","m":)") + m + "}"),
                   "[m] in [index_options] of field [v] must be a whole number in the range");
  }
  for (const char* ef : {"0", "-1", "3201", "1e300", "true"}) {
    expect_refused(options(std::string(R"({"type":"hnsw","ef_construction":)") + ef + "}"),
                   "[ef_construction] in [index_options] of field [v] must be a whole number");
  }
  expect_refused(options(R"({"quantization":"scalar4"})"), "[quantization] in [index_options]");
  for (const char* given : {R"("similarity":"cosine")", R"("index_options":{"type":"hnsw"})",
                            R"("quantization":"scalar8")"}) {
    expect_refused(with(std::string(R"("index":false,)") + given),
                   "can only be specified for a field of type [dense_vector] when it is indexed");
  }
}

TEST(VectorMapping, PrintsWhatWasGiven) {
  const auto printed = [](const std::string& parameters) {
    const auto made = create(with(parameters));
    EXPECT_OK(made);
    return made.ok() ? (*made)->to_json() : std::string();
  };
  const auto around = [](const std::string& inner) {
    return R"({"properties":{"v":{"type":"dense_vector")" + inner + "}}}";
  };
  EXPECT_EQ(printed(""), around(""));
  EXPECT_EQ(printed(R"("similarity":"cosine","index":true,"dims":3)"),
            around(R"(,"dims":3,"index":true,"similarity":"cosine")"));
  EXPECT_EQ(printed(R"("index_options":{"m":16,"type":"hnsw"},"dims":3)"),
            around(R"(,"dims":3,"index_options":{"type":"hnsw","m":16})"));
  EXPECT_EQ(
      printed(R"("index_options":{"type":"bbq_hnsw","m":16,"rescore_vector":{"oversample":3.0}})"),
      around(R"(,"index_options":{"type":"bbq_hnsw","m":16,"rescore_vector":{"oversample":3.0}})"));
  EXPECT_EQ(printed(R"("quantization":"scalar8","meta":{"a":"b"})"),
            around(R"(,"quantization":"scalar8","meta":{"a":"b"})"));
}

TEST(VectorMapping, PrintsDefaultsOnRequest) {
  const auto made = create(with(R"("dims":3)"));
  EXPECT_EQ(
      (*made)->definition("v", true),
      R"({"type":"dense_vector","element_type":"float","dims":3,"index":true,)"
      R"("similarity":"cosine","index_options":{"type":"hnsw","m":16,"ef_construction":100}})");
  const auto stored = create(with(R"("dims":3,"index":false)"));
  EXPECT_EQ((*stored)->definition("v", true),
            R"({"type":"dense_vector","element_type":"float","dims":3,"index":false})");
}

/// The mapping after the update, or the error.
std::string update(const std::string& from, const std::string& to) {
  const auto made = create(with(from));
  EXPECT_OK(made);
  const auto merged = (*made)->merge(R"({"properties":{"v":)" + with(to) + "}}");
  if (merged.ok()) return (*merged)->definition("v", false);
  EXPECT_TRUE(merged.status().type() == ErrorType::kIllegalArgument);
  return merged.status().reason();
}

TEST(VectorMapping, ChangesNothingThatDataDependsOn) {
  const std::string head =
      "Mapper for [v] conflicts with existing mapper:\n\tCannot update parameter ";
  EXPECT_EQ(update(R"("dims":3)", R"("dims":4)"), head + "[dims] from [3] to [4]");
  EXPECT_EQ(update(R"("dims":3)", R"("dims":3,"similarity":"l2_norm")"),
            head + "[similarity] from [cosine] to [l2_norm]");
  EXPECT_EQ(update(R"("dims":3)", R"("dims":3,"index":false)"),
            head + "[index] from [true] to [false]");
  EXPECT_EQ(update(R"("dims":3)", R"("dims":3,"quantization":"scalar8")"),
            head + "[quantization] from [null] to [scalar8]");
  EXPECT_EQ(update(R"("index_options":{"type":"flat"})", R"("index_options":{"type":"int8_flat"})"),
            head + R"([index_options] from [{"type":"flat"}] to [{"type":"int8_flat"}])");
}

TEST(VectorMapping, TakesTheSameAgain) {
  EXPECT_EQ(update(R"("dims":3)", R"("dims":3,"index":true,"meta":{"a":"b"})"),
            R"({"type":"dense_vector","dims":3,"index":true,"meta":{"a":"b"}})");
  EXPECT_EQ(update("", R"("dims":3)"), R"({"type":"dense_vector","dims":3})");
  EXPECT_EQ(update(R"("dims":3)", ""), R"({"type":"dense_vector","dims":3})");
  EXPECT_EQ(update(R"("dims":3,"index_options":{"type":"int8_hnsw"})", R"("dims":3)"),
            R"({"type":"dense_vector","dims":3,"index_options":{"type":"int8_hnsw"}})");
  EXPECT_EQ(
      update(R"("index_options":{"type":"hnsw"})",
             R"("index_options":{"type":"hnsw","m":16,"ef_construction":100})"),
      R"({"type":"dense_vector","index_options":{"type":"hnsw","m":16,"ef_construction":100}})");
}

}  // namespace quarry::vector_mapping_test
