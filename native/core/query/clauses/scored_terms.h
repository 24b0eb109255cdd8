// scored_terms: a prefix, wildcard, regexp or fuzzy clause that scores a document by the terms that
// it has of those that match the pattern, like Lucene's scoring rewrites of multi-term queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

/// How each term is scored; the scores are added.
enum class TermScoring : uint8_t {
  kBlended = 0,  // by BM25, as if every term were as frequent as the most frequent one
  kOwn = 1,      // by BM25 with its own frequency
  kBoost = 2,    // by its boost alone
};

struct ScoredTermsOptions {
  TermScoring scoring = TermScoring::kBlended;
  /// The first terms in the order of their bytes; 0: all, of which too many are an error.
  uint32_t most = 0;
};

struct ScoredTerm {
  std::string term;
  float boost = 1;
  TermState state;
};

/// A weight that can list the terms it matches. Lists are in the order of the dictionary.
class TermsWeight {
 public:
  virtual ~TermsWeight() = default;
  virtual const Field& field() const = 0;
  /// At least the first `most` terms, if there are so many.
  virtual Result<std::vector<uint32_t>> first_terms(const Segment& segment, size_t most,
                                                    WorkCounters& counters) const = 0;
};

WeightPtr make_scored_terms(Compiler& compiler, const Field& field, std::vector<ScoredTerm> terms,
                            TermScoring scoring, Scope scope);

/// The pattern is expanded over all shards, so that scores are the same in every shard.
/// too_many_clauses if the terms exceed the limit of a query.
Result<WeightPtr> make_scored_pattern(Compiler& compiler, const PlanNode& pattern,
                                      const ScoredTermsOptions& options, Scope scope);

/// The options, before the node of the pattern.
ScoredTermsOptions read_scored_terms(PlanReader& reader);

}  // namespace quarry
