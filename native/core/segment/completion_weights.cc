// Writer and reader of the completion weights section.
#include "segment/completion_weights.h"

#include <algorithm>

#include "mapping/document/completion_entry.h"

namespace quarry {
namespace {

constexpr uint32_t kWeightsMagic = 0x504d4351;  // "QCMP"
constexpr uint16_t kWeightsVersion = 1;

Status corrupt_weights(const char* what) {
  return {ErrorType::kCorrupt, std::string("completion weights: ") + what};
}

uint32_t runs_of(uint32_t below) {
  return below / CompletionWeights::kRun + (below % CompletionWeights::kRun != 0 ? 1 : 0);
}

std::vector<uint32_t> first_level(const TermDictionary& terms) {
  std::vector<uint32_t> level(runs_of(terms.size()), 0);
  for (uint32_t i = 0; i < terms.size(); i++) {
    uint32_t& largest = level[i / CompletionWeights::kRun];
    largest = std::max(largest, completion_weight(terms.term(i)));
  }
  return level;
}

std::vector<uint32_t> next_level(const std::vector<uint32_t>& below) {
  std::vector<uint32_t> level(runs_of(static_cast<uint32_t>(below.size())), 0);
  for (size_t i = 0; i < below.size(); i++) {
    uint32_t& largest = level[i / CompletionWeights::kRun];
    largest = std::max(largest, below[i]);
  }
  return level;
}

}  // namespace

uint32_t completion_weight(std::string_view term) {
  const std::optional<CompletionEntry> entry = read_completion(term);
  return entry ? entry->weight : 0;
}

Result<CompletionWeights> CompletionWeights::open(Bytes section, uint32_t terms) {
  ByteReader reader(section);
  if (reader.get<uint32_t>() != kWeightsMagic) return corrupt_weights("wrong magic number");
  if (reader.get<uint16_t>() != kWeightsVersion) return corrupt_weights("unknown version");
  if (reader.get<uint16_t>() != 0) return corrupt_weights("reserved bytes are not zero");
  if (reader.get<uint32_t>() != terms || reader.failed())
    return corrupt_weights("another number of terms than the dictionary has");
  CompletionWeights out;
  out.terms_ = terms;
  for (uint32_t below = terms; below > 0;) {
    const uint32_t count = runs_of(below);
    const Bytes weights = reader.get_bytes(size_t{count} * sizeof(uint32_t));
    if (reader.failed()) return corrupt_weights("it ends too early");
    out.levels_.push_back({weights.data(), count});
    below = count == 1 ? 0 : count;
  }
  if (!reader.done()) return corrupt_weights("bytes behind its end");
  return out;
}

Result<std::vector<uint8_t>> write_completion_weights(Bytes section) {
  QUARRY_ASSIGN_OR_RETURN(const TermDictionary terms, TermDictionary::open(section));
  ByteWriter out;
  out.put(kWeightsMagic);
  out.put(kWeightsVersion);
  out.put(uint16_t{0});
  out.put(terms.size());
  std::vector<uint32_t> level = first_level(terms);
  while (!level.empty()) {
    for (const uint32_t largest : level) out.put(largest);
    if (level.size() == 1) break;
    level = next_level(level);
  }
  return out.take();
}

bool same_weights(const CompletionWeights& weights, const TermDictionary& terms) {
  std::vector<uint32_t> level = first_level(terms);
  for (size_t i = 1; i <= weights.levels(); i++) {
    if (level.size() != weights.count(i)) return false;
    for (uint32_t run = 0; run < level.size(); run++)
      if (level[run] != weights.largest(i, run)) return false;
    level = next_level(level);
  }
  return true;
}

}  // namespace quarry
