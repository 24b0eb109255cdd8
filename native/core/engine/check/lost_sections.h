// Finds the sections of a segment file whose table of sections is damaged or missing, by their
// content. Used by salvage; the sections have no verified checksum, so their documents are
// doubtful.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/coding.h"
#include "store/id_table.h"
#include "store/stored_source.h"

namespace quarry {

/// The index of stored documents in the remains of a sidx file; empty when nothing there looks like
/// one.
Bytes find_source_index(Bytes sidx);

/// The stored documents that `index` describes, in the remains of a data file: the place where the
/// first blocks decompress to documents. When the file is cut before their end, `room` holds an
/// extended copy, and the documents beyond the cut do not decompress.
std::optional<StoredSource> find_stored(Bytes data, Bytes index, std::vector<uint8_t>& room);

/// The table of ids, which is the only section of an ids file.
std::optional<IdTable> find_id_table(Bytes ids);

}  // namespace quarry
