// Counts terms segment by segment.
#include "query/aggs/frame/shard_terms.h"

#include <algorithm>

namespace quarry {
namespace {

TermNumberingPtr numbering_of(AggContext& context, const ValueSource& source) {
  if (context.leaves.size() < 2) return nullptr;
  return TermNumbering::find(context.compiler.context().filters, source.field()->name,
                             context.leaves, context.compiler.progress().stop);
}

}  // namespace

ShardTerms::ShardTerms(AggContext& context, ValueSource& source)
    : context_(context),
      source_(source),
      one_segment_(context.leaves.size() == 1),
      numbering_(numbering_of(context, source)),
      in_order_(context.budget),
      gone_(context.budget),
      in_leaf_(context.budget),
      keys_(context.budget, nullptr),
      by_key_(context.budget) {}

void ShardTerms::start_leaf(const Leaf& leaf) {
  settle_leaf();
  source_.start_leaf(leaf);
  at_ = &leaf;
  leaf_.start(source_);
  if (by_text() && leaf_.size() > 0) keys_.start_leaf(source_);
}

void ShardTerms::start_numbers(uint64_t values) {
  if (!started_) in_order_.start(numbering_->size(), values);
  started_ = true;
}

void ShardTerms::collect_leaf(const LeafDocs& docs) {
  if (leaf_.size() == 0 || docs.count == 0) return;
  if (numbering_ != nullptr) {
    const Column& column = *source_.column();
    const uint64_t values = docs.total * (column.value_count() / column.doc_count());
    if (put_off(docs)) return;
    start_numbers(docs.all_live ? UINT64_MAX : values);
    count_numbers(docs, in_order_);
    return;
  }
  TermCounts& counts = one_segment_ ? in_order_ : in_leaf_;
  if (!leaf_.count_by_frequency(context_, docs, counts)) leaf_.count(docs, counts);
  started_ = true;
}

void ShardTerms::collect(const ValueList& values) {
  if (leaf_.size() == 0) return;
  TermCounts& counts = by_text() ? in_leaf_ : in_order_;
  if (!started_)
    counts.start(numbering_ != nullptr ? numbering_->size() : leaf_.size(), UINT64_MAX);
  started_ = true;
  for (const int64_t ordinal : values.values) {
    const size_t at = numbering_ != nullptr
                          ? numbering_->numbers(*at_)[static_cast<size_t>(ordinal)]
                          : leaf_.code_of(ordinal);
    if (counts.sparse()) {
      counts.add(static_cast<uint32_t>(at));
    } else {
      counts.array()[at]++;
    }
  }
}

void ShardTerms::count_numbers(const LeafDocs& docs, TermCounts& counts) {
  const uint32_t* const numbers = numbering_->numbers(*at_).data() + leaf_.codes().base;
  leaf_.add(docs, counts,
            [numbers, step = leaf_.codes().step](uint64_t code) { return numbers[step * code]; });
}

bool ShardTerms::put_off(const LeafDocs& docs) {
  const uint64_t deleted = docs.leaf.max_doc - docs.count;
  if (!docs.all_live || !source_.field()->indexed || deleted > docs.count / 2) return false;
  if (started_ && in_order_.sparse()) return false;
  put_off_.push_back(at_);
  if (docs.bits == nullptr) return true;
  if (gone_.array_size() == 0) gone_.start(numbering_->size(), UINT64_MAX);
  if (const SegmentTotalsPtr counted = leaf_.deleted_counts(context_, docs)) {
    const std::span<const uint32_t> numbers = numbering_->numbers(*at_);
    for (const uint64_t entry : *counted) {
      const auto code = static_cast<uint32_t>(entry >> 32);
      gone_.array()[numbers[leaf_.ordinal_of(code)]] += static_cast<uint32_t>(entry);
    }
  } else {
    count_numbers(DeletedDocs(docs).docs(), gone_);
  }
  return true;
}

std::optional<uint32_t> ShardTerms::distinct_put_off() const {
  // A shard without segments has no numbering either.
  if (numbering_ == nullptr || put_off_.size() != context_.leaves.size()) return std::nullopt;
  size_t gone = 0;
  gone_.each([&](uint32_t number, uint32_t count) {
    gone += count == numbering_->doc_freq(number) ? 1 : 0;
  });
  return static_cast<uint32_t>(numbering_->size() - gone);
}

void ShardTerms::add_put_off() {
  start_numbers(UINT64_MAX);
  uint32_t* const counts = in_order_.array();
  if (put_off_.size() == context_.leaves.size()) {
    for (uint32_t number = 0; number < numbering_->size(); number++)
      counts[number] += numbering_->doc_freq(number);
  } else {
    for (const Leaf* leaf : put_off_) {
      const std::span<const uint32_t> numbers = numbering_->numbers(*leaf);
      const TermDictionary& terms = leaf->segment->field(source_.field()->name)->inverted->terms();
      for (uint32_t ordinal = 0; ordinal < numbers.size(); ordinal++)
        counts[numbers[ordinal]] += terms.info(ordinal).doc_freq;
    }
  }
  gone_.each([counts](uint32_t number, uint32_t count) {
    counts[number] -= std::min(count, counts[number]);
  });
  put_off_.clear();
}

/// Only needed if the terms of segments are joined by text.
void ShardTerms::settle_leaf() {
  if (!started_ || !by_text()) return;
  started_ = false;
  in_leaf_.each([this](uint32_t code, uint32_t count) {
    const uint32_t key = keys_.of(leaf_.ordinal_of(code));
    by_key_.reach(keys_.size());
    by_key_[key] += count;
  });
}

void ShardTerms::settle() {
  settle_leaf();
  if (!put_off_.empty()) add_put_off();
}

TermCounts::Totals ShardTerms::totals() const {
  if (!by_text()) return in_order_.totals();
  TermCounts::Totals out;
  for (uint32_t key = 0; key < by_key_.size(); key++) {
    out.numbers += by_key_[key] != 0 ? 1 : 0;
    out.sum += by_key_[key];
  }
  return out;
}

int ShardTerms::compare(uint32_t a, uint32_t b) const {
  if (!by_text()) return a < b ? -1 : a > b ? 1 : 0;
  return keys_.text(a).compare(keys_.text(b));
}

std::string_view ShardTerms::text(uint32_t number) const {
  if (by_text()) return keys_.text(number);
  if (one_segment_) return source_.term(leaf_.ordinal_of(number));
  const TermNumbering::Place place = numbering_->place(number);
  const SegmentField* field = context_.leaves[place.leaf].segment->field(source_.field()->name);
  return field->inverted->terms().term(place.ordinal);
}

}  // namespace quarry
