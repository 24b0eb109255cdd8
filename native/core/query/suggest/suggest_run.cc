// One ask after the other.
#include "query/suggest/suggest_run.h"

#include <variant>

namespace quarry {
namespace {

class Runner {
 public:
  Runner(const SuggestScope& scope, ByteWriter& out) : scope_(scope), out_(out) {}

  Status operator()(const AnalyzeAsk& ask) { return analyze_text(ask, scope_, out_); }
  Status operator()(const CandidatesAsk& ask) { return find_candidates(ask, scope_, out_); }
  Status operator()(const CountsAsk& ask) {
    count_terms(ask, scope_, out_);
    return {};
  }

 private:
  const SuggestScope& scope_;
  ByteWriter& out_;
};

}  // namespace

std::vector<uint8_t> run_suggest(const SuggestRequest& request, const Mapping& mapping,
                                 const std::vector<SuggestShard>& shards, const Clock& clock) {
  std::vector<const SegmentView*> segments;
  ByteWriter out;
  out.put(kSuggestMagic);
  out.put(kSuggestVersion);
  out.put(uint16_t{0});
  out.put(static_cast<uint32_t>(shards.size()));
  for (const SuggestShard& shard : shards) {
    out.put(shard.shard);
    out.put(shard.view->generation);
    for (const SegmentView& segment : shard.view->segments) segments.push_back(&segment);
  }
  StopCheck stop(&clock, request.timeout_us);
  const SuggestScope scope{mapping, segments, stop};
  Runner runner(scope, out);
  for (const SuggestAsk& ask : request.asks) {
    const Status status = std::visit(runner, ask);
    if (!status.ok()) return encode_suggest_error(status);
  }
  out.put(uint8_t{!stop.timed_out()});
  return out.take();
}

}  // namespace quarry
