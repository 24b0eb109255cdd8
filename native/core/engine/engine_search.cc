// Reads: searches over snapshots, fetches from the snapshot of an earlier search, gets by id.
#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/catalog/index_view.h"
#include "engine/engine_impl.h"
#include "query/cache/cross_shard_threshold.h"
#include "query/cache/filter_cache.h"
#include "query/fetch/companion_vectors.h"
#include "query/fetch/hits_json.h"
#include "query/fetch/timed_fetch.h"

namespace quarry {
namespace {

/// The position of each index number in the list of distinct indexes.
std::map<uint32_t, uint32_t> to_places(const std::vector<NamedSnapshot>& snapshots) {
  std::map<uint32_t, uint32_t> places;
  for (const NamedSnapshot& named : snapshots) {
    places.emplace(named.index, static_cast<uint32_t>(places.size()));
  }
  return places;
}

Generations to_generations(const std::vector<NamedSnapshot>& snapshots) {
  Generations out;
  for (const NamedSnapshot& named : snapshots) out[{named.index, named.shard}] = named.generation;
  return out;
}

std::optional<CallBudget> budget_of(const Clock& clock, CallLimits limits) {
  if (limits.budget_us == 0) return std::nullopt;
  return std::optional<CallBudget>(std::in_place, clock, limits.budget_us);
}

/// The timeout of a request covers all its shards together.
void limit_time(const Clock& clock, uint64_t timeout_us, CallLimits& limits) {
  if (timeout_us == 0) return;
  const uint64_t deadline_us = static_cast<uint64_t>(clock.steady_ns()) / 1000 + timeout_us;
  if (deadline_us < timeout_us) return;  // the sum overflows: no deadline
  limits.deadline_us =
      limits.deadline_us == 0 ? deadline_us : std::min(limits.deadline_us, deadline_us);
}

}  // namespace

/// The searches of one request. The views of an index are shared by all its shards in the request.
class SearchRequest {
 public:
  /// `limits` holds for all searches of the request together.
  SearchRequest(IndexTable& indices, const Clock& clock, const CancelTable& cancels,
                CallLimits limits, FilterCache& filters, VectorSearcherPool& searchers,
                const std::vector<NamedSnapshot>& wanted)
      : indices_(indices),
        clock_(clock),
        cancels_(cancels),
        limits_(limits),
        budget_(budget_of(clock, limits)),
        filters_(filters),
        searchers_(searchers),
        wanted_(to_generations(wanted)),
        places_(to_places(wanted)) {
    if (budget_) first_requests_.emplace(filters);
  }

  Result<ShardHits> run(ShardId id, const Plan& plan) {
    QUARRY_ASSIGN_OR_RETURN(const SearchContext context, context_of(id));
    if (id.index != before_index_) before_ = {};
    before_index_ = id.index;
    started_ns_ = clock_.steady_ns();
    if (budget_) budget_->ends_by(started_ns_);  // it begins with the first shard
    Result<ShardHits> found = search_next(context, plan, before_);
    QUARRY_RETURN_IF_ERROR(views_.at(id.index)->verify_read(id.shard));
    QUARRY_ASSIGN_OR_RETURN(ShardHits hits, std::move(found));
    hits.generation = context.view->generation;
    hits.mapping_version = context.mapping->version();
    hits.index_number = id.index;
    hits.shard = id.shard;
    before_.add(plan, hits);
    searched_.push_back({&views_.at(id.index)->index->shard(id.shard),
                         static_cast<uint64_t>(clock_.steady_ns() - started_ns_)});
    return hits;
  }

  /// True: the request is given up.
  bool gives_up() {
    if (!budget_ || !budget_->ended()) return false;
    first_requests_->forget();
    return true;
  }

  /// Counts the searches in the statistics of their shards, once it is certain that their answers
  /// are used.
  void count_searches() const {
    for (const Searched& one : searched_) {
      one.shard->count(Total::kSearches);
      one.shard->count(Total::kSearchNanos, one.nanos);
    }
  }

