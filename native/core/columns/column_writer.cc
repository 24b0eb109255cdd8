// A column section, version 1. Integers are little-endian; every array starts at a multiple of 16
// bytes after zero padding. z = ceil(max doc / 1024) zones, w = ceil(max doc / 64) words, d
// documents with a value, v values. A column has slots: one per document of the segment (flag 2),
// or one per document with a value, in order.
//
//   header    u32 magic "QCOL", u16 version, u16 flags (1 multi-valued, 2 slot per document), u8
//             presence (0 all, 1 bits, 2 list), u8 bytes per code (0, 1, 2, 4, 8), u16 zero, u32
//             max doc, u32 d, u32 zero, u64 v, i64 base, u64 step, u64 largest code, zeros to 64
//             bytes
//   i64[z]    smallest value of each zone of 1,024 documents; larger than the largest one if the
//             zone has none
//   i64[z]    largest value of each zone
//   u64[w]    presence bits (presence 1)
//   u32[w]    set bits before each word (presence 1 without flag 2)
//   u32[d]    documents with a value, ascending (presence 2)
//   u32[s+1]  index of each slot's first value; the last entry is v (multi-valued; s slots)
//   codes     one per slot, or v of them if multi-valued: value = base + step x code. Slots without
//             a value hold 0
//   zeros     eight bytes right after the codes
//
// The values of a document ascend. With 0 bytes per code all values are the base.
#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "columns/column.h"

namespace quarry {
namespace {

template <typename T>
void put_array(const std::vector<T>& values, ByteWriter& out) {
  out.align(column_format::kAlignment);
  out.put_bytes(Bytes(reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)));
}

uint8_t bytes_for(uint64_t max_code) {
  if (max_code == 0) return 0;
  if (max_code <= std::numeric_limits<uint8_t>::max()) return 1;
  if (max_code <= std::numeric_limits<uint16_t>::max()) return 2;
  return max_code <= std::numeric_limits<uint32_t>::max() ? 4 : 8;
}

/// The encoding of values as codes.
struct Coding {
  int64_t base = 0;
  uint64_t step = 1;
  uint64_t max_code = 0;
  uint64_t code(int64_t value) const {
    const uint64_t above = static_cast<uint64_t>(value) - static_cast<uint64_t>(base);
    return step == 1 ? above : above / step;
  }
};

/// Divides all distances by their greatest common divisor (for example for dates of whole seconds)
/// if that reduces the width.
Coding choose_coding(const std::vector<int64_t>& values) {
  Coding coding;
  if (values.empty()) return coding;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  coding.base = *least;
  coding.max_code = static_cast<uint64_t>(*most) - static_cast<uint64_t>(*least);
  uint64_t shared = 0;
  for (const int64_t value : values) {
    const uint64_t above = static_cast<uint64_t>(value) - static_cast<uint64_t>(coding.base);
    if (shared == 0 || above % shared != 0) shared = std::gcd(shared, above);
    if (shared == 1) return coding;
  }
  if (shared == 0 || bytes_for(coding.max_code / shared) == bytes_for(coding.max_code))
    return coding;
  coding.step = shared;
  coding.max_code /= shared;
  return coding;
}

template <typename T>
void put_codes(const std::vector<uint64_t>& codes, ByteWriter& out) {
  std::vector<T> narrow(codes.size());
  std::transform(codes.begin(), codes.end(), narrow.begin(),
                 [](uint64_t code) { return static_cast<T>(code); });
  put_array(narrow, out);
}

void put_codes(const std::vector<uint64_t>& codes, uint8_t width, ByteWriter& out) {
  switch (width) {
    case 0:
      return put_array(std::vector<uint8_t>{}, out);
    case 1:
      return put_codes<uint8_t>(codes, out);
    case 2:
      return put_codes<uint16_t>(codes, out);
    case 4:
      return put_codes<uint32_t>(codes, out);
    default:
      return put_codes<uint64_t>(codes, out);
  }
}

/// A column grouped by document, before it is encoded.
struct Layout {
  uint32_t max_doc = 0;
  const std::vector<uint32_t>& docs;  // documents with a value, each once
  const std::vector<uint32_t>& ends;  // end of the values of each document
  const std::vector<int64_t>& values;
  bool multi_valued = false;
  bool slot_per_doc = false;
  column_format::Presence presence = column_format::Presence::kAll;

