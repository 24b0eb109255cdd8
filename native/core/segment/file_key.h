// Names the content of a segment's file without reading it: what its header and its end say of it. Equal keys are equal
// files, as far as 64 bits of the segment's id (made from all checksums of the segment), the checksum of the section
// table (made of the checksums of all sections) and the length can tell.
#pragma once

#include <string>

#include "base/coding.h"
#include "base/status.h"
#include "segment/section_file.h"

namespace quarry {

/// 16 hex digits of the segment's id, 8 of the table's checksum, the length: "0123456789abcdef-01234567-4096".
/// ErrorType::kCorrupt for what is no file of that kind; checksums of sections are not verified.
Result<std::string> file_key(Bytes file, FileKind kind);

}  // namespace quarry
