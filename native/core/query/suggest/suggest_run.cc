// Executes the lookups of a request one after the other.
#include "query/suggest/suggest_run.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "query/plan/compiler.h"
#include "query/plan/leaves.h"
#include "query/suggest/completion_search.h"

namespace quarry {
namespace {

class Runner {
 public:
  Runner(const SuggestScope& scope, const std::vector<uint32_t>& shards, ByteWriter& out)
      : scope_(scope), shards_(shards), out_(out) {}

  Status operator()(const AnalyzeRequest& request) { return analyze_text(request, scope_, out_); }
  Status operator()(const CandidatesRequest& request) {
    return find_candidates(request, scope_, out_);
  }
  Status operator()(const CountsRequest& request) {
    count_terms(request, scope_, out_);
    return {};
  }
  Status operator()(const TermsRequest& request) { return terms_of_texts(request, scope_, out_); }

  Status operator()(const CompleteRequest& request) {
    const Field* field = scope_.mapping.find(request.field);
    const bool mapped = field != nullptr && field->traits().term_section == TermSection::kWeights;
    if (field != nullptr && !mapped) {
      return {ErrorType::kIllegalArgument,
              "Field [" + field->name + "] is not a completion suggest field"};
    }
    out_.put(uint8_t{mapped});
    if (!mapped) {
      out_.put(uint32_t{0});
      return {};
    }
    QUARRY_ASSIGN_OR_RETURN(const Analyzer* analyzer, analyzer_of(request, *field));
    QUARRY_ASSIGN_OR_RETURN(
        const std::vector<Completion> best,
        best_completions(request, *field, *analyzer, scope_.segments, scope_.stop));
    out_.put(static_cast<uint32_t>(best.size()));
    for (const Completion& one : best) {
      out_.put(one.score);
      out_.put(shards_[one.segment]);
      out_.put(scope_.segments[one.segment]->base + one.doc);
      out_.put_string(one.key);
      out_.put_string(one.input);
    }
    return {};
  }

 private:
  Result<const Analyzer*> analyzer_of(const CompleteRequest& request, const Field& field) const {
    if (request.analyzer.empty()) return field.search_analyzer;
    const Analyzer* named = scope_.mapping.context().analysis->analyzer(request.analyzer);
    if (named != nullptr) return named;
    return Status(ErrorType::kIllegalArgument,
                  "analyzer [" + std::string(request.analyzer) + "] doesn't exists");
  }

  const SuggestScope& scope_;
  const std::vector<uint32_t>& shards_;  // shard of each segment
  ByteWriter& out_;
};

/// The live documents of the segment that `filter` matches; incomplete if `stop` expires.
Bitset live_matches(Weight& filter, const Leaf& leaf, StopCheck& stop) {
  Bitset bits(leaf.max_doc);
  const ScorerPtr scorer = filter.scorer(leaf, leaf.max_doc);
  if (scorer == nullptr) return bits;
  for (uint32_t begin = 0; begin < leaf.max_doc; begin += ScoreWindow::kDocs) {
    if (stop.expired()) break;
    const uint32_t end = std::min(begin + ScoreWindow::kDocs, leaf.max_doc);
    scorer->match_window(begin, end, bits.words().data() + begin / 64);
  }
  if (leaf.live != nullptr) bits.intersect(*leaf.live);
  return bits;
}

/// The segments of a shard, with only those documents live that match the filter of the request.
Result<std::vector<SegmentView>> filtered_segments(const SuggestRequest& request,
                                                   const SearchContext& index,
                                                   const SuggestShard& shard, StopCheck& stop) {
  SearchContext context = index;
  context.shard = shard.shard;
  context.view = shard.view;
  SearchProgress progress{stop, {}};
  Compiler compiler(context, request.now_ms, progress);
  const Result<WeightPtr> filter = compiler.compile_filter(request.filter);
  if (!filter.ok()) return compiler.error_of(filter.status());
  std::vector<SegmentView> segments = shard.view->segments;
  for (const Leaf& leaf : make_leaves(*shard.view, progress)) {
    auto live = std::make_shared<const Bitset>(live_matches(**filter, leaf, stop));
    segments[leaf.ord].live_count = live->count();
    segments[leaf.ord].live = std::move(live);
  }
  return segments;
}

}  // namespace

std::vector<uint8_t> run_suggest(const SuggestRequest& request, const SearchContext& index,
                                 const std::vector<SuggestShard>& shards) {
  StopCheck stop = index.stop_check(request.timeout_us);
  std::vector<std::vector<SegmentView>> filtered;  // by shard
  for (const SuggestShard& shard : shards) {
    if (!request.is_filtered) break;
    Result<std::vector<SegmentView>> segments = filtered_segments(request, index, shard, stop);
    if (!segments.ok()) return encode_suggest_error(segments.status());
    filtered.push_back(std::move(segments).value());
  }
  std::vector<const SegmentView*> segments;
  std::vector<uint32_t> shard_of;  // shard of each segment
  ByteWriter out;
  out.put(kSuggestMagic);
  out.put(kSuggestVersion);
  out.put(uint16_t{0});
  out.put(static_cast<uint32_t>(shards.size()));
  for (size_t i = 0; i < shards.size(); i++) {
    const SuggestShard& shard = shards[i];
    out.put(shard.shard);
    out.put(shard.view->generation);
    for (const SegmentView& segment : request.is_filtered ? filtered[i] : shard.view->segments) {
      segments.push_back(&segment);
      shard_of.push_back(shard.shard);
    }
  }
  const SuggestScope scope{*index.mapping, segments, stop, request.is_filtered};
  Runner runner(scope, shard_of, out);
  for (const SuggestLookup& lookup : request.lookups) {
    if (stop.expired() && stop.cancelled()) return encode_suggest_error(client_gone());
    const Status status = std::visit(runner, lookup);
    if (!status.ok()) return encode_suggest_error(status);
  }
  out.put(uint8_t{!stop.stopped()});
  return out.take();
}

}  // namespace quarry
