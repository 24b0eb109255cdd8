// Posting lists are read as they were written, for all kinds of lists and every way to move the
// cursor.
#include "postings/inverted_field.h"

#include <algorithm>
#include <set>

#include "postings/index_model.h"
#include "testing/test.h"

namespace quarry::inverted_field_test {

using testing::IndexModel;
using testing::ModelPosting;
using testing::TermShape;

constexpr InvertedOptions kDocsOnly{};
constexpr InvertedOptions kFreqs{.freqs = true};
constexpr InvertedOptions kPositions{.freqs = true, .positions = true};

/// Terms of every kind: absent, single, small, one block exactly, blocks with and without tail,
/// several groups.
IndexModel make_model(InvertedOptions options, bool norms, uint32_t max_doc, uint64_t seed) {
  Random random(seed);
  IndexModel model{.options = options, .max_doc = max_doc, .norms = {}, .terms = {}};
  if (norms) model.norms = testing::random_norms(max_doc, random);
  const uint32_t sizes[] = {0,   1,   1,   2,   3,    17,          127,    128,
                            129, 255, 256, 300, 1000, max_doc / 3, max_doc};
  uint32_t number = 0;
  for (const uint32_t size : sizes) {
    for (const bool clustered : {false, true}) {
      const TermShape shape{
          .doc_freq = size, .max_freq = size < 400 ? 100000U : 300U, .clustered = clustered};
      model.terms[testing::numbered("t", number++)] =
          testing::random_postings(model, shape, random);
    }
  }
  return model;
}

void expect_posting(PostingsCursor& cursor, const ModelPosting& posting, const IndexModel& model) {
  EXPECT_EQ(cursor.doc(), posting.doc);
  EXPECT_EQ(cursor.freq(), posting.freq);
  std::vector<uint32_t> positions;
  cursor.positions(positions);
  if (model.options.positions) EXPECT_TRUE(positions == posting.positions);
}

void expect_walk(const InvertedField& field, uint32_t ordinal,
                 const std::vector<ModelPosting>& postings, const IndexModel& model) {
  PostingsCursor cursor = field.postings(ordinal);
  EXPECT_EQ(cursor.doc(), kNoMoreDocs);
  EXPECT_EQ(cursor.doc_freq(), postings.size());
  for (const ModelPosting& posting : postings) {
    cursor.next();
    expect_posting(cursor, posting, model);
  }
  EXPECT_EQ(cursor.next(), kNoMoreDocs);
  EXPECT_EQ(cursor.next(), kNoMoreDocs);
}

void expect_jumps(const InvertedField& field, uint32_t ordinal,
                  const std::vector<ModelPosting>& postings, const IndexModel& model,
                  Random& random) {
  PostingsCursor cursor = field.postings(ordinal);
  const uint64_t stride = 1 + random.below(postings.size() < 500 ? model.max_doc : 2000);
  uint64_t target = random.below(stride);
  while (true) {
    const auto found =
        std::lower_bound(postings.begin(), postings.end(), target,
                         [](const ModelPosting& p, uint64_t doc) { return p.doc < doc; });
    const uint32_t doc = cursor.advance(static_cast<uint32_t>(target));
    if (found == postings.end()) {
      EXPECT_EQ(doc, kNoMoreDocs);
      return;
    }
    if (random.below(3) == 0) cursor.decode_block();
    expect_posting(cursor, *found, model);
    if (random.below(3) == 0) {
      const auto next = std::next(found);
      EXPECT_EQ(cursor.next(), next == postings.end() ? kNoMoreDocs : next->doc);
      if (next == postings.end()) return;
      target = next->doc;
    }
    target = std::max<uint64_t>(target, found->doc) + 1 + random.below(stride);
  }
}

/// `impacts` is an upper bound for the documents in [first, last]: every posting is dominated by
/// some pair.
void expect_bound(std::span<const Impact> impacts, const std::vector<ModelPosting>& postings,
                  uint64_t first, uint64_t last, const IndexModel& model) {
  EXPECT_TRUE(!impacts.empty() && impacts.size() <= kMaxImpacts);
  bool bounded = true;
  for (const ModelPosting& posting : postings) {
    if (posting.doc < first || posting.doc > last) continue;
    const uint8_t norm = model.norms.empty() ? 1 : model.norms[posting.doc];
    bounded = bounded && std::any_of(impacts.begin(), impacts.end(), [&](const Impact& impact) {
                return impact.freq >= posting.freq && impact.norm <= norm;
              });
  }
  EXPECT_TRUE(bounded);
}

void expect_blocks(const InvertedField& field, uint32_t ordinal,
                   const std::vector<ModelPosting>& postings, const IndexModel& model) {
  PostingsCursor cursor = field.postings(ordinal);
  uint64_t first = 0;
  std::vector<ModelPosting> seen;
  while (cursor.shallow_advance(static_cast<uint32_t>(first))) {
    const uint32_t last = cursor.block_last_doc();
    expect_bound(cursor.block_impacts(), postings, first, last, model);
    expect_bound(cursor.group_impacts(), postings, first, cursor.group_last_doc(), model);
    EXPECT_GE(cursor.group_last_doc(), last);
    const PostingsCursor::Block block = cursor.decode_block();
    ASSERT_EQ(block.docs.size(), block.freqs.size());
    for (size_t i = 0; i < block.docs.size(); ++i)
      seen.push_back({block.docs[i], block.freqs[i], {}});
    EXPECT_EQ(seen.back().doc, last);
    first = uint64_t{last} + 1;
  }
  EXPECT_EQ(cursor.block_last_doc(), kNoMoreDocs);
  ASSERT_EQ(seen.size(), postings.size());
  for (size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].doc, postings[i].doc);
    EXPECT_EQ(seen[i].freq, postings[i].freq);
  }
  PostingsCursor fresh = field.postings(ordinal);
  if (!postings.empty()) expect_bound(fresh.term_impacts(), postings, 0, model.max_doc, model);
}

