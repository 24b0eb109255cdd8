// Cardinality of a keyword field on a single shard: exact, by term numbers.
#pragma once

#include "query/aggs/frame/aggregator.h"
#include "query/aggs/frame/value_source.h"

namespace quarry {

/// `source` must have whole_terms() and no missing value; there must be one owner.
AggregatorPtr make_distinct_terms_agg(AggContext& context, ValueSource source, uint32_t precision);

/// The kind of sketch in a reply (agg_reply.h) that is only a number.
inline constexpr uint8_t kExactSketch = 2;

}  // namespace quarry
