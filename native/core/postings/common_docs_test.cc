// What several terms have in common, block by block, equals the intersection of their lists.
#include <algorithm>
#include <iterator>
#include <vector>

#include "base/random.h"
#include "postings/index_model.h"
#include "postings/inverted_field.h"
#include "testing/test.h"

namespace quarry {
namespace {

using testing::IndexModel;
using testing::ModelPosting;
using testing::TermShape;

using Docs = std::vector<uint32_t>;

constexpr uint32_t kMaxDoc = 30000;

/// Terms from one document to all of them, scattered and in runs: packed blocks and bit sets.
IndexModel make_model(uint64_t seed) {
  Random random(seed);
  IndexModel model{.options = {.freqs = true}, .max_doc = kMaxDoc, .norms = {}, .terms = {}};
  uint32_t number = 0;
  for (const uint32_t size : {1U, 5U, 100U, 127U, 128U, 300U, 2000U, 9000U, kMaxDoc}) {
    for (const bool clustered : {false, true}) {
      const TermShape shape{.doc_freq = size, .max_freq = 9, .clustered = clustered};
      model.terms[testing::numbered("t", number++)] =
          testing::random_postings(model, shape, random);
    }
  }
  return model;
}

std::vector<Docs> lists_of(const IndexModel& model) {
  std::vector<Docs> out;
  for (const auto& [term, postings] : model.terms) {
    Docs& docs = out.emplace_back();
    for (const ModelPosting& posting : postings) docs.push_back(posting.doc);
  }
  return out;
}

Docs common(const Docs& a, const Docs& b) {
  Docs out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

/// All documents by list_from(), `sizes` of which are looked at from somewhere inside a block.
Docs listed(PostingsCursor cursor, Random& random) {
  Docs out;
  uint32_t block[kBlockDocs];
  uint32_t from = 0;
  while (const uint32_t count = cursor.list_from(from, block)) {
    const uint32_t taken = 1 + static_cast<uint32_t>(random.below(count));
    out.insert(out.end(), block, block + taken);
    from = block[taken - 1] + 1;
  }
  return out;
}

/// Of `wanted`, in pieces of any size.
Docs kept(PostingsCursor cursor, Docs wanted, Random& random) {
  Docs out;
  for (std::span<uint32_t> left = wanted; !left.empty();) {
    const std::span<uint32_t> piece = left.first(1 + random.below(std::min<size_t>(left.size(), 300)));
    left = left.subspan(piece.size());
    // What is decoded already is found in no other place.
    if (random.below(4) == 0 && cursor.shallow_advance(piece.front())) cursor.decode_docs();
    const uint32_t count = cursor.keep_common(piece);
    out.insert(out.end(), piece.begin(), piece.begin() + count);
  }
  return out;
}

TEST(CommonDocs, EqualTheIntersectionOfTwoLists) {
  const IndexModel model = make_model(1);
  const InvertedSections sections = testing::write_model(model);
  const Result<InvertedField> field = testing::open_sections(sections, kMaxDoc);
  ASSERT_OK(field);
  const std::vector<Docs> lists = lists_of(model);
  Random random(2);
  for (uint32_t a = 0; a < lists.size(); a++) {
    EXPECT_TRUE(listed(field->postings(a), random) == lists[a]);
    for (uint32_t b = 0; b < lists.size(); b++)
      EXPECT_TRUE(kept(field->postings(b), lists[a], random) == common(lists[a], lists[b]));
  }
}

/// With the frequencies of every one of them, read when all others have been asked.
TEST(CommonDocs, OfThreeListsHaveTheirFrequencies) {
  const IndexModel model = make_model(3);
  const InvertedSections sections = testing::write_model(model);
  const Result<InvertedField> field = testing::open_sections(sections, kMaxDoc);
  ASSERT_OK(field);
  const std::vector<Docs> lists = lists_of(model);
  std::vector<const std::vector<ModelPosting>*> postings;
  for (const auto& [term, list] : model.terms) postings.push_back(&list);
  const auto freq_of = [&postings](uint32_t term, uint32_t doc) {
    const auto found =
        std::lower_bound(postings[term]->begin(), postings[term]->end(), doc,
                         [](const ModelPosting& p, uint32_t target) { return p.doc < target; });
    return found->freq;
  };
  Random random(4);
  for (int round = 0; round < 200; round++) {
    const auto lead = static_cast<uint32_t>(random.below(lists.size()));
    const auto first = static_cast<uint32_t>(random.below(lists.size()));
    const auto second = static_cast<uint32_t>(random.below(lists.size()));
    PostingsCursor one = field->postings(first);
    PostingsCursor two = field->postings(second);
    PostingsCursor* const others[] = {&one, &two};
    Docs found;
    Docs docs = lists[lead];
    for (std::span<uint32_t> left = docs; !left.empty();) {
      for (const uint32_t doc : take_common(left, others)) {
        found.push_back(doc);
        if (random.below(3) == 0) continue;
        EXPECT_EQ(one.advance(doc), doc);
        EXPECT_EQ(two.advance(doc), doc);
        EXPECT_EQ(one.freq(), freq_of(first, doc));
        EXPECT_EQ(two.freq(), freq_of(second, doc));
      }
    }
    EXPECT_TRUE(found == common(common(lists[lead], lists[first]), lists[second]));
  }
}

TEST(CommonDocs, WithNoOtherListAreAll) {
  Docs docs = {3, 4, 700};
  std::span<uint32_t> left = docs;
  EXPECT_EQ(take_common(left, {}).size(), 3);
  EXPECT_TRUE(left.empty());
}

}  // namespace
}  // namespace quarry
