// Measures the built-in embedder on one core: texts and words per second of CPU time, best of
// several passes, by dims and by cache: warm, small, none. Without an argument the texts are
// generated: 25 words each from a vocabulary of 50,000, ranked by Zipf's law; with one they are the
// lines of that file. Before anything is timed, cached vectors are compared with uncached ones.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "text/embedder/lexical_embedder.h"
#include "text/embedder/lexical_words.h"

namespace {

using namespace quarry;

constexpr int kPasses = 5;
constexpr size_t kTexts = 20'000;
constexpr size_t kWordsPerText = 25;
constexpr uint32_t kVocabulary = 50'000;

std::vector<std::string> made_up_texts() {
  Random random(7);
  std::vector<std::string> vocabulary;
  for (uint32_t i = 0; i < kVocabulary; ++i) {
    std::string word;
    for (size_t letters = 3 + random.below(8); word.size() < letters;) {
      word.push_back(static_cast<char>('a' + random.below(26)));
    }
    vocabulary.push_back(word);
  }
  std::vector<std::string> texts(kTexts);
  for (std::string& text : texts) {
    for (size_t i = 0; i < kWordsPerText; ++i) {
      // The inverse distribution function of ranks with a probability of 1/rank.
      const double uniform = static_cast<double>(random.below(1 << 20)) / (1 << 20);
      const double rank = std::pow(static_cast<double>(kVocabulary), uniform);
      text += vocabulary[static_cast<size_t>(rank) - 1] + ' ';
    }
  }
  return texts;
}

std::vector<std::string> lines_of(const char* path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

size_t count_words(const std::vector<std::string>& texts) {
  size_t words = 0;
  for (const std::string& text : texts) {
    LexicalScanner scanner(text);
    for (LexicalWord word; scanner.next(word);) ++words;
  }
  return words;
}

void require_same_vectors(const std::vector<std::string>& texts) {
  LexicalEmbedder cached;
  LexicalEmbedder uncached(0);
  std::vector<float> a(512);
  std::vector<float> b(512);
  for (size_t i = 0; i < texts.size(); i += 97) {
    cached.embed(texts[i], a);
    uncached.embed(texts[i], b);
    if (a == b) continue;
    std::fprintf(stderr, "text %zu: the cache changes the vector\n", i);
    std::exit(1);
  }
}

void report(const std::vector<std::string>& texts, size_t words, uint32_t dims, size_t cache) {
  LexicalEmbedder embedder(cache);
  std::vector<float> out(dims);
  double best = 1e300;
  for (int pass = 0; pass < kPasses; ++pass) {
    const std::clock_t start = std::clock();
    for (const std::string& text : texts) embedder.embed(text, out);
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::printf("dims %4u  cache %5zu KiB  %9.0f texts/s  %6.2f M words/s\n", dims, cache >> 10U,
              static_cast<double>(texts.size()) / best, static_cast<double>(words) / best / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> texts = argc > 1 ? lines_of(argv[1]) : made_up_texts();
  const size_t words = count_words(texts);
  std::printf("%zu texts of %.1f words\n", texts.size(),
              static_cast<double>(words) / static_cast<double>(std::max<size_t>(1, texts.size())));
  require_same_vectors(texts);
  for (const uint32_t dims : {512U, 1024U}) {
    for (const size_t cache : {LexicalEmbedder::kDefaultCacheBytes, size_t{1} << 20, size_t{0}}) {
      report(texts, words, dims, cache);
    }
  }
  return 0;
}
