// The byte format of the write-ahead log (version 1), one log per node. Little-endian.
//
// The log is a sequence of positions (u64, bytes of frames ever appended, never reused), cut into
// files data/wal/<ten-digit number>.log. A file is preallocated: zeros follow its last frame.
//
// File header, 64 bytes, durable before the first frame is appended:
//   0 u64 magic "QUARRYWL"   8 u32 version   12 u32 file number
//   16 u64 position of the first frame   24 u64 salt (random)   32 u64 hash64 of the node's uuid
//   40 u32 bytes reserved when the file was created: a shorter file was cut (0: unknown)
//   44 zeros   60 u32 crc32c of 0..59
// A file ends where the next one starts; bytes after that (a torn tail) are not read.
//
// Frame: written by one append. A 32-byte header, then `length` bytes of records:
//   0 u32 magic "QWFR"   4 u32 length   8 u32 records   12 u32 crc32c of the records
//   16 u64 position up to which the log was durable when the frame was appended
//   24 u32 crc32c of 0..23, seeded with crc32c(salt, position of the frame)   28 u32 zero
// A broken or missing frame ends the log, unless a later valid frame shows that the log was durable
// beyond that point, or a crash cannot have caused the damage (torn_tail.h). In these cases bytes
// that were on stable storage are lost, and opening fails. The salt and the position prevent bytes
// that only look like a frame (a document may contain any bytes) from being taken for one.
//
// Record: u32 bytes that follow, u8 type, u8[3] zero, u32 index number, u32 shard, u64 seq_no,
//   type 1 index:   u64 version, u32 primary term, str id, str routing, str source
//   type 2 delete:  u64 version, u32 primary term, str id
//   type 3 mapping: str mappings JSON to merge into the index's mapping (shard and seq_no are 0)
//   type 4 index with vectors: as 1, then str vectors that were embedded remotely
//                              (mapping/vectors/vector_table.h)
// str = u32 length + bytes. Types are append only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quarry {

inline constexpr uint64_t kWalMagic = 0x4c57595252415551;  // "QUARRYWL"
inline constexpr uint32_t kWalVersion = 1;
inline constexpr size_t kWalHeaderBytes = 64;
inline constexpr uint32_t kFrameMagic = 0x52465751;  // "QWFR"
inline constexpr size_t kFrameHeaderBytes = 32;

enum class WalRecordType : uint8_t { kIndex = 1, kDelete = 2, kMapping = 3, kIndexWithVectors = 4 };

}  // namespace quarry
