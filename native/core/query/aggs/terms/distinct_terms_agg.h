// Cardinality of a keyword field that one shard counts alone: exact, by numbers of terms.
#pragma once

#include "query/aggs/frame/aggregator.h"
#include "query/aggs/frame/value_source.h"

namespace quarry {

/// `source` has whole_terms() and no missing value; there is one owner.
AggregatorPtr make_distinct_terms_agg(AggContext& context, ValueSource source, uint32_t precision);

/// Of the kinds of sketches in a reply (agg_reply.h): a number alone.
inline constexpr uint8_t kExactSketch = 2;

}  // namespace quarry
