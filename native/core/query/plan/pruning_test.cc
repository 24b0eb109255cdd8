// Random corpora and queries: pruned results equal exhaustive ones, bit for bit, and both equal a
// naive computation of BM25 over the documents.
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "postings/norms.h"
#include "testing/random_corpus.h"
#include "testing/test_index.h"

namespace quarry::pruning_test {

using testing::Corpus;
using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::random_clause;
using testing::random_clauses;
using testing::TestIndex;
using testing::word;

/// Runs a query exhaustively and pruned, with several windows.
void check(const Corpus& corpus, const NodeBytes& query, uint64_t seed) {
  PlanFrame frame;
  frame.legs.push_back(query);
  frame.window = 100000;
  const Result<ShardHits> all = corpus.index.run(frame);
  EXPECT_OK(all);
  if (!all.ok()) return;
  const LegHits& truth = all->legs[0];
  EXPECT_EQ(all->total, truth.docs.size());
  for (size_t i = 1; i < truth.docs.size(); i++) {
    const bool ordered =
        truth.scores[i] < truth.scores[i - 1] ||
        (truth.scores[i] == truth.scores[i - 1] && truth.docs[i] > truth.docs[i - 1]);
    if (!ordered) EXPECT_EQ(seed, 0);
  }
  for (const uint32_t window : {0U, 1U, 3U, 10U, 50U}) {
    for (const uint32_t track : {0U, 20U, kExactTotal}) {
      frame.window = window;
      frame.track_total_hits = track;
      const Result<ShardHits> pruned = corpus.index.run(frame);
      EXPECT_OK(pruned);
      if (!pruned.ok()) return;
      const bool capped = track != kExactTotal && all->total > track;
      if (track != 0) EXPECT_EQ(pruned->total, capped ? track : all->total);
      const LegHits& some = pruned->legs[0];
      const size_t wanted = std::min<size_t>(window, truth.docs.size());
      bool equal = some.docs.size() == wanted;
      for (size_t i = 0; i < wanted && equal; i++) {
        equal = some.docs[i] == truth.docs[i] && some.scores[i] == truth.scores[i];
      }
      if (!equal)
        EXPECT_EQ("seed " + std::to_string(seed) + " window " + std::to_string(window), "");
      if (!equal) return;
    }
  }
}

TEST(Pruning, EqualsExhaustiveOnRandomQueries) {
  for (uint64_t seed = 1; seed <= 6; seed++) {
    Random random(seed);
    const Corpus corpus(random, seed % 2 == 0 ? 3000 : 400,
                        1 + static_cast<uint32_t>(seed % 3) * 2);
    for (uint64_t i = 0; i < 120; i++) check(corpus, random_clause(random, 2), seed * 1000 + i);
  }
}

/// Phrases alone and among other clauses: candidates as bit sets while hits are counted, then by
/// blocks.
TEST(Pruning, EqualsExhaustiveOnPhrases) {
  for (uint64_t seed = 21; seed <= 23; seed++) {
    Random random(seed);
    const Corpus corpus(random, 4000, static_cast<uint32_t>(seed - 20));
    for (uint64_t i = 0; i < 100; i++) {
      std::string words = word(random);
      for (uint64_t left = 1 + random.below(3); left > 0; left--) words += " " + word(random);
      const NodeBytes phrase = Query().match_phrase("t", words, random.below(4) == 0 ? 1 : 0);
      check(corpus, phrase, seed * 1000 + i);
      check(corpus, Query().boolean({phrase}, random_clauses(random, 1, 0)), seed * 1000 + i);
    }
  }
}

/// Conjunctions of words with filters and exclusions: the path block by block.
TEST(Pruning, EqualsExhaustiveOnConjunctionsOfTerms) {
  for (uint64_t seed = 11; seed <= 13; seed++) {
    Random random(seed);
    const Corpus corpus(random, 4000, static_cast<uint32_t>(seed - 10));
    for (uint64_t i = 0; i < 150; i++) {
      std::vector<NodeBytes> must;
      for (uint64_t left = 1 + random.below(4); left > 0; left--)
        must.push_back(Query(random.below(3) == 0 ? 2.5F : 1.0F).term("t", word(random)));
      const std::vector<NodeBytes> filter = random_clauses(random, 1, 0);
      check(corpus, Query().boolean(must, filter, {}, random_clauses(random, 1, 0)),
            seed * 1000 + i);
    }
  }
}

/// A disjunction of words inside of a clause is scored like words next to it, block for block.
TEST(Pruning, InlinesWhatIsTheSumOfAny) {
  Random random(31);
  const Corpus corpus(random, 4000, 2);
  const auto run = [&](const NodeBytes& query) {
    PlanFrame frame;
    frame.legs.push_back(query);
    frame.track_total_hits = 0;
    return corpus.index.run(frame);
  };
  for (uint64_t i = 0; i < 50; i++) {
    const NodeBytes a = Query().term("t", word(random));
    const NodeBytes b = Query(2).term("t", word(random));
    const NodeBytes c = Query().term("t", word(random));
    const Result<ShardHits> flat = run(Query().boolean({}, {}, {a, b, c}));
    const Result<ShardHits> nested =
        run(Query().boolean({}, {}, {Query().boolean({}, {}, {a, b}), c}));
    const Result<ShardHits> deep = run(
        Query().boolean({}, {}, {Query().boolean({}, {}, {Query().boolean({}, {}, {c, b}), a})}));
    ASSERT_OK(flat);
    for (const Result<ShardHits>* other : {&nested, &deep}) {
      ASSERT_OK(*other);
      EXPECT_EQ((*other)->legs[0].docs, flat->legs[0].docs);
      EXPECT_EQ((*other)->docs_scored, flat->docs_scored);
      EXPECT_EQ((*other)->postings.blocks, flat->postings.blocks);
    }
  }
}

TEST(Pruning, SkipsBlocksOfFrequentTerms) {
  TestIndex index;
  std::string source;
  for (int doc = 0; doc < 20000; doc++) {
    // The best documents come first; "w0" is in every document, "w1" in every third.
    source = doc < 50       ? R"({"t":"w0 w0 w0 w1 w1"})"
             : doc % 3 == 0 ? R"({"t":"w0 w1 x y z"})"
                            : R"({"t":"w0 x y z"})";
    index.add(std::to_string(doc), source);
  }
  index.refresh();
  constexpr uint64_t kBlocks = 20000 / 128 + 20000 / 3 / 128;
  for (const NodeBytes& query :
       {Query().term("t", "w0"), Query().match("t", "w0 w1"),
        Query().boolean({Query().term("t", "w0"), Query().term("t", "w1")}),
        Query().match_phrase("t", "w0 w1")}) {
    PlanFrame frame;
    frame.legs.push_back(query);
    const Result<ShardHits> all = index.run(frame);
    frame.track_total_hits = 0;
    const Result<ShardHits> pruned = index.run(frame);
    ASSERT_OK(all);
    ASSERT_OK(pruned);
    EXPECT_EQ(pruned->legs[0].docs, all->legs[0].docs);
    EXPECT_LT(pruned->postings.blocks * 10, kBlocks);
  }
}

/// BM25 in double, computed directly from the documents.
struct NaiveScorer {
  const Corpus& corpus;
  double average = 0;
  uint64_t with_field = 0;
  std::map<std::string, uint64_t> doc_freq;

