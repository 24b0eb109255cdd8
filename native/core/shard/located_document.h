// The location of the newest version of a document, and the parts that a get reads of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shard/version_check.h"
#include "store/id_table.h"

namespace quarry {

/// Valid while the shard's write lock is held.
struct LocatedDocument {
  enum class Place : uint8_t { kNowhere, kActive, kFrozen, kSegment };
  Place place = Place::kNowhere;
  uint32_t doc = 0;  // slot of a memtable, or docId
  size_t entry = 0;  // kSegment: position in the published list
  uint64_t hash = 0;
  CurrentDocument current;
};

/// A document as a get returns it.
struct StoredDocument {
  DocVersion version;
  std::string source;
  std::string routing;
  std::vector<std::vector<float>> vectors;  // by requested companion field; empty if absent
};

}  // namespace quarry
