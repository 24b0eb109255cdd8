#include "postings/term_dictionary.h"

#include <algorithm>
#include <string>

#include "postings/term_dictionary_writer.h"

namespace quarry {
namespace {

Status corrupt_terms(std::string_view what) {
  return {ErrorType::kCorrupt, "terms section: " + std::string(what)};
}

/// Returns the arrays of the section one after the other, aligned as the writer aligned them.
class ArrayReader {
 public:
  ArrayReader(Bytes section, size_t at) : reader_(section) { reader_.seek(at); }
  const uint8_t* next(uint64_t count, size_t width) {
    reader_.align(terms_format::kAlignment);
    if (count > reader_.remaining() / width) {
      failed_ = true;
      return nullptr;
    }
    return reader_.get_bytes(count * width).data();
  }
  bool ok() const { return !failed_ && !reader_.failed() && reader_.done(); }

 private:
  ByteReader reader_;
  bool failed_ = false;
};

uint64_t u64_at(const uint8_t* array, size_t index) noexcept {
  return load<uint64_t>(array + 8 * index);
}
uint32_t u32_at(const uint8_t* array, size_t index) noexcept {
  return load<uint32_t>(array + 4 * index);
}

size_t shared_prefix(std::string_view a, std::string_view b) noexcept {
  const size_t limit = std::min(a.size(), b.size());
  size_t length = 0;
  while (length < limit && a[length] == b[length]) ++length;
  return length;
}

constexpr uint32_t group_count(uint32_t terms) {
  return static_cast<uint32_t>((uint64_t{terms} + terms_format::kGroupTerms - 1) /
                               terms_format::kGroupTerms);
}

/// The content of a term's row in either version.
struct TermRow {
  uint32_t head = 0;  // documents, norm << 8
  uint32_t freq = 0;
  uint32_t location = 0;
  uint32_t positions = 0;
};

/// Reads a row of version 1.
TermRow plain_row(const uint8_t* row, bool positions) noexcept {
  const auto head = load<uint32_t>(row);
  return {head & 0xffff, head >> 16, load<uint32_t>(row + 4),
          positions ? load<uint32_t>(row + 8) : 0};
}

/// The start of the rows of version 2, after the array with the start of each group's rows.
const uint8_t* packed_rows(const uint8_t* groups, uint32_t terms) noexcept {
  const size_t bytes = size_t{8} * group_count(terms);
  return groups + (bytes + terms_format::kAlignment - 1) / terms_format::kAlignment *
                      terms_format::kAlignment;
}

/// Reads `width` (up to 32) bits from bit `at` on.
uint32_t bits_at(const uint8_t* bytes, size_t at, uint32_t width) noexcept {
  const uint64_t mask = (uint64_t{1} << width) - 1;
  return static_cast<uint32_t>(load<uint64_t>(bytes + at / 8) >> at % 8 & mask);
}

TermRow packed_row(const uint8_t* groups, uint32_t terms, uint32_t ordinal) noexcept {
  const terms_format::GroupRows group =
      terms_format::GroupRows::of(u64_at(groups, ordinal / terms_format::kGroupTerms));
  const uint8_t* rows = packed_rows(groups, terms) + group.start;
  size_t at = size_t{ordinal % terms_format::kGroupTerms} * group.width();
  const auto next = [&](uint32_t width) {
    const uint32_t value = bits_at(rows, at, width);
    at += width;
    return value;
  };
  TermRow row;
  row.head = next(terms_format::GroupRows::kHeadBits);
  row.freq = next(group.freq_bits);
  row.location = next(group.location_bits);
  row.positions = next(group.positions_bits);
  return row;
}

/// The size of the rows of all groups and the slack after them. The rows of the groups must be
/// consecutive.
Result<uint64_t> packed_rows_bytes(const uint8_t* groups, uint32_t terms, bool positions) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; groups != nullptr && i < group_count(terms); ++i) {
    const terms_format::GroupRows group = terms_format::GroupRows::of(u64_at(groups, i));
    const bool sane = group.start == bytes && group.freq_bits <= 16 && group.location_bits <= 32 &&
                      group.positions_bits <= (positions ? 32U : 0U) &&
                      group.coded() == u64_at(groups, i);
    if (!sane) return corrupt_terms("rows of a group out of place");
    const uint64_t count = std::min<uint64_t>(terms_format::kGroupTerms,
                                              terms - uint64_t{terms_format::kGroupTerms} * i);
    bytes += (count * group.width() + 7) / 8;
  }
  return bytes + terms_format::kRowsSlack;
}

}  // namespace

