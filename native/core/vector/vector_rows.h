// Rows of floats by ordinal, either contiguous or each in the segment that it comes from.
#pragma once

#include <cstdint>
#include <span>

namespace quarry {

/// A view. All rows have the same number of dimensions.
class VectorRows {
 public:
  VectorRows(const float* first, uint32_t count, uint32_t dims)
      : first_(first), count_(count), dims_(dims) {}
  VectorRows(std::span<const float* const> rows, uint32_t dims)
      : rows_(rows.data()), count_(static_cast<uint32_t>(rows.size())), dims_(dims) {}
  uint32_t size() const { return count_; }
  uint32_t dims() const { return dims_; }
  const float* operator[](uint32_t ordinal) const noexcept {
    return rows_ != nullptr ? rows_[ordinal] : first_ + static_cast<size_t>(ordinal) * dims_;
  }

 private:
  const float* first_ = nullptr;
  const float* const* rows_ = nullptr;
  uint32_t count_;
  uint32_t dims_;
};

}  // namespace quarry
