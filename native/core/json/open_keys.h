// The names seen so far in every open object of a scan. Detects duplicate names without quadratic
// work.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/arena.h"

namespace quarry {

class OpenKeys {
 public:
  void open();
  void close();
  /// Adds a name; returns false when the innermost open object already has it. `raw` must stay
  /// valid while the object is open.
  bool add(std::string_view raw, bool escaped);

 private:
  /// A name and a number made of some of its bytes: names with different numbers are different.
  struct Name {
    uint64_t head = 0;
    std::string_view text;
  };
  static uint64_t head_of(std::string_view text) noexcept;
  bool is_among(const Name& name) const noexcept;
  bool add_large(std::string_view name);

  std::vector<Name> names_;
  std::vector<uint32_t> starts_;
  /// Objects too large for the linear search, innermost last, with their depth.
  std::vector<std::pair<size_t, std::unordered_set<std::string_view>>> large_;
  Arena unescaped_;
};

}  // namespace quarry
