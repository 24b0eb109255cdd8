// Lossless packing of long arrays of numbers in JSON, such as vectors in `_source`: the remaining
// text has a mark in place of each run of numbers, and the runs are stored separately as bits. The
// formats are described in number_runs.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"

namespace quarry {

/// Replaces a run in the text. Valid JSON does not contain this byte; where a text does, a run of
/// kind 0 stands for it.
inline constexpr char kRunMark = '\x01';

/// Splits texts into remaining text and runs. For one thread; keeps its buffers between calls.
class NumberPacker {
 public:
  /// Appends the remaining text of `source` to `text`, and the runs of its marks to `runs`.
  void pack(std::string_view source, std::string& text, std::vector<uint8_t>& runs);

 private:
  struct Number {
    uint64_t digits = 0;  // without sign and decimal point
    uint32_t begin = 0;   // in the source
    uint32_t end = 0;
    uint8_t places = 0;  // digits after the decimal point
    bool negative = false;
  };
  static bool read_number(std::string_view source, size_t at, Number& out);
  size_t read_row(std::string_view source, size_t at);
  size_t pack_array(std::string_view source, size_t at, size_t& done, std::string& text,
                    std::vector<uint8_t>& runs);
  void write_row(std::string_view source, std::string& text, std::vector<uint8_t>& runs);
  bool write_decimals(ByteWriter& runs) const;
  void write_floats(std::string_view source, std::string& text, ByteWriter& runs);

  std::string_view separator_;
  std::vector<Number> numbers_;
  std::vector<float> floats_;
};

/// Restores texts in the order of their runs. The runs, which may be any bytes, must outlive the
/// object.
class NumberUnpacker {
 public:
  explicit NumberUnpacker(Bytes runs) : reader_(runs) {}
  /// Skips the runs of `text`. False when there are not enough runs.
  bool skip(std::string_view text);
  /// Appends the source of `text` to `out`. False when the runs were not written by pack(); the
  /// content of `out` is then undefined.
  bool unpack(std::string_view text, std::string& out);

 private:
  bool next(std::string* out);
  bool decimals(std::string_view separator, uint64_t count, std::string* out);
  bool floats(std::string_view separator, uint64_t count, std::string* out);

  ByteReader reader_;
};

}  // namespace quarry
