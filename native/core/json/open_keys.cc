// Few names are compared one by one; objects with many get a hash set.
#include "json/open_keys.h"

#include "json/scanner.h"

namespace quarry {

namespace {
constexpr size_t kLinearNames = 24;  // beyond this a hash set is cheaper than comparing
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
  for (size_t i = starts_.back(); i < names_.size(); ++i) {
    if (names_[i] == name) return false;
  }
  names_.push_back(name);
  return true;
}

bool OpenKeys::add_large(std::string_view name) {
  if (large_.empty() || large_.back().first != starts_.size()) {
    auto& set = large_.emplace_back(starts_.size(), std::unordered_set<std::string_view>()).second;
    for (size_t i = starts_.back(); i < names_.size(); ++i) set.insert(names_[i]);
  }
  return large_.back().second.insert(name).second;
}

}  // namespace quarry
