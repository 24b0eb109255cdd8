// Sections of a segment file whose table of sections is damaged or gone: found again by what they look like. For salvage;
// without their checksums what is in them is doubtful.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/coding.h"
#include "store/id_table.h"
#include "store/stored_source.h"

namespace quarry {

/// The index of stored documents somewhere in what is left of a sidx file; none: nothing there looks like one.
Bytes find_source_index(Bytes sidx);

/// The stored documents that `index` tells of, somewhere in what is left of a data file: where the first blocks decompress to
/// documents. `room` holds a copy when the file ends before they do; documents behind the end do not decompress.
std::optional<StoredSource> find_stored(Bytes data, Bytes index, std::vector<uint8_t>& room);

/// The table of ids, which is all that an ids file holds.
std::optional<IdTable> find_id_table(Bytes ids);

}  // namespace quarry
