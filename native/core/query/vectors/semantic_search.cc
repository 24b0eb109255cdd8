#include "query/vectors/semantic_search.h"

#include <algorithm>
#include <utility>

#include "query/vectors/vector_clause.h"

namespace quarry {
namespace {

/// The first lists have a depth of twice k plus kFirstDepth; each further depth is kDeeper times
/// larger.
constexpr uint32_t kFirstDepth = 64;
constexpr uint64_t kDeeper = 4;

const VectorColumn* column_of(const Leaf& leaf, std::string_view field) {
  const SegmentField* held = leaf.segment->field(field);
  return held != nullptr ? held->vectors : nullptr;
}

bool before(const VectorHit& a, const VectorHit& b) {
  return a.score != b.score ? a.score > b.score : a.doc < b.doc;
}

}  // namespace

SemanticSearch::SemanticSearch(std::vector<Leaf> leaves, std::string_view vectors,
                               std::string_view passages, const PreparedVector& query,
                               SearchProgress& progress)
    : query_(query), progress_(progress) {
  for (Leaf& leaf : leaves) {
    Part part;
    part.whole = column_of(leaf, vectors);
    if (!passages.empty()) part.passages = column_of(leaf, passages);
    part.leaf = leaf;
    if (part.whole == nullptr) continue;
    has_passages_ = has_passages_ || part.passages != nullptr;
    parts_.push_back(std::move(part));
  }
}

std::vector<VectorHit> SemanticSearch::run(uint32_t k, uint32_t num_candidates, Weight* filter,
                                           VectorSearcher& searcher) {
  const Wanted wanted = {k, num_candidates, filter != nullptr};
  for (Part& part : parts_) {
    part.searched = fill_filter(filter, part.leaf, part.filter) && !progress_.stop.stopped();
  }
  if (!has_passages_) return nearest(&Part::whole, k, wanted, searcher).hits;
  for (uint64_t depth = 2 * uint64_t{k} + kFirstDepth;; depth *= kDeeper) {
    const auto reach = static_cast<uint32_t>(std::min<uint64_t>(depth, UINT32_MAX));
    const List whole = nearest(&Part::whole, reach, wanted, searcher);
    const List passages = nearest(&Part::passages, reach, wanted, searcher);
    score_unseen(whole.hits);
    score_unseen(passages.hits);
    if (progress_.stop.stopped() || settled(whole, passages, k)) return best(k);
  }
}

SemanticSearch::List SemanticSearch::nearest(const VectorColumn* Part::* column, uint32_t depth,
                                             const Wanted& wanted, VectorSearcher& searcher) {
  TopVectors top(depth, {});
  for (const Part& part : parts_) {
    if (!part.searched || part.*column == nullptr) continue;
    if (progress_.stop.expired()) break;
    const VectorSegment segment = {part.*column, part.leaf.base, part.leaf.live,
                                   wanted.filtered ? &part.filter : nullptr};
    searcher.search(segment, query_, wanted.num_candidates, top, progress_.stop,
                    progress_.counters.vectors);
  }
  List list;
  list.hits = top.take();
  list.complete = list.hits.size() < depth;
  return list;
}

void SemanticSearch::score_unseen(const std::vector<VectorHit>& hits) {
  for (const VectorHit& hit : hits) {
    if (progress_.stop.step(static_cast<uint32_t>(query_.vector().size()))) return;
    if (!seen_.insert(hit.doc).second) continue;
    if (const std::optional<SemanticSimilarity> found = similarity(hit.doc)) {
      scored_.push_back({hit.doc, static_cast<float>(found->score())});
    }
  }
}

std::optional<SemanticSimilarity> SemanticSearch::similarity(uint32_t doc) {
  const auto behind =
      std::upper_bound(parts_.begin(), parts_.end(), doc,
                       [](uint32_t value, const Part& part) { return value < part.leaf.base; });
  if (behind == parts_.begin()) return std::nullopt;
  const Part& part = *(behind - 1);
  const uint32_t local = doc - part.leaf.base;
  if (local >= part.leaf.max_doc) return std::nullopt;
  const uint32_t row = part.whole->ordinal(local);
  if (row == kNoVector) return std::nullopt;
  SemanticSimilarity found;
  found.whole = query_.score(part.whole->row(row));
  VectorColumn::Rows rows;
  if (part.passages != nullptr) rows = part.passages->rows_of(local);
  for (uint32_t at = rows.begin; at < rows.end; at++) {
    found.passage = std::max(found.passage.value_or(0), query_.score(part.passages->row(at)));
  }
  const uint64_t compared = uint64_t{1} + rows.end - rows.begin;
  VectorCounters& counters = progress_.counters.vectors;
  counters.exact_distances += compared;
  counters.bytes_read += compared * query_.vector().size() * sizeof(float);
  return found;
}

/// Whether no document outside both lists can be among the k best. Lists hold scores as floats, so
/// two documents whose means differ by less than a float's last digit may be treated as equal here.
bool SemanticSearch::settled(const List& whole, const List& passages, uint32_t k) {
  if (whole.complete) return true;
  if (scored_.size() < k) return false;
  const VectorHit worst = best(k).back();
  const VectorHit& last = whole.hits.back();
  if (before(last, worst)) return false;  // a document without passages may come next
  if (passages.complete) return true;     // and no document with passages is left
  const VectorHit& last_passage = passages.hits.back();
  const auto most = static_cast<float>(
      (static_cast<double>(last.score) + static_cast<double>(last_passage.score)) / 2);
  return !before({std::max(last.doc, last_passage.doc), most}, worst);
}

std::vector<VectorHit> SemanticSearch::best(uint32_t k) const {
  TopVectors top(k, {});
  for (const VectorHit& hit : scored_) top.push(hit.doc, static_cast<double>(hit.score));
  return top.take();
}

}  // namespace quarry
