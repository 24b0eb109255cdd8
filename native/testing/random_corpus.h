// Random documents and queries for tests that compare two search implementations.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "testing/query_builder.h"
#include "testing/test_index.h"

namespace quarry::testing {

/// Words with Zipf-like frequencies.
inline std::string word(Random& random) {
  const uint64_t rank = 1 + random.below(1 + random.below(1 + random.below(400)));
  return "w" + std::to_string(rank);
}

struct Corpus {
  TestIndex index{
      R"({"properties":{"t":{"type":"text"},"k":{"type":"keyword"},"n":{"type":"long"},
          "o":{"type":"long"}}})"};
  std::vector<std::vector<std::string>> words;  // by document number, including deleted ones
  std::vector<bool> live;

  Corpus(Random& random, uint32_t docs, uint32_t segments, uint32_t shards = 1) {
    for (uint32_t doc = 0; doc < docs; doc++) {
      words.emplace_back();
      std::string text;
      for (uint64_t left = random.below(30) * random.below(4); left > 0; left--) {
        words.back().push_back(word(random));
        text += words.back().back() + " ";
      }
      index.add(std::to_string(doc), "{\"t\":\"" + text + "\",\"k\":\"k" +
                                         std::to_string(random.below(5)) +
                                         "\",\"n\":" + std::to_string(random.below(1000)) +
                                         ",\"o\":" + std::to_string(doc) + "}");
      if (random.below(docs) < segments) index.refresh();
      if (doc % (docs / shards + 1) == docs / shards) {
        index.refresh();
        index.start_shard();
      }
    }
    index.refresh();
    live.assign(docs, true);
    for (uint32_t doc = 0; doc < docs; doc++) {
      if (random.below(10) != 0) continue;
      live[doc] = false;
      index.remove(std::to_string(doc));
    }
  }
};

inline NodeBytes random_clause(Random& random, uint32_t depth);

inline std::vector<NodeBytes> random_clauses(Random& random, uint64_t most, uint32_t depth) {
  std::vector<NodeBytes> out;
  for (uint64_t left = random.below(most + 1); left > 0; left--)
    out.push_back(random_clause(random, depth));
  return out;
}

inline NodeBytes random_leaf(Random& random) {
  const float boost =
      random.below(3) == 0 ? 0.5F + static_cast<float>(random.below(40)) / 10 : 1.0F;
  const Query query(boost);
  switch (random.below(11)) {
    case 10:  // values increase with the documents, which gives runs of matches
      return query.range("o", 1 | 8,
                         {std::to_string(random.below(2000)), std::to_string(random.below(4000))});
    case 0:
      return query.match("t", word(random) + " " + word(random) + " " + word(random));
    case 1:
      return query.match_phrase("t", word(random) + " " + word(random),
                                static_cast<uint32_t>(random.below(3)));
    case 2:
      return query.term("k", "k" + std::to_string(random.below(6)));
    case 3:
      return query.range("n", 1 | 8,
                         {std::to_string(random.below(900)), std::to_string(random.below(1000))});
    case 4:
      return query.prefix("t", "w" + std::to_string(1 + random.below(9)));
    case 5:
      return query.match_all();
    case 6:
      return query.multi_match({{"t", 2.0F}, {"k", 1.0F}}, word(random) + " k1");
    default:
      return query.term("t", word(random));
  }
}

inline NodeBytes random_clause(Random& random, uint32_t depth) {
  if (depth == 0) return random_leaf(random);
  switch (random.below(8)) {
    case 0:
      return Query().dis_max({random_clause(random, depth - 1), random_clause(random, depth - 1)},
                             static_cast<float>(random.below(3)) / 2);
    case 1:
      return Query(2).constant_score(random_clause(random, depth - 1));
    case 2:
      return Query().boosting(random_clause(random, depth - 1), random_clause(random, depth - 1),
                              0.5F);
    case 3:
    case 4:
      return random_leaf(random);
    default:
      break;
  }
  const std::string minimum = random.below(3) == 0 ? std::to_string(random.below(3)) : "";
  return Query(random.below(4) == 0 ? 1.7F : 1.0F)
      .boolean(random_clauses(random, 2, depth - 1), random_clauses(random, 1, depth - 1),
               random_clauses(random, 4, depth - 1), random_clauses(random, 1, depth - 1), minimum);
}

}  // namespace quarry::testing
