// Reads a terms section: arbitrary bytes, or a valid one with random damage. The first byte selects
// which; for damage the rest of the input is the seed. The input is also the term to look up.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "postings/term_dictionary.h"
#include "postings/term_dictionary_writer.h"
#include "testing/damage.h"

namespace {

using namespace quarry;

std::vector<uint8_t> make_valid() {
  TermDictionaryWriter writer(true);
  for (uint32_t i = 0; i < 300; ++i) {
    const uint32_t doc_freq = i % 5 == 0 ? 200 : i % 3;
    writer.add(
        "key" + std::to_string(1000 + i),
        {.doc_freq = doc_freq, .total_term_freq = doc_freq + i % 2, .postings_offset = 16 + i});
  }
  return writer.finish();
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

void search(const TermDictionary& terms, std::string_view text) {
  const TermDictionary::Range range = terms.prefix_range(text);
  if (terms.lower_bound(text) > terms.size() || range.begin > range.end || range.end > terms.size())
    std::abort();
  const std::optional<uint32_t> found = terms.find(text);
  if (found && terms.term(*found) != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes input(data, size);
  const bool raw = size > 0 && data[0] % 2 == 0;
  const std::vector<uint8_t> section =
      raw ? std::vector<uint8_t>(input.begin() + 1, input.end()) : damaged(input);
  const Result<TermDictionary> terms = TermDictionary::open(section);
  if (!terms.ok()) return 0;
  search(*terms, as_text(input));
  uint64_t sum = 0;
  for (uint32_t i = 0; i < terms->size(); ++i) {
    search(*terms, terms->term(i));
    sum += terms->info(i).doc_freq;
  }
  volatile uint64_t sink = sum;
  static_cast<void>(sink);
  return 0;
}
