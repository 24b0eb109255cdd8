// Tokens, terms within a few edits, and counts, over dictionaries.
#include "query/suggest/spelling.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/automata/automaton.h"
#include "text/analysis/analysis_budget.h"
#include "text/analysis/analyzer.h"
#include "text/analysis/utf16_offsets.h"

namespace quarry {
namespace {

constexpr uint32_t kDocsPerPoll = 4096;

enum class TokenKind : uint8_t { kWord = 0, kShingle = 1, kSynonym = 2 };

TokenKind kind_of(const Token& token) {
  const std::string_view type = token.type;
  if (type == "shingle") return TokenKind::kShingle;
  return type == "SYNONYM" ? TokenKind::kSynonym : TokenKind::kWord;
}

/// Null: the whole value of the field is one token.
const Analyzer* default_analyzer(const Field& field) {
  return field.is_text() ? field.search_analyzer : nullptr;
}

/// `usual`: for a request without an analyzer; null: the whole value is one token.
Result<const Analyzer*> chosen_analyzer(std::string_view name, const Analyzer* usual,
                                        const Mapping& mapping) {
  if (name.empty()) return usual;
  const Analyzer* analyzer = mapping.context().analysis->analyzer(name);
  if (analyzer != nullptr) return analyzer;
  return Status(ErrorType::kIllegalArgument, "analyzer [" + std::string(name) + "] doesn't exists");
}

/// The tokens of a value of the field.
Status tokenize(std::string_view text, const Analyzer* analyzer, const Field& field,
                AnalysisBudget& budget, TokenBuffer& buffer) {
  if (analyzer != nullptr) return analyzer->analyze(text, buffer, budget);
  std::string_view whole = text;
  if (field.normalizer != nullptr) {
    QUARRY_ASSIGN_OR_RETURN(const std::string normal, field.normalizer->normalize(text, budget));
    whole = buffer.arena.copy(normal);
  }
  buffer.tokens.push_back({whole, 0, 1, 0, static_cast<uint32_t>(text.size()), "word", false});
  return {};
}

Status analyze(const AnalyzeRequest& request, const Field& field, const Mapping& mapping,
               TokenBuffer& buffer) {
  QUARRY_ASSIGN_OR_RETURN(const Analyzer* analyzer,
                          chosen_analyzer(request.analyzer, default_analyzer(field), mapping));
  AnalysisBudget budget;
  QUARRY_RETURN_IF_ERROR(tokenize(request.text, analyzer, field, budget, buffer));
  if (buffer.tokens.size() <= kMaxSuggestTokens) return {};
  return {ErrorType::kIllegalArgument, "[suggest] a text may have up to " +
                                           std::to_string(kMaxSuggestTokens) +
                                           " words, the one for field [" + field.name + "] has " +
                                           std::to_string(buffer.tokens.size()) + ", shorten it"};
}

struct Counts {
  uint8_t edits = 0;
  uint64_t documents = 0;
  uint64_t occurrences = 0;
  void add(const Counts& more) {
    documents += more.documents;
    occurrences += more.occurrences;
  }
};

/// The counts of a term in one segment: those of its dictionary, or those of live documents.
Counts counts_of(const SegmentView& view, const InvertedField& inverted, uint32_t ordinal,
                 const SuggestScope& scope) {
  Counts counts;
  if (!scope.is_filtered) {
    const TermInfo info = inverted.terms().info(ordinal);
    counts.documents = info.doc_freq;
    counts.occurrences = info.total_term_freq;
    return counts;
  }
  PostingsCursor cursor = inverted.postings(ordinal);
  uint32_t left = kDocsPerPoll;
  for (uint32_t doc = cursor.next(); doc != kNoMoreDocs; doc = cursor.next()) {
    if (--left == 0) {
      if (scope.stop.expired()) break;
      left = kDocsPerPoll;
    }
    if (!view.live->test(doc)) continue;
    counts.documents++;
    counts.occurrences += cursor.freq();
  }
  return counts;
}

const InvertedField* inverted_of(const SegmentView& view, std::string_view field) {
  const SegmentField* found = view.segment->field(field);
  return found == nullptr ? nullptr : found->inverted;
}

/// Terms in byte order, with their counts over all segments.
class Candidates {
 public:
  Candidates(const CandidatesRequest& request, const Field& field, const SuggestScope& scope)
      : request_(request), field_(field), scope_(scope) {}

  /// Adds the new terms within `edits` that share the first `prefix` characters of the word.
  Status add(uint32_t edits, uint32_t prefix) {
    const auto automaton = make_fuzzy_automaton(request_.term, edits, prefix, true);
    const auto exact = make_fuzzy_automaton(request_.term, 0, 0, true);
    const auto near = make_fuzzy_automaton(request_.term, 1, 0, true);
    size_t literal = 0;
    for (uint32_t i = 0; i < prefix && literal < request_.term.size(); i++)
      next_code_point(request_.term, literal);
    std::map<std::string, Counts, std::less<>> now;
    for (const SegmentView* view : scope_.segments) {
      const InvertedField* inverted = inverted_of(*view, field_.name);
      if (inverted == nullptr) continue;
      const TermDictionary& terms = inverted->terms();
      QUARRY_ASSIGN_OR_RETURN(
          const std::vector<uint32_t> ordinals,
          match_terms(*automaton, terms, terms.prefix_range(request_.term.substr(0, literal)), 0,
                      &scope_.stop));
      for (const uint32_t ordinal : ordinals) {
        const std::string_view term = terms.term(ordinal);
        if (found_.contains(term)) continue;
        const Counts more = counts_of(*view, *inverted, ordinal, scope_);
        if (more.documents == 0) continue;
        Counts& counts = now[std::string(term)];
        counts.add(more);
        if (matches_text(*exact, term)) continue;
        counts.edits = matches_text(*near, term) ? 1 : 2;
      }
    }
    found_.merge(now);
    return {};
  }

