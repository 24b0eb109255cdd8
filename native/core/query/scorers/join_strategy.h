// How clauses are joined: each choice between two ways, with the cost model that it rests on.
//
// Costs are numbers of documents of gathered postings: decoding a block of postings and setting the
// bits of its documents costs 1 for each. All factors were measured with words_bench on commits
// (bench/words), where each family of queries decides one row.
//
// | choice                    | way                   | wins when                                |
// |---------------------------|-----------------------|------------------------------------------|
// | conjunction, no scores    | AND of bits           | gathering all clauses <= 16 for every    |
// |                           |                       | candidate of the rarest clause           |
// |                           | lists, filtered       | otherwise, if no clause is two-phase     |
// |                           | one at a time         | otherwise                                |
// | phrase, no scores         | AND of bits           | all postings <= 48 for every candidate:  |
// |                           |                       | a candidate is looked up in every part   |
// | conjunction of terms with | block by block        | no filter is 8 times rarer than the      |
// | scores and filters        |                       | rarest term                              |
// |                           | the filter leads      | otherwise                                |
// | disjunction with filters  | max-score in windows  | no filter is 8 times rarer than all      |
// |                           |                       | should clauses together                  |
// |                           | the filter leads      | otherwise                                |
// | hits and their total      | counted first, then   | at least 1024 matches, and of required   |
// |                           | the best are scored   | clauses the rarest has one document in   |
// |                           |                       | 256 (of two clauses) or 32 (of more)     |
// |                           | counted while scored  | otherwise                                |
// | total alone               | listed                | lists are native, or less than one       |
// |                           |                       | document in 256 matches                  |
// |                           | bits in windows       | otherwise                                |
// | range of numbers          | column of candidates  | less than one candidate in 8 documents:  |
// |                           |                       | a scanned value costs an eighth of a     |
// |                           |                       | random one                               |
// |                           | set of all matches    | otherwise                                |
// | term within runs          | bits in windows       | the term has one document in 16          |
// |                           | one at a time         | otherwise: its bits are far apart        |
#pragma once

#include <cstddef>
#include <cstdint>

namespace quarry::join {

/// Moving to a candidate costs as much as gathering this number of documents of postings.
inline constexpr uint64_t kDocsPerCandidate = 16;

/// Whether the matches of a conjunction are gathered as bits. `all_bits`: the cost of gathering all
/// clauses; `candidates`: those of the rarest one.
constexpr bool gathers_bits(uint64_t all_bits, uint64_t candidates) {
  return all_bits <= kDocsPerCandidate * candidates;
}

/// The same for the documents that have all parts of a phrase.
constexpr bool gathers_phrase_bits(uint64_t postings, uint64_t candidates) {
  return postings <= 3 * kDocsPerCandidate * candidates;
}

/// Whether a filter drives the search instead of scoring clauses of this cost.
constexpr bool filter_leads(uint64_t filter, uint64_t scoring) { return filter * 8 < scoring; }

/// Whether the matches of a bool whose clauses are all cheap to gather are counted before any is
/// scored. `rarest`: the cost of the bool; `required`: the number of must and filter clauses.
constexpr bool counts_first(uint64_t rarest, size_t required, uint32_t max_doc) {
  constexpr uint64_t kMinCounted = 1024;
  if (rarest < kMinCounted) return false;
  // Of two clauses many documents are left to score, of more clauses few.
  const uint64_t share = required <= 2 ? 256 : 32;
  return required == 0 || rarest * share >= max_doc;
}

/// Whether matches are counted by listing them, unless the scorer lists natively.
constexpr bool counts_lists(uint64_t cost, uint32_t max_doc) { return cost < max_doc / 256; }

/// Whether a range reads the column of the candidates of another clause only.
constexpr bool probes_column(uint64_t lead_cost, uint32_t max_doc) {
  return lead_cost * 8 < max_doc;
}

/// Whether the documents of a term within runs are counted one at a time.
constexpr bool is_rare_term(uint64_t doc_freq, uint32_t max_doc) { return doc_freq * 16 < max_doc; }

}  // namespace quarry::join
