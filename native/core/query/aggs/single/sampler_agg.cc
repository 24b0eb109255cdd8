// sampler and diversified_sampler: only the best documents by score, and at most a given number
// with the same value of a field. The child aggregations receive them after the last document.
#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/replay.h"
#include "query/aggs/frame/value_source.h"

namespace quarry {
namespace {

struct SamplerSpec {
  uint32_t shard_size = 100;
  bool diversified = false;
  uint32_t max_docs_per_value = 1;
};

struct Candidate {
  float score = 0;
  uint32_t doc = 0;  // base + docId
  uint64_t value = 0;
};

/// The order of a heap with the worst candidate on top.
bool better(const Candidate& a, const Candidate& b) {
  return a.score != b.score ? a.score > b.score : a.doc < b.doc;
}

void push_best(std::vector<Candidate>& heap, const Candidate& candidate, size_t most) {
  if (most == 0) return;
  if (heap.size() >= most) {
    if (!better(candidate, heap.front())) return;
    std::pop_heap(heap.begin(), heap.end(), better);
    heap.pop_back();
  }
  heap.push_back(candidate);
  std::push_heap(heap.begin(), heap.end(), better);
}

class SamplerAggregator final : public BucketAggregator {
 public:
  SamplerAggregator(AggContext& context, const SamplerSpec& spec, ValueSource source,
                    AggChildren children)
      : BucketAggregator(context, std::move(children)),
        context_(context),
        spec_(spec),
        source_(std::move(source)) {}

  bool needs_scores() const override { return true; }
  bool is_single_bucket() const override { return true; }
  Status check_order(const AggOrder& order) const override {
    return order.property == OrderProperty::kDocCount ? Status() : Aggregator::check_order(order);
  }
  double order_value(uint32_t owner, const AggOrder& /*order*/) const override {
    return static_cast<double>(counts_.get(owner));
  }

  void start_leaf(const Leaf& leaf) override {
    base_ = leaf.base;
    if (spec_.diversified) source_.start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    if (batch.owner_count > owners_.size()) owners_.resize(batch.owner_count);
    if (spec_.diversified) source_.read(batch, values_);
    size_t at = 0;
    for (uint32_t entry = 0; entry < batch.docs.size(); entry++) {
      Candidate candidate{batch.score(entry), base_ + batch.docs[entry], kNoValue};
      if (spec_.diversified) {
        while (at < values_.values.size() && values_.entry(at) < entry) at++;
        if (at < values_.values.size() && values_.entry(at) == entry) {
          candidate.value = value_of(values_.values[at]);
          ambiguous_ =
              ambiguous_ || (at + 1 < values_.values.size() && values_.entry(at + 1) == entry);
        }
      }
      add(owners_[batch.owner(entry)], candidate);
    }
  }

  Status finish() override {
    if (ambiguous_) {
      return {ErrorType::kIllegalArgument, "Sample diversifying key must be a single valued-field"};
    }
    std::vector<PutAside> sample;
    for (uint32_t owner = 0; owner < owners_.size(); owner++) take_best(owner, sample);
    owners_.clear();
    replay(
        context_.leaves, sample, [this](const Leaf& leaf) { children_.start_leaf(leaf); },
        [this](std::span<const PutAside> docs) {
          size_t buckets = 0;
          for (const PutAside& doc : docs) {
            routed_.docs.push_back(doc.doc);
            routed_.buckets.push_back(doc.bucket);
            routed_.scores.push_back(doc.score);
            buckets = std::max(buckets, size_t{doc.bucket} + 1);
          }
          flush_routed(buckets);
        });
    return BucketAggregator::finish();
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    AggWriter::Head head;
    head.op = PlanOp::kAggSampler;
    head.owners = owners.size();
    head.buckets = owners.size();
    const size_t node = out.begin(head);
    out.column(counts_of(owners));
    emit_children(out, owners);
    out.end(node);
  }

 private:
  static constexpr uint64_t kNoValue = 0;  // shared by all documents without a value

  struct Owner {
    std::vector<Candidate> best;                                    // plain
    std::unordered_map<uint64_t, std::vector<Candidate>> by_value;  // diversified
  };

  uint64_t value_of(int64_t value) const {
    const uint64_t known = source_.has_ordinals()
                               ? hash64(source_.term(value))
                               : hash64({reinterpret_cast<const char*>(&value), sizeof(value)});
    return known == kNoValue ? 1 : known;
  }
  void add(Owner& owner, const Candidate& candidate) {
    std::vector<Candidate>& heap = spec_.diversified ? owner.by_value[candidate.value] : owner.best;
    const size_t before = heap.capacity();
    push_best(heap, candidate,
              spec_.diversified ? std::min(spec_.max_docs_per_value, spec_.shard_size)
                                : spec_.shard_size);
    context_.budget.charge((heap.capacity() - before) * sizeof(Candidate));
  }
  void take_best(uint32_t owner, std::vector<PutAside>& sample) {
    std::vector<Candidate>& best = owners_[owner].best;
    for (const auto& [value, candidates] : owners_[owner].by_value) {
      for (const Candidate& candidate : candidates) push_best(best, candidate, spec_.shard_size);
    }
    for (const Candidate& candidate : best)
      sample.push_back({candidate.doc, owner, candidate.score});
  }

  AggContext& context_;
  SamplerSpec spec_;
  ValueSource source_;
  ValueList values_;
  uint32_t base_ = 0;
  bool ambiguous_ = false;  // some document has several values
  std::vector<Owner> owners_;
};

}  // namespace

Result<AggregatorPtr> make_sampler_agg(AggNode& node) {
  SamplerSpec spec;
  spec.shard_size = node.reader.get<uint32_t>();
  spec.diversified = read_agg_flag(node.reader);
  ValueSource source;
  if (spec.diversified) {
    const AggSource agg_source = read_agg_source(node.reader);
    spec.max_docs_per_value = node.reader.get<uint32_t>();
    QUARRY_ASSIGN_OR_RETURN(source, ValueSource::make(node.context, node.head, agg_source,
                                                      ValueSource::Accepts::kAnything));
  }
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node, true));
  return AggregatorPtr(std::make_unique<SamplerAggregator>(node.context, spec, std::move(source),
                                                           std::move(children)));
}

}  // namespace quarry