  explicit NaiveScorer(const Corpus& documents) : corpus(documents) {
    uint64_t tokens = 0;
    for (const auto& words : corpus.words) {
      if (words.empty()) continue;
      with_field++;
      tokens += words.size();
      std::vector<std::string> unique = words;
      std::sort(unique.begin(), unique.end());
      unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
      for (const std::string& term : unique) doc_freq[term]++;
    }
    average = static_cast<double>(tokens) / static_cast<double>(with_field);
  }
  double score(size_t doc, const std::string& term) const {
    const auto freq =
        static_cast<double>(std::count(corpus.words[doc].begin(), corpus.words[doc].end(), term));
    if (freq == 0) return 0;
    const auto n = static_cast<double>(doc_freq.at(term));
    const double idf = std::log(1 + (static_cast<double>(with_field) - n + 0.5) / (n + 0.5));
    const auto length = static_cast<double>(
        decode_norm(encode_norm(static_cast<uint32_t>(corpus.words[doc].size()))));
    return 2.2 * idf * freq / (freq + 1.2 * (0.25 + 0.75 * length / average));
  }
};

TEST(Pruning, ScoresEqualANaiveBm25) {
  Random random(99);
  const Corpus corpus(random, 1500, 4);
  const NaiveScorer naive(corpus);
  for (int i = 0; i < 40; i++) {
    std::vector<std::string> terms;
    for (uint64_t left = 1 + random.below(4); left > 0; left--) terms.push_back(word(random));
    std::string text;
    for (const std::string& term : terms) text += term + " ";
    std::vector<std::pair<double, size_t>> expected;
    for (size_t doc = 0; doc < corpus.words.size(); doc++) {
      double sum = 0;
      for (const std::string& term : terms)
        sum += naive.doc_freq.contains(term) ? naive.score(doc, term) : 0;
      if (sum > 0 && corpus.live[doc]) expected.emplace_back(-sum, doc);
    }
    std::sort(expected.begin(), expected.end());
    PlanFrame frame;
    frame.legs.push_back(Query().match("t", text));
    frame.track_total_hits = 10;
    const Result<ShardHits> hits = corpus.index.run(frame);
    ASSERT_OK(hits);
    ASSERT_EQ(hits->legs[0].scores.size(), std::min<size_t>(10, expected.size()));
    for (size_t at = 0; at < hits->legs[0].scores.size(); at++) {
      EXPECT_NEAR(static_cast<double>(hits->legs[0].scores[at]) / -expected[at].first, 1.0, 1e-5);
    }
  }
}

}  // namespace quarry::pruning_test
