// bool: must and filter must all match, must_not must not, should at least minimum_should_match;
// the score is the sum over must and should. match, fuzzy and multi_match are composed of it as
// well.
#pragma once

#include <cstdint>
#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

/// Flags of a bool node.
enum BoolFlags : uint16_t {
  kStringBool = 1,  // belongs to a query string
  kNestedBool = 2,  // nested in another bool of a query string; matches nothing if it only excludes
  kNegatedBool = 4,  // everything except one clause; has no terms if that clause has none
  // Belongs to a simple query string; if one of several clauses is left, it replaces the bool.
  kListBool = 8,
};
struct BoolClauses {
  std::vector<WeightPtr> must;
  std::vector<WeightPtr> filter;
  std::vector<WeightPtr> should;
  std::vector<WeightPtr> must_not;
  // Number of should clauses; 0 counts as 1 if no other clause is required.
  uint32_t minimum_should_match = 0;
};

/// Simplifies clauses that never or always match. `scores` false: must is treated as filter, and
/// optional should clauses are dropped.
WeightPtr make_bool(BoolClauses clauses, bool scores);

/// `weight` restricted to the matches of `filter`; scores do not change.
WeightPtr make_filtered(WeightPtr weight, WeightPtr filter);

}  // namespace quarry
