// Suggest requests on an index, executed on snapshots of its shards.
#include <string>

#include "engine/catalog/index_view.h"
#include "engine/engine_impl.h"
#include "query/suggest/suggest_run.h"

namespace quarry {

std::vector<uint8_t> EngineImpl::suggest(uint32_t number, Bytes bytes, CallLimits limits) {
  const Result<SuggestRequest> request = decode_suggest(bytes);
  if (!request.ok()) return encode_suggest_error(request.status());
  const Result<std::shared_ptr<Index>> index = find_index(number);
  if (!index.ok()) return encode_suggest_error(index.status());
  Generations wanted;
  for (const auto& [shard, generation] : request->shards)
    if (generation != 0) wanted[{number, shard}] = generation;
  const Result<IndexView> view = take_view(*index, number, wanted);
  if (!view.ok()) return encode_suggest_error(view.status());
  std::vector<SuggestShard> shards;
  for (const auto& [shard, generation] : request->shards) {
    if (shard >= view->shards.size()) {
      return encode_suggest_error(
          {ErrorType::kIllegalArgument,
           "index [" + view->name + "] has no shard [" + std::to_string(shard) + "]"});
    }
    shards.push_back({shard, view->shards[shard]});
  }
  // The statistics of a shard count a suggest request as a search.
  const int64_t started = options_.clock->steady_ns();
  SearchContext context;
  context.mapping = view->mapping.get();
  context.index_name = view->name;
  context.index_number = number;
  context.all_shards = view->shards;
  context.clock = options_.clock;
  context.filters = &filters_;
  context.cancels = &cancels_;
  context.limits = limits;
  std::vector<uint8_t> reply = run_suggest(*request, context, shards);
  const auto nanos = static_cast<uint64_t>(options_.clock->steady_ns() - started);
  for (const SuggestShard& shard : shards) {
    (*index)->shard(shard.shard).count(Total::kSearches);
    (*index)->shard(shard.shard).count(Total::kSearchNanos, nanos);
  }
  return reply;
}

}  // namespace quarry
