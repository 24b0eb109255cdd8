// A bump allocator for byte strings that live as long as their owner (interned terms, unescaped
// text).
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace quarry {

/// Pointers stay valid until clear() or destruction. Not thread-safe.
class Arena {
 public:
  static constexpr size_t kChunkBytes = size_t{1} << 16;

  char* allocate(size_t bytes) {
    if (bytes > left_) grow(bytes);
    char* at = next_;
    next_ += bytes;
    left_ -= bytes;
    used_ += bytes;
    return at;
  }
  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* at = allocate(text.size());
    std::memcpy(at, text.data(), text.size());
    return {at, text.size()};
  }
  /// Frees everything; keeps the first chunk for reuse when it has the usual size.
  void clear() {
    const bool keep = !chunks_.empty() && first_bytes_ == kChunkBytes;
    chunks_.resize(keep ? 1 : 0);
    next_ = keep ? chunks_[0].get() : nullptr;
    left_ = keep ? kChunkBytes : 0;
    used_ = 0;
    reserved_ = left_;
  }
  size_t used() const { return used_; }
  size_t reserved() const { return reserved_; }

 private:
  void grow(size_t bytes) {
    const size_t size = bytes > kChunkBytes ? bytes : kChunkBytes;
    if (chunks_.empty()) first_bytes_ = size;
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    next_ = chunks_.back().get();
    left_ = size;
    reserved_ += size;
  }

  std::vector<std::unique_ptr<char[]>> chunks_;
  char* next_ = nullptr;
  size_t left_ = 0;
  size_t used_ = 0;
  size_t reserved_ = 0;
  size_t first_bytes_ = 0;
};

}  // namespace quarry
