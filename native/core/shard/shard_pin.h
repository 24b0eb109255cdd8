// What a shard holds at one moment: segments that stay readable whatever becomes of their files, and the manifest that a
// copy of them has. Copies of all shards of an index, pinned at one moment, are the index as it was then.
#pragma once

#include <memory>
#include <vector>

#include "segment/segment.h"
#include "shard/manifest.h"

namespace quarry {

struct ShardPin {
  /// `covered` is the index's to say. Segments that were in memory have file numbers of their own.
  Manifest manifest;
  /// In the order of the manifest, both. Null: the segment has no file of coded vectors, or a damaged one, which whoever
  /// opens the copy makes again.
  std::vector<std::shared_ptr<const Segment>> segments;
  std::vector<std::shared_ptr<ByteSource>> coded_vectors;
};

}  // namespace quarry
