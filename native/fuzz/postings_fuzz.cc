// Reads the four sections of an inverted field: arbitrary bytes, or a valid field with random
// damage. The first byte selects which; for damage the rest of the input is the seed.
#include <array>
#include <cstdint>
#include <cstdlib>

#include "postings/index_model.h"
#include "postings/read_everything.h"
#include "testing/damage.h"

namespace {

using namespace quarry;

constexpr uint32_t kMaxDoc = 20000;

using Sections = std::array<std::vector<uint8_t>, 4>;

Sections make_valid(bool positions) {
  Random random(positions ? 1 : 2);
  testing::IndexModel model{.options = {.freqs = true, .positions = positions},
                            .max_doc = kMaxDoc,
                            .norms = {},
                            .terms = {}};
  model.norms = testing::random_norms(kMaxDoc, random);
  uint32_t number = 0;
  for (const uint32_t doc_freq : {0U, 1U, 2U, 50U, 128U, 200U, 300U, positions ? 1000U : 9000U}) {
    const testing::TermShape shape{
        .doc_freq = doc_freq, .max_freq = 300, .clustered = doc_freq == 300};
    model.terms[testing::numbered("term", number++)] =
        testing::random_postings(model, shape, random);
  }
  InvertedSections sections = testing::write_model(model);
  return {sections.terms, sections.blocks, sections.postings, sections.positions};
}

/// Splits arbitrary bytes into four sections; three u16 lengths come first.
Sections split(Bytes input) {
  ByteReader reader(input);
  std::array<size_t, 4> sizes = {reader.get<uint16_t>(), reader.get<uint16_t>(),
                                 reader.get<uint16_t>(), 0};
  Sections sections;
  for (size_t i = 0; i < sections.size(); ++i) {
    const Bytes part =
        reader.get_bytes(i == 3 ? reader.remaining() : std::min(sizes[i], reader.remaining()));
    sections[i].assign(part.begin(), part.end());
  }
  return sections;
}

Sections damaged(Bytes input) {
  static const Sections kValid[] = {make_valid(false), make_valid(true)};
  uint64_t seed = input.size();
  for (const uint8_t byte : input) seed = seed * 0x100000001b3 + byte;
  Random random(seed);
  Sections sections = kValid[random.below(2)];
  for (uint64_t edits = 1 + random.below(3); edits > 0; --edits) {
    testing::damage(sections[random.below(sections.size())], random);
  }
  return sections;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes input(data, size);
  const bool raw = size > 0 && data[0] % 2 == 0;
  const Sections sections = raw ? split(input.subspan(1)) : damaged(input);
  const Result<InvertedField> field =
      InvertedField::open(sections[0], sections[1], sections[2], sections[3], kMaxDoc);
  if (field.ok() && !testing::read_everything(*field, kMaxDoc)) std::abort();
  return 0;
}
