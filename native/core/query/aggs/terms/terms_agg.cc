// Counts documents by ordinal or number, drops the buckets that need not be in the reply, and
// counts the background of significant terms.
#include "query/aggs/terms/terms_agg.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "query/aggs/frame/key_column.h"
#include "query/aggs/frame/place_counting.h"
#include "query/aggs/frame/segment_totals.h"
#include "query/aggs/terms/plain_terms_agg.h"

namespace quarry {
namespace {

constexpr uint8_t kZeroFlag = 1;
constexpr uint8_t kBackgroundFlag = 2;
constexpr uint8_t kBackgroundFilterFlag = 4;
constexpr uint8_t kZeroFilterFlag = 8;
constexpr uint8_t kKnownFlags = 15;
constexpr uint64_t kBackgroundKeyBytes = 48;
constexpr uint32_t kNoKey = UINT32_MAX;
constexpr uint32_t kStepsPerEmptyBucket = 8;

/// Lists documents and their codes.
struct Gather {
  uint32_t* docs;
  uint32_t* codes;
  size_t count;
  void operator()(uint32_t doc, uint64_t code) {
    docs[count] = doc;
    codes[count++] = static_cast<uint32_t>(code);
  }
};

}  // namespace

TermsAggregator::TermsAggregator(AggContext& context, TermsParts parts, TermsOrder order)
    : BucketAggregator(context, std::move(parts.children)),
      context_(context),
      spec_(parts.spec),
      source_(std::move(parts.source)),
      filter_(std::move(parts.filter)),
      background_(std::move(parts.background)),
      zero_filter_(std::move(parts.zero_filter)),
      order_(std::move(order)),
      keys_(context.budget, filter_.get()),
      table_(context.budget),
      direct_(parts.single_owner && source_.has_ordinals()),
      subset_(context.budget) {
  if (context.leaves.size() == 1 && !spec_.background && !source_.has_missing())
    keys_.expect_each_once();
}

void TermsAggregator::start_leaf(const Leaf& leaf) {
  source_.start_leaf(leaf);
  if (source_.has_ordinals()) keys_.start_leaf(source_);
  BucketAggregator::start_leaf(leaf);
}

/// Applies if documents have at most one term: they are read as column codes and passed on as
/// buckets, without a decision per document.
bool TermsAggregator::collect_leaf(const LeafDocs& docs) {
  if (!direct_ || children_.empty() || children_.need_scores() || filter_ != nullptr ||
      spec_.background || !source_.whole_terms() || source_.has_missing() ||
      source_.multi_valued()) {
    return false;
  }
  leaf_.start(source_);
  if (leaf_.size() == 0) return source_.column() == nullptr;
  key_by_code_.assign(leaf_.size(), kNoKey);
  if (docs.all_live && add_totals(docs)) return true;
  gather(docs, [this](std::span<const uint32_t> found, std::span<uint32_t> codes) {
    hand_on(found, codes);
  });
  return true;
}

template <typename Take>
void TermsAggregator::gather(const LeafDocs& docs, Take take) {
  std::array<uint32_t, 2 * kAggBatchDocs> found;
  std::array<uint32_t, 2 * kAggBatchDocs> codes;
  size_t count = 0;
  for (DocPortions portions(docs, kAggBatchDocs); portions.next();) {
    count = portions.each(leaf_.codes(), Gather{found.data(), codes.data(), count}).count;
    if (count < kAggBatchDocs) continue;
    take(std::span(found).first(count), std::span(codes).first(count));
    count = 0;
    if (context_.budget.exceeded()) break;
  }
  if (count > 0) take(std::span(found).first(count), std::span(codes).first(count));
}

/// The documents of each code, followed by those of each place of the segment: the counters of
/// the child, with codes as owners.
std::vector<uint32_t> TermsAggregator::count_pairs(const LeafDocs& docs,
                                                   const PlaceCounters& child) {
  const size_t row = 1 + child.span;
  std::vector<uint32_t> counts(leaf_.size() * row);
  BucketArray<uint32_t> cells(context_.budget);
  std::swap(*child.cells, cells);
  gather(docs, [&](std::span<const uint32_t> found, std::span<uint32_t> codes) {
    for (const uint32_t code : codes) counts[code * row]++;
    AggBatch batch;
    batch.docs = found;
    batch.owners = codes.data();
    batch.owner_count = leaf_.size();
    children_.collect(batch);
  });
  std::swap(*child.cells, cells);
  for (size_t code = 0; code * child.places < cells.size(); code++) {
    const uint32_t* const own = cells.data() + code * child.places + child.first;
    std::copy_n(own, child.span, counts.begin() + static_cast<std::ptrdiff_t>(code * row + 1));
  }
  return counts;
}

/// Adds all live documents of the segment, and the cells of the only child, from its totals.
bool TermsAggregator::add_totals(const LeafDocs& docs) {
  Aggregator* const below = children_.only();
  if (below == nullptr) return false;
  const PlaceCounters child = below->place_counters(keys_.size() + leaf_.size());
  if (child.cells == nullptr) return false;
  const std::string name = totals_name("terms", source_.field()->name) + ' ' + child.name;
  const SegmentTotalsPtr totals = find_counts(
      context_, docs, name, [&](const LeafDocs& some) { return count_pairs(some, child); });
  if (totals == nullptr) return false;
  for (const uint64_t entry : *totals) {
    const auto code = static_cast<uint32_t>((entry >> 32) / (1 + child.span));
    const size_t at = (entry >> 32) % (1 + child.span);
    uint32_t& key = key_by_code_[code];
    if (key == kNoKey) key = keys_.of(leaf_.ordinal_of(code));
    if (at == 0) {
      counts_.reach(keys_.size());
      counts_[key] += static_cast<uint32_t>(entry);
    } else {
      child.cells->reach(keys_.size() * child.places);
      (*child.cells)[key * child.places + child.first + at - 1] += static_cast<uint32_t>(entry);
    }
  }
  return true;
}

void TermsAggregator::hand_on(std::span<const uint32_t> docs, std::span<uint32_t> codes) {
  if (docs.empty()) return;
  for (uint32_t& code : codes) {
    uint32_t& key = key_by_code_[code];
    if (key == kNoKey) key = keys_.of(leaf_.ordinal_of(code));
    code = key;
  }
  counts_.reach(keys_.size());
  count_cells(codes, counts_.data());
  AggBatch batch;
  batch.docs = docs;
  batch.owners = codes.data();
  batch.owner_count = keys_.size();
  children_.collect(batch);
}

void TermsAggregator::collect(const AggBatch& batch) {
  if (spec_.background) {
    subset_.reach(batch.owner_count);
    for (size_t i = 0; i < batch.docs.size(); i++) subset_[batch.owner(i)]++;
  }
  source_.read(batch, values_);
  const bool repeats = !source_.has_ordinals() && source_.multi_valued();
  for (size_t i = 0; i < values_.values.size(); i++) {
    const uint32_t entry = values_.entry(i);
    const int64_t value = values_.values[i];
    // A document counts once for a number that it has several times.
    if (repeats && i > 0 && values_.values[i - 1] == value && values_.entry(i - 1) == entry)
      continue;
    const uint32_t bucket = bucket_of(batch.owner(entry), value);
    if (bucket != TermKeys::kRejected) route(batch, entry, bucket);
  }
  flush_routed(bucket_count());
}

int TermsAggregator::compare_keys(uint32_t a, uint32_t b) const {
  if (source_.has_ordinals()) {
    return keys_.text(static_cast<uint32_t>(key_of(a)))
        .compare(keys_.text(static_cast<uint32_t>(key_of(b))));
  }
  const int64_t left = key_of(a);
  const int64_t right = key_of(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/// Calls take(documents) for the documents of `bits`, in batches.
template <typename Take>
void TermsAggregator::each_batch(const Bitset& bits, Take take) {
  std::vector<uint32_t> docs;
  for (uint32_t doc = bits.next(0); doc < bits.size(); doc = bits.next(doc + 1)) {
    docs.push_back(doc);
    if (docs.size() < kAggBatchDocs) continue;
    take(docs);
    docs.clear();
  }
  take(docs);
}

/// Sets the bits of the live documents of the segment that `filter` matches; false: there are none.
bool TermsAggregator::fill_live(Weight& filter, const Leaf& leaf, Bitset& out) {
  const ScorerPtr scorer = filter.scorer(leaf, leaf.max_doc);
  if (scorer == nullptr) return false;
  set_matches(*scorer, *leaf.stop, out);
  if (leaf.live != nullptr) out.intersect(*leaf.live);
  return true;
}

/// min_doc_count 0: every term of the shard is a bucket of every owner. A dictionary has the terms
/// of all documents; if a filter restricts the documents, their terms are read one by one.
void TermsAggregator::add_empty_buckets(std::span<const uint32_t> owners) {
  for (const Leaf& leaf : context_.leaves) {
    source_.start_leaf(leaf);
    if (source_.has_ordinals()) keys_.start_leaf(source_);
    const auto add = [&](int64_t value) {
      for (const uint32_t owner : owners) static_cast<void>(bucket_of(owner, value));
    };
    if (zero_filter_ != nullptr) {
      Bitset wanted(leaf.max_doc);
      if (!fill_live(*zero_filter_, leaf, wanted)) continue;
      each_batch(wanted, [&](std::span<const uint32_t> docs) {
        if (stop_.expired() || context_.budget.exceeded()) return;
        AggBatch batch;
        batch.docs = docs;
        source_.read(batch, values_);
        for (const int64_t value : values_.values) add(value);
      });
    } else if (source_.terms() != nullptr) {
      const TermDictionary::Range range = source_.term_range();
      for (uint32_t ordinal = range.begin; ordinal < range.end; ordinal++) {
        add(ordinal);
        if (stop_.step(kStepsPerEmptyBucket) || context_.budget.exceeded()) return;
      }
    } else if (source_.column() != nullptr) {
      for (uint32_t doc = 0; doc < leaf.max_doc && !context_.budget.exceeded(); doc++) {
        if (stop_.step(kStepsPerEmptyBucket)) return;
        if (leaf.live == nullptr || spec_.nested || leaf.live->test(doc))
          source_.column()->each(doc, [&](int64_t value) { add(source_.as_read(value)); });
      }
    }
  }
}

BucketGroups TermsAggregator::candidates(std::span<const uint32_t> owners) const {
  BucketGroups groups;
  if (direct_) {
    const bool has_buckets =
        !owners.empty() && !stop_.out_of_budget_within(kNanosPerBucket * keys_.size());
    groups.buckets.resize(has_buckets ? keys_.size() : 0);
    std::iota(groups.buckets.begin(), groups.buckets.end(), 0U);
    groups.ends.assign(owners.size(), static_cast<uint32_t>(groups.buckets.size()));
  } else {
    groups = group_buckets(table_, owners, stop_);
  }
  BucketGroups kept;
  for (size_t i = 0; i < owners.size(); i++) {
    for (const uint32_t bucket : groups.group(i)) {
      if (spec_.wanted(counts_.get(bucket))) kept.buckets.push_back(bucket);
    }
    kept.ends.push_back(static_cast<uint32_t>(kept.buckets.size()));
  }
  return kept;
}

void TermsCut::add(const TermsOrder& order, size_t found, size_t kept, uint64_t rest,
                   uint64_t last) {
  const bool cut = kept < found;
  sizes.push_back(static_cast<uint32_t>(kept));
  other.push_back(static_cast<double>(rest));
  error.push_back(!cut ? 0 : order.by_count() ? static_cast<double>(last) : -1);
  any = any || cut;
}

size_t TermsCut::begin(AggWriter& out, const ValueSource& source) const {
  AggWriter::Head head;
  head.op = PlanOp::kAggTerms;
  head.kind = source.kind();
  head.cut = any;
  head.owners = sizes.size();
  head.buckets = std::accumulate(sizes.begin(), sizes.end(), size_t{0});
  head.format = source.format();
  const size_t node = out.begin(head);
  out.column(sizes);
  out.column(other);
  out.column(error);
  return node;
}

TermsCut cut_groups(BucketGroups& groups, const TermsSpec& spec, const TermsOrder& order,
                    const TermsOrder::Buckets& buckets) {
  const bool cut = groups.buckets.size() > spec.exact_limit;
  const size_t keep = cut ? spec.shard_size : SIZE_MAX;
  TermsCut out;
  BucketGroups kept;
  for (size_t i = 0; i < groups.ends.size(); i++) {
    std::span<uint32_t> group = groups.group(i);
    order.sort(group, keep, buckets);
    const size_t size = std::min(keep, group.size());
    uint64_t rest = 0;
    for (const uint32_t bucket : group.subspan(size)) rest += buckets.count(bucket);
    out.add(order, group.size(), size, rest, size == 0 ? rest : buckets.count(group[size - 1]));
    kept.buckets.insert(kept.buckets.end(), group.begin(),
                        group.begin() + static_cast<std::ptrdiff_t>(size));
    kept.ends.push_back(static_cast<uint32_t>(kept.buckets.size()));
  }
  groups = std::move(kept);
  return out;
}

void TermsAggregator::put_keys(AggWriter& out, std::span<const uint32_t> buckets) const {
  KeyColumn column(source_.kind(), source_.codec());
  for (const uint32_t bucket : buckets) {
    if (source_.has_ordinals()) {
      column.add_text(keys_.text(static_cast<uint32_t>(key_of(bucket))));
    } else {
      column.add_number(key_of(bucket));
    }
  }
  column.put(out);
}

void TermsAggregator::emit(AggWriter& out, std::span<const uint32_t> owners) {
  if (spec_.zero) add_empty_buckets(owners);
  BucketGroups groups = candidates(owners);
  const TermsCut cut = cut_groups(groups, spec_, order_, *this);
  const size_t node = cut.begin(out, source_);
  put_keys(out, groups.buckets);
  out.column(counts_of(groups.buckets));
  if (spec_.background) put_background(out, owners, groups.buckets);
  emit_children(out, groups.buckets);
  out.end(node);
}

void TermsAggregator::put_background(AggWriter& out, std::span<const uint32_t> owners,
                                     std::span<const uint32_t> buckets) {
  std::vector<double> counts;
  for (const uint32_t bucket : buckets) {
    const auto at = in_background_.find(key_of(bucket));
    counts.push_back(at == in_background_.end() ? 0.0 : static_cast<double>(at->second));
  }
  out.column(counts);
  out.column(std::vector<double>(owners.size(), static_cast<double>(superset_)));
  std::vector<double> subsets;
  for (const uint32_t owner : owners) subsets.push_back(static_cast<double>(subset_.get(owner)));
  out.column(subsets);
}

Status TermsAggregator::finish() {
  if (filter_ != nullptr) QUARRY_RETURN_IF_ERROR(filter_->status());
  if (spec_.background) {
    for (uint32_t bucket = 0; bucket < bucket_count(); bucket++)
      in_background_.try_emplace(key_of(bucket), 0);
    context_.budget.charge(in_background_.size() * kBackgroundKeyBytes);
    for (const Leaf& leaf : context_.leaves) {
      if (context_.compiler.progress().stop.expired()) break;
      count_background(leaf);
    }
  }
  return BucketAggregator::finish();
}

void TermsAggregator::count_background(const Leaf& leaf) {
  source_.start_leaf(leaf);
  if (source_.has_ordinals()) keys_.start_leaf(source_);
  Bitset wanted(leaf.max_doc, background_ == nullptr);
  if (background_ != nullptr) {
    if (!fill_live(*background_, leaf, wanted)) return;
  } else if (leaf.live != nullptr) {
    wanted.intersect(*leaf.live);
  }
  superset_ += wanted.count();
  each_batch(wanted, [this](std::span<const uint32_t> docs) { count_background_batch(docs); });
}

void TermsAggregator::count_background_batch(std::span<const uint32_t> docs) {
  if (stop_.expired()) return;
  AggBatch batch;
  batch.docs = docs;
  source_.read(batch, values_);
  for (size_t i = 0; i < values_.values.size(); i++) {
    const int64_t value = values_.values[i];
    if (i > 0 && values_.values[i - 1] == value && values_.entry(i - 1) == values_.entry(i))
      continue;
    int64_t key = value;
    if (source_.has_ordinals()) {
      const uint32_t found = keys_.known(value);
      if (found == TermKeys::kRejected) continue;
      key = found;
    }
    const auto at = in_background_.find(key);
    if (at != in_background_.end()) at->second++;
  }
}

namespace {

/// Documents that the aggregation looks for itself are whole ones.
Status check_nested(const AggNode& node, const TermsSpec& spec, bool zero_filtered) {
  if (!spec.nested || (!spec.background && !zero_filtered)) return {};
  const std::string what = spec.background
                               ? "is not supported"
                               : "through a filtered alias takes no [min_doc_count] of 0";
  return {ErrorType::kIllegalArgument, "[" + node.head.type + "] inside [nested] " + what + ": [" +
                                           node.head.name + "]; put it into a [reverse_nested]"};
}

}  // namespace

Result<AggregatorPtr> make_terms_agg(AggNode& node) {
  PlanReader& reader = node.reader;
  const AggSource agg_source = read_agg_source(reader);
  TermsParts parts;
  parts.single_owner = node.single_owner;
  parts.spec.shard_size = reader.get<uint32_t>();
  parts.spec.exact_limit = reader.get<uint32_t>();
  parts.spec.min_doc_count = reader.get<uint32_t>();
  parts.spec.max_doc_count = reader.get<uint32_t>();
  std::vector<AggOrder> orders = read_agg_orders(reader);
  TermFilterSpec filter;
  filter.include = read_scalars(reader);
  filter.exclude = read_scalars(reader);
  filter.include_regexp = std::string(reader.get_string());
  filter.exclude_regexp = std::string(reader.get_string());
  filter.partition = reader.get<uint32_t>();
  filter.partitions = reader.get<uint32_t>();
  const auto flags = reader.get<uint8_t>();
  if (reader.failed() || flags > kKnownFlags) return malformed_agg(node.head);
  parts.spec.zero = (flags & kZeroFlag) != 0;
  parts.spec.background = (flags & kBackgroundFlag) != 0;
  const Compiler& compiler = node.context.compiler;
  parts.spec.nested = compiler.level() != compiler.context().level;
  QUARRY_RETURN_IF_ERROR(check_nested(node, parts.spec, (flags & kZeroFilterFlag) != 0));
  if ((flags & kBackgroundFilterFlag) != 0) {
    QUARRY_ASSIGN_OR_RETURN(parts.background, compile_agg_filter(node));
  }
  if ((flags & kZeroFilterFlag) != 0) {
    QUARRY_ASSIGN_OR_RETURN(parts.zero_filter, compile_agg_filter(node));
  }
  QUARRY_ASSIGN_OR_RETURN(parts.children, make_children(node));
  QUARRY_ASSIGN_OR_RETURN(parts.source, ValueSource::make(node.context, node.head, agg_source,
                                                          ValueSource::Accepts::kAnything));
  if (!filter.empty()) {
    QUARRY_ASSIGN_OR_RETURN(
        parts.filter, TermFilter::make(node.context, node.head, agg_source, parts.source, filter));
  }
  QUARRY_ASSIGN_OR_RETURN(TermsOrder order,
                          TermsOrder::make(node.head, std::move(orders), parts.children));
  if (PlainTermsAggregator::suits(parts)) {
    return AggregatorPtr(
        std::make_unique<PlainTermsAggregator>(node.context, std::move(parts), std::move(order)));
  }
  return AggregatorPtr(
      std::make_unique<TermsAggregator>(node.context, std::move(parts), std::move(order)));
}

}  // namespace quarry
