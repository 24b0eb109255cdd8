// Best-first search over runs of terms, in all segments at once.
#include "query/suggest/completion_search.h"

#include <optional>
#include <queue>
#include <set>
#include <unordered_set>
#include <utility>

#include "mapping/document/completion_entry.h"
#include "query/suggest/completion_ranges.h"
#include "segment/completion_weights.h"

namespace quarry {
namespace {

constexpr uint32_t kNodesPerPoll = 256;

/// The terms of one segment.
struct Source {
  const SegmentView* view = nullptr;
  const InvertedField* inverted = nullptr;
  const CompletionWeights* weights = nullptr;
};

/// A term (level 0) or a run of terms, with the best score in it.
struct Node {
  float score = 0;
  std::string_view first;  // the first term
  uint32_t source = 0;
  uint32_t run = 0;
  uint8_t level = 0;
  float boost = 0;
};

/// Whether `b` comes before `a`. A run that may have an equal score comes before terms that are
/// greater than its first term.
struct Later {
  bool operator()(const Node& a, const Node& b) const {
    if (a.score != b.score) return a.score < b.score;
    if (a.first != b.first) return a.first > b.first;
    if (a.level != b.level) return a.level < b.level;
    return a.source > b.source;
  }
};

class Search {
 public:
  Search(const CompleteRequest& request, StopCheck& stop) : request_(request), stop_(stop) {}

  void add(size_t segment, const SegmentView& view, const SegmentField& field,
           std::string_view key) {
    const auto source = static_cast<uint32_t>(sources_.size());
    sources_.push_back({&view, field.inverted, field.completions});
    places_.push_back(segment);
    for (const CompletionRange& range :
         completion_ranges(request_, key, field.inverted->terms(), stop_)) {
      cover(source, range);
    }
  }

  std::vector<Completion> run() {
    uint32_t popped = 0;
    while (!heap_.empty() && found_.size() < request_.size) {
      if (++popped % kNodesPerPoll == 0 && stop_.expired()) break;
      const Node node = heap_.top();
      heap_.pop();
      if (node.level == 0) {
        take(node);
      } else {
        expand(node);
      }
    }
    return std::move(found_);
  }

 private:
  void push(uint32_t source, size_t level, uint32_t run, float boost) {
    const Source& of = sources_[source];
    uint32_t first = run;
    for (size_t i = 0; i < level; i++) first *= CompletionWeights::kRun;
    const std::string_view term = of.inverted->terms().term(first);
    const uint32_t weight = level == 0 ? completion_weight(term) : of.weights->largest(level, run);
    const CompletionRange range{0, 0, boost};
    heap_.push({range.score(weight), term, source, run, static_cast<uint8_t>(level), boost});
  }

  /// Adds the smallest number of runs that make up the range.
  void cover(uint32_t source, const CompletionRange& range) {
    constexpr uint32_t kRun = CompletionWeights::kRun;
    uint32_t begin = range.begin;
    uint32_t end = range.end;
    const CompletionWeights& weights = *sources_[source].weights;
    for (size_t level = 0; begin < end; level++) {
      const bool top = level == weights.levels();
      while (begin < end && (top || begin % kRun != 0)) push(source, level, begin++, range.boost);
      // An incomplete last run counts as a whole run.
      const bool whole = end == weights.count(level);
      while (begin < end && !whole && end % kRun != 0) push(source, level, --end, range.boost);
      if (begin == end) return;
      begin /= kRun;
      end = end / kRun + (end % kRun != 0 ? 1 : 0);
    }
  }

  void expand(const Node& node) {
    constexpr uint32_t kRun = CompletionWeights::kRun;
    const size_t below = node.level - size_t{1};
    const uint32_t first = node.run * kRun;
    const uint32_t count = sources_[node.source].weights->count(below);
    const uint32_t end = count - first < kRun ? count : first + kRun;
    for (uint32_t run = first; run < end; run++) push(node.source, below, run, node.boost);
  }

  /// Adds the documents of a term.
  void take(const Node& node) {
    const std::optional<CompletionEntry> entry = read_completion(node.first);
    if (!entry || (request_.skip_duplicates && inputs_.contains(entry->input))) return;
    const Source& source = sources_[node.source];
    const std::optional<uint32_t> ordinal = source.inverted->terms().find(node.first);
    if (!ordinal) return;
    PostingsCursor cursor = source.inverted->postings(*ordinal);
    for (uint32_t doc = cursor.next(); doc != kNoMoreDocs; doc = cursor.next()) {
      const Bitset* live = source.view->live.get();
      if (live != nullptr && !live->test(doc)) continue;
      if (!documents_.insert({node.source, doc}).second) continue;
      found_.push_back({node.score, places_[node.source], doc, std::string(entry->key),
                        std::string(entry->input)});
      if (request_.skip_duplicates) {
        inputs_.insert(entry->input);
        return;
      }
      if (found_.size() == request_.size) return;
    }
  }

  const CompleteRequest& request_;
  StopCheck& stop_;
  std::vector<Source> sources_;
  std::vector<size_t> places_;  // index in the caller's list of segments
  std::priority_queue<Node, std::vector<Node>, Later> heap_;
  std::set<std::pair<uint32_t, uint32_t>> documents_;  // (source, document)
  std::unordered_set<std::string_view> inputs_;        // views of terms, which outlive the search
  std::vector<Completion> found_;
};

}  // namespace

Result<std::vector<Completion>> best_completions(const CompleteRequest& request, const Field& field,
                                                 const Analyzer& analyzer,
                                                 std::span<const SegmentView* const> segments,
                                                 StopCheck& stop) {
  AnalysisBudget budget;
  QUARRY_ASSIGN_OR_RETURN(const std::string key,
                          completion_key(analyzer, field.completion, request.text, budget));
  Search search(request, stop);
  for (size_t i = 0; i < segments.size(); i++) {
    const SegmentField* held = segments[i]->segment->field(field.name);
    if (held != nullptr && held->inverted != nullptr && held->completions != nullptr)
      search.add(i, *segments[i], *held, key);
  }
  return search.run();
}

}  // namespace quarry