  void put(ByteWriter& out) const {
    const size_t size = std::min<size_t>(found_.size(), request_.most);
    out.put(static_cast<uint32_t>(size));
    size_t left = size;
    for (uint8_t edits = 0; edits <= 2; edits++) {
      for (const auto& [term, counts] : found_) {
        if (counts.edits != edits || left == 0) continue;
        left--;
        out.put_string(term);
        out.put(edits);
        out.put(static_cast<double>(counts.documents));
        out.put(static_cast<double>(counts.occurrences));
      }
    }
  }

 private:
  const CandidatesRequest& request_;
  const Field& field_;
  const SuggestScope& scope_;
  std::map<std::string, Counts, std::less<>> found_;
};

}  // namespace

Status analyze_text(const AnalyzeRequest& request, const SuggestScope& scope, ByteWriter& out) {
  const Field* field = scope.mapping.find(request.field);
  out.put(uint8_t{field != nullptr});
  TokenBuffer buffer;
  if (field != nullptr) QUARRY_RETURN_IF_ERROR(analyze(request, *field, scope.mapping, buffer));
  const Utf16Offsets units(request.text);
  out.put(static_cast<uint32_t>(buffer.tokens.size()));
  for (const Token& token : buffer.tokens) {
    out.put_string(token.text);
    out.put(units.at(token.start));
    out.put(units.at(token.end));
    out.put(token.position);
    out.put(kind_of(token));
  }
  return {};
}

Status find_candidates(const CandidatesRequest& request, const SuggestScope& scope,
                       ByteWriter& out) {
  const Field* field = scope.mapping.find(request.field);
  if (field == nullptr || decode_utf8(request.term).size() > kMaxCandidateTerm) {
    out.put(uint32_t{0});
    return {};
  }
  Candidates candidates(request, *field, scope);
  QUARRY_RETURN_IF_ERROR(candidates.add(1, request.prefix));
  if (request.edits > 1)
    QUARRY_RETURN_IF_ERROR(candidates.add(2, std::max(request.prefix, uint32_t{1})));
  candidates.put(out);
  return {};
}

void count_terms(const CountsRequest& request, const SuggestScope& scope, ByteWriter& out) {
  const Field* field = scope.mapping.find(request.field);
  std::vector<Counts> counts(request.terms.size());
  uint64_t documents = 0;
  uint64_t live = 0;
  uint64_t occurrences = 0;
  int64_t terms = 0;
  bool has_field = false;
  for (const SegmentView* view : scope.segments) {
    documents += scope.is_filtered ? view->live_count : view->segment->max_doc();
    live += view->live_count;
    const InvertedField* inverted = field == nullptr ? nullptr : inverted_of(*view, field->name);
    if (inverted == nullptr) continue;
    has_field = true;
    if (!scope.is_filtered) occurrences += inverted->stats().sum_total_term_freq;
    terms = inverted->terms().size();
    for (size_t i = 0; i < counts.size(); i++) {
      const std::optional<uint32_t> ordinal = inverted->terms().find(request.terms[i]);
      if (ordinal) counts[i].add(counts_of(*view, *inverted, *ordinal, scope));
    }
  }
  out.put(uint8_t{has_field});
  out.put(static_cast<double>(documents));
  out.put(static_cast<double>(live));
  out.put(static_cast<double>(occurrences));
  out.put(static_cast<double>(scope.segments.size() == 1 && !scope.is_filtered ? terms : -1));
  out.put(static_cast<uint32_t>(counts.size()));
  for (const Counts& one : counts) {
    out.put(static_cast<double>(one.documents));
    out.put(static_cast<double>(one.occurrences));
  }
}

Status terms_of_texts(const TermsRequest& request, const SuggestScope& scope, ByteWriter& out) {
  const Field* field = scope.mapping.find(request.field);
  std::map<std::string, uint32_t, std::less<>> places;
  std::vector<std::pair<std::string_view, uint32_t>> terms;  // views into `places`
  if (field != nullptr) {
    const Analyzer* usual = field->is_text() ? field->analyzer : nullptr;
    QUARRY_ASSIGN_OR_RETURN(const Analyzer* analyzer,
                            chosen_analyzer(request.analyzer, usual, scope.mapping));
    AnalysisBudget budget;
    TokenBuffer buffer;
    for (const std::string_view text : request.texts) {
      if (scope.stop.expired()) break;
      buffer.clear();
      QUARRY_RETURN_IF_ERROR(tokenize(text, analyzer, *field, budget, buffer));
      size_t left = request.most_tokens == 0 ? buffer.tokens.size() : request.most_tokens;
      for (const Token& token : buffer.tokens) {
        if (left-- == 0) break;
        auto at = places.find(token.text);
        if (at == places.end()) {
          at = places.emplace(token.text, static_cast<uint32_t>(terms.size())).first;
          terms.emplace_back(at->first, 0);
        }
        terms[at->second].second++;
      }
    }
  }
  if (request.sorted) std::sort(terms.begin(), terms.end());
  out.put(uint8_t{field != nullptr});
  out.put(static_cast<uint32_t>(terms.size()));
  for (const auto& [term, occurrences] : terms) {
    out.put_string(term);
    out.put(occurrences);
  }
  return {};
}

}  // namespace quarry
