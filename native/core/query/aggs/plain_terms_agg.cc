// Counts by ordinal, chooses the best by count.
#include "query/aggs/plain_terms_agg.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "query/aggs/key_column.h"

namespace quarry {
bool PlainTermsAggregator::suits(const TermsParts& parts) {
  return parts.single_owner && parts.source.whole_terms() && !parts.source.has_missing() &&
         parts.filter == nullptr && !parts.spec.background && !parts.spec.zero &&
         parts.children.empty();
}

PlainTermsAggregator::PlainTermsAggregator(AggContext& context, TermsParts parts, TermsOrder order)
    : context_(context),
      spec_(parts.spec),
      source_(std::move(parts.source)),
      order_(std::move(order)),
      one_segment_(context.leaves.size() == 1),
      keys_(context.budget, nullptr),
      counts_(context.budget),
      in_segment_(context.budget) {}

void PlainTermsAggregator::start_leaf(const Leaf& leaf) {
  settle();
  source_.start_leaf(leaf);
  leaf_.start(source_);
  if (!one_segment_ && leaf_.size() > 0) keys_.start_leaf(source_);
}

bool PlainTermsAggregator::collect_leaf(const LeafDocs& docs) {
  if (leaf_.size() == 0 || docs.count == 0) return true;
  if (!leaf_.count_by_frequency(docs, in_segment_)) leaf_.count(docs, in_segment_);
  open_ = true;
  return true;
}

/// Below an aggregation with one bucket.
void PlainTermsAggregator::collect(const AggBatch& batch) {
  if (leaf_.size() == 0) return;
  if (!open_) in_segment_.start(leaf_.size(), UINT64_MAX);
  open_ = true;
  source_.read(batch, values_);
  for (const int64_t ordinal : values_.values) in_segment_.array()[leaf_.code_of(ordinal)]++;
}

void PlainTermsAggregator::settle() {
  if (!open_ || one_segment_) return;
  open_ = false;
  in_segment_.each([this](uint32_t code, uint32_t count) {
    const uint32_t key = keys_.of(leaf_.ordinal_of(code));
    counts_.reach(keys_.size());
    counts_[key] += count;
  });
}

Status PlainTermsAggregator::finish() {
  settle();
  return {};
}

template <typename Take>
void PlainTermsAggregator::each_term(Take take) const {
  if (one_segment_) {
    if (open_) in_segment_.each(take);
    return;
  }
  for (uint32_t key = 0; key < counts_.size(); key++) take(key, counts_[key]);
}

std::string_view PlainTermsAggregator::text(uint32_t number) const {
  return one_segment_ ? source_.term(leaf_.ordinal_of(number)) : keys_.text(number);
}

int PlainTermsAggregator::compare_numbers(uint32_t a, uint32_t b) const {
  if (one_segment_) return a < b ? -1 : a > b ? 1 : 0;
  return keys_.text(a).compare(keys_.text(b));
}

PlainTermsAggregator::Cut PlainTermsAggregator::choose() {
  Cut cut;
  uint64_t total = 0;
  size_t size = 0;
  each_term([&](uint32_t, uint64_t count) {
    if (!wanted(count)) return;
    size++;
    total += count;
  });
  cut.any = size > spec_.exact_limit && size > spec_.shard_size;
  const size_t keep = cut.any ? spec_.shard_size : size;
  if (order_.by_count_alone() && cut.any) {
    TopTerms best(keep, [this](uint32_t a, uint32_t b) { return compare_numbers(a, b) < 0; });
    each_term([&](uint32_t number, uint64_t count) {
      if (wanted(count)) best.offer(number, count);
    });
    cut.terms = best.take();
  } else {
    each_term([&](uint32_t number, uint64_t count) {
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
    cut.error = !order_.by_count()    ? -1
                : cut.terms.empty()   ? static_cast<double>(cut.other)
                                      : static_cast<double>(cut.terms.back().count);
  }
  return cut;
}

void PlainTermsAggregator::emit(AggWriter& out, std::span<const uint32_t> owners) {
  settle();
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
  KeyColumn keys(source_.kind());
  std::vector<double> counts;
  for (const CountedTerm& term : cut.terms) {
    keys.add_text(text(term.number));
    counts.push_back(static_cast<double>(term.count));
  }
  keys.put(out);
  out.column(counts);
  out.end(node);
}

}  // namespace quarry
