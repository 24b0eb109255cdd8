// A plain bit set over docIds: live docs, presence of a field, cached filters.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace quarry {

/// Fixed size in bits, initially all clear. Bits beyond size() in the last word are always zero.
class Bitset {
 public:
  Bitset() = default;
  explicit Bitset(uint32_t size, bool value = false)
      : words_((size + 63) / 64, value ? ~uint64_t{0} : 0), size_(size) {
    trim();
  }
  Bitset(std::vector<uint64_t> words, uint32_t size) : words_(std::move(words)), size_(size) {
    words_.resize((size + 63) / 64);
    trim();
  }

  bool test(uint32_t bit) const noexcept { return ((words_[bit >> 6] >> (bit & 63)) & 1) != 0; }
  void set(uint32_t bit) noexcept { words_[bit >> 6] |= uint64_t{1} << (bit & 63); }
  void clear(uint32_t bit) noexcept { words_[bit >> 6] &= ~(uint64_t{1} << (bit & 63)); }
  void flip() noexcept {
    for (uint64_t& word : words_) word = ~word;
    trim();
  }

  uint32_t count() const noexcept {
    uint64_t total = 0;
    for (const uint64_t word : words_) total += static_cast<uint64_t>(std::popcount(word));
    return static_cast<uint32_t>(total);
  }
  /// The number of set bits in [begin, end).
  uint32_t count(uint32_t begin, uint32_t end) const noexcept {
    if (begin >= end) return 0;
    const size_t last = (end - 1) >> 6;
    uint64_t word = words_[begin >> 6] & (~uint64_t{0} << (begin & 63));
    uint64_t total = 0;
    for (size_t at = begin >> 6; at < last; word = words_[++at]) {
      total += static_cast<uint64_t>(std::popcount(word));
    }
    word &= ~uint64_t{0} >> (63 - ((end - 1) & 63));
    return static_cast<uint32_t>(total + static_cast<uint64_t>(std::popcount(word)));
  }
  /// First set bit at or after `from`, or size() when there is none.
  uint32_t next(uint32_t from) const noexcept {
    if (from >= size_) return size_;
    size_t at = from >> 6;
    uint64_t word = words_[at] & (~uint64_t{0} << (from & 63));
    while (word == 0) {
      if (++at == words_.size()) return size_;
      word = words_[at];
    }
    return static_cast<uint32_t>(at * 64 + static_cast<size_t>(std::countr_zero(word)));
  }

  /// One after the last set bit before `end`; 0 when there is none.
  uint32_t after_previous(uint32_t end) const noexcept {
    if (end == 0) return 0;
    size_t at = (end - 1) >> 6;
    uint64_t word = words_[at] & (~uint64_t{0} >> (63 - ((end - 1) & 63)));
    while (word == 0) {
      if (at == 0) return 0;
      word = words_[--at];
    }
    return static_cast<uint32_t>(at * 64 + static_cast<size_t>(std::bit_width(word)));
  }

  void intersect(const Bitset& other) noexcept {
    for (size_t i = 0; i < words_.size(); i++) words_[i] &= other.words_[i];
  }
  void unite(const Bitset& other) noexcept {
    for (size_t i = 0; i < words_.size(); i++) words_[i] |= other.words_[i];
  }
  void subtract(const Bitset& other) noexcept {
    for (size_t i = 0; i < words_.size(); i++) words_[i] &= ~other.words_[i];
  }

  uint32_t size() const noexcept { return size_; }
  std::span<const uint64_t> words() const noexcept { return words_; }
  std::span<uint64_t> words() noexcept { return words_; }
  size_t bytes() const noexcept { return words_.size() * 8; }

 private:
  void trim() noexcept {
    if ((size_ & 63) != 0) words_.back() &= (uint64_t{1} << (size_ & 63)) - 1;
  }

  std::vector<uint64_t> words_;
  uint32_t size_ = 0;
};

}  // namespace quarry
