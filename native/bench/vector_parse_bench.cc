// Measures how fast vectors of documents are parsed to float32, compared with the JSON scan of the
// same bytes alone. Three spellings: short decimals, floats in their shortest form, floats widened
// to double as Python prints them. The values are checked before anything is timed.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "base/random.h"
#include "json/scanner.h"
#include "json/value.h"
#include "mapping/document/document.h"

namespace {

using namespace quarry;

constexpr uint32_t kDims = 384;
constexpr size_t kDocuments = 2000;
constexpr int kPasses = 7;

void require(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

enum class Spelling { kShort, kFloat, kDouble };

std::string spelled(float value, Spelling spelling) {
  char buffer[64];
  char* const end = buffer + sizeof(buffer);
  switch (spelling) {
    case Spelling::kShort:
      return {buffer, std::to_chars(buffer, end, value, std::chars_format::fixed, 6).ptr};
    case Spelling::kFloat:
      return {buffer, std::to_chars(buffer, end, value).ptr};
    default:
      return {buffer, std::to_chars(buffer, end, static_cast<double>(value)).ptr};
  }
}

struct Corpus {
  std::vector<std::string> documents;
  std::vector<float> first;  // vector of the first document
  double bytes = 0;
};

Corpus make_corpus(Spelling spelling) {
  Random random(1);
  Corpus corpus;
  for (size_t i = 0; i < kDocuments; i++) {
    std::string json = "{\"v\":[";
    for (uint32_t d = 0; d < kDims; d++) {
      const double wide = (static_cast<double>(random.below(1u << 30)) / (1u << 29) - 1) / 19.6;
      const std::string text = spelled(static_cast<float>(wide), spelling);
      if (i == 0) corpus.first.push_back(std::strtof(text.c_str(), nullptr));
      json += (d == 0 ? "" : ",") + text;
    }
    corpus.documents.push_back(json + "]}");
    corpus.bytes += static_cast<double>(corpus.documents.back().size());
  }
  return corpus;
}

double now_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

template <typename Work>
double best_mb_s(const Corpus& corpus, Work work) {
  double best = 1e9;
  for (int pass = 0; pass < kPasses; pass++) {
    const double start = now_s();
    for (const std::string& document : corpus.documents) work(document);
    best = std::min(best, now_s() - start);
  }
  return corpus.bytes / 1e6 / best;
}

void scan(const std::string& document) {
  JsonScanner scanner(document, kMaxJsonDepth);
  while (scanner.next() != JsonToken::kEnd) require(scanner.token() != JsonToken::kError, "scan");
}

void measure(const char* name, Spelling spelling, const Mapping& mapping) {
  const Corpus corpus = make_corpus(spelling);
  ParsedDocument parsed;
  require(parse_document(mapping, corpus.documents[0], parsed).ok(), "parse");
  require(parsed.values.at(0).text.size() == kDims * sizeof(float), "length");
  require(
      std::memcmp(parsed.values[0].text.data(), corpus.first.data(), kDims * sizeof(float)) == 0,
      "values");
  std::vector<float> room(kDims);
  const double floats = best_mb_s(corpus, [&room](const std::string& document) {
    JsonScanner scanner(document, kMaxJsonDepth);
    size_t count = 0;
    for (int i = 0; i < 3; i++) scanner.next();
    require(scanner.read_floats(room, count) == JsonToken::kArrayEnd, "floats");
  });
  const double whole = best_mb_s(corpus, [&](const std::string& document) {
    require(parse_document(mapping, document, parsed).ok(), "parse");
  });
  const double tokens = best_mb_s(corpus, scan);
  std::printf(
      "%-8s %5.1f bytes a number   scan %6.0f MB/s   floats %6.0f MB/s   document %6.0f MB/s"
      "   %5.1f ns a number\n",
      name, corpus.bytes / kDocuments / kDims, tokens, floats, whole,
      corpus.bytes / kDocuments / kDims / whole * 1e3);
}

}  // namespace

int main() {
  const auto mapping = Mapping::create(R"({"properties":{"v":{"type":"dense_vector","dims":384}}})",
                                       *make_mapping_context("{}"));
  require(mapping.ok(), "mapping");
  measure("short", Spelling::kShort, **mapping);
  measure("float", Spelling::kFloat, **mapping);
  measure("double", Spelling::kDouble, **mapping);
  return 0;
}
