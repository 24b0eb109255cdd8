// The weight and the scorer over the union of the postings of a few terms.
#include "query/clauses/synonym_query.h"

#include <algorithm>
#include <utility>

#include "query/clauses/term_query.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

class SynonymScorer final : public Scorer {
 public:
  SynonymScorer(const SegmentField& field, const std::vector<uint32_t>& ordinals,
                const TermSimilarity& similarity, bool scored, WorkCounters* counters)
      : field_(field), similarity_(similarity), scored_(scored), counters_(counters) {
    for (const uint32_t ordinal : ordinals) {
      const TermInfo info = field.inverted->terms().info(ordinal);
      cursors_.push_back(std::make_unique<PostingsCursor>(field.inverted->source(), info));
      bounds_.push_back(std::make_unique<PostingsCursor>(field.inverted->source(), info));
      cost_ += cursors_.back()->doc_freq();
    }
  }
  ~SynonymScorer() override {
    for (const auto& cursor : cursors_) counters_->postings.add(cursor->work());
  }

  uint32_t next() override { return advance(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override {
    uint32_t least = kNoMoreDocs;
    for (const auto& cursor : cursors_) {
      const bool stale = !started_ || cursor->doc() < target;
      least = std::min(least, stale ? cursor->advance(target) : cursor->doc());
    }
    started_ = true;
    return move(least);
  }
  float score() override {
    if (!scored_) return 0;
    float freq = 0;
    for (const auto& cursor : cursors_) {
      if (cursor->doc() == doc()) freq += static_cast<float>(cursor->freq());
    }
    return similarity_.score(freq, field_.norms == nullptr ? kNoNorms : field_.norms[doc()]);
  }
  uint64_t cost() const override { return cost_; }
  float bound() const override { return scored_ ? similarity_.bound() : 0.0F; }
  uint32_t block_end(uint32_t target) override {
    uint32_t end = kNoMoreDocs;
    for (const auto& cursor : bounds_) {
      if (!cursor->shallow_advance(target)) continue;
      const uint32_t last = cursor->block_last_doc();
      if (last != kNoMoreDocs) end = std::min(end, last + 1);
    }
    return end;
  }
  float window_bound(uint32_t begin, uint32_t end) override {
    if (!scored_) return 0;
    float freq = 0;
    uint8_t norm = UINT8_MAX;
    for (const auto& cursor : bounds_) freq += window_freq(*cursor, begin, end, norm);
    if (freq == 0) return 0;
    return similarity_.score(freq, field_.norms == nullptr ? kNoNorms : norm);
  }

 private:
  /// The largest frequency of a term in [begin, end). Lowers `norm` to the smallest norm of its
  /// documents in that range.
  static float window_freq(PostingsCursor& cursor, uint32_t begin, uint32_t end, uint8_t& norm) {
    uint32_t freq = 0;
    while (begin < end && cursor.shallow_advance(begin)) {
      for (const Impact& impact : cursor.block_impacts()) {
        freq = std::max(freq, impact.freq);
        norm = std::min(norm, impact.norm);
      }
      const uint32_t last = cursor.block_last_doc();
      if (last >= end - 1) break;
      begin = last + 1;
    }
    return static_cast<float>(freq);
  }

  const SegmentField& field_;
  const TermSimilarity& similarity_;
  bool scored_;
  WorkCounters* counters_;
  std::vector<std::unique_ptr<PostingsCursor>> cursors_;
  std::vector<std::unique_ptr<PostingsCursor>> bounds_;
  uint64_t cost_ = 0;
  bool started_ = false;
};

class SynonymWeight final : public Weight {
 public:
  SynonymWeight(Compiler& compiler, const Field& field, std::vector<std::string> terms,
                std::vector<TermState> states, Scope scope)
      : field_(field),
        terms_(std::move(terms)),
        states_(std::move(states)),
        scored_(scope.scores),
        facts_(compiler.similarity_facts(field, scope.boost)) {
    uint64_t occurrences = 0;
    for (const TermState& state : states_) {
      doc_freq_ = std::max(doc_freq_, state.doc_freq);
      occurrences += state.total_term_freq;
    }
    facts_.add_occurrences(occurrences);
    facts_.idf = inverse_document_frequency(doc_freq_, facts_.totals.doc_count);
    similarity_ = TermSimilarity(facts_, compiler.norm_table(field));
    if (scored_) set_bound(similarity_.bound());
  }

  uint64_t cost(const Leaf& leaf) override {
    const SegmentField* field = leaf.segment->field(field_.name);
    uint64_t sum = 0;
    for (const uint32_t ordinal : ordinals(leaf))
      sum += field->inverted->terms().info(ordinal).doc_freq;
    return std::min<uint64_t>(sum, leaf.max_doc);
  }
  ScorerPtr scorer(const Leaf& leaf, uint64_t /*lead_cost*/) override {
    const std::vector<uint32_t> found = ordinals(leaf);
    if (found.empty()) return nullptr;
    return std::make_unique<SynonymScorer>(*leaf.segment->field(field_.name), found, similarity_,
                                           scored_, leaf.counters);
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    const SegmentField* field = leaf.segment->field(field_.name);
    float freq = 0;
    for (const uint32_t ordinal : ordinals(leaf)) {
      PostingsCursor cursor(field->inverted->postings(ordinal));
      if (cursor.advance(doc) == doc) freq += static_cast<float>(cursor.freq());
    }
    if (freq == 0) return Explanation::no_match("no matching term");
    const uint8_t norm = field->norms == nullptr ? kNoNorms : field->norms[doc];
    return explain_similarity(
        facts_, explain_idf(doc_freq_, facts_.totals.doc_count), similarity_, freq, norm,
        "weight(" + describe() + " in " + std::to_string(doc) + "), result of:");
  }
  void report_matches(const Leaf& /*leaf*/, uint32_t /*doc*/, MatchSink& sink) override {
    for (const std::string& term : terms_) sink.term(field_, term);
  }
  std::string describe() const override {
    std::string text = "Synonym(";
    for (size_t i = 0; i < terms_.size(); i++)
      text += (i > 0 ? " " : "") + field_.name + ":" + terms_[i];
    return text + ")";
  }

 private:
  std::vector<uint32_t> ordinals(const Leaf& leaf) const {
    std::vector<uint32_t> found;
    const SegmentField* field = leaf.segment->field(field_.name);
    if (field == nullptr || field->inverted == nullptr) return found;
    for (const TermState& state : states_) {
      const TermPlace& place = state.place(leaf);
      if (place.field != nullptr) found.push_back(place.ordinal);
    }
    return found;
  }

  const Field& field_;
  std::vector<std::string> terms_;
  std::vector<TermState> states_;
  bool scored_;
  uint64_t doc_freq_ = 0;  // the largest of the terms
  SimilarityFacts facts_;
  TermSimilarity similarity_;
};

}  // namespace

WeightPtr make_synonym(Compiler& compiler, const Field& field, std::vector<std::string> terms,
                       Scope scope) {
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  std::vector<std::string> known;
  std::vector<TermState> states;
  for (std::string& term : terms) {
    TermState state = compiler.term(field.name, term);
    if (state.doc_freq == 0) continue;
    known.push_back(std::move(term));
    states.push_back(std::move(state));
  }
  if (known.empty()) return make_no_docs("no such term");
  if (known.size() == 1)
    return make_term_weight(compiler, field, std::move(known[0]), std::move(states[0]), scope);
  return std::make_unique<SynonymWeight>(compiler, field, std::move(known), std::move(states),
                                         scope);
}

}  // namespace quarry
