// The source of an aggregation's values: a column of numbers or ordinals, `missing` for documents
// without a value, and nothing for fields that no mapping defines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/values/numeric.h"
#include "query/aggs/frame/aggregator.h"

namespace quarry {

/// The values of a batch. Those of one document are ascending; ordinals are distinct, numbers occur
/// as often as in the document.
struct ValueList {
  std::vector<int64_t> values;    // in the column's encoding
  std::vector<uint32_t> entries;  // the entry of the batch that each value belongs to, ascending
  bool one_each = false;          // `entries` is not filled: value i belongs to entry i
  uint32_t entry(size_t index) const {
    return one_each ? static_cast<uint32_t>(index) : entries[index];
  }
};

class ValueSource {
 public:
  /// The ordinal of `missing`, and of terms below other keys of a flattened field.
  static constexpr int64_t kMissingOrdinal = -1;

  /// Only the last two accept fields that hold ranges: kCounted accepts every field, those of
  /// points too, kSpans accepts what kNumbers does and all ranges except those of addresses.
  enum class Accepts : uint8_t { kAnything, kNumbers, kAddresses, kCounted, kSpans };
  /// illegal_argument_exception for text fields, fields without doc values and kinds that the
  /// aggregation does not support; number_format_exception and other errors for an invalid
  /// `missing`.
  static Result<ValueSource> make(AggContext& context, const AggHead& head, const AggSource& source,
                                  Accepts accepts);

  ValueKind kind() const { return kind_; }
  bool numeric() const { return kind_ >= ValueKind::kLong && kind_ <= ValueKind::kDate; }
  bool has_ordinals() const { return kind_ == ValueKind::kString || kind_ == ValueKind::kEncoded; }
  /// Prints the terms of ValueKind::kEncoded; null for other kinds.
  const TermCodec* codec() const { return field_ == nullptr ? nullptr : field_->traits().codec; }
  /// Whether read() returns the values of the column unchanged.
  bool as_stored() const { return !nanos_; }
  /// Whether every value is a term of a mapped field, and every term of the field may be a value.
  bool whole_terms() const { return has_ordinals() && !constant_ && prefix_.empty() && !ranges(); }
  /// Whether the values are ranges: read() returns ordinals of terms with two ends each
  /// (range_value.h).
  bool ranges() const { return field_ != nullptr && field_->is_range(); }
  /// kind(), or for ranges the kind of their ends.
  ValueKind key_kind() const;
  /// The formats of a date field, for printing.
  std::string_view format() const { return format_; }
  /// Null if unmapped. A stand-in of the right type if only `missing` supplies values, and for a
  /// date_nanos, whose values are read as milliseconds.
  const Field* field() const { return field_.get(); }

  void start_leaf(const Leaf& leaf);
  void read(const AggBatch& batch, ValueList& out) const;
  bool has_missing() const { return has_missing_; }
  /// True if a document of the segment can have more than one value.
  bool multi_valued() const { return column_ != nullptr && column_->multi_valued(); }
  /// The column of the segment, in its own encoding; null: no document has a value.
  const Column* column() const { return column_; }
  /// Smallest and largest value of the segment as read() returns them; requires a column.
  Column::Zone bounds() const;
  /// The smallest and largest value of `leaves` and `missing`, as read() returns them; min > max if
  /// there are none. A segment has to be started afterwards.
  Column::Zone bounds_of(const std::vector<Leaf>& leaves);
  /// Converts a value of the column to what read() returns.
  int64_t as_read(int64_t value) const { return nanos_ ? nanos_to_ms(value) : value; }

  double number(int64_t value) const {
    switch (kind_) {
      case ValueKind::kDouble:
        return double_from_sortable(value);
      case ValueKind::kUnsigned:
        return static_cast<double>(static_cast<uint64_t>(value) ^ (uint64_t{1} << 63));
      default:
        return static_cast<double>(value);
    }
  }
  /// The value as milliseconds: a fraction is dropped, the range of dates is kept to.
  int64_t moment(int64_t value) const { return holds_moments() ? value : whole_of(number(value)); }
  /// Whether moment() changes nothing.
  bool holds_moments() const {
    return kind_ != ValueKind::kDouble && kind_ != ValueKind::kUnsigned;
  }
  static int64_t whole_of(double number) {
    return static_cast<int64_t>(std::clamp(number, -kMaxMoment, kMaxMoment));
  }
  /// Text of an ordinal of the current segment, as indexed and without the key of a flattened
  /// field; valid as long as the search.
  std::string_view term(int64_t ordinal) const;
  /// The number of ordinals of the current segment; term_range() limits them to those of the
  /// source.
  uint32_t term_count() const { return terms_ == nullptr ? (constant_ ? 1 : 0) : terms_->size(); }
  TermDictionary::Range term_range() const { return range_; }
  const TermDictionary* terms() const { return terms_; }

 private:
  static constexpr double kMaxMoment = 4e18;

  Status set_missing(AggContext& context, const AggSource& source);
  void read_one_each(const AggBatch& batch, ValueList& out) const;
  bool read_run(const AggBatch& batch, ValueList& out) const;

  ValueKind kind_ = ValueKind::kUnmapped;
  std::shared_ptr<const Field> field_;  // of the mapping (not owned), or a stand-in
  std::string prefix_;
  std::string format_;
  bool nanos_ = false;                       // a date_nanos field, read as milliseconds
  bool constant_ = false;                    // every document has `text_` (_index)
  std::shared_ptr<const std::string> text_;  // the text of kMissingOrdinal, or the constant
  bool has_missing_ = false;
  int64_t missing_ = 0;

  const Column* column_ = nullptr;
  const TermDictionary* terms_ = nullptr;
  TermDictionary::Range range_;
};

}  // namespace quarry
