// An immutable set of short strings with fast rejection of non-members: stop words, protected
// words, articles.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace quarry {

/// Open addressing with a load factor of at most one half. Empty strings are never members.
class TermSet {
 public:
  TermSet() = default;
  explicit TermSet(const std::vector<std::string>& terms) {
    size_t slots = 4;
    while (slots < 2 * terms.size()) slots *= 2;
    slots_.resize(slots);
    for (const std::string& term : terms) insert(term);
  }

  bool empty() const { return size_ == 0; }
  /// The bytes of the longest member.
  size_t longest() const { return longest_; }
  bool contains(std::string_view term) const {
    if (term.empty()) return false;
    // Most words are rejected here without a hash: no member has this first byte and this length.
    const uint32_t lengths = lengths_[static_cast<unsigned char>(term[0])];
    if ((lengths & length_bit(term.size())) == 0) return false;
    for (size_t at = hash(term);; ++at) {
      const std::string& slot = slots_[at & (slots_.size() - 1)];
      if (slot.empty()) return false;
      if (slot == term) return true;
    }
  }

 private:
  static uint32_t length_bit(size_t length) { return 1U << (length < 31 ? length : 31); }

  /// Hashes the first and last eight bytes and the length, which is sufficient for words.
  static size_t hash(std::string_view term) {
    uint64_t head = 0;
    uint64_t tail = 0;
    const size_t bytes = term.size() < 8 ? term.size() : 8;
    std::memcpy(&head, term.data(), bytes);
    std::memcpy(&tail, term.data() + term.size() - bytes, bytes);
    uint64_t mixed = (head ^ term.size()) * 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (mixed >> 32U) ^ tail) * 0xD6E8FEB86659FD93ULL;
    return static_cast<size_t>(mixed >> 32U);
  }

  void insert(const std::string& term) {
    if (term.empty() || contains(term)) return;
    lengths_[static_cast<unsigned char>(term[0])] |= length_bit(term.size());
    size_t at = hash(term);
    while (!slots_[at & (slots_.size() - 1)].empty()) ++at;
    slots_[at & (slots_.size() - 1)] = term;
    longest_ = term.size() > longest_ ? term.size() : longest_;
    ++size_;
  }

  std::array<uint32_t, 256> lengths_{};
  std::vector<std::string> slots_;
  size_t size_ = 0;
  size_t longest_ = 0;
};

}  // namespace quarry
