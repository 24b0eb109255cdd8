// A small number of names is compared one by one; objects with many names use a hash set.
#include "json/open_keys.h"

#include <cstring>

#include "base/coding.h"
#include "json/scanner.h"

namespace quarry {

namespace {
constexpr size_t kLinearNames = 24;  // for more names a hash set is faster
constexpr size_t kUsualDepth = 8;
constexpr size_t kHeadBytes = sizeof(uint64_t);
}  // namespace

/// Up to eight bytes of a name; all of its bytes if it is not longer.
uint64_t OpenKeys::head_of(std::string_view text) noexcept {
  const char* at = text.data();
  const size_t size = text.size();
  if (size >= kHeadBytes) return load<uint64_t>(at);
  if (size >= 4) return load<uint32_t>(at) | uint64_t{load<uint32_t>(at + size - 4)} << 32;
  if (size == 0) return 0;
  const auto byte = [at](size_t i) { return uint64_t{static_cast<unsigned char>(at[i])}; };
  return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
}

/// Whether the innermost object already has the name.
bool OpenKeys::is_among(const Name& name) const noexcept {
  const size_t size = name.text.size();
  for (size_t i = starts_.back(); i < names_.size(); ++i) {
    if (names_[i].head != name.head || names_[i].text.size() != size) continue;
    if (size <= kHeadBytes || std::memcmp(names_[i].text.data(), name.text.data(), size) == 0) {
      return true;
    }
  }
  return false;
}

void OpenKeys::open() {
  if (starts_.empty()) {
    starts_.reserve(kUsualDepth);
    names_.reserve(kLinearNames);
  }
  starts_.push_back(static_cast<uint32_t>(names_.size()));
}

void OpenKeys::close() {
  if (!large_.empty() && large_.back().first == starts_.size()) large_.pop_back();
  names_.resize(starts_.back());
  starts_.pop_back();
}

bool OpenKeys::add(std::string_view raw, bool escaped) {
  std::string_view name = raw;
  if (escaped) {
    char* copy = unescaped_.allocate(raw.size());
    name = {copy, unescape_json(raw, copy)};
  }
  if (names_.size() - starts_.back() >= kLinearNames) return add_large(name);
  const Name added{head_of(name), name};
  if (is_among(added)) return false;
  names_.push_back(added);
  return true;
}

bool OpenKeys::add_large(std::string_view name) {
  if (large_.empty() || large_.back().first != starts_.size()) {
    auto& set = large_.emplace_back(starts_.size(), std::unordered_set<std::string_view>()).second;
    for (size_t i = starts_.back(); i < names_.size(); ++i) set.insert(names_[i].text);
  }
  return large_.back().second.insert(name).second;
}

}  // namespace quarry