  /// The documents of the page, from the snapshot that was searched; empty when they exceed the
  /// size limit of one reply.
  Result<std::vector<uint8_t>> fetch_page(ShardId id, const Plan& plan, const ShardHits& hits) {
    QUARRY_ASSIGN_OR_RETURN(const SearchContext context, context_of(id));
    if (hits.legs.empty()) return encode_fetched({});
    const std::vector<uint32_t>& docs = hits.legs.front().docs;
    const size_t from = std::min<size_t>(plan.from, docs.size());
    const size_t size = std::min<size_t>(plan.size, docs.size() - from);
    const auto spent_us = static_cast<uint64_t>(clock_.steady_ns() - started_ns_) / 1000;
    const Result<TimedFetch> fetched =
        fetch_within(context, plan, std::span(docs).subspan(from, size), time_left(plan, spent_us));
    QUARRY_RETURN_IF_ERROR(views_.at(id.index)->verify_read(id.shard));
    QUARRY_RETURN_IF_ERROR(fetched.status());
    // Too large for one reply: the caller fetches the page in several requests.
    if (fetched->documents.size() < size && !fetched->timed_out) return std::vector<uint8_t>();
    if ((plan.flags & kPlanHitsJson) == 0) return encode_timed_fetch(*fetched);
    return encode_hits_json(*fetched, hits.legs.front(), plan, context.index_name);
  }

 private:
  struct Searched {
    Shard* shard;  // of views_
    uint64_t nanos;
  };

  CallBudget* budget() { return budget_ ? &*budget_ : nullptr; }

  Result<SearchContext> context_of(ShardId id) {
    auto found = views_.find(id.index);
    if (found == views_.end()) {
      QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<Index> index, indices_.find(id.index, budget()));
      if (index == nullptr) {
        return Status(ErrorType::kIndexNotFound,
                      "no such index [" + std::to_string(id.index) + "]");
      }
      found =
          views_.emplace(id.index, take_view(std::move(index), id.index, wanted_, budget())).first;
    }
    if (!found->second.ok()) return found->second.status();
    const IndexView& view = *found->second;
    if (id.shard >= view.shards.size()) {
      return Status(ErrorType::kIllegalArgument,
                    "index [" + view.name + "] has no shard [" + std::to_string(id.shard) + "]");
    }
    SearchContext context;
    context.mapping = view.mapping.get();
    context.index_name = view.name;
    context.index_number = id.index;
    context.shard = id.shard;
    const auto place = places_.find(id.index);
    context.index_place = place == places_.end() ? 0 : place->second;
    context.view = view.shards[id.shard];
    context.all_shards = view.shards;
    context.clock = &clock_;
    context.cancels = &cancels_;
    context.limits = limits_;
    context.budget = budget();
    context.filters = &filters_;
    context.searchers = &searchers_;
    return context;
  }

  IndexTable& indices_;
  const Clock& clock_;
  const CancelTable& cancels_;
  const CallLimits limits_;
  std::optional<CallBudget> budget_;
  std::optional<FilterCache::FirstRequests> first_requests_;  // with a budget
  FilterCache& filters_;
  VectorSearcherPool& searchers_;
  const Generations wanted_;
  const std::map<uint32_t, uint32_t> places_;
  std::unordered_map<uint32_t, Result<IndexView>> views_;
  // Belongs to the index that was searched last: another thread may drop an index before its hits
  // are encoded.
  CrossShardThreshold before_;
  uint32_t before_index_ = 0;
  int64_t started_ns_ = 0;  // start of the last search
  std::vector<Searched> searched_;
};

Engine::AttemptReply EngineImpl::search(const std::vector<ShardId>& shards, Bytes bytes,
                                        CallLimits limits) {
  const WorkPace::Search searching(pace_);
  std::vector<std::vector<uint8_t>> replies;
  std::vector<uint8_t> inline_fetch;
  const Result<Plan> plan = decode_plan(bytes);
  if (plan.ok()) limit_time(*options_.clock, plan->timeout_us, limits);
  SearchRequest request(indices_, *options_.clock, cancels_, limits, filters_, searchers_,
                        plan.ok() ? plan->snapshots : std::vector<NamedSnapshot>());
  for (const ShardId id : shards) {
    Result<ShardHits> hits = plan.ok() ? request.run(id, *plan) : plan.status();
    if (hits.ok() && shards.size() == 1 && (plan->flags & kPlanInlineFetch) != 0) {
      Result<std::vector<uint8_t>> page = request.fetch_page(id, *plan, *hits);
      if (page.ok()) {
        inline_fetch = std::move(page).value();
      } else {
        hits = page.status();
      }
    }
    if (request.gives_up()) return std::nullopt;
    replies.push_back(hits.ok() ? encode_shard_hits(*hits)
                                : encode_shard_error(id.index, id.shard, hits.status()));
  }
  request.count_searches();
  return join_replies(replies, inline_fetch);
}

