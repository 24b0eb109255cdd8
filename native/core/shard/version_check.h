// Optimistic concurrency as Elasticsearch has it: internal and external versions, sequence numbers.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "shard/write_operation.h"
#include "store/id_table.h"

namespace quarry {

/// Terms would count primaries; a node is always its own.
inline constexpr uint32_t kPrimaryTerm = 1;

/// What is known of an id before an operation.
struct CurrentDocument {
  bool known = false;    // a document, or the memory of one deleted not long ago
  bool deleted = false;  // the latter
  DocVersion version;

  bool exists() const { return known && !deleted; }
};

/// The version that the operation (index, create or delete) gives the document.
/// version_conflict_engine_exception when the operation asks for another current state.
Result<uint64_t> next_version(const WriteOperation& operation, const CurrentDocument& current);

/// Only the if_seq_no part, for the document that an update reads.
Status check_seq_no(const WriteOperation& operation, const CurrentDocument& current);

}  // namespace quarry
