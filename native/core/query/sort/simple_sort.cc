// Sort keys that do not belong to a mapped field: _score, _doc, _shard_doc, _id, _index.
#include <utility>

#include "mapping/values/numeric.h"
#include "query/sort/sort_key.h"

namespace quarry {
namespace {

/// Base of keys whose value is one int64.
class IntegerSort : public SortSource {
 public:
  explicit IntegerSort(bool descending) : descending_(descending) {}
  void set_anchor(Anchor anchor, const SortValue& value) final {
    anchors_[anchor] = ordered(value.number);
  }
  int compare(Anchor anchor, uint32_t doc, float score) final {
    const int64_t own = ordered(number(doc, score));
    return own < anchors_[anchor] ? -1 : own > anchors_[anchor] ? 1 : 0;
  }
  SortValue value(uint32_t doc, float score) final { return {false, number(doc, score), {}}; }
  int compare_values(const SortValue& a, const SortValue& b) const final {
    const int64_t left = ordered(a.number);
    const int64_t right = ordered(b.number);
    return left < right ? -1 : left > right ? 1 : 0;
  }

 protected:
  virtual int64_t number(uint32_t doc, float score) const = 0;

 private:
  int64_t ordered(int64_t number) const { return descending_ ? ~number : number; }

  bool descending_;
  int64_t anchors_[kAnchors] = {};
};

class ScoreSort final : public IntegerSort {
 public:
  using IntegerSort::IntegerSort;
  bool needs_scores() const override { return true; }
  void start_leaf(const Leaf&) override {}
  Result<SortValue> parse(const Scalar& scalar) const override {
    QUARRY_ASSIGN_OR_RETURN(const float value, search_after_number<float>(scalar.text, "_score"));
    return SortValue{false, sortable_from_double(value), {}};
  }
  SortColumn make_column() const override {
    SortColumn column;
    column.kind = SortColumnKind::kScore;
    return column;
  }
  void append(const SortValue& value, SortColumn& column) const override {
    column.nulls.push_back(0);
    column.doubles.push_back(double_from_sortable(value.number));
  }

 protected:
  int64_t number(uint32_t /*doc*/, float score) const override {
    return sortable_from_double(score);
  }
};

class DocSort : public IntegerSort {
 public:
  explicit DocSort(bool descending) : IntegerSort(descending), worse_from_here_(!descending) {}
  void start_leaf(const Leaf& leaf) override {
    base_ = leaf.base;
    max_doc_ = leaf.max_doc;
  }
  uint32_t next_competitive(Anchor anchor, uint32_t doc, bool /*or_equal*/) override {
    return worse_from_here_ && compare(anchor, doc, 0) >= 0 ? kNoMoreDocs : doc;
  }
  Result<SortValue> parse(const Scalar& scalar) const override {
    QUARRY_ASSIGN_OR_RETURN(const int64_t value, search_after_number<int64_t>(scalar.text, "_doc"));
    return SortValue{false, value, {}};
  }
  SortColumn make_column() const override { return {}; }
  void append(const SortValue& value, SortColumn& column) const override {
    column.nulls.push_back(0);
    column.ints.push_back(value.number);
  }
  uint32_t next_after(uint32_t doc) override {
    if (!worse_from_here_ || compare(kAfter, doc, 0) >= 0) return doc;
    // Values grow with the documents: finds the first document that is not before the anchor.
    uint32_t low = doc + 1;
    for (uint32_t end = max_doc_; low < end;) {
      const uint32_t middle = low + (end - low) / 2;
      if (compare(kAfter, middle, 0) < 0) {
        low = middle + 1;
      } else {
        end = middle;
      }
    }
    return low >= max_doc_ ? kNoMoreDocs : low;
  }

 protected:
  int64_t number(uint32_t doc, float /*score*/) const override { return int64_t{base_} + doc; }

 private:
  bool worse_from_here_;  // ascending: later documents are never better
  uint32_t base_ = 0;
  uint32_t max_doc_ = 0;
};

/// Insertion order over all indexes whose snapshots a plan names: the position of the index in the
/// list, then the sequence number. Ties are resolved in the same order.
class ShardDocSort final : public DocSort {
 public:
  ShardDocSort(bool descending, uint32_t index_place)
      : DocSort(descending), place_(int64_t{index_place} << kSeqNoBits) {}
  void start_leaf(const Leaf& leaf) override {
    DocSort::start_leaf(leaf);
    ids_ = &leaf.segment->ids();
  }

 protected:
  int64_t number(uint32_t doc, float /*score*/) const override {
    return place_ | static_cast<int64_t>(ids_->seq_no(doc));
  }

 private:
  // Enough for centuries of writes, and for positions below 512 that a double represents exactly.
  static constexpr uint32_t kSeqNoBits = 44;

  int64_t place_;
  const IdTable* ids_ = nullptr;
};

class IdSort : public SortSource {
 public:
  explicit IdSort(bool descending) : descending_(descending) {}
  void start_leaf(const Leaf& leaf) override { segment_ = leaf.segment; }
  void set_anchor(Anchor anchor, const SortValue& value) override { anchors_[anchor] = value.text; }
  int compare(Anchor anchor, uint32_t doc, float /*score*/) override {
    IdBuffer buffer;
    return order(text(doc, buffer), anchors_[anchor]);
  }
  SortValue value(uint32_t doc, float /*score*/) override {
    IdBuffer buffer;
    return {false, 0, std::string(text(doc, buffer))};
  }
  int compare_values(const SortValue& a, const SortValue& b) const override {
    return order(a.text, b.text);
  }
  Result<SortValue> parse(const Scalar& scalar) const override {
    return SortValue{false, 0, scalar.text};
  }
  SortColumn make_column() const override {
    SortColumn column;
    column.kind = SortColumnKind::kString;
    return column;
  }
  void append(const SortValue& value, SortColumn& column) const override {
    column.nulls.push_back(0);
    column.strings.push_back(value.text);
  }

 protected:
  /// A view of the segment or of `buffer`.
  virtual std::string_view text(uint32_t doc, IdBuffer& buffer) const {
    return segment_->ids().id(doc, buffer);
  }

 private:
  int order(std::string_view a, std::string_view b) const {
    const int order = a.compare(b);
    const int sign = order < 0 ? -1 : order > 0 ? 1 : 0;
    return descending_ ? -sign : sign;
  }

  bool descending_;
  const Segment* segment_ = nullptr;
  std::string anchors_[kAnchors];
};

class ConstantSort final : public IdSort {
 public:
  explicit ConstantSort(std::string text) : IdSort(false), text_(std::move(text)) {}

 protected:
  std::string_view text(uint32_t /*doc*/, IdBuffer& /*buffer*/) const override { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::unique_ptr<SortSource> make_score_sort(bool descending) {
  return std::make_unique<ScoreSort>(descending);
}
std::unique_ptr<SortSource> make_doc_sort(bool descending) {
  return std::make_unique<DocSort>(descending);
}
std::unique_ptr<SortSource> make_shard_doc_sort(bool descending, uint32_t index_place) {
  return std::make_unique<ShardDocSort>(descending, index_place);
}
std::unique_ptr<SortSource> make_id_sort(bool descending) {
  return std::make_unique<IdSort>(descending);
}
std::unique_ptr<SortSource> make_constant_sort(std::string text) {
  return std::make_unique<ConstantSort>(std::move(text));
}

}  // namespace quarry