Engine::AttemptReply EngineImpl::fetch(ShardId id, uint64_t generation,
                                       const std::vector<uint32_t>& docs, Bytes bytes,
                                       CallLimits limits) {
  const WorkPace::Search searching(pace_);
  const Result<Plan> plan = decode_plan(bytes);
  if (!plan.ok()) return encode_fetch_error(plan.status());
  std::optional<CallBudget> budget = budget_of(*options_.clock, limits);
  if (budget) budget->ends_by(options_.clock->steady_ns());  // it begins
  const Result<OpenShard> open = find_shard(id, budget ? &*budget : nullptr);
  if (budget && budget->ended()) return std::nullopt;
  if (!open.ok()) return encode_fetch_error(open.status());
  const auto snapshot = open->shard->snapshot(generation);
  if (!snapshot.ok()) return encode_fetch_error(snapshot.status());
  const Result<IndexView> now = take_view(open->index, id.index, {});
  if (!now.ok()) return encode_fetch_error(now.status());
  SearchContext context;
  context.mapping = now->mapping.get();
  context.index_name = now->name;
  context.index_number = id.index;
  context.shard = id.shard;
  context.view = &(*snapshot)->view;
  context.all_shards = now->shards;
  context.clock = options_.clock;
  context.cancels = &cancels_;
  context.limits = limits;
  context.budget = budget ? &*budget : nullptr;
  context.filters = &filters_;
  context.searchers = &searchers_;
  std::optional<FilterCache::FirstRequests> first_requests;
  if (budget) first_requests.emplace(filters_);
  const Result<TimedFetch> fetched = fetch_within(context, *plan, docs, plan->timeout_us);
  if (context.out_of_budget()) {
    first_requests->forget();
    return std::nullopt;
  }
  open->shard->count(Total::kFetches);
  Status read = open->shard->verify_read((*snapshot)->entries);
  if (read.ok()) read = now->verify_read(id.shard);
  if (!read.ok()) return encode_fetch_error(read);
  return fetched.ok() ? encode_timed_fetch(*fetched) : encode_fetch_error(fetched.status());
}

Result<uint64_t> EngineImpl::acquire_snapshot(ShardId id) {
  QUARRY_ASSIGN_OR_RETURN(const OpenShard open, find_shard(id));
  if (open.shard->needs_recovery()) {
    return Status(ErrorType::kNotReady, "index [" + open.index->name() + "] is recovering");
  }
  return open.shard->acquire_snapshot();
}

/// An index with held snapshots is open; a closed index holds none.
void EngineImpl::release_snapshot(ShardId id, uint64_t generation) {
  const std::shared_ptr<Index> index = indices_.find_open(id.index);
  if (index != nullptr && id.shard < index->shard_count())
    index->shard(id.shard).release_snapshot(generation);
}

Result<FetchedDocument> EngineImpl::get_document(uint32_t number, std::string_view id,
                                                 std::string_view routing, bool realtime,
                                                 const FetchSpec& fetch) {
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  if (routing.empty() && index->mapping()->routing_required()) {
    return Status(ErrorType::kRoutingMissing,
                  "routing is required for [" + index->name() + "]/[" + std::string(id) + "]");
  }
  Shard& shard = index->shard(index->shard_of(id, routing));
  if (shard.needs_recovery()) {
    return Status(ErrorType::kNotReady, "index [" + index->name() + "] is recovering");
  }
  FetchedDocument out;
  out.id = id;
  const std::shared_ptr<const Mapping> mapping = index->mapping();
  const std::vector<const Field*> companions = requested_companions(*mapping, fetch);
  QUARRY_ASSIGN_OR_RETURN(std::optional<StoredDocument> stored,
                          shard.get(id, realtime, companions));
  if (!stored) return out;
  out.found = true;
  out.primary_term = stored->version.primary_term;
  out.version = stored->version.version;
  out.seq_no = stored->version.seq_no;
  out.routing = std::move(stored->routing);
  QUARRY_RETURN_IF_ERROR(apply_fetch_source(fetch, stored->source, out));
  for (size_t i = 0; i < companions.size() && out.has_source; i++) {
    QUARRY_RETURN_IF_ERROR(add_companion(*mapping, *companions[i], stored->vectors[i], out.source));
  }
  return out;
}

std::vector<uint8_t> EngineImpl::get(uint32_t number, std::string_view id, std::string_view routing,
                                     bool realtime, Bytes bytes) {
  const Result<Plan> plan = decode_plan(bytes);
  if (!plan.ok()) return encode_fetch_error(plan.status());
  Result<FetchedDocument> document = get_document(number, id, routing, realtime, plan->fetch);
  if (!document.ok()) return encode_fetch_error(document.status());
  std::vector<FetchedDocument> documents;
  documents.push_back(std::move(document).value());
  return encode_fetched(documents);
}

}  // namespace quarry
