// An incremental reader of HTTP/1.1 responses, which parses only what it needs to find the end of a
// response: the status, and the length or the chunks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quarry::bench {

/// Reads one response at a time (RFC 9112): a body with `content-length` or in chunks without
/// trailers, and no interim responses.
class AnswerReader {
 public:
  enum class State : uint8_t { kMore, kWhole, kBroken };

  /// Takes bytes in the order of arrival, in pieces of any size. kWhole: the response ends with the
  /// last byte. kBroken: this is not a response, or there are bytes after its end; only reset()
  /// makes the reader usable again.
  State take(std::string_view bytes);
  void reset();

  /// True if no byte of a response has arrived.
  bool empty() const { return part_ == Part::kHead && head_.empty(); }
  /// The status of a complete response; 0 until its head is complete.
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
  std::string head_;   // until it is complete
  std::string line_;   // of the chunks
  uint64_t left_ = 0;  // bytes of the body or the chunk
  int status_ = 0;
};

}  // namespace quarry::bench
