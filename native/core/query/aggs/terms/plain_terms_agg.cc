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

PlainTermsAggregator::Cut PlainTermsAggregator::choose() {
  Cut cut;
  auto [size, total] = counts_.totals();
  if (stop_.out_of_budget_within(kNanosPerBucket * size)) return cut;
  if (spec_.min_doc_count > 1 || spec_.max_doc_count > 0) {
    size = total = 0;
    counts_.each([&](uint32_t, uint64_t count) {
      if (!wanted(count)) return;
      size++;
      total += count;
    });
  }
  cut.any = size > spec_.exact_limit && size > spec_.shard_size;
  const size_t keep = cut.any ? spec_.shard_size : size;
  if (order_.by_count_alone() && cut.any) {
    TopTerms best(keep, [this](uint32_t a, uint32_t b) { return counts_.compare(a, b) < 0; });
    counts_.each_from([&best] { return best.least(); },
                      [&](uint32_t number, uint64_t count) {
                        if (wanted(count)) best.offer(number, count);
                      });
    cut.terms = best.take();
  } else {
    counts_.each([&](uint32_t number, uint64_t count) {
      if (wanted(count)) terms_.push_back({number, count});
    });
    std::vector<uint32_t> group(terms_.size());
    std::iota(group.begin(), group.end(), 0U);
    order_.sort(group, keep, *this);
    for (size_t i = 0; i < keep; i++) cut.terms.push_back(terms_[group[i]]);
    terms_.clear();
  }
  uint64_t sent = 0;
  for (const CountedTerm& term : cut.terms) sent += term.count;
  cut.other = total - sent;
  if (cut.any) {
    cut.error = !order_.by_count()  ? -1
                : cut.terms.empty() ? static_cast<double>(cut.other)
                                    : static_cast<double>(cut.terms.back().count);
  }
  return cut;
}

void PlainTermsAggregator::emit(AggWriter& out, std::span<const uint32_t> owners) {
  counts_.settle();
  const Cut cut = owners.empty() ? Cut() : choose();
  AggWriter::Head head;
  head.op = PlanOp::kAggTerms;
  head.kind = source_.kind();
  head.cut = cut.any;
  head.owners = owners.size();
  head.buckets = cut.terms.size();
  head.format = source_.format();
  const size_t node = out.begin(head);
  out.column(std::vector<uint32_t>(owners.size(), static_cast<uint32_t>(cut.terms.size())));
  out.column(std::vector<double>(owners.size(), static_cast<double>(cut.other)));
  out.column(std::vector<double>(owners.size(), cut.error));
  KeyColumn keys(source_.kind(), source_.codec());
  std::vector<double> counts;
  for (const CountedTerm& term : cut.terms) {
    keys.add_text(counts_.text(term.number));
    counts.push_back(static_cast<double>(term.count));
  }
  keys.put(out);
  out.column(counts);
  out.end(node);
}

}  // namespace quarry
