// The weight and the scorer over the postings of a position's terms in all fields.
#include "query/clauses/combined_fields.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "postings/norms.h"
#include "query/clauses/bool_query.h"
#include "query/clauses/match_query.h"
#include "query/clauses/no_terms.h"
#include "query/highlight/analyzed_text.h"
#include "query/phrase/phrase_weight.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

/// The lengths of the fields of a segment that have them.
class CombinedNorms {
 public:
  CombinedNorms(const Leaf& leaf, const std::vector<FieldAndBoost>& fields) {
    for (const FieldAndBoost& entry : fields) {
      const SegmentField* field = leaf.segment->field(entry.resolved.field->name);
      if (field != nullptr && field->norms != nullptr)
        parts_.push_back({field->norms, entry.boost});
    }
  }

  /// The byte of the weighted sum of lengths.
  uint8_t of(uint32_t doc) const {
    if (parts_.empty()) return kNoNorms;
    if (parts_.size() == 1 && parts_[0].boost == 1.0F) return parts_[0].norms[doc];
    float length = 0;
    for (const FieldNorms& part : parts_)
      length += part.boost * static_cast<float>(decode_norm(part.norms[doc]));
    return encode_norm(static_cast<uint32_t>(std::floor(length + 0.5F)));
  }

 private:
  struct FieldNorms {
    const uint8_t* norms;
    float boost;
  };

  std::vector<FieldNorms> parts_;
};

/// A term in one of the fields.
struct CombinedTerm {
  const Field* field = nullptr;
  float boost = 1;
  std::string term;
  TermState state;
};

class CombinedScorer final : public Scorer {
 public:
  CombinedScorer(const Leaf& leaf, const std::vector<CombinedTerm>& terms, CombinedNorms norms,
                 const TermSimilarity& similarity, bool scored)
      : norms_(std::move(norms)),
        similarity_(similarity),
        scored_(scored),
        counters_(leaf.counters) {
    for (const CombinedTerm& term : terms) {
      const TermPlace& place = term.state.place(leaf);
      if (place.field == nullptr) continue;
      parts_.push_back(
          {std::make_unique<PostingsCursor>(place.field->inverted->source(), place.info),
           term.boost});
      cost_ += place.info.doc_freq;
    }
  }
  ~CombinedScorer() override {
    for (const TermPostings& part : parts_) counters_->postings.add(part.cursor->work());
  }

