#include "wal/log_record.h"

#include "base/crc32c.h"

namespace quarry {
namespace {

constexpr size_t kHeaderCrcAt = 24;

bool read_operation(ByteReader& reader, WalRecord& out) {
  out.version = reader.get<uint64_t>();
  out.primary_term = reader.get<uint32_t>();
  out.id = reader.get_string();
  if (out.type == WalRecordType::kDelete) return true;
  out.routing = reader.get_string();
  out.body = reader.get_string();
  if (out.type == WalRecordType::kIndexWithVectors) out.vectors = reader.get_string();
  return true;
}

bool read_body(ByteReader& reader, WalRecord& out) {
  switch (out.type) {
    case WalRecordType::kIndex:
    case WalRecordType::kDelete:
    case WalRecordType::kIndexWithVectors:
      return read_operation(reader, out);
    case WalRecordType::kMapping:
      out.body = reader.get_string();
      return true;
  }
  return false;
}

}  // namespace

bool decode_record(ByteReader& reader, WalRecord& out) {
  out = WalRecord();
  ByteReader ahead = reader;
  const size_t length = size_t{ahead.get<uint32_t>()} + sizeof(uint32_t);
  out.encoded = reader.get_bytes(length);
  ByteReader record(out.encoded);
  record.seek(sizeof(uint32_t));
  out.type = record.get<WalRecordType>();
  record.get_bytes(3);
  out.index = record.get<uint32_t>();
  out.shard = record.get<uint32_t>();
  out.seq_no = record.get<uint64_t>();
  return read_body(record, out) && record.done() && !record.failed() && !reader.failed();
}

uint32_t frame_seed(uint64_t salt, uint64_t position) {
  uint8_t bytes[16];
  store(bytes, salt);
  store(bytes + 8, position);
  return crc32c(bytes);
}

void WalFrame::clear() {
  bytes_.clear();
  bytes_.buffer().resize(kFrameHeaderBytes);
  count_ = 0;
}

void WalFrame::add(const WalRecord& record) {
  const size_t start = bytes_.size();
  bytes_.put(uint32_t{0});
  bytes_.put(record.type);
  for (int i = 0; i < 3; i++) bytes_.put(uint8_t{0});
  bytes_.put(record.index);
  bytes_.put(record.shard);
  bytes_.put(record.seq_no);
  if (record.type != WalRecordType::kMapping) {
    bytes_.put(record.version);
    bytes_.put(record.primary_term);
    bytes_.put_string(record.id);
  }
  const bool with_vectors = record.type == WalRecordType::kIndexWithVectors;
  if (record.type == WalRecordType::kIndex || with_vectors) bytes_.put_string(record.routing);
  if (record.type != WalRecordType::kDelete) bytes_.put_string(record.body);
  if (with_vectors) bytes_.put_string(record.vectors);
  bytes_.patch(start, static_cast<uint32_t>(bytes_.size() - start - sizeof(uint32_t)));
  count_++;
}

void WalFrame::finish() {
  const Bytes records = bytes_.view().subspan(kFrameHeaderBytes);
  bytes_.patch(0, kFrameMagic);
  bytes_.patch(4, static_cast<uint32_t>(records.size()));
  bytes_.patch(8, count_);
  bytes_.patch(12, crc32c(records));
  bytes_.patch(28, uint32_t{0});
}

Bytes WalFrame::seal(uint32_t seed, uint64_t durable) {
  bytes_.patch(16, durable);
  bytes_.patch(kHeaderCrcAt, crc32c(bytes_.view().first(kHeaderCrcAt), seed));
  return bytes_.view();
}

bool decode_frame_header(Bytes bytes, uint32_t seed, FrameHeader& out) {
  if (bytes.size() < kFrameHeaderBytes) return false;
  ByteReader reader(bytes);
  if (reader.get<uint32_t>() != kFrameMagic) return false;
  out.length = reader.get<uint32_t>();
  out.records = reader.get<uint32_t>();
  out.records_crc = reader.get<uint32_t>();
  out.durable = reader.get<uint64_t>();
  if (reader.get<uint32_t>() != crc32c(bytes.first(kHeaderCrcAt), seed)) return false;
  return reader.get<uint32_t>() == 0;
}

bool is_frame(Bytes bytes, uint32_t seed, FrameHeader& out) {
  if (!decode_frame_header(bytes, seed, out)) return false;
  if (bytes.size() - kFrameHeaderBytes < out.length) return false;
  return crc32c(bytes.subspan(kFrameHeaderBytes, out.length)) == out.records_crc;
}

}  // namespace quarry
