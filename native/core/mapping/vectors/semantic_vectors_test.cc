// Values of semantic_text fields in documents: the division of texts into passages, and the added
// vectors.
#include "mapping/vectors/semantic_vectors.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <string>

#include "mapping/values/semantic_texts.h"
#include "testing/test.h"

namespace quarry::semantic_vectors_test {

std::shared_ptr<const Mapping> mapping_of(const std::string& json) {
  const auto made = Mapping::create(json, *make_mapping_context("{}"));
  EXPECT_OK(made);
  return made.ok() ? *made : nullptr;
}

const char* const kBoth = R"({"properties":{
  "body":{"type":"semantic_text","dims":16},
  "title":{"type":"text","copy_to":"body","fields":{"s":{"type":"semantic_text","dims":8}}}}})";

std::string words(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; i++) text += "word" + std::to_string(i % 90) + " ";
  return text;
}

std::string described(const Mapping& mapping, const std::string& source) {
  ParsedDocument document;
  EXPECT_OK(parse_document(mapping, source, document));
  std::string out;
  for (const SemanticText& text : semantic_texts(mapping, document)) {
    out += text.field->name + "=" + text.text + ";";
  }
  return out;
}

TEST(SemanticTexts, JoinsValuesAndCopies) {
  const auto mapping = mapping_of(kBoth);
  EXPECT_EQ(described(*mapping, R"({"body":"a"})"), "body=a;");
  EXPECT_EQ(described(*mapping, R"({"body":["a","",5],"title":"t"})"), "body=a\n\n5\nt;title.s=t;");
  EXPECT_EQ(described(*mapping, R"({"title":["t","u"],"body":"b"})"), "body=t\nu\nb;title.s=t\nu;");
  EXPECT_EQ(described(*mapping, R"({"body":" \n\t","title":null})"), "");
  EXPECT_EQ(described(*mapping, R"({"body":true})"), "body=true;");
  EXPECT_EQ(described(*mapping, R"({"other":"b"})"), "");
}

TEST(SemanticTexts, CutsLongTexts) {
  const auto mapping = mapping_of(kBoth);
  for (const auto& [count, passages] : std::map<size_t, size_t>{{250, 0}, {251, 3}, {500, 6}}) {
    ParsedDocument document;
    const std::string text = words(count);
    const std::string source = R"({"body":")" + text + "\"}";
    ASSERT_OK(parse_document(*mapping, source, document));
    const std::vector<SemanticText> texts = semantic_texts(*mapping, document);
    ASSERT_EQ(texts.size(), 1U);
    EXPECT_EQ(texts[0].passages.size(), passages);
    EXPECT_TRUE(texts[0].passages == split_passages(text));
  }
}

/// The vectors of each field in the document's values.
std::map<std::string, std::vector<std::vector<float>>> vectors_of(const Mapping& mapping,
                                                                  const ParsedDocument& document) {
  std::map<std::string, std::vector<std::vector<float>>> found;
  for (const FieldValue& value : document.values) {
    const Field& field = mapping.field(value.field);
    if (!field.companion) continue;
    std::vector<float> vector(value.text.size() / sizeof(float));
    std::memcpy(vector.data(), value.text.data(), value.text.size());
    found[field.name].push_back(std::move(vector));
  }
  return found;
}

using Vectors = std::vector<std::vector<float>>;

std::vector<float> embedded(std::string_view text, uint32_t dims) {
  std::vector<float> vector(dims);
  EXPECT_TRUE(LexicalEmbedder().embed(text, vector));
  return vector;
}

TEST(SemanticVectors, AreThoseOfTheBuiltInEmbedder) {
  const auto mapping = mapping_of(kBoth);
  LexicalEmbedder embedder;
  BuiltInVectors source(embedder);
  const std::string text = words(330);
  ParsedDocument document;
  const std::string json = R"({"body":")" + text + R"(","title":"the stars"})";
  ASSERT_OK(parse_document(*mapping, json, document));
  ASSERT_OK(embed_document(*mapping, "1", source, document));
  auto found = vectors_of(*mapping, document);
  EXPECT_EQ(found.size(), 3U);
  const std::string whole = text + "\nthe stars";
  EXPECT_TRUE(found["body_vector"] == Vectors{embedded(whole, 16)});
  EXPECT_TRUE(found["title.s_vector"] == Vectors{embedded("the stars", 8)});
  const std::vector<ByteRange> passages = split_passages(whole);
  ASSERT_EQ(found["body_vector.passages"].size(), passages.size());
  for (size_t i = 0; i < passages.size(); i++) {
    const std::string part = whole.substr(passages[i].start, passages[i].end - passages[i].start);
    EXPECT_TRUE(found["body_vector.passages"][i] == embedded(part, 16));
  }
}

TEST(SemanticVectors, AreLeftOutWhereTextHasNoDirection) {
  const auto mapping = mapping_of(kBoth);
  LexicalEmbedder embedder;
  BuiltInVectors source(embedder);
  for (const char* text : {"", "  ", "the of and", "... !!!"}) {
    ParsedDocument document;
    const std::string json = std::string(R"({"body":")") + text + "\"}";
    ASSERT_OK(parse_document(*mapping, json, document));
    ASSERT_OK(embed_document(*mapping, "1", source, document));
    EXPECT_TRUE(vectors_of(*mapping, document).empty());
  }
}

