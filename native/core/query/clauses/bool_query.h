// bool: must and filter all match, must_not none, should at least minimum_should_match; the score
// is the sum over must and should. Also what match, fuzzy and multi_match are put together from.
#pragma once

#include <cstdint>
#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: opt minimum_should_match, list<node> must, filter, should, must_not.
Result<WeightPtr> compile_bool(ByteReader& reader, Compiler& compiler, Scope scope);
/// Flags of a bool node.
enum BoolFlags : uint16_t {
  kStringBool = 1,   // of a query string
  kNestedBool = 2,   // inside another one of a query string: one that only excludes matches nothing
  kNegatedBool = 4,  // everything but one clause: without terms of that, it has none
  kListBool = 8,     // of a simple query string: of several clauses the one that is left stands alone
};
/// Of a query string, `flags` say more: texts without terms are left out, and where nothing else is
/// left the whole has no terms either.
Result<WeightPtr> compile_string_bool(ByteReader& reader, Compiler& compiler, Scope scope,
                                      uint16_t flags);

struct BoolClauses {
  std::vector<WeightPtr> must;
  std::vector<WeightPtr> filter;
  std::vector<WeightPtr> should;
  std::vector<WeightPtr> must_not;
  uint32_t minimum_should_match = 0;  // of should; 0 with no other required clause counts as 1
};

/// Clauses that cannot match, or always do, are resolved. `scores` false: must counts as filter,
/// idle should goes.
WeightPtr make_bool(BoolClauses clauses, bool scores);

/// `weight` restricted to what `filter` matches; scores stay.
WeightPtr make_filtered(WeightPtr weight, WeightPtr filter);

}  // namespace quarry
