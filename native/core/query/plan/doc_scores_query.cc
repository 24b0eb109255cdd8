// doc_scores: documents that an earlier phase of the request found, with the scores of that phase.
// Decodes the lists of all shards and keeps the one of the shard under search.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/scored_docs.h"

namespace quarry {
namespace {

class DocScoresWeight final : public ScoredDocsWeight {
 public:
  /// `bound`: the largest score over all shards.
  DocScoresWeight(ScoredDocs here, uint64_t everywhere, float bound)
      : ScoredDocsWeight(bound), here_(std::move(here)), everywhere_(everywhere) {}
  std::string describe() const override { return "ScoreAndDocQuery"; }

 protected:
  const ScoredDocs& found() override { return here_; }
  uint64_t found_everywhere() override { return everywhere_; }

 private:
  ScoredDocs here_;
  uint64_t everywhere_;
};

/// The contents of all lists of a clause.
struct Lists {
  ScoredDocs here;
  bool has_here = false;
  uint64_t everywhere = 0;
  float best = 0;
};

/// Reads one list; false if it is not a valid list of ascending documents with finite scores.
bool read_list(PlanReader& reader, bool here, Lists& lists) {
  const auto count = reader.get<uint32_t>();
  if (count > reader.remaining() / 8) return false;
  lists.everywhere += count;
  if (here) lists.here.docs.reserve(count);
  if (here) lists.here.scores.reserve(count);
  int64_t last = -1;
  for (uint32_t i = 0; i < count; i++) {
    const auto doc = reader.get<uint32_t>();
    const auto score = reader.get<float>();
    if (int64_t{doc} <= last || !std::isfinite(score)) return false;
    last = doc;
    lists.best = std::max(lists.best, score);
    if (!here) continue;
    lists.here.docs.push_back(doc);
    lists.here.scores.push_back(score);
  }
  return true;
}

Status read_lists(PlanReader& reader, const SearchContext& context, Lists& lists) {
  const auto count = reader.get<uint32_t>();
  if (count > reader.remaining() / 12) return malformed_clause("doc_scores");
  for (uint32_t i = 0; i < count; i++) {
    const auto index = reader.get<uint32_t>();
    const auto shard = reader.get<uint32_t>();
    const bool here = index == context.index_number && shard == context.shard;
    if (here && lists.has_here) return malformed_clause("doc_scores");
    lists.has_here = lists.has_here || here;
    if (!read_list(reader, here, lists)) return malformed_clause("doc_scores");
  }
  return reader.failed() ? malformed_clause("doc_scores") : Status();
}

/// One past the last document of the view; documents are numbered through all its segments.
uint64_t end_of(const ShardView& view) {
  if (view.segments.empty()) return 0;
  const SegmentView& last = view.segments.back();
  return uint64_t{last.base} + last.segment->max_doc();
}

}  // namespace

Result<WeightPtr> compile_doc_scores(PlanReader& reader, Compiler& compiler, Scope scope) {
  Lists lists;
  const SearchContext& context = compiler.context();
  QUARRY_RETURN_IF_ERROR(read_lists(reader, context, lists));
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  compiler.depends_on_snapshot();
  if (lists.here.docs.empty()) return make_no_docs("an earlier phase found nothing in this shard");
  if (lists.here.docs.back() >= end_of(*context.view)) {
    return Status(ErrorType::kInternal, "document " + std::to_string(lists.here.docs.back()) +
                                            " of [doc_scores] is beyond the snapshot");
  }
  for (float& score : lists.here.scores) score *= scope.boost;
  return WeightPtr(std::make_unique<DocScoresWeight>(std::move(lists.here), lists.everywhere,
                                                     lists.best * scope.boost));
}

}  // namespace quarry
