// The documents of a merge in the order of an index sort.
#pragma once

#include <span>
#include <vector>

#include "mapping/schema/index_sort.h"
#include "segment/doc_map.h"
#include "segment/segment_merger.h"

namespace quarry {

/// The live documents of the inputs in the order of the keys, each after its nested ones; equal
/// ones stay in the order of the inputs. Empty when the inputs, one after the other, have that
/// order already.
std::vector<SourceDoc> sorted_documents(std::span<const MergeInput> inputs,
                                        std::span<const IndexSortKey> keys);

}  // namespace quarry