/// Collects windows with arbitrary ends, block by block, and compares every bit.
void expect_windows(const InvertedField& field, uint32_t ordinal,
                    const std::vector<ModelPosting>& postings, const IndexModel& model,
                    Random& random) {
  for (int round = 0; round < 4; ++round) {
    const auto first = static_cast<uint32_t>(random.below(model.max_doc));
    std::vector<uint64_t> words(1 + random.below(100));
    std::vector<uint64_t> expected(words);
    for (const ModelPosting& posting : postings) {
      const uint64_t bit = uint64_t{posting.doc} - first;
      if (bit < 64 * words.size()) expected[bit / 64] |= uint64_t{1} << (bit % 64);
    }
    PostingsCursor cursor = field.postings(ordinal);
    uint64_t from = random.below(2) == 0 ? 0 : first;
    while (from < first + 64 * words.size() &&
           cursor.shallow_advance(static_cast<uint32_t>(from))) {
      if (random.below(4) == 0) EXPECT_EQ(cursor.decode_docs().back(), cursor.block_last_doc());
      cursor.collect_block(first, words);
      from = uint64_t{cursor.block_last_doc()} + 1;
    }
    EXPECT_TRUE(words == expected);
  }
}

void expect_model(const IndexModel& model, uint64_t seed) {
  const InvertedSections sections = testing::write_model(model);
  const Result<InvertedField> opened = testing::open_sections(sections, model.max_doc);
  ASSERT_OK(opened);
  const InvertedField& field = *opened;
  ASSERT_EQ(field.terms().size(), model.terms.size());
  Random random(seed);
  FieldStats stats;
  std::set<uint32_t> docs;
  uint32_t ordinal = 0;
  for (const auto& [term, postings] : model.terms) {
    EXPECT_EQ(field.terms().term(ordinal), term);
    expect_walk(field, ordinal, postings, model);
    expect_blocks(field, ordinal, postings, model);
    expect_windows(field, ordinal, postings, model, random);
    for (int i = 0; i < 3; ++i) expect_jumps(field, ordinal, postings, model, random);
    uint64_t total = 0;
    for (const ModelPosting& posting : postings) {
      docs.insert(posting.doc);
      total += posting.freq;
    }
    EXPECT_EQ(field.terms().info(ordinal).doc_freq, postings.size());
    EXPECT_EQ(field.terms().info(ordinal).total_term_freq, total);
    stats.sum_doc_freq += postings.size();
    stats.sum_total_term_freq += total;
    ordinal++;
  }
  EXPECT_EQ(field.stats().doc_count, docs.size());
  EXPECT_EQ(field.stats().sum_doc_freq, stats.sum_doc_freq);
  EXPECT_EQ(field.stats().sum_total_term_freq, stats.sum_total_term_freq);
}

TEST(InvertedField, ReadsBackDocumentsOnly) {
  for (const uint32_t max_doc : {1U, 100U, 20000U})
    expect_model(make_model(kDocsOnly, false, max_doc, 11), 1);
}

TEST(InvertedField, ReadsBackDocumentsWithNorms) {
  expect_model(make_model(kDocsOnly, true, 3000, 12), 2);
}

TEST(InvertedField, ReadsBackFrequencies) {
  expect_model(make_model(kFreqs, true, 20000, 13), 3);
  expect_model(make_model(kFreqs, false, 20000, 14), 4);
}

TEST(InvertedField, ReadsBackPositions) {
  expect_model(make_model(kPositions, true, 200, 15), 5);
  expect_model(make_model(kPositions, true, 10000, 16), 6);
}

