// semantic_text in mappings: parameters, the printed form, companion fields, allowed changes.
#include <algorithm>
#include <string>

#include "mapping/schema/mapping.h"
#include "testing/test.h"

namespace quarry::semantic_mapping_test {

using Made = Result<std::shared_ptr<const Mapping>>;

Made create(const std::string& properties) {
  return Mapping::create(R"({"properties":)" + properties + "}", *make_mapping_context("{}"));
}

std::string semantic(const std::string& parameters = {}) {
  return R"({"type":"semantic_text")" + (parameters.empty() ? "" : "," + parameters) + "}";
}

Made create_x(const std::string& parameters) {
  return create(R"({"x":)" + semantic(parameters) + "}");
}

void expect_refusal(const Made& made, ErrorType type, const std::string& words) {
  EXPECT_FALSE(made.ok());
  if (made.ok()) return;
  EXPECT_TRUE(made.status().type() == type);
  const bool found = made.status().reason().find(words) != std::string::npos;
  EXPECT_TRUE(found);
  if (!found) EXPECT_EQ(made.status().reason(), words);
}

constexpr const char* kRemote = R"("inference_id":"mine","embedder":"e5@1")";

TEST(SemanticMapping, IsTextWithACompanionOfTheBuiltInEmbedder) {
  const Made made = create_x("");
  ASSERT_OK(made);
  const Field* field = (*made)->find("x");
  EXPECT_TRUE(field->type == FieldType::kSemanticText);
  EXPECT_TRUE(field->is_text() && field->indexed && field->positions && field->norms);
  EXPECT_EQ(field->semantic->embedder, "svc-lex-1");
  EXPECT_FALSE(field->semantic->remote);
  EXPECT_EQ(field->semantic->dims, 512U);
  const Field* companion = (*made)->find("x_vector");
  ASSERT_TRUE(companion != nullptr);
  EXPECT_EQ(companion->id, field->semantic->vector);
  EXPECT_TRUE(companion->type == FieldType::kDenseVector);
  EXPECT_TRUE(companion->companion && companion->inferred && !companion->several_vectors);
  EXPECT_EQ(companion->vector.dims, 512U);
  EXPECT_TRUE(companion->vector.wants_graph());
  const Field& passages = (*made)->field(field->semantic->passages);
  EXPECT_EQ(passages.name, "x_vector.passages");
  EXPECT_TRUE(passages.several_vectors && passages.companion);
  EXPECT_TRUE((*made)->find("x_vector.passages") == nullptr);
}

TEST(SemanticMapping, PrintsEmbedderAndDimsAndNoCompanion) {
  const auto printed = [](const std::string& parameters) {
    const Made made = create_x(parameters);
    return made.ok() ? (*made)->to_json() : made.status().reason();
  };
  const std::string head = R"({"properties":{"x":{"type":"semantic_text","embedder":)";
  EXPECT_EQ(printed(""), head + R"("svc-lex-1","dims":512}}})");
  EXPECT_EQ(printed(R"("inference_id":"svc-lex-1","dims":64)"),
            head + R"("svc-lex-1","dims":64,"inference_id":"svc-lex-1"}}})");
  EXPECT_EQ(printed(R"("inference_id":"svc-lex-2")"),
            head + R"("svc-lex-2","dims":512,"inference_id":"svc-lex-2"}}})");
  EXPECT_EQ(printed(R"("embedder":"svc-lex-2","dims":64)"), head + R"("svc-lex-2","dims":64}}})");
  EXPECT_EQ(printed(kRemote), head + R"("e5@1","inference_id":"mine"}}})");
  EXPECT_EQ(
      printed(R"("embedder":"m@http://h/","inference_endpoint":"http://h/","inference_id":"m")"),
      head + R"("m@http://h/","inference_id":"m","inference_endpoint":"http://h/"}}})");
  EXPECT_EQ(printed(R"("embedder":"e","inference_endpoint":{"dims":"8","url":"http://h/"})"),
            head + R"("e","dims":8,"inference_endpoint":{"url":"http://h/","dims":8}}}})");
  EXPECT_EQ(printed(R"("analyzer":"english","norms":false,"index_options":{"type":"flat"})"),
            head + R"("svc-lex-1","dims":512,"index_options":{"type":"flat"},"norms":false,)"
                   R"("analyzer":"english"}}})");
}

TEST(SemanticMapping, CanBeMadeFromWhatWasPrinted) {
  const Made made = create(R"({"o":{"properties":{"t":)" + semantic(R"("dims":8,"store":true)") +
                           R"(}},"m":{"type":"text",
      "fields":{"s":)" + semantic(kRemote) +
                           "}}}");
  ASSERT_OK(made);
  const Made again = Mapping::create((*made)->to_json(), *make_mapping_context("{}"));
  ASSERT_OK(again);
  EXPECT_EQ((*again)->to_json(), (*made)->to_json());
  const Made same = (*made)->merge((*made)->to_json());
  ASSERT_OK(same);
  EXPECT_EQ((*same)->version(), (*made)->version());
  EXPECT_EQ((*made)->definition("m.s", false),
            R"({"type":"semantic_text","embedder":"e5@1","inference_id":"mine"})");
  EXPECT_EQ((*made)->definition("o.t_vector", false), "");
}

TEST(SemanticMapping, KeepsCompanionsOutOfPatternsAndLimits) {
  Made made = create(R"({"a":)" + semantic() + R"(,"k":{"type":"keyword"},"v":{"type":"alias",
      "path":"a_vector"}})");
  ASSERT_OK(made);
  std::string names;
  for (const Field* field : (*made)->match("*")) names += field->name + " ";
  EXPECT_EQ(names, "a k ");
  EXPECT_TRUE((*made)->match("a_*").empty());
  EXPECT_EQ((*made)->match("a_vector").size(), 1U);
  EXPECT_EQ((*made)->find("v")->name, "a_vector");
  const auto limited = make_mapping_context(R"({"index.mapping.total_fields.limit":1})");
  ASSERT_OK(limited);
  EXPECT_OK(Mapping::create(R"({"properties":{"x":)" + semantic() + "}}", *limited));
}

TEST(SemanticMapping, ListsItsFieldsMultiFieldsToo) {
  const Made made = create(R"({"t":{"type":"text","fields":{"s":)" + semantic() + R"(}},"o":
      {"properties":{"x":)" +
                           semantic(R"("index_options":{"type":"int8_flat"})") + "}}}");
  ASSERT_OK(made);
  std::string names;
  for (const uint32_t id : (*made)->semantic_fields()) names += (*made)->field(id).name + " ";
  EXPECT_EQ(names, "o.x t.s ");
  EXPECT_TRUE((*made)->find("o.x_vector")->vector.index == VectorIndex::kInt8Flat);
  EXPECT_TRUE((*made)->find("t.s_vector") != nullptr);
}

struct BadCase {
  const char* parameters;
  const char* words;
};

TEST(SemanticMapping, RefusesByName) {
  const BadCase cases[] = {
      {R"("dims":0)", "should be in the range [1, 4096] but was [0]"},
      {R"("dims":4097)", "field [x] should be in the range [1, 4096] but was [4097]"},
      {R"("dims":-1)", "[dims] must be positive, got [-1]"},
      {R"("dims":1.5)", "must be a whole number, got [1.5]"},
      {R"("dims":null)", "must not have a [null] value"},
      {R"("dims":[8])", "[dims] on mapper [x] of type [semantic_text] must be a simple value"},
      {R"("embedder":"svc-lex-3")", "the built-in ones are [svc-lex-1] and [svc-lex-2]"},
      {R"("embedder":"svc-lex-1","inference_id":"svc-lex-2")",
       "[embedder] [svc-lex-1] and [inference_id] [svc-lex-2]: leave one of them out"},
      {R"("embedder":"")", "[embedder] []"},
      {R"("embedder":{})", "must be a simple value"},
      {R"("inference_id":"mine")", "[inference_id] without [embedder]"},
      {R"("inference_id":"")", "[inference_id] of field [x] must not be empty"},
      {R"("inference_id":"mine","embedder":"svc-lex-1")", "which is built in, and [inference_id]"},
      {R"("inference_endpoint":{"url":"http://h"})", "[inference_endpoint] without [embedder]"},
      {R"("inference_endpoint":5,"embedder":"e")", "must be a URL or an object"},
      {R"("inference_endpoint":"","embedder":"e")", "must be a URL or an object"},
      {R"("inference_endpoint":{},"embedder":"e")", "[url] is missing"},
      {R"("inference_endpoint":{"url":7},"embedder":"e")", "must be a string that is not empty"},
      {R"("inference_endpoint":{"url":"u","api_key":"s"},"embedder":"e")", "[api_key_env]"},
      {R"("inference_endpoint":{"url":"u","dims":0},"embedder":"e")", "but was [0]"},
      {R"("inference_endpoint":{"url":"u","speed":1},"embedder":"e")", "[speed] in"},
      {R"("inference_endpoint":{"url":"u","dims":3},"embedder":"e","dims":4)", "has [3]"},
      {R"("index_options":"positions")", "[index_options] of field [x] must be an object"},
      {R"("index_options":{"type":"ivf"})", "Unknown vector index options type [ivf]"},
      {R"("chunking_settings":{"strategy":"none"})", "[chunking_settings] on mapper [x]"},
      {R"("search_inference_id":"i")", "[search_inference_id] on mapper [x]"},
      {R"("model_settings":{})", "[model_settings] on mapper [x]"},
      {R"("similarity":"dot_product")", "Unknown Similarity type [dot_product]"},
      {R"("analyzer":"klingon")", "analyzer [klingon] has not been configured"},
      {R"("doc_values":true)", "unknown parameter [doc_values]"},
      {R"("element_type":"float")", "unknown parameter [element_type]"},
  };
  for (const BadCase& bad : cases) {
    expect_refusal(create_x(bad.parameters), ErrorType::kMapperParsing, bad.words);
  }
}

TEST(SemanticMapping, RefusesFieldsUnderTheNameOfACompanion) {
  const std::string x = R"("x":)" + semantic();
  const std::string words = "field [x_vector] cannot be mapped";
  for (const char* other :
       {R"("x_vector":{"type":"keyword"})", R"("x_vector":{"type":"object"})",
        R"("x_vector.passages":{"type":"long"})", R"("x_vector":{"type":"semantic_text"})",
        R"("x_vector":{"type":"alias","path":"x"})"}) {
    expect_refusal(create("{" + x + "," + other + "}"), ErrorType::kMapperParsing, words);
  }
  expect_refusal(create(R"({"t":{"type":"text","fields":{"s":)" + semantic() +
                        R"(,"s_vector":{"type":"keyword"}}}})"),
                 ErrorType::kMapperParsing, "field [t.s_vector] cannot be mapped");
  expect_refusal(create("{" + x + R"(,"c":{"type":"text","copy_to":"x_vector"}})"),
                 ErrorType::kIllegalArgument, "copy to [x]");
  const Made made = create(R"({"x_vector":{"type":"dense_vector"}})");
  ASSERT_OK(made);
  expect_refusal((*made)->merge("{\"properties\":{" + x + "}}"), ErrorType::kMapperParsing, words);
}

TEST(SemanticMapping, RefusesToChangeWhatDecidesVectors) {
  const auto merge = [](const std::string& from, const std::string& to) {
    const Made made = create_x(from);
    EXPECT_OK(made);
    return made.ok() ? (*made)->merge(R"({"properties":{"x":)" + semantic(to) + "}}") : made;
  };
  const auto refused = [&](const std::string& from, const std::string& to,
                           const std::string& words) {
    const Made made = merge(from, to);
    expect_refusal(made, ErrorType::kIllegalArgument, words);
    expect_refusal(made, ErrorType::kIllegalArgument, "create another index");
  };
  refused("", R"("dims":64)", "Cannot update parameter [dims] from [512] to [64]");
  refused("", R"("embedder":"e")", "[embedder] from [svc-lex-1] to [e]");
  refused("", R"("embedder":"svc-lex-2")", "[embedder] from [svc-lex-1] to [svc-lex-2]");
  refused("", kRemote, "[inference_id] from [null] to [mine]");
  refused(kRemote, R"("inference_id":"other","embedder":"e5@1")", "from [mine] to [other]");
  refused(kRemote, R"("embedder":"svc-lex-1")", "[embedder] from [e5@1] to [svc-lex-1]");
  refused("", R"("index_options":{"type":"flat"})", "Cannot update parameter [index_options]");
  expect_refusal(merge("", R"("analyzer":"english")"), ErrorType::kIllegalArgument,
                 "Cannot update parameter [analyzer]");
  const Made text = create(R"({"x":{"type":"text"}})");
  ASSERT_OK(text);
  expect_refusal((*text)->merge(R"({"properties":{"x":)" + semantic() + "}}"),
                 ErrorType::kIllegalArgument, "from type [text] to [semantic_text]");
}

TEST(SemanticMapping, KeepsWhatAnUpdateLeavesOut) {
  const Made made = create_x(std::string(kRemote) + R"(,"index_options":{"type":"flat"})");
  ASSERT_OK(made);
  EXPECT_EQ((*made)->find("x_vector")->vector.dims, 0U);
  const Made sized = (*made)->merge(R"({"properties":{"x":)" + semantic(R"("dims":8)") + "}}");
  ASSERT_OK(sized);
  EXPECT_EQ((*sized)->find("x_vector")->vector.dims, 8U);
  EXPECT_EQ((*sized)->find("x")->semantic->dims, 8U);
  const Made again =
      (*sized)->merge(R"({"properties":{"x":)" + semantic(R"("search_analyzer":"simple")") + "}}");
  ASSERT_OK(again);
  EXPECT_EQ((*again)->find("x")->semantic->embedder, "e5@1");
  EXPECT_TRUE((*again)->find("x_vector")->vector.index == VectorIndex::kFlat);
  EXPECT_EQ((*again)->find("x")->id, (*made)->find("x")->id);
  EXPECT_EQ((*again)->find("x_vector")->id, (*made)->find("x_vector")->id);
  const Made grown = (*again)->merge(R"({"properties":{"y":)" + semantic() + "}}");
  ASSERT_OK(grown);
  EXPECT_EQ((*grown)->find("y")->semantic->dims, 512U);
  const Made second = create_x(R"("embedder":"svc-lex-2")");
  ASSERT_OK(second);
  const Made still = (*second)->merge(R"({"properties":{"x":)" + semantic() + "}}");
  ASSERT_OK(still);
  EXPECT_TRUE((*still)->find("x")->semantic->recipe == LexicalRecipe::kSecond);
  EXPECT_FALSE((*still)->find("x")->semantic->remote);
  EXPECT_EQ((*grown)->field((*grown)->find("x")->semantic->passages).name, "x_vector.passages");
}

}  // namespace quarry::semantic_mapping_test
