// terms, rare_terms and significant_terms: buckets by the values of a field.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "query/aggs/frame/bucket_table.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/value_source.h"
#include "query/aggs/terms/leaf_terms.h"
#include "query/aggs/terms/term_filter.h"
#include "query/aggs/terms/term_keys.h"
#include "query/aggs/terms/terms_order.h"

namespace quarry {

struct TermsSpec {
  uint32_t shard_size = 10;
  uint32_t exact_limit = 0;
  uint32_t min_doc_count = 1;
  uint32_t max_doc_count = 0;  // 0: no limit
  bool zero = false;           // include terms of the shard that no matching document has
  bool background = false;
  bool nested = false;  // the documents that it receives are nested ones

  /// Whether a bucket of so many documents may be in the reply.
  bool wanted(uint64_t docs) const {
    return docs >= min_doc_count && (zero || docs > 0) &&
           (max_doc_count == 0 || docs <= max_doc_count);
  }
};

/// The parts of a decoded node.
struct TermsParts {
  TermsSpec spec;
  ValueSource source;
  std::unique_ptr<TermFilter> filter;  // null: every term is accepted
  WeightPtr background;                // null: all live documents
  WeightPtr zero_filter;               // documents whose terms `zero` includes; null: all
  AggChildren children;
  bool single_owner = false;
};

/// What the reply says of the buckets that it leaves out.
struct TermsCut {
  std::vector<uint32_t> sizes;  // by owner: the buckets of the reply
  std::vector<double> other;
  std::vector<double> error;
  bool any = false;

  /// Adds an owner with `found` buckets, of which the reply has the best `kept`; `rest` documents
  /// are in the others, and `last` in the last one that it has.
  void add(const TermsOrder& order, size_t found, size_t kept, uint64_t rest, uint64_t last);
  /// Writes the node up to its keys.
  size_t begin(AggWriter& out, const ValueSource& source) const;
};

/// Sorts every group and keeps its best buckets, unless all of them may be in the reply.
TermsCut cut_groups(BucketGroups& groups, const TermsSpec& spec, const TermsOrder& order,
                    const TermsOrder::Buckets& buckets);

/// Keys are numbers as in the column, or numbers of TermKeys. With one owner and terms of text, a
/// bucket is its key, without a table in between.
class TermsAggregator final : public BucketAggregator, private TermsOrder::Buckets {
 public:
  TermsAggregator(AggContext& context, TermsParts parts, TermsOrder order);

  void start_leaf(const Leaf& leaf) override;
  bool collect_leaf(const LeafDocs& docs) override;
  void collect(const AggBatch& batch) override;
  Status finish() override;
  void emit(AggWriter& out, std::span<const uint32_t> owners) override;

 private:
  int compare_keys(uint32_t a, uint32_t b) const override;
  uint64_t count(uint32_t bucket) const override { return counts_.get(bucket); }

  /// The bucket of a value, or TermKeys::kRejected.
  uint32_t bucket_of(uint32_t owner, int64_t value) {
    if (source_.has_ordinals()) {
      const uint32_t key = keys_.of(value);
      return direct_ || key == TermKeys::kRejected ? key : table_.add(owner, key);
    }
    if (filter_ != nullptr && !filter_->wants_number(value)) return TermKeys::kRejected;
    return table_.add(owner, value);
  }
  /// Calls take(documents, codes) for the documents of the segment that have a code, in batches.
  template <typename Take>
  void gather(const LeafDocs& docs, Take take);
  void hand_on(std::span<const uint32_t> docs, std::span<uint32_t> codes);
  bool add_totals(const LeafDocs& docs);
  std::vector<uint32_t> count_pairs(const LeafDocs& docs, const PlaceCounters& child);
  size_t bucket_count() const { return direct_ ? keys_.size() : table_.size(); }
  int64_t key_of(uint32_t bucket) const { return direct_ ? bucket : table_.key(bucket); }

  void add_empty_buckets(std::span<const uint32_t> owners);
  BucketGroups candidates(std::span<const uint32_t> owners) const;
  void put_keys(AggWriter& out, std::span<const uint32_t> buckets) const;
  void put_background(AggWriter& out, std::span<const uint32_t> owners,
                      std::span<const uint32_t> buckets);
  static bool fill_live(Weight& filter, const Leaf& leaf, Bitset& out);
  template <typename Take>
  void each_batch(const Bitset& bits, Take take);
  void count_background(const Leaf& leaf);
  void count_background_batch(std::span<const uint32_t> docs);

  AggContext& context_;
  TermsSpec spec_;
  ValueSource source_;
  std::unique_ptr<TermFilter> filter_;
  WeightPtr background_;
  WeightPtr zero_filter_;
  TermsOrder order_;
  TermKeys keys_;
  BucketTable table_;
  bool direct_;
  ValueList values_;
  LeafTerms leaf_;
  std::vector<uint32_t> key_by_code_;                    // of the current segment
  BucketArray<uint64_t> subset_;                         // documents by owner
  std::unordered_map<int64_t, uint64_t> in_background_;  // documents by key
  uint64_t superset_ = 0;
};

}  // namespace quarry
