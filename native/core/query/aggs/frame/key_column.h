// The key column of a partial node, in the encoding of its value kind (agg_reply.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mapping/values/numeric.h"
#include "query/aggs/frame/agg_reply.h"

namespace quarry {

/// Collects keys, one per bucket: numbers as columns hold them, strings as indexed.
class KeyColumn {
 public:
  /// `codec` prints the terms of ValueKind::kEncoded.
  KeyColumn(ValueKind kind, const TermCodec* codec) : kind_(kind), codec_(codec) {}
  void add_number(int64_t value) { numbers_.push_back(value); }
  void add_text(std::string_view text) {
    bytes_ += text.size();
    if (bytes_ > kMaxKeyBytes) return;  // put() refuses them
    texts_.emplace_back(text);
    if (kind_ == ValueKind::kEncoded)
      printed_.push_back(text.empty() ? std::string() : codec_->print(text));
  }
  void put(AggWriter& out) const {
    if (bytes_ > kMaxKeyBytes) return out.refuse_keys();
    switch (kind_) {
      case ValueKind::kUnmapped:
        return;
      case ValueKind::kString:
        return out.texts(texts_);
      case ValueKind::kEncoded:
        out.texts(texts_);
        return out.texts(printed_);
      case ValueKind::kDouble: {
        std::vector<double> values;
        for (const int64_t number : numbers_) values.push_back(double_from_sortable(number));
        return out.column(values);
      }
      case ValueKind::kUnsigned: {
        std::vector<uint64_t> values;
        for (const int64_t number : numbers_)
          values.push_back(static_cast<uint64_t>(number) ^ (uint64_t{1} << 63));
        return out.column(values);
      }
      default:
        return out.column(numbers_);
    }
  }

 private:
  ValueKind kind_;
  const TermCodec* codec_;
  uint64_t bytes_ = 0;  // of texts_
  std::vector<int64_t> numbers_;
  std::vector<std::string> texts_;
  std::vector<std::string> printed_;  // of kEncoded
};

/// Collects values of which some are absent, with their kind and the formats of dates: u8 kind,
/// 8-aligned str format, u8 null[B], key column.
class NullableColumn {
 public:
  NullableColumn(ValueKind kind, const TermCodec* codec, std::string_view format)
      : kind_(kind), format_(format), keys_(kind, codec) {}
  void add_number(int64_t value) {
    nulls_.push_back(0);
    keys_.add_number(value);
  }
  void add_text(std::string_view text) {
    nulls_.push_back(0);
    keys_.add_text(text);
  }
  void add_null() {
    nulls_.push_back(1);
    if (kind_ == ValueKind::kString || kind_ == ValueKind::kEncoded) {
      keys_.add_text({});
    } else {
      keys_.add_number(0);
    }
  }
  void put(AggWriter& out) const {
    out.bytes().align(8);
    out.bytes().put(static_cast<uint8_t>(kind_));
    out.bytes().align(8);
    out.bytes().put_string(format_);
    out.column(nulls_);
    keys_.put(out);
  }

 private:
  ValueKind kind_;
  std::string_view format_;
  std::vector<uint8_t> nulls_;
  KeyColumn keys_;
};

}  // namespace quarry
