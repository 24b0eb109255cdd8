// Counts the different values of a field: sets of hashes up to a threshold, HyperLogLog above it.
// Terms that only one shard counts are counted by number (shard_terms.h).
#include <algorithm>
#include <cstring>
#include <memory>

#include "base/hash.h"
#include "query/aggs/frame/doc_portions.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/value_source.h"
#include "query/aggs/metrics/hyper_log_log.h"
#include "query/aggs/terms/distinct_terms_agg.h"
#include "query/aggs/terms/leaf_terms.h"

namespace quarry {
namespace {

/// The hashes of one owner.
class HashSketch {
 public:
  void add(uint64_t hash, uint32_t threshold, uint32_t precision, AggBudget& budget) {
    if (!registers_.empty()) return hll_add(registers_, precision, hash);
    if (hash == 0) {
      has_zero_ = true;
    } else {
      insert(hash, budget);
    }
    if (size() > threshold) fold(precision, budget);
  }
  bool is_sketch() const { return !registers_.empty(); }
  const std::vector<uint8_t>& registers() const { return registers_; }
  std::vector<uint64_t> hashes() const {
    std::vector<uint64_t> out;
    out.reserve(size());
    if (has_zero_) out.push_back(0);
    for (const uint64_t hash : slots_) {
      if (hash != 0) out.push_back(hash);
    }
    return out;
  }
  double estimate(uint32_t precision) const {
    return is_sketch() ? hll_estimate(registers_, precision) : static_cast<double>(size());
  }

 private:
  size_t size() const { return count_ + (has_zero_ ? 1 : 0); }
  void insert(uint64_t hash, AggBudget& budget) {
    if ((count_ + 1) * 2 > slots_.size()) {
      std::vector<uint64_t> before = std::move(slots_);
      slots_.assign(before.empty() ? 8 : 2 * before.size(), 0);
      budget.charge((slots_.size() - before.size()) * sizeof(uint64_t));
      count_ = 0;
      for (const uint64_t old : before) {
        if (old != 0) place(old);
      }
    }
    place(hash);
  }
  void place(uint64_t hash) {
    size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at] == 0) count_++;
    slots_[at] = hash;
  }
  void fold(uint32_t precision, AggBudget& budget) {
    registers_.assign(size_t{1} << precision, 0);
    budget.charge(registers_.size());
    for (const uint64_t hash : hashes()) hll_add(registers_, precision, hash);
    budget.release(slots_.size() * sizeof(uint64_t));
    slots_ = {};
  }

  std::vector<uint64_t> slots_;  // open addressing, 0: free
  size_t count_ = 0;
  bool has_zero_ = false;
  std::vector<uint8_t> registers_;  // empty: exact so far
};

class CardinalityAggregator final : public Aggregator {
 public:
  CardinalityAggregator(AggContext& context, ValueSource source, uint32_t threshold)
      : context_(context),
        budget_(context.budget),
        source_(std::move(source)),
        threshold_(threshold),
        precision_(hll_precision(threshold)),
        counts_(context.budget) {}

  void start_leaf(const Leaf& leaf) override {
    settle();
    source_.start_leaf(leaf);
    if (!source_.has_ordinals()) return;
    if (source_.whole_terms()) leaf_.start(source_);
    seen_.assign(source_.term_count(), 0);
    hashes_.clear();
  }

