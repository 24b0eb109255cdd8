#include "segment/file_key.h"

namespace quarry {
namespace {

/// The tail as in section_file.cc: u64 offset of the table, u32 rows, u32 checksum of the table, …
constexpr size_t kKeyTailBytes = 32;
constexpr size_t kTableCrcAt = 12;

void append_hex(std::string& out, uint64_t value, int digits) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kHex[value >> shift & 15];
}

}  // namespace

Result<std::string> file_key(Bytes file, FileKind kind) {
  // Checks that header, table and tail are consistent, so that the tail exists.
  QUARRY_ASSIGN_OR_RETURN(const SectionFile opened, SectionFile::open(file, kind, false));
  std::string key;
  append_hex(key, opened.segment_id(), 16);
  key += '-';
  append_hex(key, load<uint32_t>(file.data() + file.size() - kKeyTailBytes + kTableCrcAt), 8);
  return key + "-" + std::to_string(file.size());
}

}  // namespace quarry