Result<TermDictionary> TermDictionary::open(Bytes section) {
  TermDictionary dictionary;
  QUARRY_RETURN_IF_ERROR(dictionary.read_layout(section));
  return dictionary;
}

Status TermDictionary::read_layout(Bytes section) {
  ByteReader header(section);
  const auto magic = header.get<uint32_t>();
  const auto version = header.get<uint16_t>();
  const auto flags = header.get<uint16_t>();
  size_ = header.get<uint32_t>();
  const auto wide_count = header.get<uint32_t>();
  common_prefix_ = header.get<uint32_t>();
  header.get<uint32_t>();
  const auto blob_bytes = header.get<uint64_t>();
  header.align(terms_format::kHeaderBytes);
  if (header.failed()) return corrupt_terms("shorter than its header");
  if (magic != terms_format::kMagic) return corrupt_terms("bad magic number");
  if (version != terms_format::kVersion && version != terms_format::kPlainVersion)
    return corrupt_terms("unknown version " + std::to_string(version));
  if ((flags & ~terms_format::kPositions) != 0)
    return corrupt_terms("unknown flags " + std::to_string(flags));

  positions_ = (flags & terms_format::kPositions) != 0;
  const uint32_t groups = group_count(size_);
  row_bytes_ = version == terms_format::kVersion ? 0 : positions_ ? 12 : 8;
  ArrayReader arrays(section, terms_format::kHeaderBytes);
  keys_ = arrays.next(groups, 8);
  blob_bases_ = arrays.next(uint64_t{groups} + 1, 8);
  postings_bases_ = arrays.next(groups, 8);
  if (positions_) positions_bases_ = arrays.next(groups, 8);
  offsets_ = arrays.next(size_, 4);
  if (row_bytes_ == 0) {
    rows_ = arrays.next(groups, 8);
    QUARRY_ASSIGN_OR_RETURN(const uint64_t row_bytes, packed_rows_bytes(rows_, size_, positions_));
    arrays.next(row_bytes, 1);
  } else {
    rows_ = arrays.next(size_, row_bytes_);
  }
  wide_rows_ = arrays.next(wide_count, terms_format::kWideRowBytes);
  blob_ = reinterpret_cast<const char*>(arrays.next(blob_bytes, 1));
  if (!arrays.ok())
    return corrupt_terms("its arrays do not fill " + std::to_string(section.size()) + " bytes");
  blob_end_ = blob_ + blob_bytes;
  QUARRY_RETURN_IF_ERROR(check_offsets(blob_bytes));
  return check_rows(wide_count);
}

Status TermDictionary::check_offsets(uint64_t blob_bytes) const {
  uint64_t start = 0;
  for (uint32_t ordinal = 0; ordinal < size_; ++ordinal) {
    const uint32_t group = ordinal / terms_format::kGroupTerms;
    const bool first_of_group = ordinal % terms_format::kGroupTerms == 0;
    if (first_of_group && u64_at(blob_bases_, group) != start)
      return corrupt_terms("bad group start");
    const uint32_t offset = u32_at(offsets_, ordinal);
    if (offset != static_cast<uint32_t>(start)) return corrupt_terms("bad term offset");
    const bool last = ordinal + 1 == size_;
    const auto end = last ? static_cast<uint32_t>(blob_bytes) : u32_at(offsets_, ordinal + 1);
    start += static_cast<uint32_t>(end - offset);
    if (start > blob_bytes) return corrupt_terms("term offset beyond the blob");
  }
  if (start != blob_bytes || u64_at(blob_bases_, group_count(size_)) != blob_bytes) {
    return corrupt_terms("terms do not fill the blob");
  }
  if (size_ > 0 && common_prefix_ > term(0).size()) return corrupt_terms("bad common prefix");
  return {};
}

Status TermDictionary::check_rows(uint32_t wide_count) const {
  for (uint32_t ordinal = 0; ordinal < size_; ++ordinal) {
    const TermRow row = row_bytes_ == 0
                            ? packed_row(rows_, size_, ordinal)
                            : plain_row(rows_ + size_t{ordinal} * row_bytes_, positions_);
    const uint32_t doc_freq = row.head & 0xff;
    if (doc_freq < kMinBlockedDocs) continue;
    if (doc_freq != terms_format::kWideMark || row.location >= wide_count)
      return corrupt_terms("bad term row");
  }
  return {};
}

