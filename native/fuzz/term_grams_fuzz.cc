// Reads a section of grams: arbitrary bytes, or a valid one with random damage. The first byte
// selects which; for damage the rest of the input is the seed. The input is also the pattern to
// look up.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "postings/term_dictionary_writer.h"
#include "postings/term_grams.h"
#include "testing/damage.h"

namespace {

using namespace quarry;

constexpr uint32_t kTerms = 300;

std::vector<uint8_t> make_valid() {
  TermDictionaryWriter writer(false);
  for (uint32_t i = 0; i < kTerms; ++i)
    writer.add("key" + std::to_string(1000 + i) + (i % 3 == 0 ? "ing" : "s"), {});
  Result<std::vector<uint8_t>> section = write_term_grams(writer.finish());
  if (!section.ok()) std::abort();
  return std::move(section).value();
}

std::vector<uint8_t> damaged(Bytes input) {
  static const std::vector<uint8_t> kValid = make_valid();
  uint64_t seed = input.size();
  for (const uint8_t byte : input) seed = seed * 0x100000001b3 + byte;
  Random random(seed);
  std::vector<uint8_t> section = kValid;
  testing::damage(section, random);
  return section;
}

void search(const TermGrams& grams, std::string_view text, bool at_end) {
  if (text.empty()) return;
  const std::vector<TermPiece> pieces{{std::string(text), at_end}};
  for (const TermDictionary::Range range : {TermDictionary::Range{0, kTerms}, {100, 250}}) {
    const auto found = grams.candidates(pieces, range);
    if (!found) continue;
    for (const uint32_t ordinal : *found) {
      if (ordinal < range.begin || ordinal >= range.end) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes input(data, size);
  const bool raw = size > 0 && data[0] % 2 == 0;
  const std::vector<uint8_t> section =
      raw ? std::vector<uint8_t>(input.begin() + 1, input.end()) : damaged(input);
  const Result<TermGrams> grams = TermGrams::open(section, kTerms);
  if (!grams.ok()) return 0;
  search(*grams, as_text(input), size % 2 == 0);
  for (const std::string_view text : {"k", "ey", "12", "ing", "99s", "y1001", "zzz"}) {
    search(*grams, text, false);
    search(*grams, text, true);
  }
  return 0;
}
