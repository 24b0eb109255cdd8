// Long arrays of numbers inside a text, such as vectors in `_source`, packed without loss: what is left of the text has a
// mark in place of each run of numbers, and the runs are bits beside it. The formats are in number_runs.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"

namespace quarry {

/// Stands in the text for the next run. No JSON holds this byte; where a text does, a run says so.
inline constexpr char kRunMark = '\x01';

/// Takes texts apart. One thread; keeps its memory between calls.
class NumberPacker {
 public:
  /// Appends to `text` what is left of `source`, and to `runs` the runs that its marks stand for.
  void pack(std::string_view source, std::string& text, std::vector<uint8_t>& runs);

 private:
  struct Number {
    uint64_t digits = 0;  // without sign and point
    uint32_t begin = 0;   // in the source
    uint32_t end = 0;
    uint8_t places = 0;  // digits behind the point
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

/// Puts texts together again, in the order of their runs. The bytes must outlive it and may be any.
class NumberUnpacker {
 public:
  explicit NumberUnpacker(Bytes runs) : reader_(runs) {}
  /// Passes over the runs of `text`. False: there are not so many.
  bool skip(std::string_view text);
  /// Appends the source of `text`. False where the runs are not what pack() writes; `out` is then of no use.
  bool unpack(std::string_view text, std::string& out);

 private:
  bool next(std::string* out);
  bool decimals(std::string_view separator, uint64_t count, std::string* out);
  bool floats(std::string_view separator, uint64_t count, std::string* out);

  ByteReader reader_;
};

}  // namespace quarry