TEST(InvertedField, ReadsBackHugeGaps) {
  IndexModel model{.options = kFreqs, .max_doc = 1U << 31, .norms = {}, .terms = {}};
  for (uint32_t i = 0; i < 200; ++i) model.terms["wide"].push_back({i * 10000000U, 1 + i % 3, {}});
  model.terms["last"].push_back({(1U << 31) - 1, 4000000000U, {}});
  const InvertedSections sections = testing::write_model(model);
  const Result<InvertedField> field = testing::open_sections(sections, model.max_doc);
  ASSERT_OK(field);
  expect_walk(*field, 0, model.terms["last"], model);
  expect_walk(*field, 1, model.terms["wide"], model);
}

TEST(InvertedField, ReadsBackAFieldWithoutTerms) {
  expect_model({.options = kPositions, .max_doc = 10, .norms = {}, .terms = {}}, 7);
}

TEST(InvertedField, SkipsBlocksWithoutDecodingThem) {
  IndexModel model{.options = kDocsOnly, .max_doc = 200000, .norms = {}, .terms = {}};
  for (uint32_t doc = 0; doc < 200000; doc += 7) model.terms["a"].push_back({doc, 1, {}});
  const InvertedSections sections = testing::write_model(model);
  const Result<InvertedField> field = testing::open_sections(sections, model.max_doc);
  ASSERT_OK(field);
  PostingsCursor cursor = field->postings(0);
  EXPECT_TRUE(cursor.shallow_advance(100000));
  EXPECT_EQ(cursor.work().blocks, 0);
  EXPECT_EQ(cursor.advance(150000), 150003);
  EXPECT_EQ(cursor.work().blocks, 1);
}

/// One document in `apart`, at random: the widths of gaps vary, as in texts.
std::vector<ModelPosting> scattered(uint32_t max_doc, uint32_t apart, uint64_t seed) {
  Random random(seed);
  std::vector<ModelPosting> out;
  for (uint32_t doc = 0; doc < max_doc; ++doc) {
    if (random.below(apart) == 0) out.push_back({doc, 1 + static_cast<uint32_t>(doc % 3), {}});
  }
  return out;
}

uint16_t version_of(const InvertedSections& sections) {
  return load<uint16_t>(sections.blocks.data() + 4);
}

TEST(InvertedField, GathersRangesAndRanksAtAnyDensity) {
  for (const uint32_t apart : {1U, 2U, 5U, 7U, 13U, 60U, 900U}) {
    IndexModel model{.options = kFreqs, .max_doc = 20000, .norms = {}, .terms = {}};
    model.terms["a"] = scattered(model.max_doc, apart, 40 + apart);
    const InvertedSections sections = testing::write_model(model);
    const Result<InvertedField> field = testing::open_sections(sections, model.max_doc);
    ASSERT_OK(field);
    const std::vector<ModelPosting>& postings = model.terms["a"];
    expect_walk(*field, 0, postings, model);
    PostingsCursor ranks = field->postings(0);
    PostingsCursor ranges = field->postings(0);
    for (uint32_t begin = 0; begin < model.max_doc;) {
      const uint32_t end = std::min(model.max_doc, begin + 1 + begin % 3001);
      std::vector<uint64_t> expected((end - begin + 63) / 64);
      uint32_t before = 0;
      for (const ModelPosting& posting : postings) {
        const uint32_t doc = posting.doc;
        before += doc < begin ? 1 : 0;
        if (doc >= begin && doc < end)
          expected[(doc - begin) / 64] |= uint64_t{1} << ((doc - begin) % 64);
      }
      std::vector<uint64_t> found(expected.size());
      ranges.collect_range(begin, end, found.data());
      EXPECT_TRUE(found == expected);
      EXPECT_EQ(ranks.rank(begin), before);
      begin = end;
    }
    EXPECT_EQ(ranks.rank(model.max_doc), postings.size());
  }
}

/// Bytes that must not change, because later versions read what this version writes.
TEST(InvertedField, StoresScatteredDenseBlocksAsWideBitSets) {
  IndexModel model{.options = kDocsOnly, .max_doc = 2000, .norms = {}, .terms = {}};
  model.terms["a"] = scattered(model.max_doc, 5, 3);
  const InvertedSections sections = testing::write_model(model);
  EXPECT_EQ(version_of(sections), 2);
  const std::vector<ModelPosting>& postings = model.terms["a"];
  const uint32_t words = postings[kBlockDocs - 1].doc / 64 + 1;
  EXPECT_GT(words, 8);
  std::vector<uint8_t> expected(size_t{8} * words);
  for (uint32_t i = 0; i < kBlockDocs; ++i)
    expected[postings[i].doc / 8] |= static_cast<uint8_t>(1U << (postings[i].doc % 8));
  constexpr size_t kHeader = 16;
  ASSERT_GT(sections.postings.size(), kHeader + expected.size());
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), sections.postings.begin() + kHeader));

  // Lists that need no wide bit set are stored as in the first version.
  for (const uint32_t apart : {1U, 3U, 30U}) {
    model.terms["a"] = scattered(model.max_doc, apart, 3);
    EXPECT_EQ(version_of(testing::write_model(model)), 1);
  }
}

}  // namespace quarry::inverted_field_test