  uint32_t begin(size_t i) const { return i == 0 ? 0 : ends[i - 1]; }
};

void choose_presence(Layout& layout) {
  const uint64_t present = layout.docs.size();
  if (present == layout.max_doc) {
    layout.presence = column_format::Presence::kAll;
  } else if (present * column_format::kListBelow < layout.max_doc) {
    layout.presence = column_format::Presence::kList;
  } else {
    layout.presence = column_format::Presence::kBits;
  }
  // If at least half of the documents have a value, empty slots cost less than finding the slot of
  // a document.
  layout.slot_per_doc =
      layout.presence != column_format::Presence::kList && present * 2 >= layout.max_doc;
}

void put_zones(const Layout& layout, ByteWriter& out) {
  const size_t zones = (size_t{layout.max_doc} + kZoneDocs - 1) / kZoneDocs;
  std::vector<int64_t> least(zones, std::numeric_limits<int64_t>::max());
  std::vector<int64_t> most(zones, std::numeric_limits<int64_t>::min());
  for (size_t i = 0; i < layout.docs.size(); ++i) {
    const size_t zone = layout.docs[i] / kZoneDocs;
    least[zone] = std::min(least[zone], layout.values[layout.begin(i)]);
    most[zone] = std::max(most[zone], layout.values[layout.ends[i] - 1]);
  }
  put_array(least, out);
  put_array(most, out);
}

void put_presence(const Layout& layout, ByteWriter& out) {
  std::vector<uint64_t> words;
  std::vector<uint32_t> ranks;
  if (layout.presence == column_format::Presence::kBits) {
    words.resize((size_t{layout.max_doc} + 63) / 64);
    for (const uint32_t doc : layout.docs) words[doc / 64] |= uint64_t{1} << (doc % 64);
    uint32_t before = 0;
    for (size_t i = 0; i < words.size() && !layout.slot_per_doc; ++i) {
      ranks.push_back(before);
      before += static_cast<uint32_t>(std::popcount(words[i]));
    }
  }
  put_array(words, out);
  put_array(ranks, out);
  put_array(
      layout.presence == column_format::Presence::kList ? layout.docs : std::vector<uint32_t>{},
      out);
}

void put_offsets(const Layout& layout, ByteWriter& out) {
  std::vector<uint32_t> offsets;
  if (layout.multi_valued) {
    offsets.push_back(0);
    for (size_t i = 0; i < layout.docs.size(); ++i) {
      // Documents without values between two documents with values begin and end where the values
      // of the first of these end.
      if (layout.slot_per_doc) offsets.resize(size_t{layout.docs[i]} + 1, offsets.back());
      offsets.push_back(layout.ends[i]);
    }
    if (layout.slot_per_doc) offsets.resize(size_t{layout.max_doc} + 1, offsets.back());
  }
  put_array(offsets, out);
}

std::vector<uint64_t> make_codes(const Layout& layout, const Coding& coding) {
  const bool by_doc = layout.slot_per_doc && !layout.multi_valued;
  std::vector<uint64_t> codes(by_doc ? layout.max_doc : layout.values.size());
  for (size_t i = 0; i < layout.values.size(); ++i) {
    codes[by_doc ? layout.docs[i] : i] = coding.code(layout.values[i]);
  }
  return codes;
}

}  // namespace

std::vector<uint32_t> ColumnWriter::group_by_doc() {
  std::vector<uint32_t> ends;
  size_t kept = 0;
  for (size_t begin = 0; begin < docs_.size();) {
    size_t end = begin + 1;
    while (end < docs_.size() && docs_[end] == docs_[begin]) ++end;
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(begin);
    auto last = values_.begin() + static_cast<std::ptrdiff_t>(end);
    if (end - begin > 1) {
      std::sort(first, last);
      if (unique_) last = std::unique(first, last);
    }
    kept = static_cast<size_t>(
        std::copy(first, last, values_.begin() + static_cast<std::ptrdiff_t>(kept)) -
        values_.begin());
    docs_[ends.size()] = docs_[begin];
    ends.push_back(static_cast<uint32_t>(kept));
    begin = end;
  }
  docs_.resize(ends.size());
  values_.resize(kept);
  return ends;
}

std::vector<uint8_t> ColumnWriter::finish(uint32_t max_doc) {
  const std::vector<uint32_t> ends = group_by_doc();
  Layout layout{.max_doc = max_doc, .docs = docs_, .ends = ends, .values = values_};
  layout.multi_valued = values_.size() != docs_.size();
  choose_presence(layout);
  const Coding coding = choose_coding(values_);
  const uint8_t width = bytes_for(coding.max_code);

  ByteWriter out;
  out.put(column_format::kMagic);
  out.put(column_format::kVersion);
  out.put(static_cast<uint16_t>((layout.multi_valued ? column_format::kMultiValued : 0) |
                                (layout.slot_per_doc ? column_format::kSlotPerDoc : 0)));
  out.put(layout.presence);
  out.put(width);
  out.put(uint16_t{0});
  out.put(max_doc);
  out.put(static_cast<uint32_t>(docs_.size()));
  out.put(uint32_t{0});
  out.put(static_cast<uint64_t>(values_.size()));
  out.put(coding.base);
  out.put(coding.step);
  out.put(coding.max_code);
  out.align(column_format::kHeaderBytes);
  put_zones(layout, out);
  put_presence(layout, out);
  put_offsets(layout, out);
  put_codes(make_codes(layout, coding), width, out);
  for (size_t i = 0; i < column_format::kCodePadding; ++i) out.put(uint8_t{0});
  return out.take();
}

}  // namespace quarry
