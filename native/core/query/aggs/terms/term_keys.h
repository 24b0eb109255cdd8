// Numbers the terms of a field over the segments of a shard, in order of appearance.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/aggs/frame/agg_memory.h"
#include "query/aggs/frame/bucket_table.h"
#include "query/aggs/frame/value_source.h"
#include "query/aggs/terms/term_filter.h"

namespace quarry {

class TermKeys {
 public:
  static constexpr uint32_t kRejected = UINT32_MAX;  // the filter rejects the term

  TermKeys(AggBudget& budget, TermFilter* filter) : budget_(&budget), filter_(filter) {}

  /// Declares that there is one segment and each term is looked up once, so that no text map is
  /// needed.
  void expect_each_once() { each_once_ = true; }
  /// `source` must have started the same segment.
  void start_leaf(const ValueSource& source);
  /// The number of an ordinal of the segment (or of ValueSource::kMissingOrdinal), or kRejected.
  uint32_t of(int64_t ordinal) {
    const auto at = static_cast<uint64_t>(ordinal);
    if (at < by_ordinal_.size() && by_ordinal_[at] != kUnseen) return by_ordinal_[at];
    return look_up(ordinal);
  }
  /// The same for terms that already have a number; kRejected for others.
  uint32_t known(int64_t ordinal) const;

  uint32_t size() const { return static_cast<uint32_t>(texts_.size()); }
  std::string_view text(uint32_t key) const { return texts_[key]; }

 private:
  static constexpr uint32_t kUnseen = UINT32_MAX - 1;

  uint32_t look_up(int64_t ordinal);
  uint32_t intern(std::string_view text);

  AggBudget* budget_;
  TermFilter* filter_;  // null: every term is accepted
  const ValueSource* source_ = nullptr;
  std::vector<uint32_t> by_ordinal_;  // of the current segment
  uint32_t of_missing_ = kUnseen;
  bool each_once_ = false;
  std::vector<std::string_view> texts_;  // views into dictionaries, valid as long as the search
  std::unordered_map<std::string_view, uint32_t> by_text_;
};

}  // namespace quarry
