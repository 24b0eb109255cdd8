// An immutable set of short strings with a quick no: stop words and protected words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace quarry {

class TermSet {
 public:
  TermSet() = default;
  explicit TermSet(const std::vector<std::string>& terms) {
    for (const std::string& term : terms) {
      if (term.empty()) continue;
      lengths_[static_cast<unsigned char>(term[0])] |= length_bit(term.size());
      terms_.insert(term);
    }
  }

  bool empty() const { return terms_.empty(); }
  bool contains(std::string_view term) const {
    if (term.empty()) return false;
    // Most words fail here, without a hash: no member starts with this byte and has this length.
    const uint32_t lengths = lengths_[static_cast<unsigned char>(term[0])];
    return (lengths & length_bit(term.size())) != 0 && terms_.find(term) != terms_.end();
  }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const noexcept {
      uint64_t hash = 0xcbf29ce484222325ULL;
      for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
      return static_cast<size_t>(hash);
    }
  };
  static uint32_t length_bit(size_t length) { return 1U << (length < 31 ? length : 31); }

  std::array<uint32_t, 256> lengths_{};
  std::unordered_set<std::string, Hash, std::equal_to<>> terms_;
};

}  // namespace quarry
