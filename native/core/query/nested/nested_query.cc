// Moves the scorer of the inner query through the nested documents of a path. The document that
// they are in is the next one of the outer level.
#include "query/nested/nested_query.h"

#include <algorithm>
#include <utility>

#include "query/nested/nested_space.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/doc_id_set.h"
#include "query/scorers/document_matches.h"

namespace quarry {
namespace {

enum class NestedMode : uint8_t { kAvg, kSum, kMax, kMin, kNone };

/// As explanations name them.
std::string_view mode_name(NestedMode mode) {
  constexpr std::string_view kNames[] = {"Avg", "Total", "Max", "Min", "None"};
  return kNames[static_cast<size_t>(mode)];
}

/// The scores of the nested documents of one document.
class JoinedScore {
 public:
  explicit JoinedScore(NestedMode mode) : mode_(mode) {}
  void add(float score) {
    const auto value = static_cast<double>(score);
    count_++;
    if (count_ == 1) {
      total_ = value;
    } else if (mode_ == NestedMode::kMin) {
      total_ = std::min(total_, value);
    } else if (mode_ == NestedMode::kMax) {
      total_ = std::max(total_, value);
    } else {
      total_ += value;
    }
  }
  uint32_t count() const { return count_; }
  float value() const {
    const bool average = mode_ == NestedMode::kAvg && count_ > 0;
    return static_cast<float>(average ? total_ / count_ : total_);
  }

 private:
  NestedMode mode_;
  double total_ = 0;
  uint32_t count_ = 0;
};

class NestedScorer final : public Scorer {
 public:
  NestedScorer(ScorerPtr inner, const Bitset& nested, const Bitset& outer, NestedMode mode,
               float bound)
      : inner_(std::move(inner)), nested_(nested), outer_(outer), mode_(mode), bound_(bound) {
    set_bits_cost(inner_->bits_cost() + outer.words().size());
  }

  uint32_t next() override { return find(started_ ? doc() + 1 : 0); }
  uint32_t advance(uint32_t target) override { return find(target); }
  float score() override {
    if (mode_ == NestedMode::kNone) return 0;
    JoinedScore joined(mode_);
    for (; nested_doc_ < doc(); nested_doc_ = skip_others(inner_->next_match())) {
      joined.add(inner_->score());
    }
    return joined.value();
  }
  uint64_t cost() const override { return inner_->cost(); }
  float bound() const override { return bound_; }
  void set_threshold(float threshold) override {
    exhausted_ = threshold >= bound_;
    // A document scores above it only by a nested one that does.
    if (mode_ == NestedMode::kMax) inner_->set_threshold(threshold);
  }
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits) override;

 private:
  static constexpr uint32_t kChunk = 4096;  // documents whose bits are joined at once

  void join_chunk(uint32_t begin, uint32_t end, uint64_t* bits);
  /// Moves to the first document >= `target` with a match.
  uint32_t find(uint32_t target) {
    if (target >= outer_.size() || exhausted_) return end();
    // A match must not be confirmed twice, so the current one is kept while it is not behind.
    if (!started_ || nested_doc_ < target) {
      const uint32_t begin = outer_.after_previous(target);
      if (!started_ || nested_doc_ < begin) nested_doc_ = skip_others(inner_->advance_match(begin));
    }
    started_ = true;
    if (nested_doc_ == kNoMoreDocs) return end();
    const uint32_t found = outer_.next(nested_doc_);
    return found < outer_.size() ? move(found) : end();
  }

  /// The first match from `match` on that is a document of the path.
  uint32_t skip_others(uint32_t match) {
    while (match != kNoMoreDocs && !nested_.test(match)) {
      const uint32_t target = nested_.next(match);
      if (target >= nested_.size()) return kNoMoreDocs;
      match = inner_->advance_match(target);
    }
    return match;
  }

  uint32_t end() {
    started_ = true;
    nested_doc_ = kNoMoreDocs;
    return move(kNoMoreDocs);
  }

