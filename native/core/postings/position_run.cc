#include "postings/position_run.h"

#include <algorithm>

namespace quarry {

void put_position_run(std::span<const uint32_t> gaps, ByteWriter& out) {
  while (gaps.size() >= kMinPositionPack) {
    const auto pack = gaps.first(std::min<size_t>(gaps.size(), kPackValues));
    const size_t header_at = out.size();
    out.put(uint16_t{0});
    const PackShape shape = put_patched(pack, out);
    out.patch(header_at, shape.width);
    out.patch(header_at + 1, shape.exception_bytes);
    gaps = gaps.subspan(pack.size());
  }
  for (const uint32_t gap : gaps) out.put_varint(gap);
}

void PositionRun::reset(Bytes section, uint64_t at, uint32_t count) noexcept {
  section_ = section;
  start_ = at;
  count_ = count;
  loaded_ = kNoPack;
  next_pack_ = 0;
  next_at_ = at;
}

bool PositionRun::load_varints(uint32_t count) noexcept {
  ByteReader reader(section_.subspan(next_at_));
  for (uint32_t i = 0; i < count; ++i) values_[i] = static_cast<uint32_t>(reader.get_varint());
  return !reader.failed();
}

bool PositionRun::load_pack(uint32_t index) noexcept {
  if (index == loaded_) return true;
  loaded_ = kNoPack;
  if (index < next_pack_) {
    next_pack_ = 0;
    next_at_ = start_;
  }
  while (true) {
    const uint32_t count = std::min(kPackValues, count_ - next_pack_ * kPackValues);
    if (next_at_ > section_.size()) return false;
    if (count < kMinPositionPack) {  // always the last pack
      if (!load_varints(count)) return false;
      break;
    }
    if (section_.size() - next_at_ < 2) return false;
    const PackShape shape = {section_[next_at_], section_[next_at_ + 1]};
    if (shape.width > kMaxPackWidth) return false;
    if (next_pack_ == index) {
      if (!get_patched(section_, next_at_ + 2, count, shape, values_)) return false;
      break;
    }
    next_at_ += 2 + patched_bytes(count, shape);
    next_pack_++;
  }
  loaded_ = index;
  return true;
}

const uint32_t* PositionRun::gaps(uint32_t first, uint32_t count) noexcept {
  const uint32_t begin = first % kPackValues;
  if (first > count_ || count > count_ - first || count > kPackValues - begin) return nullptr;
  return load_pack(first / kPackValues) ? values_ + begin : nullptr;
}

bool PositionRun::read(uint32_t first, uint32_t count, std::vector<uint32_t>& out) {
  if (first > count_ || count > count_ - first) return false;
  const size_t size = out.size();
  uint32_t position = 0;
  while (count > 0 && load_pack(first / kPackValues)) {
    const uint32_t begin = first % kPackValues;
    const uint32_t taken = std::min(count, kPackValues - begin);
    // One pack at a time, so that a damaged count cannot allocate more than the bytes can hold.
    out.resize(out.size() + taken);
    uint32_t* to = out.data() + out.size() - taken;
    bool ascends = true;
    for (uint32_t i = 0; i < taken; ++i) {
      ascends = ascends && position + values_[begin + i] >= position;
      position += values_[begin + i];
      to[i] = position;
    }
    if (!ascends) break;
    first += taken;
    count -= taken;
  }
  if (count > 0) out.resize(size);
  return count == 0;
}

}  // namespace quarry
