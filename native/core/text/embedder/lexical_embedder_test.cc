#include "text/embedder/lexical_embedder.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "testing/test.h"

namespace quarry::lexical_embedder_test {

using Vector = std::vector<float>;

Vector embed(std::string_view text, size_t dims = 512, const TermWeight& weight = {}) {
  LexicalEmbedder embedder;
  Vector out(dims);
  embedder.embed(text, out, weight);
  return out;
}

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

TEST(LexicalEmbedder, VectorsHaveUnitLength) {
  for (const size_t dims : {1, 3, 64, 384, 1024, 4096}) {
    const Vector vector = embed("the quick brown fox jumps over the lazy dog", dims);
    EXPECT_NEAR(dot(vector, vector), 1.0, 1e-6);
  }
}

TEST(LexicalEmbedder, StopWordsCaseOrderAndPunctuationChangeNothing) {
  const Vector plain = embed("a dog chased two cats");
  EXPECT_TRUE(plain == embed("CATS, two: the dog -- chased..."));
  EXPECT_TRUE(plain == embed("Two cats were chased by the dog"));
}

TEST(LexicalEmbedder, TheSecondRecipeDiffersInHanAndHiraganaAlone) {
  const auto second = [](std::string_view text) {
    Vector out(1024);
    LexicalEmbedder().embed(text, out, {}, LexicalRecipe::kSecond);
    return out;
  };
  for (const std::string_view text :
       {"A dog chased Zoë's cats, twice in 1999", "Привет", "ピーナッツ", "ภาษา", "한국어"}) {
    EXPECT_TRUE(second(text) == embed(text, 1024));
  }
  // 他点茶 (he orders tea), 点的茶 (the tea ordered): two characters are shared, and no pair.
  EXPECT_TRUE(std::abs(dot(embed("他点茶", 1024), embed("点的茶", 1024))) < 0.1);
  EXPECT_TRUE(dot(second("他点茶"), second("点的茶")) > 0.4);
  EXPECT_TRUE(dot(second("大阪"), second("大阪")) > dot(second("大阪"), second("阪大")) + 0.05);
}

TEST(LexicalEmbedder, FormsOfAWordAreNear) {
  EXPECT_TRUE(dot(embed("running", 4096), embed("runs", 4096)) > 0.4);
  EXPECT_TRUE(dot(embed("elephant", 4096), embed("elefant", 4096)) > 0.1);
  EXPECT_TRUE(std::abs(dot(embed("elephant", 4096), embed("violin", 4096))) < 0.1);
}

TEST(LexicalEmbedder, ATextWithoutContentIsZeroAndSaysSo) {
  LexicalEmbedder embedder;
  Vector out(64, 1.0F);
  EXPECT_TRUE(!embedder.embed("it is what it is, and that was that!", out));
  EXPECT_TRUE(out == Vector(64, 0.0F));
  EXPECT_TRUE(!embedder.embed("", out));
  EXPECT_TRUE(!embedder.embed("dog", out, [](const LexicalTerm&) { return 0.0; }));
  EXPECT_TRUE(embedder.embed("dog", out));
}

TEST(LexicalEmbedder, RequestsTheWeightOfATermOnce) {
  LexicalEmbedder embedder;
  Vector out(64);
  std::string requested;
  embedder.embed("The dogs' dogs saw Zoë's running dog", out, [&](const LexicalTerm& term) {
    requested += std::string(term.word) + "/" + std::string(term.stem) + "/" +
                 std::to_string(term.count) + " ";
    return 1.0;
  });
  EXPECT_EQ(requested, "dogs/dog/2 saw/saw/1 zoe/zoe/1 running/run/1 dog/dog/1 ");
  std::string terms;
  embedder.each_term("The dogs of Zoë", [&](const LexicalTerm& term) { terms += term.word; });
  EXPECT_EQ(terms, "dogszoe");
}

TEST(LexicalEmbedder, WeightsScaleTheirWords) {
  const TermWeight dogs_only = [](const LexicalTerm& term) { return term.stem == "dog" ? 3.5 : 0; };
  EXPECT_NEAR(dot(embed("dogs and cats", 512, dogs_only), embed("dogs")), 1.0, 1e-6);
  const TermWeight odd = [](const LexicalTerm& term) {
    if (term.word == "cats") return std::numeric_limits<double>::quiet_NaN();
    return term.word == "birds" ? -1.0 : std::numeric_limits<double>::infinity();
  };
  EXPECT_NEAR(dot(embed("dogs cats birds", 512, odd), embed("dogs")), 1.0, 1e-6);
}

TEST(LexicalEmbedder, RepetitionCountsByItsLogarithm) {
  // The expected sum is computed from the vectors of "dog" and "cat" alone.
  const Vector dog = embed("dog", 4096);
  const Vector cat = embed("cat", 4096);
  for (const size_t count : {2, 10, 63, 64, 1000}) {
    std::string text = "cat";
    for (size_t i = 0; i < count; ++i) text += " dog";
    const double factor = 1 + std::log(static_cast<double>(count));
    Vector expected(dog.size());
    for (size_t i = 0; i < dog.size(); ++i) {
      expected[i] = static_cast<float>(factor * static_cast<double>(dog[i])) + cat[i];
    }
    const double cosine = dot(embed(text, 4096), expected) / std::sqrt(dot(expected, expected));
    EXPECT_NEAR(cosine, 1.0, 1e-3);
  }
}

TEST(LexicalEmbedder, NeitherCacheNorHistoryChangesAVector) {
  LexicalEmbedder tiny(1);
  LexicalEmbedder used;
  Vector out(128);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = "word" + std::to_string(i % 700) + " shared text " + std::to_string(i);
    const Vector fresh = i % 100 == 0 ? embed(text, 128) : Vector{};
    used.embed(text, out);
    if (!fresh.empty()) EXPECT_TRUE(out == fresh);
    tiny.embed(text, out);
    if (!fresh.empty()) EXPECT_TRUE(out == fresh);
    used.embed("another length of vector", std::span(out).first(77));
  }
}

TEST(LexicalEmbedder, TheCacheKeepsToItsBytes) {
  constexpr size_t kBytes = 400'000;
  LexicalEmbedder embedder(kBytes);
  Vector out(256);
  for (int i = 0; i < 20'000; ++i) embedder.embed("number" + std::to_string(i), out);
  EXPECT_TRUE(embedder.cache_bytes() < 2 * kBytes);
}

TEST(LexicalEmbedder, HugeTextsAreEmbedded) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "w" + std::to_string(i) + " ";
  text += std::string(100'000, 'x');
  const Vector vector = embed(text, 64);
  EXPECT_NEAR(dot(vector, vector), 1.0, 1e-6);
}

}  // namespace quarry::lexical_embedder_test
