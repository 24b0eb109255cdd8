// Marks the terms that documents have, then counts the marks. If the terms of segments are joined
// by text, documents are counted instead.
#include "query/aggs/terms/distinct_terms_agg.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "query/aggs/frame/doc_portions.h"
#include "query/aggs/frame/shard_terms.h"
#include "query/scorers/doc_id_set.h"

namespace quarry {
namespace {

// Marks cost a byte each to clear and count; a hash table is cheaper for far fewer documents.
constexpr uint64_t kAlwaysMarked = 1 << 16;
constexpr uint64_t kTermsPerDoc = 64;

class DistinctTermsAggregator final : public Aggregator {
 public:
  DistinctTermsAggregator(AggContext& context, ValueSource source, uint32_t precision)
      : context_(context),
        source_(std::move(source)),
        precision_(precision),
        counts_(context, source_),
        counting_(counts_.by_text()) {}

  void start_leaf(const Leaf& leaf) override {
    counts_.start_leaf(leaf);
    numbers_ = counts_.by_text() ? std::span<const uint32_t>() : counts_.numbers(leaf);
  }

  bool collect_leaf(const LeafDocs& docs) override {
    if (counts_.leaf().size() == 0 || docs.count == 0) return true;
    // The condition is the same for all segments.
    counting_ = counting_ || (docs.all_live ? deletions() : is_rare(docs.total));
    if (counting_) {
      counts_.collect_leaf(docs);
    } else if (docs.all_live && docs.bits == nullptr && source_.field()->indexed) {
      whole_.push_back(&docs.leaf);
    } else {
      mark(docs);
    }
    return true;
  }

  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    if (counting_) return counts_.collect(values_);
    if (counts_.leaf().size() == 0) return;
    uint8_t* const marks = reach_marks();
    for (const int64_t ordinal : values_.values) {
      const size_t at = numbers_.empty() ? counts_.leaf().code_of(ordinal)
                                         : numbers_[static_cast<size_t>(ordinal)];
      marks[at] = 1;
    }
  }

  Status finish() override {
    if (!counting_) return {};
    distinct_ = counts_.distinct_put_off();
    if (!distinct_) counts_.settle();
    return {};
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    AggWriter::Head head;
    head.op = PlanOp::kAggCardinality;
    head.kind = source_.kind();
    head.owners = owners.size();
    head.extra = precision_;
    head.format = source_.format();
    const size_t node = out.begin(head);
    out.column(std::vector<uint8_t>(owners.size(), kExactSketch));
    out.column(std::vector<uint32_t>(owners.size(), count()));
    out.end(node);
  }

  Status check_order(const AggOrder& order) const override {
    return order.property == OrderProperty::kValue ? Status() : Aggregator::check_order(order);
  }
  double order_value(uint32_t /*owner*/, const AggOrder& /*order*/) const override {
    return count();
  }

 private:
  /// Whether segments have deletions: term frequencies are then corrected by the deleted documents.
  bool deletions() const {
    return std::any_of(context_.leaves.begin(), context_.leaves.end(),
                       [](const Leaf& leaf) { return leaf.live != nullptr; });
  }
  bool is_rare(uint64_t docs) const {
    return counts_.number_limit() > kAlwaysMarked + kTermsPerDoc * docs;
  }

  void mark(const LeafDocs& docs) {
    uint8_t* const marks = reach_marks();
    const ColumnCodes codes = counts_.leaf().codes();
    const uint32_t* const numbers = numbers_.empty() ? nullptr : numbers_.data() + codes.base;
    for (DocPortions portions(docs); portions.next();) {
      if (numbers == nullptr) {
        portions.each(codes, [marks](uint32_t, uint64_t code) { marks[code] = 1; });
      } else {
        portions.each(codes, [marks, numbers, step = codes.step](uint32_t, uint64_t code) {
          marks[numbers[step * code]] = 1;
        });
      }
    }
  }

  /// One byte per number, allocated in words.
  uint8_t* reach_marks() {
    const size_t words = (counts_.number_limit() + 7) / 8;
    if (marks_.size() < words) {
      marks_.resize(words);
      context_.budget.charge(words * sizeof(uint64_t));
    }
    return reinterpret_cast<uint8_t*>(marks_.data());
  }

  uint32_t count() const {
    if (distinct_) return *distinct_;
    if (counting_) return static_cast<uint32_t>(counts_.totals().numbers);
    if (whole_.empty()) return static_cast<uint32_t>(count_bits(marks_));
    if (context_.leaves.size() == 1) return source_.term_count();
    if (whole_.size() == context_.leaves.size())
      return static_cast<uint32_t>(counts_.number_limit());
    std::vector<uint64_t> marks = marks_;
    marks.resize((counts_.number_limit() + 7) / 8);
    for (const Leaf* leaf : whole_) {
      for (const uint32_t number : counts_.numbers(*leaf))
        reinterpret_cast<uint8_t*>(marks.data())[number] = 1;
    }
    return static_cast<uint32_t>(count_bits(marks));
  }

  AggContext& context_;
  ValueSource source_;
  uint32_t precision_;
  ShardTerms counts_;
  bool counting_;                      // counts documents; else terms are marked
  std::span<const uint32_t> numbers_;  // of the segment; empty: codes are numbers
  std::vector<uint64_t> marks_;
  std::vector<const Leaf*> whole_;  // segments of which all terms count
  std::optional<uint32_t> distinct_;
  ValueList values_;
};

}  // namespace

AggregatorPtr make_distinct_terms_agg(AggContext& context, ValueSource source, uint32_t precision) {
  return std::make_unique<DistinctTermsAggregator>(context, std::move(source), precision);
}

}  // namespace quarry