  bool collect_leaf(const LeafDocs& docs) override {
    if (!source_.whole_terms() || source_.has_missing()) return false;
    if (leaf_.size() == 0 || docs.count == 0) return true;
    if (leaf_.count_by_frequency(context_, docs, counts_)) {
      counts_.each([this](uint32_t code, uint32_t) { seen_[leaf_.ordinal_of(code)] = 1; });
      return true;
    }
    const ColumnCodes& codes = leaf_.codes();
    uint8_t* const seen = seen_.data() + codes.base;
    const uint64_t step = codes.step;
    for (DocPortions portions(docs); portions.next();)
      portions.each(codes, [=](uint32_t, uint64_t code) { seen[step * code] = 1; });
    return true;
  }

  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    if (values_.values.empty()) return;
    reach(batch.owner_count);
    if (source_.has_ordinals() && batch.owner_count == 1) return mark_seen();
    if (source_.has_ordinals() && hashes_.empty()) reach_hashes();
    for (size_t i = 0; i < values_.values.size(); i++) {
      const int64_t value = values_.values[i];
      if (source_.has_ordinals()) {
        const auto at = static_cast<uint64_t>(value);
        const bool known = at < hashes_.size() && hashes_[at] != 0;
        add(batch.owner(values_.entry(i)), known ? hashes_[at] : hash_term(value));
      } else if (source_.kind() == ValueKind::kDouble || source_.kind() == ValueKind::kUnsigned) {
        add(batch.owner(values_.entry(i)), hash_of_number(value));
      } else {
        add(batch.owner(values_.entry(i)), hash_integer(value));
      }
    }
  }

  Status finish() override {
    settle();
    return {};
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    settle();
    AggWriter::Head head;
    head.op = PlanOp::kAggCardinality;
    head.kind = source_.kind();
    head.owners = owners.size();
    head.extra = precision_;
    head.format = source_.format();
    const size_t node = out.begin(head);
    static const HashSketch kEmpty;
    const auto sketch_of = [this](uint32_t owner) -> const HashSketch& {
      return owner < sketches_.size() ? sketches_[owner] : kEmpty;
    };
    std::vector<uint8_t> kinds;
    std::vector<std::vector<uint64_t>> hashes;
    std::vector<uint32_t> lengths;
    for (const uint32_t owner : owners) {
      const HashSketch& sketch = sketch_of(owner);
      kinds.push_back(sketch.is_sketch() ? 1 : 0);
      hashes.push_back(sketch.is_sketch() ? std::vector<uint64_t>() : sketch.hashes());
      lengths.push_back(static_cast<uint32_t>(sketch.is_sketch() ? sketch.registers().size()
                                                                 : hashes.back().size()));
    }
    out.column(kinds);
    out.column(lengths);
    for (size_t i = 0; i < owners.size(); i++) {
      if (kinds[i] == 1) {
        out.column(sketch_of(owners[i]).registers());
      } else {
        out.column(hashes[i]);
      }
    }
    out.end(node);
  }

  Status check_order(const AggOrder& order) const override {
    return order.property == OrderProperty::kValue ? Status() : Aggregator::check_order(order);
  }
  double order_value(uint32_t owner, const AggOrder& /*order*/) const override {
    return owner < sketches_.size() ? sketches_[owner].estimate(precision_) : 0.0;
  }

 private:
  /// For one owner: marks the ordinals that occur; settle() adds their hashes after the segment.
  void mark_seen() {
    for (const int64_t value : values_.values) {
      const auto at = static_cast<uint64_t>(value);
      if (at < seen_.size()) {
        seen_[at] = 1;
      } else {
        add(0, hash_term(value));
      }
    }
  }
  void settle() {
    const uint8_t* begin = seen_.data();
    const uint8_t* end = begin + seen_.size();
    const auto next = [end](const uint8_t* from) {
      const auto left = static_cast<size_t>(end - from);
      const void* found = left == 0 ? nullptr : std::memchr(from, 1, left);
      return found == nullptr ? end : static_cast<const uint8_t*>(found);
    };
    for (const uint8_t* at = next(begin); at != end; at = next(at + 1)) {
      reach(1);
      add(0, hash_term(at - begin));
    }
    seen_.clear();
  }
  void reach_hashes() {
    const size_t before = hashes_.capacity();
    hashes_.assign(source_.term_count(), 0);
    budget_.charge((hashes_.capacity() - before) * sizeof(uint64_t));
  }
  void reach(size_t owners) {
    if (owners <= sketches_.size()) return;
    budget_.charge((owners - sketches_.size()) * sizeof(HashSketch));
    sketches_.resize(owners);
  }
  void add(uint32_t owner, uint64_t hash) {
    sketches_[owner].add(hash, threshold_, precision_, budget_);
  }
  uint64_t hash_term(int64_t ordinal) {
    const uint64_t hash = std::max<uint64_t>(hash64(source_.term(ordinal)), 1);
    const auto at = static_cast<uint64_t>(ordinal);
    if (at < hashes_.size()) hashes_[at] = hash;
    return hash;
  }
  /// Unsigned numbers in the signed range have the same hash as signed ones.
  uint64_t hash_of_number(int64_t value) const {
    const uint64_t number = static_cast<uint64_t>(value) ^ (uint64_t{1} << 63);
    return source_.kind() == ValueKind::kUnsigned ? hash_integer(static_cast<int64_t>(number))
                                                  : hash_number(source_.number(value));
  }

  AggContext& context_;
  AggBudget& budget_;
  ValueSource source_;
  uint32_t threshold_;
  uint32_t precision_;
  LeafTerms leaf_;
  TermCounts counts_;
  ValueList values_;
  std::vector<uint8_t> seen_;     // by ordinal of the segment, for the only owner
  std::vector<uint64_t> hashes_;  // by ordinal of the segment; 0: not computed yet
  std::vector<HashSketch> sketches_;
};

}  // namespace

Result<AggregatorPtr> make_cardinality_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  const auto threshold = std::min(node.reader.get<uint32_t>(), kMaxPrecisionThreshold);
  const bool alone = read_agg_flag(node.reader);
  QUARRY_RETURN_IF_ERROR(check_no_children(node));
  QUARRY_ASSIGN_OR_RETURN(ValueSource values, ValueSource::make(node.context, node.head, source,
                                                                ValueSource::Accepts::kCounted));
  if (alone && node.single_owner && values.whole_terms() && !values.has_missing())
    return make_distinct_terms_agg(node.context, std::move(values), hll_precision(threshold));
  return AggregatorPtr(
      std::make_unique<CardinalityAggregator>(node.context, std::move(values), threshold));
}

}  // namespace quarry
