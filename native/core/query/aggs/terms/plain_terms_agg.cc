// Selects the best terms by count.
#include "query/aggs/terms/plain_terms_agg.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "query/aggs/frame/key_column.h"

namespace quarry {
bool PlainTermsAggregator::suits(const TermsParts& parts) {
  return parts.single_owner && parts.source.whole_terms() && !parts.source.has_missing() &&
         parts.filter == nullptr && !parts.spec.background && !parts.spec.zero &&
         parts.children.empty();
}

PlainTermsAggregator::PlainTermsAggregator(AggContext& context, TermsParts parts, TermsOrder order)
    : spec_(parts.spec),
      source_(std::move(parts.source)),
      order_(std::move(order)),
      counts_(context, source_),
      stop_(context.compiler.progress().stop) {}

void PlainTermsAggregator::start_leaf(const Leaf& leaf) { counts_.start_leaf(leaf); }

bool PlainTermsAggregator::collect_leaf(const LeafDocs& docs) {
  counts_.collect_leaf(docs);
  return true;
}

/// Called instead of collect_leaf() below an aggregation with one bucket.
void PlainTermsAggregator::collect(const AggBatch& batch) {
  source_.read(batch, values_);
  counts_.collect(values_);
}

Status PlainTermsAggregator::finish() {
  counts_.settle();
  return {};
}

/// The buckets of the reply, best first.
std::vector<CountedTerm> PlainTermsAggregator::choose(TermsCut& cut) {
  auto [size, total] = counts_.totals();
  if (stop_.out_of_budget_within(kNanosPerBucket * size)) {
    cut.add(order_, 0, 0, 0, 0);
    return {};
  }
  if (spec_.min_doc_count > 1 || spec_.max_doc_count > 0) {
    size = total = 0;
    counts_.each([&](uint32_t, uint64_t count) {
      if (!spec_.wanted(count)) return;
      size++;
      total += count;
    });
  }
  const bool cuts = size > spec_.exact_limit && size > spec_.shard_size;
  const size_t keep = cuts ? spec_.shard_size : size;
  std::vector<CountedTerm> kept;
  if (order_.by_count_alone() && cuts) {
    TopTerms best(keep, [this](uint32_t a, uint32_t b) { return counts_.compare(a, b) < 0; });
    counts_.each_from([&best] { return best.least(); },
                      [&](uint32_t number, uint64_t count) {
                        if (spec_.wanted(count)) best.offer(number, count);
                      });
    kept = best.take();
  } else {
    counts_.each([&](uint32_t number, uint64_t count) {
      if (spec_.wanted(count)) terms_.push_back({number, count});
    });
    std::vector<uint32_t> group(terms_.size());
    std::iota(group.begin(), group.end(), 0U);
    order_.sort(group, keep, *this);
    for (size_t i = 0; i < keep; i++) kept.push_back(terms_[group[i]]);
    terms_.clear();
  }
  uint64_t rest = total;
  for (const CountedTerm& term : kept) rest -= term.count;
  cut.add(order_, size, keep, rest, kept.empty() ? rest : kept.back().count);
  return kept;
}

void PlainTermsAggregator::emit(AggWriter& out, std::span<const uint32_t> owners) {
  counts_.settle();
  TermsCut cut;
  std::vector<CountedTerm> terms;
  if (!owners.empty()) terms = choose(cut);
  const size_t node = cut.begin(out, source_);
  KeyColumn keys(source_.kind(), source_.codec());
  std::vector<double> counts;
  for (const CountedTerm& term : terms) {
    keys.add_text(counts_.text(term.number));
    counts.push_back(static_cast<double>(term.count));
  }
  keys.put(out);
  out.column(counts);
  out.end(node);
}

}  // namespace quarry
