// The documents that several terms have in common, computed block by block, equal the intersection
// of their lists.
#include <algorithm>
#include <iterator>
#include <vector>

#include "base/random.h"
#include "postings/index_model.h"
#include "postings/inverted_field.h"
#include "testing/test.h"

namespace quarry::common_docs_test {

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

/// A field of these terms, and the documents of each by ordinal.
struct Fixture {
  explicit Fixture(uint64_t seed)
      : model(make_model(seed)),
        sections(testing::write_model(model)),
        field(testing::open_sections(sections, kMaxDoc)) {
    EXPECT_OK(field);
    for (const auto& [term, list] : model.terms) {
      postings.push_back(&list);
      Docs& docs = lists.emplace_back();
      for (const ModelPosting& posting : list) docs.push_back(posting.doc);
    }
  }

  PostingsCursor cursor(uint32_t ordinal) const { return field->postings(ordinal); }
  uint32_t freq(uint32_t ordinal, uint32_t doc) const {
    const auto found =
        std::lower_bound(postings[ordinal]->begin(), postings[ordinal]->end(), doc,
                         [](const ModelPosting& p, uint32_t target) { return p.doc < target; });
    return found->freq;
  }

  IndexModel model;
  InvertedSections sections;
  Result<InvertedField> field;
  std::vector<const std::vector<ModelPosting>*> postings;
  std::vector<Docs> lists;
};

Docs common(const Docs& a, const Docs& b) {
  Docs out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

/// All documents by list_from(), which can continue from any position inside a block.
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

/// The documents of `wanted` that are kept, in pieces of any size.
Docs kept(PostingsCursor cursor, Docs wanted, Random& random) {
  Docs out;
  for (std::span<uint32_t> left = wanted; !left.empty();) {
    const std::span<uint32_t> piece =
        left.first(1 + random.below(std::min<size_t>(left.size(), 300)));
    left = left.subspan(piece.size());
    // Blocks that are already decoded are read from another place.
    if (random.below(4) == 0 && cursor.shallow_advance(piece.front())) cursor.decode_docs();
    const uint32_t count = cursor.keep_common(piece);
    out.insert(out.end(), piece.begin(), piece.begin() + count);
  }
  return out;
}

TEST(CommonDocs, EqualTheIntersectionOfTwoLists) {
  const Fixture all(1);
  Random random(2);
  for (uint32_t a = 0; a < all.lists.size(); a++) {
    EXPECT_TRUE(listed(all.cursor(a), random) == all.lists[a]);
    for (uint32_t b = 0; b < all.lists.size(); b++)
      EXPECT_TRUE(kept(all.cursor(b), all.lists[a], random) == common(all.lists[a], all.lists[b]));
  }
}

/// With the frequencies of each list, read after all lists have been examined.
TEST(CommonDocs, OfThreeListsHaveTheirFrequencies) {
  const Fixture all(3);
  Random random(4);
  for (int round = 0; round < 200; round++) {
    const auto lead = static_cast<uint32_t>(random.below(all.lists.size()));
    const auto first = static_cast<uint32_t>(random.below(all.lists.size()));
    const auto second = static_cast<uint32_t>(random.below(all.lists.size()));
    PostingsCursor one = all.cursor(first);
    PostingsCursor two = all.cursor(second);
    PostingsCursor* const others[] = {&one, &two};
    Docs found;
    Docs docs = all.lists[lead];
    for (std::span<uint32_t> left = docs; !left.empty();) {
      for (const uint32_t doc : take_common(left, others)) {
        found.push_back(doc);
        if (random.below(3) == 0) continue;
        EXPECT_EQ(one.advance(doc), doc);
        EXPECT_EQ(two.advance(doc), doc);
        EXPECT_EQ(one.freq(), all.freq(first, doc));
        EXPECT_EQ(two.freq(), all.freq(second, doc));
      }
    }
    EXPECT_TRUE(found == common(common(all.lists[lead], all.lists[first]), all.lists[second]));
  }
}

TEST(CommonDocs, WithNoOtherListAreAll) {
  Docs docs = {3, 4, 700};
  std::span<uint32_t> left = docs;
  EXPECT_EQ(take_common(left, {}).size(), 3);
  EXPECT_TRUE(left.empty());
}

}  // namespace quarry::common_docs_test
