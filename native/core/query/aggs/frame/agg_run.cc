// Gathers the matches of the legs as bit sets, then iterates over them in batches.
#include "query/aggs/frame/agg_run.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "query/scorers/doc_id_set.h"

namespace quarry {
namespace {

constexpr uint32_t kStopInterval = 256;  // documents between two checks of the clock

/// Keeps the first `keep` set bits and clears all others.
void keep_first(Bitset& bits, uint64_t keep) {
  for (uint64_t& word : bits.words()) {
    const auto count = static_cast<uint64_t>(std::popcount(word));
    if (count <= keep) {
      keep -= count;
      continue;
    }
    uint64_t kept = 0;
    for (; keep > 0; keep--) {
      kept |= word & (~word + 1);
      word &= word - 1;
    }
    word = kept;
  }
}

using BatchDocs = std::array<uint32_t, kAggBatchDocs>;

/// Lists the next documents of a segment, starting at `next`, which is advanced past them.
size_t list_all(uint32_t max_doc, uint32_t& next, BatchDocs& docs) {
  const size_t count = std::min<size_t>(kAggBatchDocs, max_doc - next);
  for (size_t i = 0; i < count; i++) docs[i] = next + static_cast<uint32_t>(i);
  next += static_cast<uint32_t>(count);
  return count;
}

/// The same for the documents whose bits are set.
size_t list_set(const Bitset& bits, uint32_t max_doc, uint32_t& next, BatchDocs& docs) {
  const std::span<const uint64_t> words = bits.words();
  size_t count = 0;
  size_t at = next / 64;
  uint64_t word = words[at] & (~uint64_t{0} << (next % 64));
  while (true) {
    for (; word != 0 && count < kAggBatchDocs; word &= word - 1)
      docs[count++] = static_cast<uint32_t>(at * 64 + static_cast<size_t>(std::countr_zero(word)));
    if (word != 0) {
      next = docs[count - 1] + 1;
      return count;
    }
    if (++at == words.size()) break;
    word = words[at];
  }
  next = max_doc;
  return count;
}

/// The same for a list, in which `next` is a position.
size_t list_part(std::span<const uint32_t> list, uint32_t& next, BatchDocs& docs) {
  const size_t count = std::min<size_t>(kAggBatchDocs, list.size() - next);
  std::copy_n(list.begin() + next, count, docs.begin());
  next += static_cast<uint32_t>(count);
  return count;
}

}  // namespace

AggRun::AggRun(const SearchContext& context, const Plan& plan, const std::vector<Leaf>& leaves,
               SearchProgress& progress)
    : plan_(plan),
      leaves_(leaves),
      progress_(progress),
      compiler_(context, plan.now_ms, progress),
      context_{compiler_, budget_, leaves},
      kept_(compiler_, plan, leaves),
      matches_(leaves.size()) {}

Result<std::unique_ptr<AggRun>> AggRun::make(const SearchContext& context, const Plan& plan,
                                             const std::vector<Leaf>& leaves,
                                             SearchProgress& progress) {
  std::unique_ptr<AggRun> run(new AggRun(context, plan, leaves, progress));
  if (run->kept_.get() == nullptr) QUARRY_RETURN_IF_ERROR(run->make_nodes());
  return run;
}

Status AggRun::make_nodes() {
  needs_scores_ = plan_.has_min_score;
  for (const PlanNode& node : plan_.aggs) {
    QUARRY_ASSIGN_OR_RETURN(AggregatorPtr made, make_aggregator(context_, node, 1, true));
    (made->is_global() ? of_global_ : of_query_).push_back(made.get());
    needs_scores_ = needs_scores_ || made->needs_scores();
    nodes_.push_back(std::move(made));
  }
  return {};
}

Status AggRun::add_leg(Weight& weight) {
  StopCheck of_list = context_.compiler.context().stop_check_without_deadline();
  StopCheck& stop = weight.is_list() ? of_list : progress_.stop;
  if (legs_++ == 0 && !needs_scores_) listed_ = ListedDocs::find(compiler_, weight, leaves_, stop);
  const bool lists = legs_ == 1 && listed_ != nullptr;
  if (lists) budget_.charge(listed_->bytes());
  for (const Leaf& leaf : leaves_) {
    if (stop.expired()) return {};
    LeafMatches& matches = matches_[leaf.ord];
    if (!needs_scores_ && weight.matches_everything()) {
      matches.everything = true;
      continue;
    }
    if (lists && listed_->has(leaf)) {
      matches.list = listed_->of(leaf);
      continue;
    }
    const ScorerPtr scorer = weight.scorer(leaf, leaf.max_doc);
    if (scorer == nullptr) continue;
    make_bits(leaf);
    if (needs_scores_) {
      add_scored(*scorer, leaf, stop);
    } else {
      add_unscored(*scorer, leaf, stop);
    }
    QUARRY_RETURN_IF_ERROR(budget_.status());
  }
  if (of_list.stopped()) progress_.stop.expired();  // it ends the rest of the search, too
  return {};
}

void AggRun::make_bits(const Leaf& leaf) {
  LeafMatches& matches = matches_[leaf.ord];
  if (matches.bits.size() > 0) return;
  matches.bits = Bitset(leaf.max_doc);
  budget_.charge(matches.bits.bytes());
  for (const uint32_t doc : matches.list) matches.bits.set(doc);
  matches.list = {};
}

void AggRun::add_scored(Scorer& scorer, const Leaf& leaf, StopCheck& stop) {
  LeafMatches& matches = matches_[leaf.ord];
  if (matches.scores.empty()) {
    matches.scores.resize(leaf.max_doc);
    budget_.charge(matches.scores.size() * sizeof(float));
  }
  uint32_t left = kStopInterval;
  for (uint32_t doc = scorer.next_match(); doc != kNoMoreDocs; doc = scorer.next_match()) {
    if (--left == 0) {
      if (stop.expired()) return;
      left = kStopInterval;
    }
    if (leaf.live != nullptr && !leaf.live->test(doc)) continue;
    const float score = scorer.score();
    leaf.counters->docs_scored++;
    if (stop.stopped()) return;
    if (plan_.has_min_score && !(score >= plan_.min_score)) continue;
    matches.bits.set(doc);
    matches.scores[doc] += score;
  }
}

void AggRun::add_unscored(Scorer& scorer, const Leaf& leaf, StopCheck& stop) {
  Bitset& bits = matches_[leaf.ord].bits;
  set_matches(scorer, stop, bits);
  if (leaf.live != nullptr) bits.intersect(*leaf.live);
}

void AggRun::settle() {
  for (const Leaf& leaf : leaves_) {
    LeafMatches& matches = matches_[leaf.ord];
    const uint64_t count = matches.everything     ? leaf.live_count
                           : matches.list.empty() ? count_bits(matches.bits.words())
                                                  : matches.list.size();
    const uint64_t room =
        plan_.terminate_after == 0 ? UINT64_MAX : plan_.terminate_after - matched_;
    terminated_ = terminated_ || count >= room;
    if (count > room) {
      if (matches.everything) {
        matches.bits = leaf.live == nullptr ? Bitset(leaf.max_doc, true) : *leaf.live;
        matches.everything = false;
      }
      if (matches.list.empty()) {
        keep_first(matches.bits, room);
      } else {
        matches.list = matches.list.first(room);
      }
    }
    matches.count = std::min(count, room);
    matched_ += matches.count;
  }
}

Status AggRun::collect(const std::vector<Aggregator*>& nodes, bool everything) {
  if (nodes.empty()) return {};
  uint64_t total = 0;
  for (const Leaf& leaf : leaves_) total += everything ? leaf.live_count : matches_[leaf.ord].count;
  context_.docs = total;
  for (const Leaf& leaf : leaves_) {
    const LeafMatches& matches = matches_[leaf.ord];
    const bool all = everything || matches.everything;
    const bool listed = !all && !matches.list.empty();
    if (!all && !listed && matches.bits.size() == 0) continue;
    if (progress_.stop.expired()) break;
    for (Aggregator* node : nodes) node->start_leaf(leaf);
    const Bitset* const bits = all ? leaf.live : listed ? nullptr : &matches.bits;
    QUARRY_RETURN_IF_ERROR(
        collect_leaf(nodes, {leaf, bits, listed ? matches.list : std::span<const uint32_t>(),
                             all ? leaf.live_count : matches.count, total, all, progress_.stop}));
  }
  for (Aggregator* node : nodes) QUARRY_RETURN_IF_ERROR(node->finish());
  return budget_.status();
}

Status AggRun::collect_leaf(const std::vector<Aggregator*>& nodes, const LeafDocs& docs) {
  std::vector<Aggregator*> others;
  for (Aggregator* node : nodes) {
    if (!node->collect_leaf(docs)) others.push_back(node);
  }
  if (!others.empty()) QUARRY_RETURN_IF_ERROR(collect_batches(others, docs));
  return budget_.status();
}

Status AggRun::collect_batches(const std::vector<Aggregator*>& nodes, const LeafDocs& of_leaf) {
  const Leaf& leaf = of_leaf.leaf;
  BatchDocs docs;
  std::array<float, kAggBatchDocs> scores;
  const std::vector<float>& all_scores = matches_[leaf.ord].scores;
  uint32_t next = 0;
  const bool listed = of_leaf.list.data() != nullptr;
  const uint32_t end = listed ? static_cast<uint32_t>(of_leaf.list.size()) : leaf.max_doc;
  while (next < end) {
    const size_t count = listed ? list_part(of_leaf.list, next, docs)
                         : of_leaf.bits == nullptr
                             ? list_all(leaf.max_doc, next, docs)
                             : list_set(*of_leaf.bits, leaf.max_doc, next, docs);
    if (count == 0) break;
    for (size_t i = 0; needs_scores_ && i < count; i++) {
      // Scored and all live: the documents of `global`, which the query does not select.
      scores[i] = of_leaf.all_live ? 1.0F : all_scores.empty() ? 0.0F : all_scores[docs[i]];
    }
    AggBatch batch;
    batch.docs = {docs.data(), count};
    batch.scores = needs_scores_ ? scores.data() : nullptr;
    for (Aggregator* node : nodes) {
      if (progress_.stop.step(static_cast<uint32_t>(count))) return budget_.status();
      node->collect(batch);
    }
    QUARRY_RETURN_IF_ERROR(budget_.status());
    if (progress_.stop.expired()) break;
  }
  return {};
}

Result<std::vector<uint8_t>> AggRun::finish() {
  settle();
  if (kept_.get() != nullptr) return *kept_.get();
  QUARRY_RETURN_IF_ERROR(collect(of_query_, false));
  QUARRY_RETURN_IF_ERROR(collect(of_global_, true));
  AggWriter out;
  out.bytes().put(static_cast<uint32_t>(nodes_.size()));
  out.bytes().put(uint32_t{0});
  const uint32_t top = 0;
  for (const AggregatorPtr& node : nodes_) {
    if (progress_.stop.out_of_budget_within(0)) return budget_ended();
    node->emit(out, {&top, 1});
    QUARRY_RETURN_IF_ERROR(out.status());
    QUARRY_RETURN_IF_ERROR(budget_.status());
  }
  std::vector<uint8_t> made = out.take();
  if (context_.of_columns && !progress_.stop.stopped()) kept_.put(made);
  return made;
}

}  // namespace quarry
