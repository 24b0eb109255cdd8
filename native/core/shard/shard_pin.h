// The pinned state of a shard at one moment: segments that stay readable whatever happens to their
// files, and the manifest of a copy of them. Copies of all shards of an index, pinned at the same
// moment, are a consistent copy of the index.
#pragma once

#include <memory>
#include <vector>

#include "segment/segment.h"
#include "shard/manifest.h"

namespace quarry {

struct ShardPin {
  /// The index sets `covered`. Segments that were in memory have file numbers assigned for the
  /// copy.
  Manifest manifest;
  /// Both in the order of the manifest. Null: the segment has no file of coded vectors, or a
  /// damaged one, which is rebuilt when the copy is opened.
  std::vector<std::shared_ptr<const Segment>> segments;
  std::vector<std::shared_ptr<ByteSource>> coded_vectors;
};

}  // namespace quarry
