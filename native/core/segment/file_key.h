// A key that identifies the content of a segment's file without reading all of it, taken from its
// header and its tail. Files with equal keys are equal, as far as the 64-bit segment id (computed
// from all checksums of the segment), the checksum of the section table (which contains the
// checksums of all sections) and the length can distinguish them.
#pragma once

#include <string>

#include "base/coding.h"
#include "base/status.h"
#include "segment/section_file.h"

namespace quarry {

/// 16 hexadecimal digits of the segment id, 8 of the table's checksum, and the length:
/// "0123456789abcdef-01234567-4096". ErrorType::kCorrupt when it is not a file of that kind;
/// checksums of sections are not verified.
Result<std::string> file_key(Bytes file, FileKind kind);

}  // namespace quarry
