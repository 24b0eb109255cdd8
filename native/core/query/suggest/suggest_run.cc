// One ask after the other.
#include "query/suggest/suggest_run.h"

#include <string>
#include <variant>

#include "query/suggest/completion_search.h"

namespace quarry {
namespace {

class Runner {
 public:
  Runner(const SuggestScope& scope, const std::vector<uint32_t>& shards, ByteWriter& out)
      : scope_(scope), shards_(shards), out_(out) {}

  Status operator()(const AnalyzeAsk& ask) { return analyze_text(ask, scope_, out_); }
  Status operator()(const CandidatesAsk& ask) { return find_candidates(ask, scope_, out_); }
  Status operator()(const CountsAsk& ask) {
    count_terms(ask, scope_, out_);
    return {};
  }

  Status operator()(const CompleteAsk& ask) {
    const Field* field = scope_.mapping.find(ask.field);
    const bool mapped = field != nullptr && field->type == FieldType::kCompletion;
    if (field != nullptr && !mapped) {
      return {ErrorType::kIllegalArgument,
              "Field [" + field->name + "] is not a completion suggest field"};
    }
    out_.put(uint8_t{mapped});
    if (!mapped) {
      out_.put(uint32_t{0});
      return {};
    }
    QUARRY_ASSIGN_OR_RETURN(const Analyzer* analyzer, analyzer_of(ask, *field));
    QUARRY_ASSIGN_OR_RETURN(
        const std::vector<Completion> best,
        best_completions(ask, *field, *analyzer, scope_.segments, scope_.stop));
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
  Result<const Analyzer*> analyzer_of(const CompleteAsk& ask, const Field& field) const {
    if (ask.analyzer.empty()) return field.search_analyzer;
    const Analyzer* named = scope_.mapping.context().analysis->analyzer(ask.analyzer);
    if (named != nullptr) return named;
    return Status(ErrorType::kIllegalArgument,
                  "analyzer [" + std::string(ask.analyzer) + "] doesn't exists");
  }

  const SuggestScope& scope_;
  const std::vector<uint32_t>& shards_;  // of each segment
  ByteWriter& out_;
};

}  // namespace

std::vector<uint8_t> run_suggest(const SuggestRequest& request, const Mapping& mapping,
                                 const std::vector<SuggestShard>& shards, StopCheck& stop) {
  std::vector<const SegmentView*> segments;
  std::vector<uint32_t> shard_of;  // each segment
  ByteWriter out;
  out.put(kSuggestMagic);
  out.put(kSuggestVersion);
  out.put(uint16_t{0});
  out.put(static_cast<uint32_t>(shards.size()));
  for (const SuggestShard& shard : shards) {
    out.put(shard.shard);
    out.put(shard.view->generation);
    for (const SegmentView& segment : shard.view->segments) {
      segments.push_back(&segment);
      shard_of.push_back(shard.shard);
    }
  }
  const SuggestScope scope{mapping, segments, stop};
  Runner runner(scope, shard_of, out);
  for (const SuggestAsk& ask : request.asks) {
    if (stop.expired() && stop.cancelled()) return encode_suggest_error(client_gone());
    const Status status = std::visit(runner, ask);
    if (!status.ok()) return encode_suggest_error(status);
  }
  out.put(uint8_t{!stop.stopped()});
  return out.take();
}

}  // namespace quarry
