#include "columns/column.h"

#include <algorithm>
#include <bit>
#include <string>

namespace quarry {
namespace {

Status corrupt_column(const std::string& what) {
  return {ErrorType::kCorrupt, "column section: " + what};
}

uint32_t u32_at(const uint8_t* array, size_t index) noexcept {
  return load<uint32_t>(array + 4 * index);
}
uint64_t u64_at(const uint8_t* array, size_t index) noexcept {
  return load<uint64_t>(array + 8 * index);
}

constexpr size_t word_count(uint32_t docs) { return (size_t{docs} + 63) / 64; }

template <typename T>
bool all_at_most(const uint8_t* codes, uint64_t count, uint64_t limit) {
  T most = 0;
  for (uint64_t i = 0; i < count; ++i) most = std::max(most, load<T>(codes + i * sizeof(T)));
  return most <= limit;
}

template <typename T>
void decode_as(const uint8_t* codes, uint32_t count, int64_t base, uint64_t step,
               int64_t* out) noexcept {
  const auto start = static_cast<uint64_t>(base);
  if (step == 1) {
    for (uint32_t i = 0; i < count; ++i) {
      out[i] = static_cast<int64_t>(start + load<T>(codes + size_t{i} * sizeof(T)));
    }
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    out[i] = static_cast<int64_t>(start + step * load<T>(codes + size_t{i} * sizeof(T)));
  }
}

}  // namespace

Result<Column> Column::open(Bytes section, uint32_t max_doc) {
  Column column;
  column.max_doc_ = max_doc;
  QUARRY_RETURN_IF_ERROR(column.read(section));
  return column;
}

Status Column::read(Bytes section) {
  ByteReader header(section);
  const auto magic = header.get<uint32_t>();
  const auto version = header.get<uint16_t>();
  const auto flags = header.get<uint16_t>();
  const auto presence = header.get<uint8_t>();
  width_ = header.get<uint8_t>();
  header.get<uint16_t>();
  const auto max_doc = header.get<uint32_t>();
  doc_count_ = header.get<uint32_t>();
  header.get<uint32_t>();
  value_count_ = header.get<uint64_t>();
  base_ = header.get<int64_t>();
  step_ = header.get<uint64_t>();
  const auto max_code = header.get<uint64_t>();
  if (header.failed()) return corrupt_column("shorter than its header");
  if (magic != column_format::kMagic) return corrupt_column("bad magic number");
  if (version != column_format::kVersion)
    return corrupt_column("unknown version " + std::to_string(version));
  if ((flags & ~(column_format::kMultiValued | column_format::kSlotPerDoc)) != 0)
    return corrupt_column("unknown flags " + std::to_string(flags));
  if (presence > static_cast<uint8_t>(column_format::Presence::kList))
    return corrupt_column("unknown presence " + std::to_string(presence));
  if (max_doc != max_doc_) {
    return corrupt_column("made for " + std::to_string(max_doc) + " documents, not " +
                          std::to_string(max_doc_));
  }
  multi_valued_ = (flags & column_format::kMultiValued) != 0;
  slot_per_doc_ = (flags & column_format::kSlotPerDoc) != 0;
  presence_ = static_cast<column_format::Presence>(presence);
  if (!header_valid(max_code)) return corrupt_column("its header contradicts itself");
  code_mask_ = width_ == 0 ? 0 : ~uint64_t{0} >> (64 - 8 * width_);
  if (!read_arrays(section))
    return corrupt_column("its arrays do not fill " + std::to_string(section.size()) + " bytes");
  if (!presence_valid()) return corrupt_column("bad presence of documents");
  if (!offsets_valid()) return corrupt_column("bad value offsets");
  if (!codes_valid(max_code)) return corrupt_column("a value beyond its bounds");
  if (doc_count_ > 0) bounds_ = {base_, value_of(max_code)};
  return {};
}

bool Column::header_valid(uint64_t max_code) const {
  if (width_ > 8 || (width_ != 0 && !std::has_single_bit(width_))) return false;
  if (doc_count_ > max_doc_ || value_count_ >= std::numeric_limits<uint32_t>::max()) return false;
  if (multi_valued_ ? value_count_ < doc_count_ : value_count_ != doc_count_) return false;
  if (presence_ == column_format::Presence::kAll && (doc_count_ != max_doc_ || !slot_per_doc_))
    return false;
  if (presence_ == column_format::Presence::kList && slot_per_doc_) return false;
  if (width_ == 0 && max_code != 0) return false;
  const uint64_t room =
      static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) - static_cast<uint64_t>(base_);
  return step_ != 0 && max_code <= room / step_;
}

bool Column::read_arrays(Bytes section) {
  ByteReader reader(section);
  reader.seek(column_format::kHeaderBytes);
  bool fits = !reader.failed();
  const auto next = [&](bool present, uint64_t count, size_t width) -> const uint8_t* {
    reader.align(column_format::kAlignment);
    if (!present) return nullptr;
    fits = fits && count * width <= reader.remaining();
    return fits ? reader.get_bytes(count * width).data() : nullptr;
  };
  const bool bits = presence_ == column_format::Presence::kBits;
  zone_min_ = next(true, zone_count(), 8);
  zone_max_ = next(true, zone_count(), 8);
  words_ = next(bits, word_count(max_doc_), 8);
  ranks_ = next(bits && !slot_per_doc_, word_count(max_doc_), 4);
  docs_ = next(presence_ == column_format::Presence::kList, doc_count_, 4);
  offsets_ = next(multi_valued_, uint64_t{slot_count()} + 1, 4);
  const uint64_t codes = multi_valued_ ? value_count_ : slot_count();
  codes_ = next(true, codes * width_ + column_format::kCodePadding, 1);
  return fits && !reader.failed() && reader.done();
}

