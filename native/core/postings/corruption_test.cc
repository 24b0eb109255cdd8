// Damaged sections are rejected or read without leaving their bytes; only meaningful under ASan.
#include <array>

#include "postings/index_model.h"
#include "postings/read_everything.h"
#include "testing/damage.h"
#include "testing/test.h"

namespace quarry::corruption_test {

using testing::IndexModel;

using Sections = std::array<std::vector<uint8_t>, 4>;

Sections write(const IndexModel& model) {
  InvertedSections sections = testing::write_model(model);
  return {sections.terms, sections.blocks, sections.postings, sections.positions};
}

/// Opens copies that are exact in size, so that ASan detects a read past the end. True: rejected,
/// or read within bounds.
bool survives(const Sections& sections, uint32_t max_doc) {
  const Sections copy = sections;
  const Result<InvertedField> field =
      InvertedField::open(copy[0], copy[1], copy[2], copy[3], max_doc);
  if (!field.ok()) return field.status().type() == ErrorType::kCorrupt;
  return testing::read_everything(*field, max_doc);
}

/// Small, with a term of every kind except those of several groups.
IndexModel text_model() {
  Random random(21);
  IndexModel model{
      .options = {.freqs = true, .positions = true}, .max_doc = 400, .norms = {}, .terms = {}};
  model.norms = testing::random_norms(model.max_doc, random);
  uint32_t number = 0;
  for (const uint32_t doc_freq : {0U, 1U, 1U, 2U, 40U, 128U, 150U, 270U}) {
    const std::string name = testing::numbered("term", number++);
    model.terms[name] =
        testing::random_postings(model, {.doc_freq = doc_freq, .max_freq = 200}, random);
  }
  return model;
}

/// More than 64 blocks, and wide gaps in another term.
IndexModel keyword_model() {
  IndexModel model{.options = {}, .max_doc = 1000000, .norms = {}, .terms = {}};
  for (uint32_t doc = 10; doc < 8500; ++doc) model.terms["many"].push_back({doc, 1, {}});
  for (uint32_t i = 0; i < 200; ++i) model.terms["wide"].push_back({i * i * 25, 1, {}});
  return model;
}

TEST(PostingsCorruption, TruncationAtEachOffsetIsSurvived) {
  for (const IndexModel& model : {text_model(), keyword_model()}) {
    const Sections whole = write(model);
    EXPECT_TRUE(survives(whole, model.max_doc));
    for (size_t section = 0; section < whole.size(); ++section) {
      for (size_t size = 0; size < whole[section].size(); ++size) {
        Sections cut = whole;
        cut[section].resize(size);
        EXPECT_TRUE(survives(cut, model.max_doc));
      }
    }
  }
}

void expect_flips_survived(const IndexModel& model, std::initializer_list<uint8_t> masks) {
  Sections sections = write(model);
  for (std::vector<uint8_t>& section : sections) {
    for (uint8_t& byte : section) {
      const uint8_t before = byte;
      for (const uint8_t mask : masks) {
        byte = before ^ mask;
        EXPECT_TRUE(survives(sections, model.max_doc));
      }
      byte = before;
    }
  }
}

TEST(PostingsCorruption, AFlipAtEachOffsetIsSurvived) {
  expect_flips_survived(text_model(), {0x01, 0x40, 0xff});
  expect_flips_survived(keyword_model(), {0x81});
}

TEST(PostingsCorruption, RandomDamageIsSurvived) {
  const IndexModel model = text_model();
  const Sections whole = write(model);
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    Sections damaged = whole;
    testing::damage(damaged[random.below(damaged.size())], random);
    testing::damage(damaged[random.below(damaged.size())], random);
    EXPECT_TRUE(survives(damaged, model.max_doc));
  }
}

TEST(PostingsCorruption, ASmallerSegmentRefusesTheField) {
  const IndexModel model = keyword_model();
  const Sections sections = write(model);
  EXPECT_FALSE(InvertedField::open(sections[0], sections[1], sections[2], sections[3], 8499).ok());
}

}  // namespace quarry::corruption_test
