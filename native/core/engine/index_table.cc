#include "engine/engine_impl.h"

namespace quarry {

std::shared_ptr<Index> IndexTable::find(uint32_t number) const {
  const std::shared_lock lock(mutex_);
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<Index>> IndexTable::all() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::shared_ptr<Index>> indices;
  indices.reserve(by_number_.size());
  for (const auto& [number, index] : by_number_) indices.push_back(index);
  return indices;
}

void IndexTable::put(std::shared_ptr<Index> index) {
  const std::unique_lock lock(mutex_);
  by_number_[index->number()] = std::move(index);
}

void IndexTable::erase(uint32_t number) {
  const std::unique_lock lock(mutex_);
  by_number_.erase(number);
}

}  // namespace quarry
