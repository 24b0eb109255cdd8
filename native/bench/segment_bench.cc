// Measures the cost of a document on its way into a segment: analysis and interning, building,
// opening, merging; and its size in bytes. Documents are the lines of a file (argument 1), or
// seeded text. The result is checked before it is timed.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "segment/segment_merger.h"
#include "testing/test_documents.h"
#include "text/analysis/analyzer.h"

namespace {

using namespace quarry;
using namespace quarry::testing;

constexpr int kPasses = 5;
constexpr size_t kSegments = 10;

void require(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

/// Words with approximately the frequencies of natural text, 40 per line.
std::vector<std::string> seeded_lines(size_t count) {
  Random random(1);
  std::vector<std::string> lines(count);
  for (std::string& line : lines) {
    for (uint64_t words = 10 + random.below(60); words > 0; words--) {
      const uint64_t bits = random.below(17);
      line += "w" + std::to_string(random.below(uint64_t{1} << bits)) + " ";
    }
  }
  return lines;
}

std::vector<std::string> read_lines(const char* path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Corpus {
  TestMapping mapping;
  std::shared_ptr<const AnalysisRegistry> analysis = builtin_analysis();
  std::vector<std::string> lines;
  uint64_t bytes = 0;

  explicit Corpus(std::vector<std::string> from) : lines(std::move(from)) {
    mapping.change(kBody).analyzer = analysis->analyzer("standard");
    for (const std::string& line : lines) bytes += line.size();
  }
  /// Adds a document with one text, one keyword and one number per line.
  void add(SegmentBuilder& builder, size_t at, ParsedDocument& scratch) const {
    scratch.clear();
    const std::string tag = "tag-" + std::to_string(lines[at].size() % 1000);
    scratch.values = {
        {kBody, 0, lines[at]}, {kTag, 0, tag}, {kCount, static_cast<int64_t>(at * 1000), {}}};
    const Status status =
        builder.add(mapping.fields(), scratch, "id-" + std::to_string(at), lines[at], {1, at, 1});
    require(status.ok(), "add");
  }
  SegmentBuilder fill(size_t begin, size_t end) const {
    SegmentBuilder builder;
    ParsedDocument scratch;
    for (size_t at = begin; at < end; at++) add(builder, at, scratch);
    return builder;
  }
};

SegmentImage build(const SegmentBuilder& builder) {
  auto image = builder.build(Bitset(builder.size(), true));
  require(image.ok(), "build");
  return std::move(*image);
}

std::shared_ptr<const Segment> open(SegmentImage image) {
  auto segment = Segment::open(std::move(image));
  require(segment.ok(), "open");
  return *segment;
}

/// Prints the best CPU time of several passes, per document and per byte of text.
template <typename Body>
void report(const char* name, const Corpus& corpus, Body body) {
  double best = 1e300;
  for (int pass = 0; pass < kPasses; pass++) {
    const std::clock_t start = std::clock();
    body();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::printf("%-28s %9.1f us/1000 docs %9.1f MB/s\n", name,
              best * 1e9 / static_cast<double>(corpus.lines.size()),
              static_cast<double>(corpus.bytes) / best / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  const Corpus corpus(argc > 1 ? read_lines(argv[1]) : seeded_lines(50000));
  const size_t count = corpus.lines.size();
  require(count >= kSegments, "too few lines");
  const SegmentBuilder whole = corpus.fill(0, count);
  const auto built = open(build(whole));
  std::vector<std::shared_ptr<const Segment>> parts;
  std::vector<MergeInput> inputs;
  for (size_t i = 0; i < kSegments; i++) {
    parts.push_back(open(build(corpus.fill(count * i / kSegments, count * (i + 1) / kSegments))));
    inputs.push_back({parts.back().get(), nullptr});
  }
  auto image = merge_segments(inputs, nullptr);
  require(image.ok(), "merge");
  const auto merged = open(std::move(*image));
  require(merged->max_doc() == count && merged->sidx_bytes().size() > 0, "number of documents");
  require(merged->field("body")->inverted->stats().sum_total_term_freq ==
              built->field("body")->inverted->stats().sum_total_term_freq,
          "tokens after the merge");

  std::printf("%zu documents, %.1f MB; write buffer %.1f MB\n", count,
              static_cast<double>(corpus.bytes) / 1e6,
              static_cast<double>(whole.memory_bytes()) / 1e6);
  std::printf("segment: data %.1f, sidx %.1f, ids %.1f bytes per document\n",
              static_cast<double>(built->data_bytes().size()) / static_cast<double>(count),
              static_cast<double>(built->sidx_bytes().size()) / static_cast<double>(count),
              static_cast<double>(built->ids_bytes().size()) / static_cast<double>(count));
  report("add", corpus, [&] { corpus.fill(0, count); });
  report("build", corpus, [&] { build(whole); });
  report("open, checksums verified", corpus, [&] {
    const auto copy = [](Bytes bytes) {
      return make_heap_source(std::vector<uint8_t>(bytes.begin(), bytes.end()));
    };
    require(Segment::open(copy(built->data_bytes()), copy(built->sidx_bytes()),
                          copy(built->ids_bytes()))
                .ok(),
            "open");
  });
  report("merge of ten", corpus, [&] { require(merge_segments(inputs, nullptr).ok(), "merge"); });
  return 0;
}
