// Links as documents of an index: the meaning of their fields, the columns of one segment, and the
// rule of the two clocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"
#include "mapping/schema/field.h"
#include "mapping/schema/mapping.h"
#include "query/plan/search.h"

namespace quarry {

/// The state at `world` as recorded by `system`; both are milliseconds since the epoch.
struct LinkMoment {
  int64_t world = 0;
  std::optional<int64_t> system;  // none: everything recorded until now
};

/// kUnknown: not recorded yet at that time.
enum class LinkState : uint8_t { kUnknown, kFuture, kLive, kRetired };

/// Absent instants mean: always valid, never invalid, always recorded.
struct LinkTimes {
  std::optional<int64_t> valid;
  std::optional<int64_t> invalid;
  std::optional<int64_t> created;
  std::optional<int64_t> expired;
};

/// Half-open intervals: a link is valid from `valid` on and invalid from `invalid` on, once that is
/// recorded. src/graph/times.ts has the same rule for links that are shown.
inline LinkState link_state(const LinkTimes& times, const LinkMoment& moment) {
  if (moment.system && times.created && *times.created > *moment.system) return LinkState::kUnknown;
  if (times.valid && *times.valid > moment.world) return LinkState::kFuture;
  const bool over = times.invalid && *times.invalid <= moment.world;
  const bool known = !moment.system || !times.expired || *times.expired <= *moment.system;
  return over && known ? LinkState::kRetired : LinkState::kLive;
}

/// The fields of links in one mapping; null if unmapped.
struct LinkSchema {
  /// illegal_argument_exception if a field's mapping does not fit links.
  static Result<LinkSchema> of(const Mapping& mapping, std::string_view index_name);

  const Field* src = nullptr;
  const Field* dst = nullptr;
  const Field* type = nullptr;
  const Field* detector = nullptr;
  const Field* confidence = nullptr;
  const Field* weight = nullptr;
  const Field* asserted = nullptr;
  const Field* evidence_source = nullptr;
  const Field* evidence_offset = nullptr;
  const Field* valid_at = nullptr;
  const Field* invalid_at = nullptr;
  const Field* created_at = nullptr;
  const Field* expired_at = nullptr;
};

/// A number column of a segment; no value if the document has none, the smallest of several values.
class LinkNumbers {
 public:
  LinkNumbers(const Segment& segment, const Field* field);
  bool any() const { return column_ != nullptr; }
  const Column* column() const { return column_; }
  std::optional<int64_t> at(uint32_t doc) const;
  double share_at(uint32_t doc) const;  // 1 if the document has no value

 private:
  const Field* field_ = nullptr;
  const Column* column_ = nullptr;
};

/// A keyword column of a segment with its terms and their postings.
class LinkTerms {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  LinkTerms(const Segment& segment, const Field* field);
  /// Number of terms.
  uint32_t size() const { return inverted_ == nullptr ? 0 : inverted_->terms().size(); }
  const Column* column() const { return inverted_ == nullptr ? nullptr : column_; }
  const InvertedField* inverted() const { return inverted_; }
  uint32_t ordinal(uint32_t doc) const;  // kNone if the document has no value
  /// Empty for kNone.
  std::string_view text(uint32_t ordinal) const;
  std::string_view text_at(uint32_t doc) const { return text(ordinal(doc)); }

 private:
  const InvertedField* inverted_ = nullptr;  // null: no document has a value
  const Column* column_ = nullptr;
};

/// The links of one segment at a moment. Valid as long as the view. Thread-safe.
class SegmentLinks {
 public:
  SegmentLinks(const SegmentView& view, const LinkSchema& schema, const LinkMoment& moment);

  const Segment& segment() const { return *view_->segment; }
  bool is_live(uint32_t doc) const { return view_->live == nullptr || view_->live->test(doc); }
  uint32_t live_count() const { return view_->live_count; }
  LinkTimes times(uint32_t doc) const {
    return {valid_at.at(doc), invalid_at.at(doc), created_at.at(doc), expired_at.at(doc)};
  }
  /// link_state() at the moment; reads only columns that can matter in this segment.
  LinkState state(uint32_t doc) const;
  /// Whether the link carries evidence, that is, it was detected and not only asserted.
  bool evidenced(uint32_t doc) const;
  /// confidence * weight.
  double strength(uint32_t doc) const { return confidence.share_at(doc) * weight.share_at(doc); }

  LinkTerms src, dst, type, detector;
  LinkNumbers confidence, weight, asserted, evidence_offset;
  LinkTerms evidence_source;
  LinkNumbers valid_at, invalid_at, created_at, expired_at;

 private:
  const SegmentView* view_;
  LinkMoment moment_;
  bool some_unknown_ = false;
  bool some_future_ = false;
  bool some_over_ = false;
};

}  // namespace quarry
