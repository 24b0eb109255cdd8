// `after` of a composite aggregation: the values that the page begins behind, as its sources hold them.
#pragma once

#include <cstdint>
#include <string>

#include "query/aggs/composite/composite_queue.h"
#include "query/aggs/frame/kinds.h"

namespace quarry {

/// A source with what its values are read by.
struct CompositeSpec {
  CompositeSource source;
  AggSource agg_source;
};

/// One value of `after`. Text goes to `text`, which must outlive the value. number_format_exception
/// and others for what is no value of the source.
Result<CompositeValue> read_composite_after(const AggNode& node, const CompositeSpec& spec,
                                            const Scalar& scalar, std::string& text);

/// The whole number towards zero, within what a date can be.
int64_t whole_of(double number);

}  // namespace quarry
