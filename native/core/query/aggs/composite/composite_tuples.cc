// Reads the values of sources, and writes columns of them.
#include "query/aggs/composite/composite_tuples.h"

#include "mapping/values/numeric.h"
#include "query/aggs/frame/key_column.h"

namespace quarry {

void CompositeTuples::start_leaf(const Leaf& leaf) {
  if (!prepared_) {
    for (CompositeSource& source : sources_) source.prepare(leaves_);
  }
  prepared_ = true;
  for (CompositeSource& source : sources_) source.source.start_leaf(leaf);
}

bool CompositeTuples::read_entry(uint32_t entry) {
  bool complete = true;
  for (size_t i = 0; i < sources_.size(); i++) {
    std::vector<CompositeValue>& out = values_[i];
    out.clear();
    const ValueList& list = read_[i];
    size_t& at = at_[i];
    while (at < list.values.size() && list.entry(at) < entry) at++;
    for (; at < list.values.size() && list.entry(at) == entry; at++) {
      const CompositeValue value = sources_[i].value_of(list.values[at]);
      if (out.empty() || !(out.back() == value)) out.push_back(value);
    }
    if (out.empty() && sources_[i].missing_bucket) out.push_back({true, 0, {}});
    complete = complete && !out.empty();
  }
  return complete;
}

void CompositeTuples::put(AggWriter& out, std::span<const CompositeTuple* const> tuples) const {
  for (size_t i = 0; i < sources_.size(); i++) {
    const CompositeSource& source = sources_[i];
    ValueKind kind = source.source.kind();
    const bool moments = kind == ValueKind::kDate && source.type == CompositeType::kHistogram;
    if (kind != ValueKind::kUnmapped && kind != ValueKind::kDate) {
      if (source.type == CompositeType::kHistogram) kind = ValueKind::kDouble;
      if (source.type == CompositeType::kDateHistogram) kind = ValueKind::kLong;
    }
    NullableColumn column(kind, source.source.codec(), source.source.format());
    for (const CompositeTuple* tuple : tuples) {
      const CompositeValue& value = (*tuple)[i];
      if (value.null) {
        column.add_null();
      } else if (source.source.has_ordinals()) {
        column.add_text(value.text);
      } else if (moments) {
        column.add_number(ValueSource::whole_of(double_from_sortable(value.number)));
      } else {
        column.add_number(value.number);
      }
    }
    column.put(out);
  }
}

}  // namespace quarry
