// Statistics and structure of a phrase, and its scorer per segment.
#include "query/phrase/phrase_weight.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "query/phrase/phrase_scorer.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

bool share_a_term(const PhrasePart& a, const PhrasePart& b) {
  return std::any_of(a.terms.begin(), a.terms.end(), [&b](const std::string& term) {
    return std::find(b.terms.begin(), b.terms.end(), term) != b.terms.end();
  });
}

/// Assigns parts that share a term, directly or through others, to one group.
void find_groups(const std::vector<PhrasePart>& parts, PhraseShape& shape) {
  shape.groups.assign(parts.size(), -1);
  int next = 0;
  for (size_t i = 0; i < parts.size(); i++) {
    for (size_t j = 0; j < i; j++) {
      if (!share_a_term(parts[i], parts[j])) continue;
      if (parts[i].terms.size() > 1 || parts[j].terms.size() > 1) shape.multiple_terms = true;
      if (shape.groups[j] < 0) shape.groups[j] = next++;
      const int from = shape.groups[i];
      const int to = shape.groups[j];
      shape.groups[i] = to;
      if (from >= 0 && from != to) std::replace(shape.groups.begin(), shape.groups.end(), from, to);
    }
  }
}

/// Collects windows of candidates as bits while every hit is counted, then blocks by bounds.
class PhraseBulk final : public BulkScorer {
 public:
  PhraseBulk(const Leaf& leaf, std::unique_ptr<PhraseScorer> scorer)
      : leaf_(leaf), scorer_(std::move(scorer)) {}

  void run(Collector& collector, StopCheck& stop) override {
    const uint32_t from = scorer_->dense() ? run_windows(collector, stop) : 0;
    if (from >= leaf_.max_doc || collector.done() || stop.expired()) return;
    if (scorer_->by_blocks() && collector.needs_scores()) {
      scorer_->run_blocks(from, leaf_, collector, stop);
      return;
    }
    scorer_->leave_behind(from);
    run_scorer(*scorer_, leaf_, collector, stop);
  }

 private:
  static constexpr uint32_t kWindow = 4096;

  /// Returns the document where it stopped.
  uint32_t run_windows(Collector& collector, StopCheck& stop) {
    uint32_t begin = 0;
    while (begin < leaf_.max_doc && !collector.done() && !stop.expired()) {
      if (collector.threshold() != kNoThreshold || collector.wants_counted() == 0) break;
      const uint32_t end = begin + std::min(kWindow, leaf_.max_doc - begin);
      const std::span<const uint64_t> words = scorer_->candidates(begin, end);
      for (size_t i = 0; i < words.size(); i++) {
        for (uint64_t left = words[i]; left != 0 && !collector.done(); left &= left - 1)
          try_document(
              begin + static_cast<uint32_t>(i * 64) + static_cast<uint32_t>(std::countr_zero(left)),
              collector);
      }
      begin = end;
    }
    return begin;
  }

  void try_document(uint32_t doc, Collector& collector) {
    if ((leaf_.live != nullptr && !leaf_.live->test(doc)) || !scorer_->matches_at(doc)) return;
    const bool scores = collector.needs_scores();
    if (scores) leaf_.counters->docs_scored++;
    collector.collect(doc, scores ? scorer_->score() : 0.0F);
  }

  const Leaf& leaf_;
  std::unique_ptr<PhraseScorer> scorer_;
};

class PhraseWeight final : public Weight {
 public:
  PhraseWeight(Compiler& compiler, const Field& field, std::vector<PhrasePart> parts, uint32_t slop,
               Scope scope)
      : field_(field), parts_(std::move(parts)), scored_(scope.scores) {
    shape_.slop = slop;
    for (const PhrasePart& part : parts_) shape_.offsets.push_back(part.offset);
    find_groups(parts_, shape_);
    facts_ = compiler.similarity_facts(field, scope.boost);
    double idf = 0;
    for (const PhrasePart& part : parts_) {
      states_.emplace_back();
      for (const std::string& term : part.terms)
        states_.back().push_back(compiler.term(field.name, term));
      impossible_ = impossible_ || !any_document(states_.back());
    }
    each_frequency([&](const TermState& state) {
      facts_.add_occurrences(state.total_term_freq);
      idf +=
          static_cast<double>(inverse_document_frequency(state.doc_freq, facts_.totals.doc_count));
    });
    facts_.idf = static_cast<float>(idf);
    idf_ = idf;
    similarity_ = TermSimilarity(facts_, compiler.norm_table(field));
    if (scored_) set_bound(similarity_.bound());
  }

