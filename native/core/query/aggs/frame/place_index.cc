// Builds the steps of the index.
#include "query/aggs/frame/place_index.h"

#include <bit>
#include <limits>

namespace quarry {
namespace {

constexpr uint32_t kMaxWidth = 4;
constexpr uint32_t kMaxSteps = 4096;  // 32 KB
constexpr uint64_t kMaxCode = std::numeric_limits<uint32_t>::max();

}  // namespace

PlaceIndex::PlaceIndex(const Rounding& rounding, const Column& column) {
  const ColumnCodes codes = column.codes();
  const Column::Zone bounds = column.bounds();
  const size_t first = rounding.place_of(bounds.min);
  const size_t end = rounding.place_of(bounds.max) + 1;
  if (codes.width > kMaxWidth || first >= end || end > rounding.table_size()) return;
  // The last code of each place, and the length of the shortest inner place in codes.
  std::vector<uint32_t> last;
  last.reserve(end - first);
  uint64_t shortest = kMaxCode;
  for (size_t place = first; place < end; place++) {
    const auto behind = static_cast<uint64_t>(rounding.end_at(place) - codes.base);
    const uint64_t code = (behind - 1) / codes.step;
    last.push_back(static_cast<uint32_t>(place + 1 == end ? kMaxCode : std::min(code, kMaxCode)));
    if (place > first && place + 1 < end)
      shortest = std::min<uint64_t>(shortest, last.back() - last[last.size() - 2]);
  }
  if (shortest == 0) return;
  shift_ = static_cast<uint32_t>(std::bit_width(shortest)) - 1;
  const uint64_t most = static_cast<uint64_t>(bounds.max - codes.base) / codes.step;
  if (most > kMaxCode || most >> shift_ >= kMaxSteps) return;
  steps_.reserve((most >> shift_) + 1);
  size_t at = 0;
  for (uint64_t code = 0; code <= most; code += uint64_t{1} << shift_) {
    if (code > last[at]) at++;
    steps_.push_back({last[at], static_cast<uint32_t>(first + at)});
  }
}

}  // namespace quarry