std::string_view TermDictionary::term(uint32_t ordinal) const {
  const uint32_t group = ordinal / terms_format::kGroupTerms;
  const uint64_t base = u64_at(blob_bases_, group);
  const uint32_t offset = u32_at(offsets_, ordinal);
  const uint64_t start = base + (offset - static_cast<uint32_t>(base));
  const bool last = ordinal + 1 == size_;
  const auto end = last ? static_cast<uint32_t>(u64_at(blob_bases_, size_t{group} + 1))
                        : u32_at(offsets_, ordinal + 1);
  // The offsets were checked when the section was opened; they can only be out of bounds in a file
  // that was truncated since then.
  const auto blob_bytes = static_cast<uint64_t>(blob_end_ - blob_);
  const uint64_t begin = std::min(start, blob_bytes);
  return {blob_ + begin, std::min<uint64_t>(end - offset, blob_bytes - begin)};
}

TermInfo TermDictionary::wide_info(uint32_t index) const {
  const uint8_t* row = wide_rows_ + terms_format::kWideRowBytes * index;
  TermInfo info;
  info.doc_freq = load<uint32_t>(row);
  const auto location = load<uint32_t>(row + 4);
  (info.doc_freq == 1 ? info.doc : info.first_block) = location;
  info.total_term_freq = load<uint64_t>(row + 8);
  info.postings_offset = load<uint64_t>(row + 16);
  info.positions_offset = load<uint64_t>(row + 24);
  info.first_group = load<uint32_t>(row + 32);
  info.norm = row[36];
  return info;
}

TermInfo TermDictionary::info(uint32_t ordinal) const {
  const TermRow row = row_bytes_ == 0 ? packed_row(rows_, size_, ordinal)
                                      : plain_row(rows_ + size_t{ordinal} * row_bytes_, positions_);
  if ((row.head & 0xff) == terms_format::kWideMark) return wide_info(row.location);

  TermInfo info;
  info.doc_freq = row.head & 0xff;
  info.total_term_freq = row.freq;
  info.norm = static_cast<uint8_t>(row.head >> 8 & 0xff);
  const uint32_t group = ordinal / terms_format::kGroupTerms;
  if (info.doc_freq == 1) {
    info.doc = row.location;
  } else if (info.doc_freq > 1) {
    info.postings_offset = u64_at(postings_bases_, group) + row.location;
  }
  if (positions_) {
    const uint64_t base = info.total_term_freq < 2 ? 0 : u64_at(positions_bases_, group);
    info.positions_offset = base + row.positions;
  }
  return info;
}

TermDictionary::GroupRange TermDictionary::groups_with_key(uint64_t key) const {
  const uint32_t groups = group_count(size_);
  // A branchless search over 8 bytes per 64 terms.
  uint32_t first = 0;
  for (uint32_t left = groups; left > 0;) {
    const uint32_t half = left / 2;
    const bool right = u64_at(keys_, size_t{first} + half) < key;
    first = right ? first + half + 1 : first;
    left = right ? left - half - 1 : half;
  }
  // Equal keys are rare and few, so they are skipped by doubling steps.
  uint32_t last = first;
  for (uint32_t step = 1; last < groups && u64_at(keys_, last) == key; step *= 2) {
    last += std::min(step, groups - last);
  }
  return {first, last};
}

void TermDictionary::prefetch_group(uint32_t group) const {
  // The search in a group reads a few cache lines of both arrays, one after the other, so all of
  // them are prefetched.
  constexpr uint64_t kLine = 64;
  constexpr uint64_t kMostBlobBytes = 16 * kLine;
  const uint8_t* offsets = offsets_ + size_t{4} * terms_format::kGroupTerms * group;
  const uint64_t terms = std::min<uint64_t>(terms_format::kGroupTerms,
                                            size_ - uint64_t{terms_format::kGroupTerms} * group);
  for (uint64_t at = 0; at < 4 * terms; at += kLine) __builtin_prefetch(offsets + at);
  const uint64_t begin = u64_at(blob_bases_, group);
  const uint64_t bytes = std::min(kMostBlobBytes, u64_at(blob_bases_, size_t{group} + 1) - begin);
  for (uint64_t at = 0; at < bytes; at += kLine) __builtin_prefetch(blob_ + begin + at);
}