TEST(SemanticVectors, RefuseDocumentsThatCarryThem) {
  const auto mapping = mapping_of(
      R"({"dynamic":"false","properties":{"body":{"type":"semantic_text"},
          "o":{"properties":{"x":{"type":"semantic_text"}}},
          "t":{"type":"text","fields":{"s":{"type":"semantic_text"}}}}})");
  for (const char* source :
       {R"({"body_vector":[1,2]})", R"({"body":"a","body_vector":null})", R"({"body_vector":"x"})",
        R"({"o":{"x_vector":[]}})", R"({"o.x_vector":[1]})", R"({"body_vector.passages":[[1]]})",
        R"({"body_vector":{"passages":[1]}})", R"({"t.s_vector":[1]})"}) {
    ParsedDocument document;
    const Status status = parse_document(*mapping, source, document);
    EXPECT_TRUE(status.type() == ErrorType::kDocumentParsing);
  }
  ParsedDocument document;
  const Status status = parse_document(*mapping, R"({"o":{"x_vector":[]}})", document);
  EXPECT_EQ(status.reason(),
            "[1:18] failed to parse: [o.x_vector] is made from [o.x], leave it out of documents");
}

/// Returns the vectors that the test sets.
class FixedVectors final : public VectorSource {
 public:
  explicit FixedVectors(std::vector<float> vector) : vector_(std::move(vector)) {}
  explicit FixedVectors(Status status) : status_(std::move(status)) {}
  Status embed(const Field&, std::string_view, std::vector<float>& out) override {
    out = vector_;
    return status_;
  }

 private:
  std::vector<float> vector_;
  Status status_;
};

std::shared_ptr<const Mapping> remote(const std::string& dims) {
  return mapping_of(R"({"properties":{"t":{"type":"text","fields":{"r":{"type":"semantic_text",
      "embedder":"e@1","inference_id":"mine")" +
                    dims + R"(}}},"o":{"properties":{"r":
      {"type":"semantic_text","embedder":"e@1","inference_id":"mine")" +
                    dims + "}}}}}");
}

TEST(SemanticVectors, TakeDimsFromTheFirstRemoteVector) {
  std::shared_ptr<const Mapping> mapping = remote("");
  FixedVectors source(std::vector<float>{1, 2, 3});
  ParsedDocument document;
  for (int round = 0; round < 3; round++) {
    ASSERT_OK(parse_document(*mapping, R"({"t":"a","o":{"r":"b"}})", document));
    ASSERT_OK(embed_document(*mapping, "1", source, document));
    if (document.dynamic_mapping.empty()) break;
    const auto grown = mapping->merge(document.dynamic_mapping);
    ASSERT_OK(grown);
    mapping = *grown;
  }
  EXPECT_TRUE(document.dynamic_mapping.empty());
  EXPECT_EQ(mapping->find("t.r_vector")->vector.dims, 3U);
  EXPECT_EQ(mapping->find("o.r_vector")->vector.dims, 3U);
  auto found = vectors_of(*mapping, document);
  EXPECT_TRUE(found["t.r_vector"] == (Vectors{{1, 2, 3}}));
  EXPECT_TRUE(found["o.r_vector"] == (Vectors{{1, 2, 3}}));
}

TEST(SemanticVectors, RefuseWhatAnEmbedderShouldNotGive) {
  const float inf = std::numeric_limits<float>::infinity();
  struct Case {
    std::vector<float> vector;
    const char* words;
  };
  const Case cases[] = {{{1, 2}, "has 2 dimensions, the field has dims [3]"},
                        {{1, 2, 3, 4}, "has 4 dimensions"},
                        {{1, 2, inf}, "beyond 32-bit floats"},
                        {{1, std::nanf(""), 3}, "beyond 32-bit floats"},
                        {{1, 2, 3e38F}, "beyond 32-bit floats"},
                        {{0, 0, 0}, "has length 0"}};
  const auto mapping = remote(R"(,"dims":3)");
  for (const Case& bad : cases) {
    FixedVectors source(bad.vector);
    ParsedDocument document;
    ASSERT_OK(parse_document(*mapping, R"({"o":{"r":"b"}})", document));
    const Status status = embed_document(*mapping, "7", source, document);
    EXPECT_TRUE(status.type() == ErrorType::kIllegalArgument);
    EXPECT_TRUE(status.reason().find(bad.words) != std::string::npos);
    EXPECT_TRUE(status.reason().find("[e@1] gave for field [o.r] of document [7]") !=
                std::string::npos);
  }
  FixedVectors source(std::vector<float>(kMaxVectorDims + 1, 1.0F));
  ParsedDocument document;
  const auto open = remote("");
  ASSERT_OK(parse_document(*open, R"({"o":{"r":"b"}})", document));
  EXPECT_TRUE(embed_document(*open, "7", source, document).reason().find("takes up to [4096]") !=
              std::string::npos);
}

TEST(SemanticVectors, PassOnWhatASourceSays) {
  const auto mapping = remote(R"(,"dims":3)");
  ParsedDocument document;
  ASSERT_OK(parse_document(*mapping, R"({"o":{"r":"b"}})", document));
  FixedVectors failing(Status(ErrorType::kRejected, "busy"));
  EXPECT_EQ(embed_document(*mapping, "7", failing, document).reason(), "busy");
  LexicalEmbedder embedder;
  BuiltInVectors built_in(embedder);
  const Status missing = embed_document(*mapping, "7", built_in, document);
  EXPECT_TRUE(missing.type() == ErrorType::kVersionConflict);
  EXPECT_EQ(missing.reason(),
            "[7]: the document changed while its text was embedded, send it again");
}

}  // namespace quarry::semantic_vectors_test