  ScorerPtr inner_;
  const Bitset& nested_;
  const Bitset& outer_;
  NestedMode mode_;
  float bound_;
  bool started_ = false;
  bool exhausted_ = false;   // no document scores above the threshold
  uint32_t nested_doc_ = 0;  // the current match, whose score was not read
  // Of match_window(): the end of what is joined, and whether there is a match inside the document
  // that follows.
  uint32_t joined_ = 0;
  uint64_t open_ = 0;
};

void NestedScorer::match_window(uint32_t begin, uint32_t end, uint64_t* bits) {
  end = std::min(end, outer_.size());
  // The nested documents of the first document may be before the window.
  uint32_t at = outer_.after_previous(begin);
  if (at >= joined_) open_ = 0;
  for (at = std::max(at, joined_); at < begin; at = joined_) {
    uint64_t none[kChunk / 64];
    join_chunk(at, std::min(at + kChunk, begin), none);
  }
  for (at = begin; at < end; at = joined_) {
    uint64_t found[kChunk / 64];
    join_chunk(at, std::min(at + kChunk, end), found);
    for (uint32_t i = 0; i < (joined_ - at + 63) / 64; i++) bits[(at - begin) / 64 + i] |= found[i];
  }
}

/// Sets `bits` (bit 0 = `begin`) to the documents with a match inside, of at most kChunk. Added to
/// ones in the places of all documents inside one, a match carries to the place behind them.
void NestedScorer::join_chunk(uint32_t begin, uint32_t end, uint64_t* bits) {
  const uint32_t words = (end - begin + 63) / 64;
  uint64_t matches[kChunk / 64] = {};
  uint64_t nested[kChunk / 64] = {};
  uint64_t outer[kChunk / 64] = {};
  inner_->match_window(begin, end, matches);
  copy_bits(nested_, begin, end, nested);
  copy_bits(outer_, begin, end, outer);
  const uint32_t rest = (end - begin) % 64;
  for (uint32_t i = 0; i < words; i++) {
    const bool whole = i + 1 < words || rest == 0;
    const uint64_t places = whole ? ~uint64_t{0} : (uint64_t{1} << rest) - 1;
    const uint64_t found = matches[i] & nested[i];
    const uint64_t without = found + (places & ~outer[i]);
    const uint64_t sum = without + open_;
    bits[i] = sum & outer[i];
    open_ = whole ? static_cast<uint64_t>(without < found || sum < without) : sum >> rest;
  }
  joined_ = end;
}

class NestedWeight final : public Weight {
 public:
  NestedWeight(WeightPtr inner, const Mapping& mapping, uint32_t level, uint32_t outer,
               NestedMode mode, bool scored, uint32_t largest_block)
      : inner_(std::move(inner)),
        mapping_(mapping),
        level_(level),
        outer_(outer),
        mode_(mode),
        scored_(scored) {
    set_bound(bound_of(*inner_, mode, largest_block));
  }

  uint64_t cost(const Leaf& leaf) override {
    return places(leaf).nested == nullptr ? 0 : inner_->cost(leaf);
  }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    const Places found = places(leaf);
    if (found.nested == nullptr) return nullptr;
    const uint64_t inside = lead_cost * (uint64_t{1} + leaf.segment->nested()->largest_block());
    ScorerPtr inner = inner_->scorer(leaf, std::min<uint64_t>(inside, leaf.max_doc));
    if (inner == nullptr) return nullptr;
    return std::make_unique<NestedScorer>(std::move(inner), *found.nested, *found.outer, mode_,
                                          bound());
  }
  LeafPlan plan(const Leaf& leaf, Counting /*counting*/) override {
    // What is not scored ends once the page is full.
    return {.counts_first = !scored_ && inner_->plan(leaf, Counting::kNone).counts_first};
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override;
  void report_matches(const Leaf& leaf, uint32_t doc, MatchSink& sink) override {
    if (sink.wants_all()) return inner_->report_matches(leaf, doc, sink);
    each_inside(leaf, doc,
                [&](uint32_t nested) { report_document_matches(*inner_, leaf, nested, sink); });
  }
  std::string describe() const override {
    return "ToParentBlockJoinQuery (" + inner_->describe() + ")";
  }

 private:
  /// The documents of both levels in a segment; null when it lacks one of them.
  struct Places {
    const Bitset* nested = nullptr;
    const Bitset* outer = nullptr;
  };
  Places places(const Leaf& leaf) const {
    const NestedDocs* all = leaf.segment->nested();
    if (all == nullptr) return {};
    const Places found{docs_at(mapping_, *all, level_), docs_at(mapping_, *all, outer_)};
    return found.nested == nullptr || found.outer == nullptr ? Places() : found;
  }
  template <typename Take>
  void each_inside(const Leaf& leaf, uint32_t doc, Take take) const {
    const Bitset* nested = places(leaf).nested;
    if (nested == nullptr) return;
    const uint32_t begin = first_inside(*leaf.segment->nested(), doc);
    for (uint32_t each = nested->next(begin); each < doc; each = nested->next(each + 1)) {
      take(each);
    }
  }
  static float bound_of(const Weight& inner, NestedMode mode, uint32_t largest_block) {
    if (mode == NestedMode::kNone || largest_block == 0) return 0;  // infinite * 0 is no bound
    if (mode != NestedMode::kSum) return inner.bound();
    return sum_upper_bound(static_cast<double>(inner.bound()) * largest_block, largest_block);
  }

  WeightPtr inner_;
  const Mapping& mapping_;
  uint32_t level_;
  uint32_t outer_;
  NestedMode mode_;
  bool scored_;
};

Explanation NestedWeight::explain(const Leaf& leaf, uint32_t doc) {
  JoinedScore joined(mode_);
  Explanation shown;  // of the nested document with the best score, or the worst for the minimum
  each_inside(leaf, doc, [&](uint32_t nested) {
    Explanation one = inner_->explain(leaf, nested);
    if (!one.match) return;
    const bool first = joined.count() == 0;
    joined.add(static_cast<float>(one.value));
    const bool further =
        mode_ == NestedMode::kMin ? one.value < shown.value : one.value > shown.value;
    if (first || further) shown = std::move(one);
  });
  if (joined.count() == 0) return Explanation::no_match("Not a match");
  const uint32_t begin = first_inside(*leaf.segment->nested(), doc);
  const std::string what = "Score based on " + std::to_string(joined.count()) +
                           " child docs in range from " + std::to_string(leaf.base + begin) +
                           " to " + std::to_string(leaf.base + doc - 1) + ", using score mode " +
                           std::string(mode_name(mode_));
  const float score = mode_ == NestedMode::kNone ? 0 : joined.value();
  return Explanation::matched(static_cast<double>(score), what, {std::move(shown)});
}

uint32_t largest_block(const Compiler& compiler) {
  uint32_t largest = 0;
  compiler.each_segment([&largest](const Segment& segment) {
    if (const NestedDocs* nested = segment.nested())
      largest = std::max(largest, nested->largest_block());
  });
  return largest;
}

}  // namespace