  uint32_t next() override { return advance(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override {
    uint32_t least = kNoMoreDocs;
    for (const TermPostings& part : parts_) {
      const bool stale = !started_ || part.cursor->doc() < target;
      least = std::min(least, stale ? part.cursor->advance(target) : part.cursor->doc());
    }
    started_ = true;
    return move(least);
  }
  float score() override {
    if (!scored_) return 0;
    float freq = 0;
    for (const TermPostings& part : parts_) {
      if (part.cursor->doc() == doc()) freq += part.boost * static_cast<float>(part.cursor->freq());
    }
    return similarity_.score(freq, norms_.of(doc()));
  }
  uint64_t cost() const override { return cost_; }
  float bound() const override { return scored_ ? similarity_.bound() : 0.0F; }

 private:
  struct TermPostings {
    std::unique_ptr<PostingsCursor> cursor;
    float boost;
  };

  CombinedNorms norms_;
  const TermSimilarity& similarity_;
  bool scored_;
  WorkCounters* counters_;
  std::vector<TermPostings> parts_;
  uint64_t cost_ = 0;
  bool started_ = false;
};

/// The similarity of the index, since the field that all of them make has none of its own.
Similarity index_similarity(const Mapping& mapping) {
  const auto& named = mapping.context().similarities;
  const auto found = named.find("default");
  return found == named.end() ? Similarity() : found->second;
}

class CombinedWeight final : public Weight {
 public:
  CombinedWeight(Compiler& compiler, std::vector<FieldAndBoost> fields,
                 std::vector<CombinedTerm> terms, Scope scope)
      : fields_(std::move(fields)), terms_(std::move(terms)), scored_(scope.scores) {
    facts_.similarity = index_similarity(compiler.mapping());
    facts_.boost = scope.boost;
    for (const FieldAndBoost& entry : fields_) {
      const FieldTotals totals = compiler.totals(entry.resolved.field->name);
      facts_.totals.doc_count = std::max(facts_.totals.doc_count, totals.doc_count);
      facts_.totals.token_count += weighted(entry.boost, totals.token_count);
      facts_.has_norms = facts_.has_norms || entry.resolved.field->norms;
    }
    uint64_t occurrences = 0;
    for (const CombinedTerm& term : terms_) {
      doc_freq_ = std::max(doc_freq_, term.state.doc_freq);
      occurrences += weighted(term.boost, term.state.total_term_freq);
    }
    facts_.add_occurrences(occurrences);
    facts_.idf = inverse_document_frequency(doc_freq_, facts_.totals.doc_count);
    similarity_ = TermSimilarity(facts_, find_norm_table(facts_.similarity, facts_.totals));
    if (scored_) set_bound(similarity_.bound());
  }

  uint64_t cost(const Leaf& leaf) override {
    uint64_t sum = 0;
    for (const CombinedTerm& term : terms_) sum += term.state.place(leaf).info.doc_freq;
    return std::min<uint64_t>(sum, leaf.max_doc);
  }
  ScorerPtr scorer(const Leaf& leaf, uint64_t /*lead_cost*/) override {
    const bool found = std::any_of(terms_.begin(), terms_.end(), [&leaf](const CombinedTerm& term) {
      return term.state.place(leaf).field != nullptr;
    });
    if (!found) return nullptr;
    return std::make_unique<CombinedScorer>(leaf, terms_, CombinedNorms(leaf, fields_), similarity_,
                                            scored_);
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    float freq = 0;
    for (const CombinedTerm& term : terms_) {
      const TermPlace& place = term.state.place(leaf);
      if (place.field == nullptr) continue;
      PostingsCursor cursor(place.field->inverted->source(), place.info);
      if (cursor.advance(doc) == doc) freq += term.boost * static_cast<float>(cursor.freq());
    }
    if (freq == 0) return Explanation::no_match("no matching term");
    const uint8_t norm = CombinedNorms(leaf, fields_).of(doc);
    return explain_similarity(
        facts_, explain_idf(doc_freq_, facts_.totals.doc_count), similarity_, freq, norm,
        "weight(" + describe() + " in " + std::to_string(doc) + "), result of:");
  }
  void report_matches(const Leaf& /*leaf*/, uint32_t /*doc*/, MatchSink& sink) override {
    for (const CombinedTerm& term : terms_) sink.term(*term.field, term.term);
  }
  std::string describe() const override {
    std::string text = "CombinedFieldQuery((";
    for (size_t i = 0; i < fields_.size(); i++)
      text += (i > 0 ? " " : "") + fields_[i].resolved.field->name;
    text += ")(";
    // The terms of a field follow each other.
    const size_t count = static_cast<size_t>(
        std::count_if(terms_.begin(), terms_.end(),
                      [this](const CombinedTerm& term) { return term.field == terms_[0].field; }));
    for (size_t i = 0; i < count; i++) text += (i > 0 ? "," : "") + terms_[i].term;
    return text + "))";
  }

 private:
  static uint64_t weighted(float boost, uint64_t count) {
    return static_cast<uint64_t>(static_cast<double>(boost) * static_cast<double>(count));
  }

  std::vector<FieldAndBoost> fields_;
  std::vector<CombinedTerm> terms_;
  bool scored_;
  uint64_t doc_freq_ = 0;  // the largest of the terms
  SimilarityFacts facts_;
  TermSimilarity similarity_;
};

/// What the weights of all positions of the text depend on.
struct CombinedParts {
  Compiler& compiler;
  const std::vector<FieldAndBoost>& fields;
  const MatchOptions& options;
  Scope scope;
};

/// The terms of one position in all fields.
Result<WeightPtr> make_combined_position(const CombinedParts& parts,
                                         std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  QUARRY_RETURN_IF_ERROR(parts.compiler.count_clauses(words.size() * parts.fields.size()));
  std::vector<CombinedTerm> terms;
  bool found = false;
  for (const FieldAndBoost& entry : parts.fields) {
    const Field& field = *entry.resolved.field;
    for (const std::string& word : words) {
      TermState state = parts.compiler.term(field.name, word);
      found = found || state.doc_freq > 0;
      terms.push_back({&field, entry.boost, word, std::move(state)});
    }
  }
  if (!found && !parts.compiler.keeps_absent_terms()) return make_no_docs("no such term");
  return WeightPtr(std::make_unique<CombinedWeight>(parts.compiler, parts.fields, std::move(terms),
                                                    parts.scope));
}

/// A synonym of several words: a phrase in any of the fields, or words that must all match.
Result<WeightPtr> make_combined_path(const CombinedParts& parts,
                                     const std::vector<std::string>& words) {
  if (words.size() == 1) return make_combined_position(parts, words);
  const bool positions =
      std::all_of(parts.fields.begin(), parts.fields.end(),
                  [](const FieldAndBoost& entry) { return entry.resolved.field->positions; });
  BoolClauses clauses;
  if (!parts.options.synonym_phrases || !positions) {
    for (const std::string& word : words) {
      QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, make_combined_position(parts, {word}));
      clauses.must.push_back(std::move(weight));
    }
    return make_bool(std::move(clauses), parts.scope.scores);
  }
  QUARRY_RETURN_IF_ERROR(parts.compiler.count_clauses(words.size() * parts.fields.size()));
  for (const FieldAndBoost& entry : parts.fields) {
    std::vector<PhrasePart> phrase;
    for (const std::string& word : words)
      phrase.push_back({static_cast<uint32_t>(phrase.size()), {word}});
    clauses.should.push_back(make_phrase_weight(parts.compiler, *entry.resolved.field,
                                                std::move(phrase), 0,
                                                parts.scope.boosted(entry.boost)));
  }
  clauses.minimum_should_match = 1;
  return make_bool(std::move(clauses), parts.scope.scores);
}

/// One clause for each part of a text with synonyms of several words.
Result<std::vector<WeightPtr>> make_combined_graph(const CombinedParts& parts,
                                                   const AnalyzedText& text) {
  std::vector<WeightPtr> clauses;
  for (const TextPart& part : text.parts) {
    if (part.is_position()) {
      std::vector<std::string> words;
      for (const auto& path : part.paths) words.push_back(path[0]);
      QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, make_combined_position(parts, std::move(words)));
      clauses.push_back(std::move(weight));
      continue;
    }
    BoolClauses any;
    any.minimum_should_match = 1;
    for (const auto& path : part.paths) {
      QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, make_combined_path(parts, path));
      any.should.push_back(std::move(weight));
    }
    clauses.push_back(make_bool(std::move(any), parts.scope.scores));
  }
  return clauses;
}

