// Reads answers of HTTP/1.1 as they come in, as far as is needed to know where one ends: its status, and its length or its chunks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quarry::bench {

/// One answer at a time (RFC 9112): a body by `content-length` or in chunks without trailers, and no interim answers.
class AnswerReader {
 public:
  enum class State : uint8_t { kMore, kWhole, kBroken };

  /// Bytes in the order they came, however they were cut. kWhole: the answer ends with the last of them. kBroken: this is no
  /// answer, or something stands behind it; only reset() helps then.
  State take(std::string_view bytes);
  void reset();

  /// Nothing of an answer has come.
  bool empty() const { return part_ == Part::kHead && head_.empty(); }
  /// Of the answer that is whole; 0 before its head is.
  int status() const { return status_; }

 private:
  enum class Part : uint8_t {
    kHead,
    kBody,
    kChunkSize,
    kChunk,
    kChunkEnd,
    kLastEnd,
    kWhole,
    kBroken
  };

  Part read_head();
  void take_head(std::string_view& bytes);
  void take_line(std::string_view& bytes);
  void skip(std::string_view& bytes);
  Part behind_line();

  Part part_ = Part::kHead;
  std::string head_;   // until its end is there
  std::string line_;   // of the chunks
  uint64_t left_ = 0;  // bytes of the body or the chunk
  int status_ = 0;
};

}  // namespace quarry::bench
