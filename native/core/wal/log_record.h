// Records of the log, and the frame in which they are written to the file at once.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/coding.h"
#include "base/status.h"
#include "wal/log_format.h"

namespace quarry {

/// One logged operation. Views point into the decoded bytes. `body` is the document of an index
/// record (with vectors or without) or the JSON of a mapping record.
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
  Bytes encoded;             // when decoded: all bytes, for decode_record() again
};

/// Reads one record. False when the bytes are not a record; the reader must not be used afterwards.
bool decode_record(ByteReader& reader, WalRecord& out);

/// The seed of a frame's header checksum, which identifies the frame's file and position.
uint32_t frame_seed(uint64_t salt, uint64_t position);

/// Records to be appended to the log. Can be reused: clear() keeps the memory.
class WalFrame {
 public:
  WalFrame() { clear(); }
  void clear();
  void add(const WalRecord& record);
  bool empty() const { return count_ == 0; }
  /// Bytes of the frame with its header.
  size_t size() const { return bytes_.size(); }
  /// Computes the parts of the header that do not depend on the position in the log. To be called
  /// before seal(), outside of locks.
  void finish();
  /// Completes the header. The view is valid until the next change.
  Bytes seal(uint32_t seed, uint64_t durable);

 private:
  ByteWriter bytes_;
  uint32_t count_ = 0;
};

/// The header of the frame at the start of `bytes`, checked against `seed`.
struct FrameHeader {
  uint32_t length = 0;
  uint32_t records = 0;
  uint32_t records_crc = 0;
  uint64_t durable = 0;
};
bool decode_frame_header(Bytes bytes, uint32_t seed, FrameHeader& out);
/// True when `bytes` starts with a valid frame: header and records are intact.
bool is_frame(Bytes bytes, uint32_t seed, FrameHeader& out);

}  // namespace quarry
