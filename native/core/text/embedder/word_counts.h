// Counts the distinct words of one text. Reused between texts, so that counting does not allocate
// once the buffers are large enough.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace quarry {

class WordCounts {
 public:
  struct Item {
    uint64_t hash = 0;
    size_t at = 0;  // offset into the bytes of all words
    uint32_t bytes = 0;
    uint32_t count = 0;
    size_t slot = 0;
  };

  WordCounts() : heads_(kFirstHeads) {}

  void clear() {
    for (const Item& item : items_) heads_[item.slot] = 0;
    items_.clear();
    bytes_.clear();
    if (heads_.size() > kKeptHeads) heads_.assign(kFirstHeads, 0);
  }
  void add(std::string_view word) {
    const uint64_t hash = hash64(word);
    size_t slot = find(hash, word);
    if (heads_[slot] != 0) {
      ++items_[heads_[slot] - 1].count;
      return;
    }
    if (2 * items_.size() >= heads_.size()) slot = grow(hash);
    items_.push_back({hash, bytes_.size(), static_cast<uint32_t>(word.size()), 1, slot});
    bytes_.append(word);
    heads_[slot] = static_cast<uint32_t>(items_.size());
  }
  /// In the order of first occurrence.
  const std::vector<Item>& items() const { return items_; }
  std::string_view word(const Item& item) const {
    return std::string_view(bytes_).substr(item.at, item.bytes);
  }

 private:
  static constexpr size_t kFirstHeads = 256;
  static constexpr size_t kKeptHeads = size_t{1} << 16;  // a larger table is released after use

  /// The slot of the word, or the free slot where it belongs. At most half of the slots are in use.
  size_t find(uint64_t hash, std::string_view word) const {
    for (size_t at = hash;; ++at) {
      const size_t slot = at & (heads_.size() - 1);
      if (heads_[slot] == 0) return slot;
      const Item& item = items_[heads_[slot] - 1];
      if (item.hash == hash && this->word(item) == word) return slot;
    }
  }
  size_t free_slot(uint64_t hash) const {
    size_t at = hash;
    while (heads_[at & (heads_.size() - 1)] != 0) ++at;
    return at & (heads_.size() - 1);
  }
  size_t grow(uint64_t hash) {
    heads_.assign(heads_.size() * 2, 0);
    for (size_t i = 0; i < items_.size(); ++i) {
      items_[i].slot = free_slot(items_[i].hash);
      heads_[items_[i].slot] = static_cast<uint32_t>(i + 1);
    }
    return free_slot(hash);
  }

  std::vector<uint32_t> heads_;  // index of an item plus one, 0: free
  std::vector<Item> items_;
  std::string bytes_;
};

}  // namespace quarry
