// The persistent state of a shard: the file MANIFEST of its folder, replaced atomically.
// Little-endian:
//   u64 magic "QUARRYMF", u32 version (2), u64 covered (operations with a smaller sequence number
//   are in the segments), u64 next file number, u32 segments, per segment in order:
//     u64 file number, u64 bytes, u32 documents, from version 2 on of its vectors: varint count,
//     varint bytes of rows, codes and graphs; u8 live kind: 0 all, 1 list of deleted documents
//     (varint count, varint gaps), 2 bits (u64 words)
//   u32 tombstones, per tombstone: str id, u64 version, u64 seq_no, u32 primary term,
//     i64 deleted at (ms)
//   u32 crc32c of everything before
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/bitset.h"
#include "base/coding.h"
#include "base/status.h"
#include "segment/segment.h"
#include "shard/tombstones.h"

namespace quarry {

inline constexpr uint64_t kManifestMagic = 0x464d595252415551;  // "QUARRYMF"
inline constexpr uint32_t kManifestVersion = 2;                 // version 1 is read, too

struct ManifestSegment {
  uint64_t file_number = 0;
  uint64_t bytes = 0;
  uint32_t docs = 0;
  uint32_t live_count = 0;
  std::shared_ptr<const Bitset> live;  // null: all
  VectorUsage vectors{};
};

struct Manifest {
  uint64_t covered = 0;
  uint64_t next_file_number = 1;
  std::vector<ManifestSegment> segments;
  std::vector<std::pair<std::string, Tombstone>> tombstones;
};

std::vector<uint8_t> encode_manifest(const Manifest& manifest);
/// ErrorType::kCorrupt for anything that encode_manifest did not write.
Result<Manifest> decode_manifest(Bytes bytes);

}  // namespace quarry
