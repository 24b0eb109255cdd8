// One file of the log: its name and its header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "wal/log_format.h"

namespace quarry {

/// "0000000042.log"
std::string wal_file_name(uint32_t number);
/// Empty when `name` is not the name of a log file.
std::optional<uint32_t> wal_file_number(std::string_view name);

struct WalFileHeader {
  uint32_t number = 0;
  uint64_t start = 0;  // position of the first frame
  uint64_t salt = 0;
  uint64_t node = 0;   // hash64 of the node's uuid
  uint32_t bytes = 0;  // the file never was shorter than this
};

std::vector<uint8_t> encode_file_header(const WalFileHeader& header);
/// Empty when the bytes are too few, damaged, or of another version.
std::optional<WalFileHeader> decode_file_header(Bytes bytes);

}  // namespace quarry
