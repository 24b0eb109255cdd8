// Finds the documents with a value in a range: zones are checked first, then codes are compared 64
// documents at a time.
#include <algorithm>
#include <bit>

#include "base/stop_check.h"
#include "columns/column.h"

namespace quarry {
namespace {

constexpr uint32_t kStepsPerZone = 128;
constexpr uint32_t kPresentDocs = 1 << 16;  // between two looks whether to stop; whole words

/// One bit for each of `count` (<= 64) codes: whether it is in the range. Both steps can be
/// vectorized by compilers: one byte per code, then eight bytes to eight bits by one
/// multiplication.
template <typename T>
uint64_t match_codes(const uint8_t* codes, uint32_t count, T low, T span) noexcept {
  uint8_t matched[64] = {};
  for (uint32_t i = 0; i < count; ++i) {
    const T above = static_cast<T>(load<T>(codes + size_t{i} * sizeof(T)) - low);
    matched[i] = above <= span ? 1 : 0;
  }
  uint64_t bits = 0;
  for (uint32_t i = 0; i < 8; ++i) {
    bits |= (load<uint64_t>(matched + size_t{8} * i) * 0x0102040810204080) >> 56 << (8 * i);
  }
  return bits;
}

/// A mask of the documents of `word` that are below `end`.
uint64_t words_mask(uint32_t word, uint32_t end) noexcept {
  const uint64_t docs = uint64_t{end} - uint64_t{64} * word;
  return docs >= 64 ? ~uint64_t{0} : (uint64_t{1} << docs) - 1;
}

}  // namespace

std::optional<Column::CodeRange> Column::code_range(int64_t low, int64_t high) const {
  const auto base = static_cast<uint64_t>(base_);
  const uint64_t above_low = low <= base_ ? 0 : static_cast<uint64_t>(low) - base;
  const uint64_t above_high = static_cast<uint64_t>(std::min(high, bounds_.max)) - base;
  const uint64_t first = above_low / step_ + (above_low % step_ == 0 ? 0 : 1);
  const uint64_t last = above_high / step_;
  if (first > last) return std::nullopt;
  return CodeRange{.low = first, .span = last - first};
}

uint64_t Column::presence_word(uint32_t word) const noexcept {
  if (presence_ == column_format::Presence::kAll) return words_mask(word, max_doc_);
  return load<uint64_t>(words_ + size_t{8} * word);
}

bool Column::slot_matches(uint32_t slot, const CodeRange& range) const noexcept {
  if (!multi_valued_) return range.contains(code(slot));
  const CodeSpan span = codes_at(slot);
  for (uint32_t i = span.begin; i < span.end; ++i) {
    if (range.contains(code(i))) return true;
  }
  return false;
}

uint64_t Column::match_word(uint32_t word, uint64_t present, const CodeRange& range) const {
  const uint32_t first = word * 64;
  if (multi_valued_ || !slot_per_doc_) {
    uint64_t bits = 0;
    for (uint64_t left = present; left != 0; left &= left - 1) {
      const auto bit = static_cast<uint32_t>(std::countr_zero(left));
      if (slot_matches(slot_of(first + bit), range)) bits |= uint64_t{1} << bit;
    }
    return bits;
  }
  const uint32_t count = std::min<uint32_t>(64, max_doc_ - first);
  const uint8_t* codes = codes_ + size_t{width_} * first;
  switch (width_) {
    case 0:
      return range.contains(0) ? present : 0;
    case 1:
      return present & match_codes(codes, count, static_cast<uint8_t>(range.low),
                                   static_cast<uint8_t>(range.span));
    case 2:
      return present & match_codes(codes, count, static_cast<uint16_t>(range.low),
                                   static_cast<uint16_t>(range.span));
    case 4:
      return present & match_codes(codes, count, static_cast<uint32_t>(range.low),
                                   static_cast<uint32_t>(range.span));
    default:
      return present & match_codes(codes, count, range.low, range.span);
  }
}

void Column::collect_listed(uint32_t first, uint32_t end, const CodeRange* range,
                            Bitset& out) const {
  for (uint32_t at = list_at(first); at < doc_count_; ++at) {
    const auto doc = load<uint32_t>(docs_ + size_t{4} * at);
    if (doc >= end) return;
    if (range == nullptr || slot_matches(at, *range)) out.set(doc);
  }
}

/// `range` null: every document with a value matches. `first` is a multiple of 64.
void Column::collect_zone(uint32_t first, uint32_t end, const CodeRange* range, Bitset& out) const {
  if (presence_ == column_format::Presence::kList) return collect_listed(first, end, range, out);
  for (uint32_t word = first / 64; word * uint64_t{64} < end; ++word) {
    const uint64_t present = presence_word(word) & words_mask(word, end);
    out.words()[word] |= range == nullptr ? present : match_word(word, present, *range);
  }
}

void Column::collect_range(int64_t low, int64_t high, Bitset& out, StopCheck* stop) const {
  if (low > high || low > bounds_.max || high < bounds_.min) return;
  const std::optional<CodeRange> range = code_range(low, high);
  if (!range) return;
  for (uint32_t index = 0; index < zone_count(); ++index) {
    const Zone here = zone(index);
    if (here.min > here.max || here.max < low || here.min > high) continue;
    if (stop != nullptr && stop->step(kStepsPerZone)) return;
    const bool inside = low <= here.min && here.max <= high;
    const uint32_t first = index * kZoneDocs;
    collect_zone(first,
                 static_cast<uint32_t>(std::min<uint64_t>(uint64_t{first} + kZoneDocs, max_doc_)),
                 inside ? nullptr : &*range, out);
  }
}

bool Column::matches_range(uint32_t doc, int64_t low, int64_t high) const noexcept {
  const CodeSpan span = codes_of(doc);
  for (uint32_t i = span.begin; i < span.end; ++i) {
    const int64_t one = value_of(code(i));
    if (one >= low) return one <= high;  // the values ascend
  }
  return false;
}

void Column::collect_members(const Bitset& wanted, Bitset& out) const {
  const auto wanted_value = [&wanted](int64_t value) {
    return value >= 0 && value < int64_t{wanted.size()} &&
           wanted.test(static_cast<uint32_t>(value));
  };
  const auto test_doc = [&](uint32_t doc) {
    bool found = false;
    each(doc, [&](int64_t value) { found = found || wanted_value(value); });
    if (found) out.set(doc);
  };
  if (presence_ == column_format::Presence::kList) {
    for (uint32_t at = 0; at < doc_count_; ++at) test_doc(load<uint32_t>(docs_ + size_t{4} * at));
    return;
  }
  for (uint32_t doc = 0; doc < max_doc_; ++doc) test_doc(doc);
}

void Column::collect_present(Bitset& out, StopCheck* stop) const {
  for (uint32_t first = 0; first < max_doc_; first += kPresentDocs) {
    if (stop != nullptr && stop->expired()) return;
    collect_zone(first, std::min(first + kPresentDocs, max_doc_), nullptr, out);
  }
}

}  // namespace quarry
