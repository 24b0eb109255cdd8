// Unions of postings lists, or of column ordinals if there are no postings.
#include "query/scorers/postings_union.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace quarry {
namespace {

constexpr uint32_t kManyTerms =
    1024;  // from here on one pass over the column of ordinals is faster than the postings lists
constexpr uint32_t kSparseUnionShare =
    128;  // unions below one document in 128 are gathered and sorted

constexpr uint32_t kStepsPerTermInfo = 8;
constexpr uint32_t kStepsPerUnionBlock = 16;

/// The postings of several terms. Most terms of a dictionary have one document.
struct TermsAt {
  std::vector<uint32_t> docs;   // of terms with one document
  std::vector<TermInfo> terms;  // the other terms
  uint64_t postings = 0;

  TermsAt(const InvertedField& field, std::span<const uint32_t> ordinals, StopCheck& stop) {
    for (const uint32_t ordinal : ordinals) {
      if (stop.step(kStepsPerTermInfo)) return;
      const TermInfo info = field.terms().info(ordinal);
      postings += info.doc_freq;
      if (info.doc_freq == 1) {
        docs.push_back(info.doc);
      } else {
        terms.push_back(info);
      }
    }
  }
};

/// Calls `take` with a cursor on every block of every term, until the search has to stop.
template <typename Take>
void each_block(const Leaf& leaf, const InvertedField& field, std::span<const TermInfo> terms,
                Take take) {
  PostingsCursor cursor;
  for (const TermInfo& info : terms) {
    cursor.reset(field.source(), info);
    for (uint32_t from = 0; cursor.shallow_advance(from); from = cursor.block_last_doc() + 1) {
      if (leaf.stop->step(kStepsPerUnionBlock)) return;
      take(cursor);
      if (cursor.block_last_doc() == kNoMoreDocs) break;
    }
    leaf.counters->postings.add(cursor.work());
  }
}

DocIdSetPtr union_by_postings(const Leaf& leaf, const InvertedField& field,
                              std::span<const uint32_t> ordinals) {
  TermsAt at(field, ordinals, *leaf.stop);
  leaf.counters->terms_visited += ordinals.size();
  std::vector<uint32_t>& docs = at.docs;
  // Only a damaged dictionary contains documents beyond the segment.
  std::erase_if(docs, [&leaf](uint32_t doc) { return doc >= leaf.max_doc; });
  if (at.postings >= leaf.max_doc / kSparseUnionShare) {
    Bitset bits(leaf.max_doc);
    for (const uint32_t doc : docs) bits.set(doc);
    each_block(leaf, field, at.terms,
               [&bits](PostingsCursor& cursor) { cursor.collect_block(0, bits.words()); });
    return std::make_shared<DocIdSet>(std::move(bits));
  }
  docs.reserve(static_cast<size_t>(at.postings));
  each_block(leaf, field, at.terms, [&docs](PostingsCursor& cursor) {
    const std::span<const uint32_t> block = cursor.decode_docs();
    docs.insert(docs.end(), block.begin(), block.end());
  });
  std::sort(docs.begin(), docs.end());
  docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
  return std::make_shared<DocIdSet>(std::move(docs), leaf.max_doc);
}

DocIdSetPtr union_by_column(const Leaf& leaf, const SegmentField& field,
                            std::span<const uint32_t> ordinals) {
  const Column& column = *field.column;
  Bitset bits(leaf.max_doc);
  Bitset wanted(field.inverted->terms().size());
  for (const uint32_t ordinal : ordinals) wanted.set(ordinal);
  for (uint32_t doc = 0; doc < leaf.max_doc && !leaf.stop->step(); doc++) {
    for (uint32_t i = 0; i < column.count(doc); i++) {
      const int64_t ordinal = column.value(doc, i);
      if (ordinal < 0 || ordinal >= wanted.size() || !wanted.test(static_cast<uint32_t>(ordinal)))
        continue;
      bits.set(doc);
      break;
    }
  }
  return std::make_shared<DocIdSet>(std::move(bits));
}

bool use_column(const SegmentField& field, bool has_postings, size_t terms) {
  return field.column != nullptr && (!has_postings || terms >= kManyTerms);
}

}  // namespace

DocIdSetPtr union_of_terms(const Leaf& leaf, const SegmentField& field, bool has_postings,
                           std::span<const uint32_t> ordinals) {
  if (ordinals.empty()) return std::make_shared<DocIdSet>(std::vector<uint32_t>{}, leaf.max_doc);
  if (use_column(field, has_postings, ordinals.size()))
    return union_by_column(leaf, field, ordinals);
  return union_by_postings(leaf, *field.inverted, ordinals);
}

DocIdSetPtr union_of_term_range(const Leaf& leaf, const SegmentField& field, bool has_postings,
                                uint32_t begin, uint32_t end) {
  if (begin >= end) return std::make_shared<DocIdSet>(std::vector<uint32_t>{}, leaf.max_doc);
  if (use_column(field, has_postings, end - begin)) {
    Bitset bits(leaf.max_doc);
    field.column->collect_range(begin, static_cast<int64_t>(end) - 1, bits, leaf.stop);
    return std::make_shared<DocIdSet>(std::move(bits));
  }
  std::vector<uint32_t> ordinals(end - begin);
  std::iota(ordinals.begin(), ordinals.end(), begin);
  return union_by_postings(leaf, *field.inverted, ordinals);
}

}  // namespace quarry
