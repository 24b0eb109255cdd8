// Reads all data of a segment, even if its bytes are damaged: for fuzzing and for tests with
// damaged files.
#pragma once

#include <string>
#include <vector>

#include "segment/segment.h"
#include "vector/vector_search.h"

namespace quarry::testing {

inline uint64_t read_inverted(const InvertedField& inverted) {
  uint64_t sum = 0;
  std::vector<uint32_t> positions;
  for (uint32_t ordinal = 0; ordinal < inverted.terms().size(); ordinal++) {
    sum += inverted.terms().term(ordinal).size() + inverted.terms().info(ordinal).doc_freq;
    sum += inverted.terms().find(inverted.terms().term(ordinal)).value_or(0);
    PostingsCursor cursor = inverted.postings(ordinal);
    for (uint32_t doc = cursor.next(); doc != kNoMoreDocs; doc = cursor.next()) {
      positions.clear();
      cursor.positions(positions);
      sum += doc + cursor.freq() + positions.size();
    }
    for (uint32_t target = 0; cursor.shallow_advance(target);) {
      for (const Impact& impact : cursor.block_impacts()) sum += impact.freq + impact.norm;
      sum += cursor.decode_block().docs.size();
      if (cursor.block_last_doc() >= kNoMoreDocs - 1 || cursor.block_last_doc() < target) break;
      target = cursor.block_last_doc() + 1;
    }
  }
  return sum;
}

inline uint64_t read_column(const Column& column) {
  uint64_t sum = column.value_count();
  for (uint32_t doc = 0; doc < column.max_doc(); doc++) {
    sum += column.has(doc) ? 1 : 0;
    for (uint32_t i = 0; i < column.count(doc); i++)
      sum += static_cast<uint64_t>(column.value(doc, i));
  }
  for (uint32_t zone = 0; zone < column.zone_count(); zone++) {
    sum += static_cast<uint64_t>(column.zone(zone).min);
  }
  Bitset out(column.max_doc());
  column.collect_range(0, 100, out);
  column.collect_present(out);
  return sum + out.count();
}

/// Searches by every path, with a vector that does not depend on the damaged data.
inline uint64_t search_vectors(const VectorColumn& vectors) {
  std::vector<float> query(vectors.dims(), 0.25F);
  const PreparedVector prepared(vectors.options(), query);
  VectorSearcher searcher;
  uint64_t sum = 0;
  for (const VectorPath path : {VectorPath::kAuto, VectorPath::kRows, VectorPath::kCascade,
                                VectorPath::kSketchWalk, VectorPath::kFullWalk}) {
    TopVectors top(5, std::nullopt);
    StopCheck stop(nullptr, 0);
    VectorCounters counters;
    searcher.search({&vectors, 0, nullptr, nullptr}, prepared, 0, top, stop, counters, path);
    for (const VectorHit& hit : top.take()) sum += hit.doc;
  }
  return sum;
}

inline uint64_t read_vectors(const VectorColumn& vectors) {
  uint64_t sum = vectors.derived_damage().size();
  double numbers = 0;
  for (uint32_t i = 0; i < vectors.size(); i++) {
    sum += vectors.ordinal(vectors.doc(i));
    numbers += static_cast<double>(vectors.norm(i));
    for (uint32_t d = 0; d < vectors.dims(); d++) {
      numbers += static_cast<double>(vectors.row(i)[d]);
    }
  }
  if (const HnswGraph* graph = vectors.graph()) {
    for (uint32_t node = 0; node < graph->size(); node++) {
      for (uint32_t i = 0; i < graph->links_per_node(); i++) sum += graph->links(node)[i];
    }
    for (uint32_t index = 0; index < graph->upper_size(); index++) {
      sum += graph->upper_node(index);
      for (uint32_t level = 1; level <= graph->upper_levels(index); level++) {
        for (uint32_t i = 0; i < graph->m(); i++) sum += graph->upper_links(index, level)[i];
      }
    }
  }
  return sum + (numbers == 0 ? 1 : 0) + search_vectors(vectors);
}

/// A checksum of everything that was read.
inline uint64_t read_segment(const Segment& segment) {
  uint64_t sum = segment.max_doc() + segment.bytes();
  for (const SegmentField& field : segment.fields()) {
    if (field.inverted != nullptr) sum += read_inverted(*field.inverted);
    if (field.column != nullptr) sum += read_column(*field.column);
    if (field.vectors != nullptr) sum += read_vectors(*field.vectors);
    Bitset present(segment.max_doc());
    segment.collect_present(field, present);
    sum += present.count();
    for (uint32_t doc = 0; field.norms != nullptr && doc < segment.max_doc(); doc++)
      sum += field.norms[doc];
  }
  StoredSource::Cursor cursor(segment.stored());
  for (uint32_t doc = 0; doc < segment.max_doc(); doc++) {
    IdBuffer id;
    sum += segment.ids().find(segment.ids().id(doc, id)).value_or(0);
    sum += segment.ids().version(doc).version;
    std::string source;
    if (segment.stored().get(doc, source).ok()) sum += source.size();
    if (const auto seen = cursor.get(doc); seen.ok()) sum += seen->size();
  }
  return sum;
}

}  // namespace quarry::testing
