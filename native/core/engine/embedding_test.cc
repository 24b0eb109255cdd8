// Vectors of the built-in embedder, bit by bit: test/golden/embedder, which the TypeScript tests
// read as well.
#include "engine/embedding.h"

#include <bit>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "json/value.h"
#include "testing/test.h"

namespace quarry::embedding_test {

Result<JsonValue> golden_cases(std::string_view embedder) {
  std::ifstream in(std::string(QUARRY_SOURCE_DIR) + "/test/golden/embedder/" +
                   std::string(embedder) + ".json");
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return JsonValue::parse(text);
}

/// Eight hex digits per float, most significant first.
std::string bits_of(const std::vector<float>& vector) {
  std::string hex;
  for (const float value : vector) {
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", std::bit_cast<uint32_t>(value));
    hex += digits;
  }
  return hex;
}

TermWeight weights_of(const JsonValue* weights) {
  if (weights == nullptr) return {};
  return [weights](const LexicalTerm& term) {
    const JsonValue* weight = weights->find(term.word);
    return weight == nullptr ? 1.0 : weight->as_double().value_or(0);
  };
}

void expect_golden_vectors(std::string_view name) {
  const auto cases = golden_cases(name);
  ASSERT_OK(cases);
  EXPECT_TRUE(cases->items().size() >= 15);
  LexicalEmbedder embedder;
  for (const JsonValue& row : cases->items()) {
    const std::vector<std::string> texts{std::string(row.find("text")->text())};
    const auto dims = static_cast<uint32_t>(row.find("dims")->as_int().value_or(0));
    const auto vector = embed_texts(embedder, texts, dims, weights_of(row.find("weights")),
                                    *find_lexical_recipe(name));
    ASSERT_OK(vector);
    EXPECT_EQ(bits_of(*vector), row.find("vector")->text());
  }
}

TEST(EmbeddingGolden, VectorsHaveTheseBits) {
  for (const std::string_view name : kLexicalEmbedders) expect_golden_vectors(name);
}

TEST(Embedding, TextsLieOneAfterTheOther) {
  LexicalEmbedder embedder;
  const std::vector<std::string> texts{"dogs", "the", "cats"};
  const auto all = embed_texts(embedder, texts, 16, {});
  ASSERT_OK(all);
  ASSERT_EQ(all->size(), 48);
  const auto last = embed_texts(embedder, std::vector<std::string>{"cats"}, 16, {});
  EXPECT_TRUE(std::vector(all->begin() + 32, all->end()) == *last);
  EXPECT_TRUE(std::vector(all->begin() + 16, all->begin() + 32) == std::vector<float>(16));
}

TEST(Embedding, DimsHaveBounds) {
  LexicalEmbedder embedder;
  const std::vector<std::string> texts{"dogs"};
  EXPECT_EQ(embed_texts(embedder, texts, 0, {}).status().type(), ErrorType::kIllegalArgument);
  EXPECT_EQ(embed_texts(embedder, texts, 4097, {}).status().reason(),
            "[dims] of the embedder [svc-lex-1] must be between 1 and 4096, got [4097]");
  EXPECT_EQ(embed_texts(embedder, texts, 0, {}, LexicalRecipe::kSecond).status().reason(),
            "[dims] of the embedder [svc-lex-2] must be between 1 and 4096, got [0]");
}

}  // namespace quarry::embedding_test
