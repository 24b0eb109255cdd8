// `after` of a composite aggregation: the tuple after which the page starts, in the encoding of its
// sources.
#pragma once

#include <cstdint>
#include <string>

#include "query/aggs/composite/composite_queue.h"
#include "query/aggs/frame/kinds.h"

namespace quarry {

/// A composite source together with the source that its values are parsed by.
struct CompositeSpec {
  CompositeSource source;
  AggSource agg_source;
};

/// Parses one value of `after`. Text is stored in `text`, which must outlive the value.
/// number_format_exception and other errors for a string that is not a value of the source.
Result<CompositeValue> read_composite_after(const AggNode& node, const CompositeSpec& spec,
                                            const Scalar& scalar, std::string& text);

}  // namespace quarry
