// For tests and fuzz targets: reads all data of an inverted field, as a query does, and checks the
// guarantees that hold even for damaged bytes: documents ascend below max_doc, iterations end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "postings/inverted_field.h"

namespace quarry::testing {

/// Returns false when a document is out of bounds or out of order.
inline bool walk_everything(const InvertedField& field, uint32_t ordinal, uint32_t max_doc) {
  PostingsCursor cursor = field.postings(ordinal);
  std::vector<uint32_t> positions;
  uint64_t least = 0;
  uint64_t sum = cursor.term_impacts().size();
  while (cursor.next() != kNoMoreDocs) {
    if (cursor.doc() < least || cursor.doc() >= max_doc) return false;
    least = uint64_t{cursor.doc()} + 1;
    sum += cursor.freq();
    positions.clear();
    cursor.positions(positions);
    for (size_t i = 1; i < positions.size(); ++i) {
      if (positions[i - 1] > positions[i]) return false;
    }
  }
  volatile uint64_t sink = sum;
  static_cast<void>(sink);
  return cursor.next() == kNoMoreDocs && cursor.freq() == 1;
}

inline bool skip_everything(const InvertedField& field, uint32_t ordinal, uint32_t max_doc) {
  PostingsCursor cursor = field.postings(ordinal);
  std::vector<uint32_t> positions;
  for (uint64_t target = 0;
       target < max_doc && cursor.shallow_advance(static_cast<uint32_t>(target));) {
    if (cursor.block_impacts().size() > kMaxImpacts || cursor.group_impacts().size() > kMaxImpacts)
      return false;
    if (cursor.block_last_doc() < target) return false;
    const PostingsCursor::Block block = cursor.decode_block();
    for (const uint32_t doc : block.docs) {
      if (doc >= max_doc) return false;
    }
    std::vector<uint64_t> window(3);
    cursor.collect_block(static_cast<uint32_t>(target), window);
    const uint32_t doc = cursor.advance(static_cast<uint32_t>(target));
    if (doc == kNoMoreDocs) break;
    if (doc < target || doc >= max_doc) return false;
    if (cursor.shallow_advance(doc + (max_doc - doc) / 2)) cursor.decode_block();
    cursor.positions(positions);
    target = uint64_t{doc} + 1 + target / 4;
  }
  return true;
}

/// Checks list_from() and keep_common(), with the term's own documents and with arbitrary ones.
inline bool keep_everything(const InvertedField& field, uint32_t ordinal, uint32_t max_doc) {
  PostingsCursor lead = field.postings(ordinal);
  PostingsCursor own = field.postings(ordinal);
  PostingsCursor any = field.postings(ordinal);
  uint32_t docs[kBlockDocs];
  for (uint32_t from = 0; const uint32_t count = lead.list_from(from, docs);) {
    const uint32_t last = docs[count - 1];
    if (count > kBlockDocs || docs[0] < from || last >= max_doc) return false;
    if (own.keep_common({docs, count}) > count) return false;
    from = last + 1;
  }
  for (uint32_t begin = 0; begin < max_doc;) {
    uint32_t count = 0;
    for (; begin < max_doc && count < kBlockDocs; begin += 1 + begin / 64) docs[count++] = begin;
    const uint32_t kept = any.keep_common({docs, count});
    if (kept > count || !std::is_sorted(docs, docs + kept)) return false;
  }
  return true;
}

inline bool read_everything(const InvertedField& field, uint32_t max_doc) {
  const TermDictionary& terms = field.terms();
  for (uint32_t ordinal = 0; ordinal < terms.size(); ++ordinal) {
    const std::string_view term = terms.term(ordinal);
    if (terms.lower_bound(term) > terms.size()) return false;
    const TermDictionary::Range range = terms.prefix_range(term.substr(0, term.size() / 2));
    if (range.begin > range.end || range.end > terms.size()) return false;
    if (!walk_everything(field, ordinal, max_doc) || !skip_everything(field, ordinal, max_doc) ||
        !keep_everything(field, ordinal, max_doc)) {
      return false;
    }
  }
  return true;
}

}  // namespace quarry::testing
