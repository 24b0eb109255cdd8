// Doc values: zero, one or more values of a field per document, in columns of byte-aligned widths
// with min/max per zone. Numbers are int64 in the field's sortable encoding
// (mapping/values/numeric.h); keyword and ip columns hold term ordinals.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/bitset.h"
#include "base/coding.h"
#include "base/status.h"
#include "columns/column_format.h"

namespace quarry {

class StopCheck;

inline constexpr uint32_t kZoneDocs = 1024;

/// Collects values in ascending docId order. The values of one document may be added in any order;
/// they are sorted, and duplicates are kept for numbers (`unique` false) and removed for ordinals
/// (`unique` true).
class ColumnWriter {
 public:
  explicit ColumnWriter(bool unique) : unique_(unique) {}
  void add(uint32_t doc, int64_t value) {
    docs_.push_back(doc);
    values_.push_back(value);
  }
  bool empty() const { return values_.empty(); }
  /// Returns the section for a segment of `max_doc` documents, which must hold fewer than 2^32
  /// values. The writer must not be used afterwards.
  std::vector<uint8_t> finish(uint32_t max_doc);

 private:
  /// Sorts the values of each document and leaves each document in docs_ once. Returns the end of
  /// the values of each document.
  std::vector<uint32_t> group_by_doc();

  bool unique_;
  std::vector<uint32_t> docs_;
  std::vector<int64_t> values_;
};

/// The memory layout of a column, for loops over many documents (column_loops.h): value = base +
/// step * code. Slots are either all documents, or only the documents with a value.
struct ColumnCodes {
  uint32_t max_doc = 0;
  uint8_t width = 0;  // bytes per code: 0, 1, 2, 4 or 8
  int64_t base = 0;
  uint64_t step = 1;
  const uint8_t* codes = nullptr;
  const uint8_t* offsets = nullptr;  // u32 by slot: its first code; null: one code per slot
  const uint8_t* words = nullptr;    // documents with a value; null: all, or those of `docs`
  const uint8_t* ranks = nullptr;    // u32 by word: slots before it; null: slots are documents
  const uint8_t* docs = nullptr;     // u32 by slot; null: see `words`
  uint32_t doc_count = 0;            // length of `docs`
};

/// The reader over a column section, whose bytes must outlive it. Thread-safe. Documents must be <
/// max_doc().
class Column {
 public:
  struct Zone {
    int64_t min = std::numeric_limits<int64_t>::max();  // min > max: no value in the zone
    int64_t max = std::numeric_limits<int64_t>::min();
  };

  Column() = default;
  /// Checks the structure and that every value is within bounds(); the error is
  /// ErrorType::kCorrupt.
  static Result<Column> open(Bytes section, uint32_t max_doc);

  uint32_t max_doc() const { return max_doc_; }
  bool multi_valued() const { return multi_valued_; }
  /// Whether every document has a value.
  bool dense() const { return presence_ == Presence::kAll; }
  uint64_t value_count() const { return value_count_; }
  /// The number of documents with at least one value.
  uint32_t doc_count() const { return doc_count_; }
  /// The smallest and largest value of the segment.
  Zone bounds() const { return bounds_; }
  uint32_t zone_count() const { return (max_doc_ + kZoneDocs - 1) / kZoneDocs; }
  Zone zone(uint32_t index) const;

  ColumnCodes codes() const noexcept {
    return {max_doc_, width_, base_, step_, codes_, offsets_, words_, ranks_, docs_, doc_count_};
  }

  bool has(uint32_t doc) const noexcept { return slot_of(doc) != kNoSlot; }
  /// Number of values of `doc`.
  uint32_t count(uint32_t doc) const noexcept {
    const CodeSpan span = codes_of(doc);
    return span.end - span.begin;
  }
  /// The `index`-th smallest value of `doc`, index < count(doc); 0 when there is none.
  int64_t value(uint32_t doc, uint32_t index = 0) const noexcept {
    const CodeSpan span = codes_of(doc);
    return index < span.end - span.begin ? value_of(code(uint64_t{span.begin} + index)) : 0;
  }
  /// Calls `take` with each value (int64_t) of `doc`, ascending.
  template <typename Take>
  void each(uint32_t doc, Take&& take) const {
    const CodeSpan span = codes_of(doc);
    for (uint64_t i = span.begin; i < span.end; ++i) take(value_of(code(i)));
  }
  /// Writes the value of each document in [first, first + count) to `out`: `missing` if it has
  /// none, the smallest if it has several.
  void decode(uint32_t first, uint32_t count, int64_t missing, int64_t* out) const noexcept;

