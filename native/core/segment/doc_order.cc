// Sorts documents by numbers: values of number columns, and ranks of terms among all inputs.
#include "segment/doc_order.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "mapping/values/numeric.h"
#include "segment/nested_docs.h"
#include "segment/term_merge.h"

namespace quarry {
namespace {

/// For each input, the rank of each of its terms among the terms of all inputs.
std::vector<std::vector<int64_t>> rank_terms(const std::vector<const SegmentField*>& fields) {
  std::vector<std::vector<int64_t>> ranks(fields.size());
  std::vector<const TermDictionary*> dictionaries;
  for (size_t i = 0; i < fields.size(); i++) {
    const bool has = fields[i] != nullptr && fields[i]->inverted != nullptr;
    dictionaries.push_back(has ? &fields[i]->inverted->terms() : nullptr);
    if (has) ranks[i].resize(dictionaries[i]->size());
  }
  TermMerge terms(std::move(dictionaries));
  std::vector<TermMerge::Entry> entries;
  for (int64_t rank = 0; terms.next(entries); rank++) {
    for (const TermMerge::Entry& entry : entries) ranks[entry.part][entry.ordinal] = rank;
  }
  return ranks;
}

/// The numbers that documents are sorted by for one key, ascending, with the ties of a search that
/// is sorted by it.
class KeyRanks {
 public:
  KeyRanks(std::span<const MergeInput> inputs, const IndexSortKey& key) : key_(key) {
    const bool smallest = key.missing_first != key.descending;
    missing_ = missing_number(false, false, smallest);  // before or after the ranks of terms
    for (const MergeInput& input : inputs) {
      const SegmentField* field = input.segment->field(key.field);
      if (field != nullptr && field->inverted == nullptr) {
        const FieldTraits& traits = field_traits(field->type);
        missing_ =
            missing_number(traits.number == NumberKind::kDouble, traits.missing_32_bits, smallest);
      }
      fields_.push_back(field);
    }
    terms_ = rank_terms(fields_);
  }
  int64_t of(const SourceDoc& at) const {
    const int64_t value = ascending(at);
    return key_.descending ? ~value : value;
  }

 private:
  int64_t ascending(const SourceDoc& at) const {
    const SegmentField* field = fields_[at.source];
    const uint32_t count =
        field == nullptr || field->column == nullptr ? 0 : field->column->count(at.doc);
    if (count == 0) return missing_;
    const int64_t value = field->column->value(at.doc, key_.largest ? count - 1 : 0);
    if (field->inverted == nullptr) return value;
    // Ordinals of damaged segments may be out of range.
    const auto ordinal = static_cast<size_t>(value);
    return ordinal < terms_[at.source].size() ? terms_[at.source][ordinal] : 0;
  }

  const IndexSortKey& key_;
  int64_t missing_;
  std::vector<const SegmentField*> fields_;
  std::vector<std::vector<int64_t>> terms_;
};

/// Without nested documents.
std::vector<SourceDoc> live_documents(std::span<const MergeInput> inputs) {
  std::vector<SourceDoc> docs;
  for (uint32_t source = 0; source < inputs.size(); source++) {
    const MergeInput& input = inputs[source];
    const NestedDocs* nested = input.segment->nested();
    for (uint32_t doc = 0; doc < input.segment->max_doc(); doc++) {
      if (input.live != nullptr && !input.live->test(doc)) continue;
      if (nested == nullptr || nested->roots().test(doc)) docs.push_back({source, doc});
    }
  }
  return docs;
}

/// Adds a document after its nested ones.
void add_block(const MergeInput& input, const SourceDoc& root, std::vector<SourceDoc>& out) {
  const NestedDocs* nested = input.segment->nested();
  uint32_t doc = nested == nullptr ? root.doc : nested->block_begin(root.doc);
  for (; doc < root.doc; doc++) out.push_back({root.source, doc});
  out.push_back(root);
}

}  // namespace

std::vector<SourceDoc> sorted_documents(std::span<const MergeInput> inputs,
                                        std::span<const IndexSortKey> keys) {
  if (keys.empty()) return {};
  const std::vector<SourceDoc> docs = live_documents(inputs);
  std::vector<std::vector<int64_t>> ranks;
  for (const IndexSortKey& key : keys) {
    const KeyRanks of_key(inputs, key);
    std::vector<int64_t>& all = ranks.emplace_back();
    all.reserve(docs.size());
    for (const SourceDoc& doc : docs) all.push_back(of_key.of(doc));
  }
  const auto before = [&ranks](uint32_t a, uint32_t b) {
    for (const std::vector<int64_t>& of_key : ranks) {
      if (of_key[a] != of_key[b]) return of_key[a] < of_key[b];
    }
    return a < b;
  };
  std::vector<uint32_t> order(docs.size());
  std::iota(order.begin(), order.end(), 0U);
  if (std::is_sorted(order.begin(), order.end(), before)) return {};
  std::sort(order.begin(), order.end(), before);
  std::vector<SourceDoc> sorted;
  sorted.reserve(order.size());
  for (const uint32_t place : order) add_block(inputs[docs[place].source], docs[place], sorted);
  return sorted;
}

}  // namespace quarry