/// The search analyzer of all fields.
Result<const Analyzer*> shared_analyzer(Compiler& compiler,
                                        const std::vector<FieldAndBoost>& fields) {
  const Analyzer* shared = nullptr;
  bool norms = false;
  bool no_norms = false;
  for (const FieldAndBoost& entry : fields) {
    if (entry.resolved.field == nullptr) {
      return illegal_argument(
          "metadata fields such as [_id] do not support [combined_fields] queries");
    }
    const Field& field = *entry.resolved.field;
    if (!field.is_text()) {
      return illegal_argument("Field [" + field.name + "] of type [" +
                              std::string(field_type_name(field.type)) +
                              "] does not support [combined_fields] queries");
    }
    QUARRY_ASSIGN_OR_RETURN(const Analyzer* analyzer,
                            pick_analyzer(compiler, field, {}, "combined_fields", false));
    if (shared != nullptr && analyzer != shared) {
      return illegal_argument(
          "All fields in [combined_fields] query must have the same search analyzer");
    }
    shared = analyzer;
    if (!field.indexed) continue;
    norms = norms || field.norms;
    no_norms = no_norms || !field.norms;
  }
  if (norms && no_norms) {
    return illegal_argument(
        "[combined_fields] requires norms to be consistent across fields: some fields have norms "
        "enabled, while others have norms disabled");
  }
  return shared;
}

}  // namespace

Result<WeightPtr> make_combined_fields(Compiler& compiler, const std::vector<FieldAndBoost>& fields,
                                       const Scalar& text, const MatchOptions& options,
                                       Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(const Analyzer* analyzer, shared_analyzer(compiler, fields));
  QUARRY_ASSIGN_OR_RETURN(const AnalyzedText analyzed, analyze_text(analyzer, text.text, compiler));
  if (analyzed.positions.empty()) {
    if (options.zero_terms_all) return WeightPtr(std::make_unique<AllDocsWeight>(scope.boost));
    return make_no_terms();
  }
  const CombinedParts parts{compiler, fields, options, scope};
  std::vector<WeightPtr> clauses;
  if (!analyzed.parts.empty()) {
    QUARRY_ASSIGN_OR_RETURN(clauses, make_combined_graph(parts, analyzed));
  } else {
    for (const AnalyzedPosition& position : analyzed.positions) {
      QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, make_combined_position(parts, position.terms));
      clauses.push_back(std::move(weight));
    }
  }
  if (clauses.size() == 1) return std::move(clauses[0]);
  return combine_positions(std::move(clauses), options, scope);
}

}  // namespace quarry
