#include "vector/exact/candidate_rows.h"

#include <span>

#include "base/bit_list.h"

namespace quarry {
namespace {

/// Above this share of rows a scan of all rows is preferred to a list: 5 / 8, chosen on 500,000
/// rows of 64 dimensions.
constexpr uint64_t kDenseNumerator = 5;
constexpr uint64_t kDenseDenominator = 8;

}  // namespace

CandidateRows CandidateFinder::find(const VectorColumn& column, const Bitset* live,
                                    const Bitset* filter) {
  CandidateRows rows;
  rows.count = column.size();
  rows.passing_count = column.size();
  if (live == nullptr && filter == nullptr) return rows;
  const Bitset* documents = filter != nullptr ? filter : live;
  if (live != nullptr && filter != nullptr) {
    documents_ = *live;
    documents_.intersect(*filter);
    documents = &documents_;
  }
  if (!column.dense()) column.ranks().rows_of(*documents, ordinals_);
  rows.passing = column.dense() ? documents : &ordinals_;
  rows.passing_count = static_cast<uint32_t>(count_bits(rows.passing->words()));
  const bool most =
      rows.passing_count * kDenseDenominator > uint64_t{column.size()} * kDenseNumerator;
  if (most) return rows;
  list(*rows.passing, rows.passing_count);
  rows.ordinals = list_.data();
  rows.count = rows.passing_count;
  return rows;
}

/// Lists the set bits. Bits of few documents are far apart, so that words without any are skipped.
void CandidateFinder::list(const Bitset& ordinals, uint32_t count) {
  if (list_.size() < count + kBitListSlack) list_.resize(count + kBitListSlack);
  const std::span<const uint64_t> words = ordinals.words();
  uint32_t* out = list_.data();
  for (size_t at = 0; at < words.size();) {
    size_t end = at;
    while (end < words.size() && words[end] != 0) end++;
    const Bytes bytes(reinterpret_cast<const uint8_t*>(words.data() + at), (end - at) * 8);
    if (end > at) out += list_bits(bytes, static_cast<uint32_t>(at * 64), out);
    at = end + 1;
  }
}

}  // namespace quarry
