// Sort keys over ordinals: integers inside a segment, strings across segments.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "mapping/values/numeric.h"
#include "query/nested/nested_sort.h"
#include "query/sort/sort_key.h"

namespace quarry {
namespace {

/// The place of a document among the terms of a segment is 2 * ordinal + 1, so that strings between
/// two terms have places too.
class TermSort final : public SortSource {
 public:
  explicit TermSort(TermSortSpec spec)
      : spec_(std::move(spec)), codec_(spec_.field->traits().codec) {}

  void start_leaf(const Leaf& leaf) override {
    const SegmentField* field = leaf.segment->field(spec_.field->name);
    const bool usable = field != nullptr && field->inverted != nullptr && field->column != nullptr;
    terms_ = usable ? &field->inverted->terms() : nullptr;
    column_ = usable ? field->column : nullptr;
    if (spec_.nested != nullptr) spec_.nested->start_leaf(leaf);
    if (usable) {
      range_ = spec_.prefix.empty() ? TermDictionary::Range{0, terms_->size()}
                                    : terms_->prefix_range(spec_.prefix);
    }
    max_doc_ = leaf.max_doc;
    std::fill(checked_to_, checked_to_ + kAnchors, 0);
    for (size_t i = 0; i < kAnchors; i++) {
      if (anchors_[i].has_value()) places_[i] = ordered_place(*anchors_[i]);
    }
  }
  void set_anchor(Anchor anchor, const SortValue& value) override {
    anchors_[anchor] = value;
    places_[anchor] = ordered_place(value);
    checked_to_[anchor] = 0;
    missing_order_[anchor] = compare_values(missing(), value);
  }
  int compare(Anchor anchor, uint32_t doc, float /*score*/) override {
    const std::optional<uint32_t> ordinal = pick(doc);
    if (!ordinal) return missing_order_[anchor];
    const int64_t own = ordered(int64_t{2} * *ordinal + 1);
    return own < places_[anchor] ? -1 : own > places_[anchor] ? 1 : 0;
  }
  SortValue value(uint32_t doc, float /*score*/) override {
    const std::optional<uint32_t> ordinal = pick(doc);
    if (ordinal) return {false, 0, std::string(terms_->term(*ordinal).substr(spec_.prefix.size()))};
    return missing();
  }
  int compare_values(const SortValue& a, const SortValue& b) const override {
    if (a.null || b.null) {
      if (a.null == b.null) return 0;
      return a.null == spec_.missing_first ? -1 : 1;
    }
    const int order = a.text.compare(b.text);
    const int sign = order < 0 ? -1 : order > 0 ? 1 : 0;
    return spec_.descending ? -sign : sign;
  }
  uint32_t next_competitive(Anchor anchor, uint32_t doc, bool or_equal) override {
    const auto wanted = [or_equal](int order) { return order < 0 || (or_equal && order == 0); };
    const bool zoned = column_ != nullptr && spec_.nested == nullptr && spec_.prefix.empty();
    if (!zoned || (!column_->dense() && wanted(missing_order_[anchor]))) return doc;
    while (doc < max_doc_ && doc >= checked_to_[anchor]) {
      const uint32_t end = (doc / kZoneDocs + 1) * kZoneDocs;
      const Column::Zone zone = column_->zone(doc / kZoneDocs);
      if (zone.min <= zone.max && wanted(order_of_zone(zone, anchor))) {
        checked_to_[anchor] = end;
        return doc;
      }
      doc = end;
    }
    return doc < max_doc_ ? doc : kNoMoreDocs;
  }
  bool follows(const IndexSortKey& key) const override {
    return key.field == spec_.field->name && spec_.prefix.empty() &&
           key.descending == spec_.descending && key.largest == spec_.largest &&
           spec_.nested == nullptr && !spec_.has_missing_value &&
           key.missing_first == spec_.missing_first;
  }
  Result<SortValue> parse(const Scalar& scalar) const override {
    if (scalar.kind == Scalar::Kind::kNull) return SortValue{true, 0, {}};
    if (codec_ == nullptr) return SortValue{false, 0, scalar.text};
    Result<std::string> term = codec_->encode(scalar.text);
    if (!term.ok()) return bad_search_after(spec_.field->name);
    return SortValue{false, 0, std::move(term).value()};
  }
  SortColumn make_column() const override {
    SortColumn column;
    column.kind = codec_ != nullptr ? SortColumnKind::kFormatted : SortColumnKind::kString;
    return column;
  }
  void append(const SortValue& value, SortColumn& column) const override {
    column.nulls.push_back(value.null ? 1 : 0);
    column.strings.push_back(value.text);
    if (column.kind == SortColumnKind::kFormatted)
      column.texts.push_back(value.null ? "" : codec_->print(value.text));
  }

 private:
  int64_t ordered(int64_t place) const { return spec_.descending ? ~place : place; }
  /// The best term of a zone that has terms, compared with the anchor.
  int order_of_zone(const Column::Zone& zone, Anchor anchor) const {
    const int64_t best = ordered(2 * (spec_.descending ? zone.max : zone.min) + 1);
    return best < places_[anchor] ? -1 : best > places_[anchor] ? 1 : 0;
  }
  SortValue missing() const { return {!spec_.has_missing_value, 0, spec_.missing_value}; }
  int64_t no_value() const {
    return spec_.missing_first ? std::numeric_limits<int64_t>::min()
                               : std::numeric_limits<int64_t>::max();
  }
  /// Only among terms: documents without a term are compared by text.
  int64_t place(const std::string& text) const {
    if (terms_ == nullptr) return 0;
    const std::string term = spec_.prefix + text;
    const uint32_t at = terms_->lower_bound(term);
    const bool found = at < terms_->size() && terms_->term(at) == term;
    return int64_t{2} * at + (found ? 1 : 0);
  }
  int64_t ordered_place(const SortValue& value) const {
    return value.null ? no_value() : ordered(place(value.text));
  }

  /// The smallest or largest term of the document, or of its nested documents.
  std::optional<uint32_t> pick(uint32_t doc) const {
    if (spec_.nested == nullptr) return pick_own(doc);
    std::optional<uint32_t> best;
    spec_.nested->each(doc, [&](uint32_t nested) {
      const std::optional<uint32_t> own = pick_own(nested);
      const bool further = own && (!best || (spec_.largest ? *own > *best : *own < *best));
      if (further) best = own;
      return own.has_value();
    });
    return best;
  }
  std::optional<uint32_t> pick_own(uint32_t doc) const {
    const uint32_t count = column_ == nullptr ? 0 : column_->count(doc);
    for (uint32_t i = 0; i < count; i++) {
      const int64_t ordinal = column_->value(doc, spec_.largest ? count - 1 - i : i);
      if (ordinal >= range_.begin && ordinal < range_.end) return static_cast<uint32_t>(ordinal);
    }
    return std::nullopt;
  }

  TermSortSpec spec_;
  const TermCodec* codec_;  // null: terms are printed as they are
  const TermDictionary* terms_ = nullptr;
  const Column* column_ = nullptr;
  TermDictionary::Range range_;
  std::optional<SortValue> anchors_[kAnchors];
  int64_t places_[kAnchors] = {};
  int missing_order_[kAnchors] = {};
  uint32_t max_doc_ = 0;
  uint32_t checked_to_[kAnchors] = {};  // the end of the zone that was found competitive
};

}  // namespace

std::unique_ptr<SortSource> make_term_sort(TermSortSpec spec) {
  return std::make_unique<TermSort>(std::move(spec));
}

}  // namespace quarry
