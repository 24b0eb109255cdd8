#include "wal/torn_tail.h"

#include <algorithm>

#include "base/coding.h"
#include "wal/log_record.h"

namespace quarry {
namespace {

/// The unit of disk writes; larger units are multiples of it.
constexpr size_t kSector = 512;
/// A record starts within this many bytes after a frame's header, and its first bytes are not all
/// zero.
constexpr size_t kRecordStart = 16;

/// True when the part of `bytes` in some sector is all zero. `offset`: of the first byte in the
/// file.
bool lacks_a_sector(Bytes bytes, size_t offset) {
  while (!bytes.empty()) {
    const size_t left = kSector - offset % kSector;
    const Bytes part = bytes.first(std::min(left, bytes.size()));
    if (all_zero(part)) return true;
    bytes = bytes.subspan(part.size());
    offset += part.size();
  }
  return false;
}

/// True when at most one byte of the magic number is wrong.
bool resembles_magic(Bytes bytes) {
  uint8_t magic[sizeof(kFrameMagic)];
  store(magic, kFrameMagic);
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof(magic); i++) wrong += bytes[i] == magic[i] ? 0 : 1;
  return wrong <= 1;
}

}  // namespace

bool may_be_torn(Bytes tail, size_t offset, uint32_t seed) {
  if (tail.size() < kFrameHeaderBytes || !resembles_magic(tail)) return true;
  if (lacks_a_sector(tail.first(kFrameHeaderBytes), offset)) return true;
  FrameHeader header;
  if (!decode_frame_header(tail, seed, header)) {
    const Bytes behind = tail.subspan(kFrameHeaderBytes);
    return all_zero(behind.first(std::min(behind.size(), kRecordStart)));
  }
  if (header.length > tail.size() - kFrameHeaderBytes) return true;
  const Bytes frame = tail.first(kFrameHeaderBytes + header.length);
  return frame.back() == 0 || lacks_a_sector(frame, offset);
}

}  // namespace quarry
