// A finished file as the buffers it was made of: large sections are never copied to put it together.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace quarry {

/// In the order of the file. Whoever writes them out frees each one behind itself.
class FilePieces {
 public:
  void add(std::vector<uint8_t> piece) {
    bytes_ += piece.size();
    pieces_.push_back(std::move(piece));
  }
  uint64_t bytes() const { return bytes_; }
  bool empty() const { return bytes_ == 0; }
  std::vector<std::vector<uint8_t>>& pieces() { return pieces_; }

  /// One buffer. The pieces are spent, each freed as soon as it is copied.
  std::vector<uint8_t> join() {
    if (pieces_.size() == 1) return std::move(pieces_.front());
    std::vector<uint8_t> whole;
    whole.reserve(bytes_);
    for (std::vector<uint8_t>& piece : pieces_) {
      whole.insert(whole.end(), piece.begin(), piece.end());
      piece = {};
    }
    return whole;
  }

 private:
  std::vector<std::vector<uint8_t>> pieces_;
  uint64_t bytes_ = 0;
};

}  // namespace quarry
