// Records of the log and the frame that carries them to the file in one write.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/coding.h"
#include "base/status.h"
#include "wal/log_format.h"

namespace quarry {

/// One logged operation. Views point into what it was decoded from. `body` is the document of an
/// index record (with vectors or without) and the JSON of a mapping record.
struct WalRecord {
  WalRecordType type = WalRecordType::kIndex;
  uint32_t index = 0;
  uint32_t shard = 0;
  uint64_t seq_no = 0;
  uint64_t version = 0;
  uint32_t primary_term = 1;
  std::string_view id;
  std::string_view routing;
  std::string_view body;
  std::string_view vectors;  // of an index record with vectors
  Bytes encoded;  // decoded records: all of it, for decode_record to read again
};

/// Reads one record; nothing when the bytes are not one (the reader is then spent).
bool decode_record(ByteReader& reader, WalRecord& out);

/// Identifies the frames of one file: nothing else passes their header checksum.
uint32_t frame_seed(uint64_t salt, uint64_t position);

/// Records on their way into the log. Reused: clear() keeps the memory.
class WalFrame {
 public:
  WalFrame() { clear(); }
  void clear();
  void add(const WalRecord& record);
  bool empty() const { return count_ == 0; }
  /// Bytes of the frame with its header.
  size_t size() const { return bytes_.size(); }
  /// Fixes what does not depend on the place in the log. Call before seal(), outside any lock.
  void finish();
  /// Fills in the rest of the header; the view is valid until the next change.
  Bytes seal(uint32_t seed, uint64_t durable);

 private:
  ByteWriter bytes_;
  uint32_t count_ = 0;
};

/// The header of a frame at the start of `bytes`, checked against `seed`.
struct FrameHeader {
  uint32_t length = 0;
  uint32_t records = 0;
  uint32_t records_crc = 0;
  uint64_t durable = 0;
};
bool decode_frame_header(Bytes bytes, uint32_t seed, FrameHeader& out);
/// Header and records are whole: `bytes` starts with a valid frame.
bool is_frame(Bytes bytes, uint32_t seed, FrameHeader& out);

}  // namespace quarry