uint32_t TermDictionary::lower_bound(std::string_view text) const {
  if (size_ == 0) return 0;
  size_t shared = 0;
  if (common_prefix_ > 0) {
    const std::string_view prefix = term(0).substr(0, common_prefix_);
    const int order = text.substr(0, prefix.size()).compare(prefix);
    if (order < 0) return 0;
    if (order > 0) return size_;
    shared = prefix.size();
  }

  // The result is in the last group whose first term is before `text`, or is the start of the next
  // group. Groups with a smaller key are before it, those with a larger key are not; only for equal
  // keys the terms themselves must be read.
  const GroupRange range = groups_with_key(terms_format::sort_key(text.substr(shared)));
  uint32_t first = range.first;
  for (uint32_t left = range.last - range.first; left > 0;) {
    const uint32_t half = left / 2;
    const bool right = term((first + half) * terms_format::kGroupTerms) < text;
    first = right ? first + half + 1 : first;
    left = right ? left - half - 1 : half;
  }
  if (first == 0) return 0;
  prefetch_group(first - 1);

  return lower_bound_in_group(first - 1, text);
}

[[gnu::always_inline]] inline uint64_t TermDictionary::key_of(uint32_t ordinal, uint64_t base,
                                                              uint32_t skip) const {
  const uint32_t offset = u32_at(offsets_, ordinal);
  const uint64_t from = base + (offset - static_cast<uint32_t>(base)) + skip;
  // For the last terms, and in a truncated file.
  if (ordinal + 1 == size_ || from + 8 > static_cast<uint64_t>(blob_end_ - blob_)) {
    const std::string_view text = term(ordinal);
    return terms_format::sort_key(text.substr(std::min<size_t>(skip, text.size())));
  }
  const uint64_t key = __builtin_bswap64(load<uint64_t>(blob_ + from));
  const uint32_t length = u32_at(offsets_, ordinal + 1) - offset - skip;
  return length >= 8 ? key : key & ~(~uint64_t{0} >> (8 * length));
}

/// `text` is after the first term of the group.
uint32_t TermDictionary::lower_bound_in_group(uint32_t group, std::string_view text) const {
  const uint32_t begin = group * terms_format::kGroupTerms;
  const auto end =
      static_cast<uint32_t>(std::min<uint64_t>(uint64_t{begin} + terms_format::kGroupTerms, size_));
  // The common prefix of the group's terms is compared once; the eight bytes after it distinguish
  // most terms.
  const size_t shared = shared_prefix(term(begin), term(end - 1));
  if (text.substr(0, shared) != term(begin).substr(0, shared)) return end;
  const uint64_t key = terms_format::sort_key(text.substr(shared));
  const uint64_t base = u64_at(blob_bases_, group);
  const auto key_at = [&](uint32_t ordinal) {
    return key_of(ordinal, base, static_cast<uint32_t>(shared));
  };
  uint32_t first = begin + 1;
  for (uint32_t left = end - first; left > 0;) {
    const uint32_t half = left / 2;
    const bool right = key_at(first + half) < key;
    first = right ? first + half + 1 : first;
    left = right ? left - half - 1 : half;
  }
  while (first < end && key_at(first) == key && term(first) < text) ++first;
  return first;
}

std::optional<uint32_t> TermDictionary::find(std::string_view text) const {
  const uint32_t ordinal = lower_bound(text);
  if (ordinal == size_ || term(ordinal) != text) return std::nullopt;
  return ordinal;
}

TermDictionary::Range TermDictionary::prefix_range(std::string_view prefix) const {
  const uint32_t begin = lower_bound(prefix);
  std::string after(prefix);
  // The first string after all those that start with `prefix`: the last byte below 0xff is
  // incremented and the bytes after it are removed.
  while (!after.empty() && static_cast<uint8_t>(after.back()) == 0xff) after.pop_back();
  if (after.empty()) return {begin, size_};
  after.back() = static_cast<char>(static_cast<uint8_t>(after.back()) + 1);
  return {begin, std::max(begin, lower_bound(after))};
}

}  // namespace quarry
