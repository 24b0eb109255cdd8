// The rows of documents compared with a loop over all rows.
#include "vector/document_ranks.h"

#include "base/random.h"
#include "testing/test.h"

namespace quarry::document_ranks_test {

Bitset some(Random& random, uint32_t size, uint64_t percent) {
  Bitset bits(size);
  for (uint32_t i = 0; i < size; i++) {
    if (random.below(100) < percent) bits.set(i);
  }
  return bits;
}

/// The document of each row; up to `most` for each.
std::vector<uint32_t> make_docs(Random& random, uint32_t max_doc, uint64_t percent, uint64_t most) {
  std::vector<uint32_t> docs;
  for (uint32_t doc = 0; doc < max_doc; doc++) {
    if (random.below(100) >= percent) continue;
    for (uint64_t i = 0; i <= random.below(most); i++) docs.push_back(doc);
  }
  return docs;
}

TEST(DocumentRanks, FindsTheRowsOfDocuments) {
  Random random(1);
  Bitset ordinals;
  for (const uint32_t max_doc : {1U, 63U, 64U, 65U, 700U, 9000U}) {
    for (const uint64_t percent : {0, 1, 30, 83, 100}) {
      for (const uint64_t most : {1U, 4U}) {
        const std::vector<uint32_t> docs = make_docs(random, max_doc, percent, most);
        const DocumentRanks ranks(docs, max_doc, most > 1);
        for (const uint64_t wanted : {0, 2, 50, 100}) {
          const Bitset documents = some(random, max_doc, wanted);
          ranks.rows_of(documents, ordinals);
          ASSERT_EQ(ordinals.size(), docs.size());
          for (uint32_t at = 0; at < docs.size(); at++) {
            EXPECT_EQ(ordinals.test(at), documents.test(docs[at]));
          }
        }
        uint32_t at = 0;
        for (uint32_t word = 0; word * 64 < max_doc; word++) {
          while (at < docs.size() && docs[at] < word * 64) at++;
          EXPECT_EQ(ranks.first(word), at);
        }
      }
    }
  }
}

}  // namespace quarry::document_ranks_test