bool Column::presence_valid() const {
  if (presence_ == column_format::Presence::kAll) return true;
  if (presence_ == column_format::Presence::kList) {
    uint64_t least = 0;
    for (uint32_t i = 0; i < doc_count_; ++i) {
      const uint32_t doc = u32_at(docs_, i);
      if (doc < least || doc >= max_doc_) return false;
      least = uint64_t{doc} + 1;
    }
    return true;
  }
  uint32_t before = 0;
  for (uint32_t i = 0; i < word_count(max_doc_); ++i) {
    if (ranks_ != nullptr && u32_at(ranks_, i) != before) return false;
    before += static_cast<uint32_t>(std::popcount(u64_at(words_, i)));
  }
  const bool no_bits_beyond =
      max_doc_ % 64 == 0 || u64_at(words_, word_count(max_doc_) - 1) >> (max_doc_ % 64) == 0;
  return before == doc_count_ && no_bits_beyond;
}

bool Column::offsets_valid() const {
  if (!multi_valued_) return true;
  uint32_t before = u32_at(offsets_, 0);
  if (before != 0) return false;
  for (uint32_t slot = 0; slot < slot_count(); ++slot) {
    const uint32_t end = u32_at(offsets_, size_t{slot} + 1);
    const bool present = !slot_per_doc_ || slot_of(slot) != kNoSlot;
    if (present ? end <= before : end != before) return false;
    before = end;
  }
  return before == value_count_;
}

bool Column::codes_valid(uint64_t max_code) const {
  const uint64_t count = multi_valued_ ? value_count_ : slot_count();
  switch (width_) {
    case 0:
      return true;
    case 1:
      return all_at_most<uint8_t>(codes_, count, max_code);
    case 2:
      return all_at_most<uint16_t>(codes_, count, max_code);
    case 4:
      return all_at_most<uint32_t>(codes_, count, max_code);
    default:
      return all_at_most<uint64_t>(codes_, count, max_code);
  }
}

Column::Zone Column::zone(uint32_t index) const {
  return {load<int64_t>(zone_min_ + size_t{8} * index),
          load<int64_t>(zone_max_ + size_t{8} * index)};
}

uint32_t Column::list_at(uint32_t doc) const noexcept {
  uint32_t first = 0;
  for (uint32_t left = doc_count_; left > 0;) {
    const uint32_t half = left / 2;
    const bool right = u32_at(docs_, size_t{first} + half) < doc;
    first = right ? first + half + 1 : first;
    left = right ? left - half - 1 : half;
  }
  return first;
}

uint32_t Column::find_slot(uint32_t doc) const noexcept {
  if (presence_ == column_format::Presence::kList) {
    const uint32_t at = list_at(doc);
    return at < doc_count_ && u32_at(docs_, at) == doc ? at : kNoSlot;
  }
  const uint64_t word = u64_at(words_, doc / 64);
  const uint64_t bit = uint64_t{1} << (doc % 64);
  if ((word & bit) == 0) return kNoSlot;
  if (slot_per_doc_) return doc;
  return u32_at(ranks_, doc / 64) + static_cast<uint32_t>(std::popcount(word & (bit - 1)));
}

void Column::decode_codes(uint64_t first, uint32_t count, int64_t* out) const noexcept {
  switch (width_) {
    case 0:
      std::fill(out, out + count, base_);
      return;
    case 1:
      return decode_as<uint8_t>(codes_ + first, count, base_, step_, out);
    case 2:
      return decode_as<uint16_t>(codes_ + 2 * first, count, base_, step_, out);
    case 4:
      return decode_as<uint32_t>(codes_ + 4 * first, count, base_, step_, out);
    default:
      return decode_as<uint64_t>(codes_ + 8 * first, count, base_, step_, out);
  }
}

void Column::decode(uint32_t first, uint32_t count, int64_t missing, int64_t* out) const noexcept {
  if (slot_per_doc_ && !multi_valued_) {
    decode_codes(first, count, out);
    for (uint32_t i = 0; i < count && presence_ != column_format::Presence::kAll;) {
      // The documents without a value among those of the current word, from the i-th on.
      const uint32_t doc = first + i;
      const uint32_t here = std::min(count - i, 64 - doc % 64);
      uint64_t absent = ~u64_at(words_, doc / 64) >> (doc % 64);
      if (here < 64) absent &= (uint64_t{1} << here) - 1;
      for (; absent != 0; absent &= absent - 1)
        out[i + static_cast<uint32_t>(std::countr_zero(absent))] = missing;
      i += here;
    }
    return;
  }
  if (presence_ == column_format::Presence::kList) {
    std::fill(out, out + count, missing);
    for (uint32_t at = list_at(first); at < doc_count_ && u32_at(docs_, at) - first < count; ++at) {
      out[u32_at(docs_, at) - first] = value_of(code(multi_valued_ ? u32_at(offsets_, at) : at));
    }
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t slot = slot_of(first + i);
    out[i] =
        slot == kNoSlot ? missing : value_of(code(multi_valued_ ? u32_at(offsets_, slot) : slot));
  }
}

}  // namespace quarry
