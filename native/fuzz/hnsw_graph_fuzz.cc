// Opens and traverses a graph section: arbitrary bytes, or a valid one with random damage. The
// first byte selects which; for damage the rest of the input is the seed.
#include <cstdint>
#include <cstdlib>

#include "testing/damage.h"
#include "testing/graph_test_set.h"

namespace {

using namespace quarry;

constexpr uint32_t kSize = 200;
constexpr uint32_t kDims = 24;

/// Built once, because only the section is fuzzed.
const testing::CodedSet& coded_set() {
  static const testing::CodedSet set(
      testing::VectorSet(testing::Shape::kClustered, kDims, 1).rows(kSize), kDims);
  return set;
}

std::vector<uint8_t> damaged(Bytes input) {
  static const std::vector<uint8_t> whole =
      testing::build_graph(coded_set().planes(), {4, 24}).section;
  uint64_t seed = input.size();
  for (const uint8_t byte : input) seed = seed * 0x100000001b3 + byte;
  Random random(seed);
  std::vector<uint8_t> section = whole;
  testing::damage(section, random);
  return section;
}

/// False if the traversal returns an invalid node.
bool walk(const HnswGraph& graph) {
  QueryCodes codes;
  codes.prepare(coded_set().planes(), coded_set().row(3));
  HnswQuery query;
  query.planes = &coded_set().planes();
  query.graph = &graph;
  query.codes = &codes;
  HnswSearcher searcher;
  StopCheck stop(nullptr, 0);
  VectorCounters counters;
  for (const HnswCandidate& candidate : searcher.search(query, stop, counters)) {
    if (candidate.ordinal >= kSize) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes input(data, size);
  const bool raw = size > 0 && data[0] % 2 == 0;
  const std::vector<uint8_t> section =
      raw ? std::vector<uint8_t>(input.begin() + 1, input.end()) : damaged(input);
  const auto graph = HnswGraph::open(section, kSize);
  if (graph.ok() && !(testing::read_everything(**graph) && walk(**graph))) std::abort();
  return 0;
}
