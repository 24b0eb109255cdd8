// Optimistic concurrency control as in Elasticsearch: internal and external versions, sequence
// numbers.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "shard/write_operation.h"
#include "store/id_table.h"

namespace quarry {

/// The primary term counts changes of the primary; a node is always its own primary.
inline constexpr uint32_t kPrimaryTerm = 1;

/// The state of an id before an operation.
struct CurrentDocument {
  bool known = false;    // a document, or the tombstone of one
  bool deleted = false;  // only a tombstone
  DocVersion version;

  bool exists() const { return known && !deleted; }
};

/// The version that the operation (index, create or delete) gives the document.
/// version_conflict_engine_exception when the operation requires another current state.
Result<uint64_t> next_version(const WriteOperation& operation, const CurrentDocument& current);

/// Checks only the if_seq_no part, for the document that an update reads.
Status check_seq_no(const WriteOperation& operation, const CurrentDocument& current);

}  // namespace quarry
