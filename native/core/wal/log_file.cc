#include "wal/log_file.h"

#include <charconv>

#include "base/crc32c.h"

namespace quarry {
namespace {

constexpr size_t kDigits = 10;
constexpr std::string_view kSuffix = ".log";
constexpr size_t kCrcAt = kWalHeaderBytes - 4;

}  // namespace

std::string wal_file_name(uint32_t number) {
  const std::string digits = std::to_string(number);
  return std::string(kDigits - digits.size(), '0') + digits + std::string(kSuffix);
}

std::optional<uint32_t> wal_file_number(std::string_view name) {
  if (name.size() != kDigits + kSuffix.size() || !name.ends_with(kSuffix)) return std::nullopt;
  uint32_t number = 0;
  const char* end = name.data() + kDigits;
  const auto [at, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

std::vector<uint8_t> encode_file_header(const WalFileHeader& header) {
  ByteWriter out;
  out.put(kWalMagic);
  out.put(kWalVersion);
  out.put(header.number);
  out.put(header.start);
  out.put(header.salt);
  out.put(header.node);
  out.put(header.bytes);
  out.buffer().resize(kCrcAt);
  out.put(crc32c(out.view()));
  return out.take();
}

std::optional<WalFileHeader> decode_file_header(Bytes bytes) {
  if (bytes.size() < kWalHeaderBytes) return std::nullopt;
  ByteReader reader(bytes.first(kWalHeaderBytes));
  WalFileHeader header;
  if (reader.get<uint64_t>() != kWalMagic) return std::nullopt;
  if (reader.get<uint32_t>() != kWalVersion) return std::nullopt;
  header.number = reader.get<uint32_t>();
  header.start = reader.get<uint64_t>();
  header.salt = reader.get<uint64_t>();
  header.node = reader.get<uint64_t>();
  header.bytes = reader.get<uint32_t>();
  reader.seek(kCrcAt);
  if (reader.get<uint32_t>() != crc32c(bytes.first(kCrcAt))) return std::nullopt;
  return header;
}

}  // namespace quarry
