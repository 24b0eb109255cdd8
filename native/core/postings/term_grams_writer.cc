// Writes a section of grams in two passes over the terms: the first computes the length of each
// list, the second writes the lists in place, so that memory holds only the section and one row for
// each distinct gram.
#include <algorithm>
#include <bit>
#include <limits>

#include "postings/term_grams.h"
#include "postings/term_grams_format.h"

namespace quarry {
namespace {

/// The state of a gram's list while it is measured or written.
struct GramRow {
  static constexpr uint32_t kFree = UINT32_MAX;
  uint32_t gram = kFree;
  uint32_t next = 0;   // the smallest possible next ordinal
  uint64_t bytes = 0;  // length of the list; then the offset of its next byte
};

/// Rows by gram, open addressing.
class Rows {
 public:
  Rows() : rows_(kFirstSize) {}

  GramRow& of(uint32_t gram) {
    GramRow& row = rows_[place_of(gram)];
    if (row.gram == gram) return row;
    if (2 * ++used_ > rows_.size()) {
      grow();
      return take(gram);
    }
    row.gram = gram;
    return row;
  }

  /// The rows in ascending order of gram, as pointers that stay valid.
  std::vector<GramRow*> sorted() {
    std::vector<GramRow*> out;
    for (GramRow& row : rows_) {
      if (row.gram != GramRow::kFree) out.push_back(&row);
    }
    std::sort(out.begin(), out.end(),
              [](const GramRow* a, const GramRow* b) { return a->gram < b->gram; });
    return out;
  }

 private:
  static constexpr size_t kFirstSize = 1024;

  size_t place_of(uint32_t gram) const {
    const size_t mask = rows_.size() - 1;
    size_t at = (gram * uint64_t{0x9e3779b97f4a7c15}) >> 32 & mask;
    while (rows_[at].gram != gram && rows_[at].gram != GramRow::kFree) at = (at + 1) & mask;
    return at;
  }
  GramRow& take(uint32_t gram) {
    GramRow& row = rows_[place_of(gram)];
    row.gram = gram;
    return row;
  }
  void grow() {
    std::vector<GramRow> before(2 * rows_.size());
    before.swap(rows_);
    for (const GramRow& row : before) {
      if (row.gram != GramRow::kFree) take(row.gram) = row;
    }
  }

  std::vector<GramRow> rows_;  // a power of two
  size_t used_ = 0;
};

/// Calls visit(row, difference to the previous ordinal of the gram) once for each distinct gram of
/// each term.
template <typename Visitor>
void each_gram(const TermDictionary& terms, Rows& rows, Visitor visit) {
  std::string padded;
  terms.each({0, terms.size()}, [&](uint32_t ordinal, std::string_view term) {
    padded.assign(term);
    padded.append(grams_format::kGramBytes - 1, '\0');
    for (size_t i = 0; i < term.size(); i++) {
      GramRow& row = rows.of(grams_format::gram_at(padded.data() + i));
      if (row.next > ordinal) continue;  // repeated in the term
      visit(row, ordinal + 1 - row.next);
      row.next = ordinal + 1;
    }
    return true;
  });
}

uint64_t varint_bytes(uint32_t value) {
  return (static_cast<uint64_t>(std::bit_width(value | 1)) + 6) / 7;
}

/// Writes everything before the lists, with zeros in place of the lists; the rows then hold the
/// start of their lists in the section. Empty if a group of lists is too long for its offsets.
std::vector<uint8_t> write_table(const std::vector<GramRow*>& rows, uint32_t terms) {
  uint64_t bytes = 0;
  for (GramRow* row : rows) {
    const uint64_t length = row->bytes;
    row->bytes = bytes;
    row->next = 0;
    bytes += length;
  }
  ByteWriter out;
  out.put(grams_format::kMagic);
  out.put(grams_format::kVersion);
  out.put(uint16_t{0});
  out.put(terms);
  out.put(static_cast<uint32_t>(rows.size()));
  out.put(bytes);
  for (const GramRow* row : rows) out.put(row->gram);
  for (size_t i = 0; i < rows.size(); i += grams_format::kGroupGrams) out.put(rows[i]->bytes);
  for (size_t i = 0; i < rows.size(); i++) {
    const uint64_t offset =
        rows[i]->bytes - rows[i / grams_format::kGroupGrams * grams_format::kGroupGrams]->bytes;
    if (offset > std::numeric_limits<uint32_t>::max()) return {};
    out.put(static_cast<uint32_t>(offset));
  }
  std::vector<uint8_t> section = out.take();
  const size_t head = section.size();
  for (GramRow* row : rows) row->bytes += head;
  section.resize(head + bytes);
  return section;
}

}  // namespace

std::vector<uint8_t> write_term_grams(const TermDictionary& terms) {
  Rows rows;
  each_gram(terms, rows, [](GramRow& row, uint32_t gap) { row.bytes += varint_bytes(gap); });
  const std::vector<GramRow*> sorted = rows.sorted();
  if (sorted.empty()) return std::vector<uint8_t>();
  std::vector<uint8_t> section = write_table(sorted, terms.size());
  if (section.empty()) return section;
  each_gram(terms, rows, [&](GramRow& row, uint32_t gap) {
    for (; gap >= 0x80; gap >>= 7) section[row.bytes++] = static_cast<uint8_t>(gap | 0x80);
    section[row.bytes++] = static_cast<uint8_t>(gap);
  });
  return section;
}

Result<std::vector<uint8_t>> write_term_grams(Bytes section) {
  QUARRY_ASSIGN_OR_RETURN(const TermDictionary terms, TermDictionary::open(section));
  return write_term_grams(terms);
}

}  // namespace quarry