  uint64_t cost(const Leaf& leaf) override {
    const SegmentField* field = leaf.segment->field(field_.name);
    if (field == nullptr || field->inverted == nullptr) return 0;
    uint64_t least = leaf.max_doc;
    for (size_t i = 0; i < parts_.size(); i++) {
      uint64_t sum = 0;
      for (const uint32_t ordinal : ordinals(leaf, i))
        sum += field->inverted->terms().info(ordinal).doc_freq;
      least = std::min(least, sum);
    }
    return least;
  }
  ScorerPtr scorer(const Leaf& leaf, uint64_t /*lead_cost*/) override {
    return phrase_scorer(leaf);
  }
  std::unique_ptr<BulkScorer> bulk_scorer(const Leaf& leaf) override {
    auto scorer = phrase_scorer(leaf);
    if (scorer == nullptr) return nullptr;
    return std::make_unique<PhraseBulk>(leaf, std::move(scorer));
  }
  /// True if no document has any term of some part.
  bool is_impossible() const { return impossible_; }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    const auto scorer = phrase_scorer(leaf);
    if (scorer == nullptr || scorer->advance_match(doc) != doc)
      return Explanation::no_match("no matching term");
    const SegmentField* field = leaf.segment->field(field_.name);
    const uint8_t norm = field->norms == nullptr ? kNoNorms : field->norms[doc];
    Explanation idf = Explanation::matched(idf_, "idf, sum of:");
    each_frequency([this, &idf](const TermState& state) {
      idf.details.push_back(explain_idf(state.doc_freq, facts_.totals.doc_count));
    });
    return explain_similarity(
        facts_, std::move(idf), similarity_, scorer->frequency(), norm,
        "weight(" + describe() + " in " + std::to_string(doc) + "), result of:");
  }
  void report_matches(const Leaf& /*leaf*/, uint32_t /*doc*/, MatchSink& sink) override {
    sink.phrase(field_, parts_, shape_.slop);
  }
  std::string describe() const override {
    std::string text = field_.name + ":\"";
    for (size_t i = 0; i < parts_.size(); i++) {
      if (i > 0) text += ' ';
      if (parts_[i].terms.size() == 1) {
        text += parts_[i].terms[0];
        continue;
      }
      text += '(';
      for (size_t j = 0; j < parts_[i].terms.size(); j++)
        text += (j > 0 ? " " : "") + parts_[i].terms[j];
      text += ')';
    }
    return text + "\"" + (shape_.slop > 0 ? "~" + std::to_string(shape_.slop) : "");
  }

 private:
  static bool any_document(const std::vector<TermState>& states) {
    return std::any_of(states.begin(), states.end(),
                       [](const TermState& state) { return state.doc_freq > 0; });
  }
  /// Calls `take` with the state of each term that occurs in a document.
  template <typename Take>
  void each_frequency(Take take) const {
    for (const std::vector<TermState>& states : states_) {
      for (const TermState& state : states) {
        if (state.doc_freq > 0) take(state);
      }
    }
  }
  std::vector<uint32_t> ordinals(const Leaf& leaf, size_t part) const {
    std::vector<uint32_t> found;
    for (const TermState& state : states_[part]) {
      const TermPlace& place = state.place(leaf);
      if (place.field != nullptr) found.push_back(place.ordinal);
    }
    return found;
  }
  std::unique_ptr<PhraseScorer> phrase_scorer(const Leaf& leaf) const {
    const SegmentField* field = leaf.segment->field(field_.name);
    if (field == nullptr || field->inverted == nullptr) return nullptr;
    std::vector<PhrasePostings> postings;
    postings.reserve(parts_.size());
    for (size_t i = 0; i < parts_.size(); i++) {
      const std::vector<uint32_t> found = ordinals(leaf, i);
      if (found.empty()) return nullptr;
      postings.emplace_back(*field->inverted, found);
    }
    return std::make_unique<PhraseScorer>(shape_, std::move(postings), field->norms, similarity_,
                                          scored_, leaf);
  }

  const Field& field_;
  std::vector<PhrasePart> parts_;
  std::vector<std::vector<TermState>> states_;  // by part and term
  PhraseShape shape_;
  bool scored_;
  bool impossible_ = false;
  SimilarityFacts facts_;
  double idf_ = 0;
  TermSimilarity similarity_;
};

}  // namespace

WeightPtr make_phrase_weight(Compiler& compiler, const Field& field, std::vector<PhrasePart> parts,
                             uint32_t slop, Scope scope) {
  auto weight = std::make_unique<PhraseWeight>(compiler, field, std::move(parts), slop, scope);
  if (weight->is_impossible() && !compiler.keeps_absent_terms())
    return make_no_docs("no such phrase");
  return weight;
}

}  // namespace quarry