  /// Sets in `out` (size max_doc) every document with some value in [low, high]; skips zones that
  /// cannot match. Ends early when `stop` expires; null: never.
  void collect_range(int64_t low, int64_t high, Bitset& out, StopCheck* stop = nullptr) const;
  /// Whether some value of `doc` is in [low, high].
  bool matches_range(uint32_t doc, int64_t low, int64_t high) const noexcept;
  /// Sets every document with a value that is set in `wanted` (ordinals; values >= wanted.size() do
  /// not match).
  void collect_members(const Bitset& wanted, Bitset& out) const;
  /// Sets every document with a value. Ends early when `stop` expires; null: never.
  void collect_present(Bitset& out, StopCheck* stop = nullptr) const;

 private:
  using Presence = column_format::Presence;
  static constexpr uint32_t kNoSlot = std::numeric_limits<uint32_t>::max();

  /// A range of values as a range of codes: those c with c - low <= span.
  struct CodeRange {
    uint64_t low = 0;
    uint64_t span = 0;
    bool contains(uint64_t code) const { return code - low <= span; }
  };

  Status read(Bytes section);
  bool read_arrays(Bytes section);
  bool header_valid(uint64_t max_code) const;
  bool presence_valid() const;
  bool offsets_valid() const;
  bool codes_valid(uint64_t max_code) const;

  uint32_t slot_count() const { return slot_per_doc_ ? max_doc_ : doc_count_; }
  /// The slot of `doc`, or kNoSlot when it has no value.
  uint32_t slot_of(uint32_t doc) const noexcept {
    return presence_ == Presence::kAll ? doc : find_slot(doc);
  }
  uint32_t find_slot(uint32_t doc) const noexcept;
  /// The codes of a document; empty when it has no value.
  struct CodeSpan {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  CodeSpan codes_of(uint32_t doc) const noexcept {
    const uint32_t slot = slot_of(doc);
    if (slot == kNoSlot) return {};
    return multi_valued_ ? codes_at(slot) : CodeSpan{slot, slot + 1};
  }
  /// For multi-valued columns only.
  CodeSpan codes_at(uint32_t slot) const noexcept {
    return {load<uint32_t>(offsets_ + size_t{4} * slot),
            load<uint32_t>(offsets_ + size_t{4} * slot + 4)};
  }
  /// The index of the first listed document >= `doc` (Presence::kList).
  uint32_t list_at(uint32_t doc) const noexcept;
  uint64_t presence_word(uint32_t word) const noexcept;
  /// Eight bytes are readable at every code, since the section ends with eight zero bytes.
  uint64_t code(uint64_t index) const noexcept {
    return load<uint64_t>(codes_ + index * width_) & code_mask_;
  }
  int64_t value_of(uint64_t code) const noexcept {
    return static_cast<int64_t>(static_cast<uint64_t>(base_) + step_ * code);
  }
  void decode_codes(uint64_t first, uint32_t count, int64_t* out) const noexcept;

  /// Empty when the range contains no code.
  std::optional<CodeRange> code_range(int64_t low, int64_t high) const;
  bool slot_matches(uint32_t slot, const CodeRange& range) const noexcept;
  void collect_zone(uint32_t first, uint32_t end, const CodeRange* range, Bitset& out) const;
  void collect_listed(uint32_t first, uint32_t end, const CodeRange* range, Bitset& out) const;
  uint64_t match_word(uint32_t word, uint64_t present, const CodeRange& range) const;

  uint32_t max_doc_ = 0;
  bool multi_valued_ = false;
  bool slot_per_doc_ = false;  // slots are all documents, else only those with a value
  Presence presence_ = Presence::kList;
  uint8_t width_ = 0;  // bytes per code: 0, 1, 2, 4 or 8
  uint64_t code_mask_ = 0;
  uint32_t doc_count_ = 0;
  uint64_t value_count_ = 0;
  int64_t base_ = 0;
  uint64_t step_ = 1;
  Zone bounds_;
  const uint8_t* zone_min_ = nullptr;
  const uint8_t* zone_max_ = nullptr;
  const uint8_t* words_ = nullptr;
  const uint8_t* ranks_ = nullptr;
  const uint8_t* docs_ = nullptr;
  const uint8_t* offsets_ = nullptr;
  const uint8_t* codes_ = nullptr;
};

}  // namespace quarry