bool is_inside(const Mapping& mapping, uint32_t level, uint32_t outer) {
  while (level != 0) {
    level = mapping.nested_objects()[level - 1].outer;
    if (level == outer) return true;
  }
  return false;
}

bool is_included(const Mapping& mapping, uint32_t level, uint32_t outer) {
  while (level != 0) {
    const NestedObject& object = mapping.nested_objects()[level - 1];
    if (object.include_in_root && outer == 0) return true;
    if (!object.include_in_parent) return false;
    level = object.outer;
    if (level == outer) return true;
  }
  return false;
}

const Bitset* docs_at(const Mapping& mapping, const NestedDocs& nested, uint32_t level) {
  return level == 0 ? &nested.roots() : nested.at(mapping.nested_objects()[level - 1].path);
}

Result<WeightPtr> compile_nested(PlanReader& reader, Compiler& compiler, Scope scope) {
  const std::string path(reader.get_string());
  const auto mode = reader.get<uint8_t>();
  const bool ignore_unmapped = reader.get<uint8_t>() != 0;
  if (reader.failed() || mode > static_cast<uint8_t>(NestedMode::kNone)) {
    return malformed_clause("nested");
  }
  QUARRY_ASSIGN_OR_RETURN(const PlanNode node, read_node(reader));
  const Mapping& mapping = compiler.mapping();
  const uint32_t level = mapping.nested_level(path);
  if (level == 0) {
    if (ignore_unmapped) return make_no_docs("Path \"" + path + "\" is not mapped as nested.");
    return illegal_argument("[nested] failed to find nested object under path [" + path + "]");
  }
  const uint32_t outer = compiler.level();
  if (!is_inside(mapping, level, outer)) {
    return illegal_argument("[nested] the path [" + path + "] is not inside [" +
                            mapping.nested_objects()[outer - 1].path +
                            "], whose nested documents the enclosing clause searches");
  }
  // The same clause elsewhere means documents of another level.
  if (outer != compiler.context().level) compiler.depends_on_surroundings();
  const auto score_mode = static_cast<NestedMode>(mode);
  compiler.set_level(level);
  const uint32_t further_out = compiler.set_outer_level(outer);
  const bool scored = scope.scores && score_mode != NestedMode::kNone;
  Result<WeightPtr> inner = scored ? compiler.compile(node, scope) : compiler.compile_filter(node);
  compiler.set_level(outer);
  compiler.set_outer_level(further_out);
  QUARRY_RETURN_IF_ERROR(inner.status());
  if ((*inner)->matches_nothing()) return inner;
  return WeightPtr(std::make_unique<NestedWeight>(std::move(inner).value(), mapping, level, outer,
                                                  score_mode, scored, largest_block(compiler)));
}

}  // namespace quarry
