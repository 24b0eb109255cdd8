// Walks the dictionary of each segment with an automaton, or takes a range of it for a prefix.
#include "query/clauses/pattern_query.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "query/automata/automaton.h"
#include "query/automata/pattern_pieces.h"
#include "query/automata/regexp_automaton.h"
#include "query/automata/regexp_syntax.h"
#include "query/clauses/scored_terms.h"
#include "query/clauses/term_query.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/postings_union.h"

namespace quarry {
namespace {

// Maximum length of a regexp in characters, the largest value that index.max_regex_length may have
// (src/query/limits.ts). It protects the core from a plan; the limit of a search is checked where
// its plan is made.
constexpr uint32_t kMostRegexp = 10000;

class PrefixWeight final : public ConstantWeight, public TermsWeight {
 public:
  PrefixWeight(const Field& field, std::string prefix, float boost)
      : ConstantWeight(boost), field_(field), prefix_(std::move(prefix)) {}
  void report_matches(const Leaf& /*leaf*/, uint32_t /*doc*/, MatchSink& sink) override {
    sink.terms(field_, describe(),
               [this](std::string_view term) { return term.starts_with(prefix_); });
  }
  std::string describe() const override { return field_.name + ":" + prefix_ + "*"; }
  const Field& field() const override { return field_; }
  Result<std::vector<uint32_t>> first_terms(const Segment& segment, size_t most,
                                            WorkCounters& /*counters*/) const override {
    const SegmentField* field = segment.field(field_.name);
    const TermDictionary::Range range = field->inverted->terms().prefix_range(prefix_);
    std::vector<uint32_t> first(std::min<size_t>(most, range.end - range.begin));
    std::iota(first.begin(), first.end(), range.begin);
    return first;
  }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    const SegmentField* field = leaf.segment->field(field_.name);
    if (field == nullptr || field->inverted == nullptr) {
      return std::make_shared<DocIdSet>(std::vector<uint32_t>{}, leaf.max_doc);
    }
    const TermDictionary::Range range = field->inverted->terms().prefix_range(prefix_);
    return union_of_term_range(leaf, *field, field_.indexed, range.begin, range.end);
  }
  uint64_t estimate(const Leaf& leaf) override {
    const SegmentField* field = leaf.segment->field(field_.name);
    if (field == nullptr || field->inverted == nullptr) return 0;
    const TermDictionary::Range range = field->inverted->terms().prefix_range(prefix_);
    return range.begin < range.end ? leaf.max_doc : 0;
  }

 private:
  const Field& field_;
  std::string prefix_;
};

/// Terms that start with `literal` and whose text after the first `skip` bytes the automaton
/// accepts.
struct Pattern {
  std::shared_ptr<TermAutomaton> automaton;
  std::string literal;
  size_t skip = 0;
  std::string text;  // for explanations
  // Every match ends with it; if not empty, it is compared before the automaton runs.
  std::string tail = {};
  std::vector<TermPiece> pieces = {};  // of the text after `skip`; for fields with grams
};

class PatternWeight final : public ConstantWeight, public TermsWeight {
 public:
  PatternWeight(const Field& field, Pattern pattern, float boost, StopCheck& stop)
      : ConstantWeight(boost), field_(field), pattern_(std::move(pattern)), stop_(stop) {}
  void report_matches(const Leaf& /*leaf*/, uint32_t /*doc*/, MatchSink& sink) override {
    sink.terms(field_, describe(), [this](std::string_view term) {
      if (const TermCodec* codec = field_.traits().codec)
        return matches_text(*pattern_.automaton, codec->print(term));
      return term.starts_with(pattern_.literal) &&
             matches_text(*pattern_.automaton, term.substr(pattern_.skip));
    });
  }
  std::string describe() const override { return field_.name + ":" + pattern_.text; }
  const Field& field() const override { return field_; }
  Result<std::vector<uint32_t>> first_terms(const Segment& segment, size_t /*most*/,
                                            WorkCounters& counters) const override {
    QUARRY_ASSIGN_OR_RETURN(std::vector<uint32_t> all,
                            walk(segment, *segment.field(field_.name), counters));
    std::sort(all.begin(), all.end());
    return all;
  }

  /// Walks the dictionary right away, so that a pattern that is too complex fails before the search
  /// starts.
  Status expand(const Segment& segment, uint32_t ord, WorkCounters& counters) {
    if (ordinals_.size() <= ord) ordinals_.resize(ord + 1);
    const SegmentField* field = segment.field(field_.name);
    ordinals_[ord].emplace();
    if (field == nullptr || field->inverted == nullptr) return {};
    QUARRY_ASSIGN_OR_RETURN(ordinals_[ord], walk(segment, *field, counters));
    return {};
  }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    std::vector<uint32_t> matched;
    const SegmentField* field = leaf.segment->field(field_.name);
    if (field == nullptr || field->inverted == nullptr) {
      return std::make_shared<DocIdSet>(std::move(matched), leaf.max_doc);
    }
    if (leaf.ord < ordinals_.size() && ordinals_[leaf.ord].has_value()) {
      matched = std::move(*ordinals_[leaf.ord]);
    } else if (Result<std::vector<uint32_t>> walked = walk(*leaf.segment, *field, *leaf.counters);
               walked.ok()) {
      matched = std::move(walked).value();
    }
    return union_of_terms(leaf, *field, field_.indexed, matched);
  }

 private:
  Result<std::vector<uint32_t>> walk(const Segment& segment, const SegmentField& field,
                                     WorkCounters& counters) const {
    const TermDictionary& terms = field.inverted->terms();
    if (const TermCodec* codec = field_.traits().codec) {
      counters.terms_visited += terms.size();
      return match_printed_terms(*pattern_.automaton, terms, codec->print, stop_);
    }
    const TermDictionary::Range range = terms.prefix_range(pattern_.literal);
    if (const TermGrams* grams = segment.grams(field); grams != nullptr) {
      if (auto among = grams->candidates(pattern_.pieces, range)) {
        counters.terms_visited += among->size();
        return match_terms_among(*pattern_.automaton, terms, std::move(*among), pattern_.skip,
                                 &stop_);
      }
    }
    if (!pattern_.tail.empty()) {
      counters.terms_visited += range.end - range.begin;
      return match_tails(terms, range);
    }
    return match_terms(*pattern_.automaton, terms, range, pattern_.skip, &stop_,
                       &counters.terms_visited);
  }

  /// Runs the automaton only on the terms that end with the tail.
  std::vector<uint32_t> match_tails(const TermDictionary& terms,
                                    TermDictionary::Range range) const {
    constexpr uint32_t kTermsPerPoll = 4096;
    std::vector<uint32_t> found;
    const auto take = [&](uint32_t ordinal, std::string_view term) {
      if (term.size() < pattern_.skip) return true;
      if (pattern_.automaton->states() > kMaxTailStates) pattern_.automaton->reset();
      if (matches_text(*pattern_.automaton, term.substr(pattern_.skip))) found.push_back(ordinal);
      return true;
    };
    while (range.begin < range.end && !stop_.expired()) {
      const uint32_t end = range.begin + std::min(kTermsPerPoll, range.end - range.begin);
      terms.each_ending({range.begin, end}, pattern_.tail, take);
      range.begin = end;
    }
    return found;
  }

  static constexpr size_t kMaxTailStates = 20000;

  const Field& field_;
  Pattern pattern_;
  StopCheck& stop_;
  std::vector<std::optional<std::vector<uint32_t>>>
      ordinals_;  // by Leaf::ord, for segments that expand() was called for
};

/// The characters before the first operator, which every match starts with; for patterns that are
/// not case-folded.
std::string literal_start(std::string_view pattern) {
  std::string literal;
  for (size_t i = 0; i < pattern.size() && pattern[i] != '*' && pattern[i] != '?'; i++) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) i++;
    literal += pattern[i];
  }
  return literal;
}

/// The characters after the last operator, which every match ends with; empty if the pattern
/// contains an escape.
std::string literal_end(std::string_view pattern) {
  const size_t last = pattern.find_last_of("*?");
  if (last == std::string_view::npos || pattern.find('\\') != std::string_view::npos) return {};
  return std::string(pattern.substr(last + 1));
}

/// Applies the normalizer to everything in a keyword pattern except its operators.
Result<std::string> normalize_pattern(const Field& field, std::string_view pattern,
                                      AnalysisBudget& budget) {
  if (field.normalizer == nullptr) return std::string(pattern);
  std::string out;
  std::string literal;
  const auto flush = [&]() -> Status {
    if (literal.empty()) return {};
    QUARRY_ASSIGN_OR_RETURN(const std::string normal, field.normalizer->normalize(literal, budget));
    for (const char c : normal) {
      if (c == '*' || c == '?' || c == '\\') out += '\\';
      out += c;
    }
    literal.clear();
    return {};
  };
  for (size_t i = 0; i < pattern.size(); i++) {
    if (pattern[i] == '*' || pattern[i] == '?') {
      QUARRY_RETURN_IF_ERROR(flush());
      out += pattern[i];
    } else {
      if (pattern[i] == '\\' && i + 1 < pattern.size()) i++;
      literal += pattern[i];
    }
  }
  QUARRY_RETURN_IF_ERROR(flush());
  return out;
}

/// A wildcard pattern on a field with encoded terms: as in Elasticsearch a backslash is no escape.
std::string without_escapes(std::string_view pattern) {
  std::string out;
  for (const char c : pattern) {
    if (c == '\\') out += '\\';
    out += c;
  }
  return out;
}

uint64_t count_characters(std::string_view text) {
  uint64_t count = 0;
  for (const char c : text) count += (static_cast<uint8_t>(c) & 0xc0) != 0x80 ? 1 : 0;
  return count;
}

Status check_length(std::string_view pattern, std::string_view query, uint32_t most) {
  const uint64_t length = count_characters(pattern);
  if (length <= most) return {};
  return {ErrorType::kIllegalArgument, "The length of pattern [" + std::to_string(length) +
                                           "] used in the " + std::string(query) +
                                           " Query request has exceeded the allowed maximum of [" +
                                           std::to_string(most) + "]"};
}

bool has_encoded_terms(const ResolvedField& resolved) {
  return resolved.field != nullptr && resolved.field->traits().codec != nullptr;
}

/// A prefix on a field with encoded terms. As in Elasticsearch it is a wildcard pattern, in which
/// `*` and `?` are operators.
Result<Pattern> encoded_prefix(std::string_view prefix, bool fold) {
  QUARRY_RETURN_IF_ERROR(check_length(prefix, "Prefix", kMaxPatternLength));
  std::string pattern = without_escapes(prefix) + "*";
  return Pattern{make_wildcard_automaton(pattern, fold), {}, 0, std::move(pattern)};
}

Status metadata_refused(std::string_view query, std::string_view allowed, std::string_view field) {
  return {ErrorType::kQueryShard, "Can only use " + std::string(query) + " queries on " +
                                      std::string(allowed) + " fields - not on [" +
                                      std::string(field) + "] which is of type [" +
                                      std::string(field) + "]"};
}

constexpr std::string_view kWithWildcard = "keyword, text and wildcard";

/// The result of a pattern clause on `name` if it does not depend on terms; a null weight means
/// that the caller has to search the field.
Result<WeightPtr> resolve_pattern(Compiler& compiler, const ResolvedField& resolved,
                                  std::string_view name, std::string_view query,
                                  std::string_view allowed, TermAutomaton& automaton, float boost) {
  switch (resolved.kind) {
    case ResolvedField::Kind::kUnmapped:
      return make_no_docs("unmapped field");
    case ResolvedField::Kind::kId:
      return metadata_refused(query, allowed, name);
    case ResolvedField::Kind::kIndexName:
      return make_index_name_match(matches_text(automaton, compiler.context().index_name), boost);
    case ResolvedField::Kind::kField:
      break;
  }
  if (!has_text_terms(*resolved.field)) return wrong_type(query, allowed, *resolved.field);
  QUARRY_RETURN_IF_ERROR(Compiler::check_searchable(*resolved.field));
  return WeightPtr();
}

struct PatternClause {
  std::string_view field;
  std::string_view pattern;
  bool case_insensitive = false;
};

/// A wildcard pattern in which only stars are operators.
std::string stars_only(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '?' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

PatternClause read_pattern(PlanReader& reader) {
  PatternClause clause;
  clause.field = reader.get_string();
  clause.pattern = reader.get_string();
  clause.case_insensitive = reader.get<uint8_t>() != 0;
  return clause;
}

}  // namespace

Result<WeightPtr> make_prefix(Compiler& compiler, const ResolvedField& resolved,
                              std::string_view value, float boost) {
  const Field& field = *resolved.field;
  if (!has_text_terms(field)) return wrong_type("prefix", kWithWildcard, field);
  QUARRY_RETURN_IF_ERROR(Compiler::check_searchable(field));
  QUARRY_ASSIGN_OR_RETURN(const std::string text, index_form(field, value, compiler.analysis()));
  if (has_encoded_terms(resolved)) {
    QUARRY_ASSIGN_OR_RETURN(Pattern pattern, encoded_prefix(text, false));
    return WeightPtr(std::make_unique<PatternWeight>(field, std::move(pattern), boost,
                                                     compiler.progress().stop));
  }
  return WeightPtr(std::make_unique<PrefixWeight>(field, resolved.prefix + text, boost));
}

Result<WeightPtr> compile_prefix(PlanReader& reader, Compiler& compiler, Scope scope) {
  const PatternClause clause = read_pattern(reader);
  if (reader.failed()) return malformed_clause("prefix");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  const ResolvedField resolved = compiler.resolve(clause.field);
  if (resolved.kind == ResolvedField::Kind::kField && !clause.case_insensitive) {
    return make_prefix(compiler, resolved, clause.pattern, scope.boost);
  }
  std::string value(clause.pattern);
  if (resolved.field != nullptr) {
    QUARRY_ASSIGN_OR_RETURN(value, index_form(*resolved.field, value, compiler.analysis()));
  }
  Pattern pattern{make_folded_automaton(value, true), resolved.prefix, resolved.prefix.size(),
                  value + "*"};
  if (has_encoded_terms(resolved)) {
    QUARRY_ASSIGN_OR_RETURN(pattern, encoded_prefix(value, true));
  }
  if (!clause.case_insensitive) {
    const bool matches = compiler.context().index_name.starts_with(value);
    if (resolved.kind == ResolvedField::Kind::kIndexName)
      return make_index_name_match(matches, scope.boost);
  }
  QUARRY_ASSIGN_OR_RETURN(WeightPtr done,
                          resolve_pattern(compiler, resolved, clause.field, "prefix", kWithWildcard,
                                          *pattern.automaton, scope.boost));
  if (done != nullptr) return done;
  return WeightPtr(std::make_unique<PatternWeight>(*resolved.field, std::move(pattern), scope.boost,
                                                   compiler.progress().stop));
}

Result<WeightPtr> compile_wildcard(PlanReader& reader, Compiler& compiler, Scope scope) {
  const PatternClause clause = read_pattern(reader);
  if (reader.failed()) return malformed_clause("wildcard");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  QUARRY_RETURN_IF_ERROR(check_length(clause.pattern, "Wildcard", kMaxPatternLength));
  const ResolvedField resolved = compiler.resolve(clause.field);
  std::string text(clause.pattern);
  if (resolved.field != nullptr) {
    QUARRY_ASSIGN_OR_RETURN(text, normalize_pattern(*resolved.field, text, compiler.analysis()));
  }
  if (has_encoded_terms(resolved)) text = without_escapes(text);
  Pattern pattern{make_wildcard_automaton(text, clause.case_insensitive), resolved.prefix,
                  resolved.prefix.size(), text};
  QUARRY_ASSIGN_OR_RETURN(
      WeightPtr done, resolve_pattern(compiler, resolved, clause.field, "wildcard", kWithWildcard,
                                      *pattern.automaton, scope.boost));
  if (done != nullptr) return done;
  if (!clause.case_insensitive) {
    pattern.literal += literal_start(text);
    pattern.tail = literal_end(text);
    pattern.pieces = wildcard_pieces(text);
  }
  return WeightPtr(std::make_unique<PatternWeight>(*resolved.field, std::move(pattern), scope.boost,
                                                   compiler.progress().stop));
}

Result<WeightPtr> compile_regexp(PlanReader& reader, Compiler& compiler, Scope scope) {
  const PatternClause clause = read_pattern(reader);
  const auto max_states = reader.get<uint32_t>();
  const std::string_view flag_names = reader.get_string();
  if (reader.failed()) return malformed_clause("regexp");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  QUARRY_RETURN_IF_ERROR(check_length(clause.pattern, "Regexp", kMostRegexp));
  constexpr uint32_t kMostStates = 100000;
  QUARRY_ASSIGN_OR_RETURN(const uint32_t flags, parse_regexp_flags(flag_names));
  std::vector<TermPiece> pieces;
  QUARRY_ASSIGN_OR_RETURN(std::unique_ptr<TermAutomaton> automaton,
                          make_regexp_automaton(clause.pattern, flags, clause.case_insensitive,
                                                std::min(max_states, kMostStates), &pieces));
  const ResolvedField resolved = compiler.resolve(clause.field);
  constexpr std::string_view kAllowed = "keyword and text";
  if (resolved.kind == ResolvedField::Kind::kIndexName)
    return metadata_refused("regexp", kAllowed, clause.field);
  QUARRY_ASSIGN_OR_RETURN(WeightPtr done,
                          resolve_pattern(compiler, resolved, clause.field, "regexp", kAllowed,
                                          *automaton, scope.boost));
  QUARRY_RETURN_IF_ERROR(automaton->status());
  if (done != nullptr) return done;
  Pattern pattern{std::move(automaton), resolved.prefix, resolved.prefix.size(),
                  "/" + std::string(clause.pattern) + "/"};
  pattern.pieces = std::move(pieces);
  auto weight = std::make_unique<PatternWeight>(*resolved.field, std::move(pattern), scope.boost,
                                                compiler.progress().stop);
  const std::vector<SegmentView>& views = compiler.context().view->segments;
  for (uint32_t ord = 0; ord < views.size(); ord++) {
    QUARRY_RETURN_IF_ERROR(weight->expand(*views[ord].segment, ord, compiler.progress().counters));
  }
  return WeightPtr(std::move(weight));
}

Result<WeightPtr> make_case_insensitive_term(Compiler& compiler, const ResolvedField& resolved,
                                             std::string_view value, Scope scope) {
  if (resolved.kind == ResolvedField::Kind::kField && !has_text_terms(*resolved.field)) {
    return Status(ErrorType::kQueryShard, "[" + resolved.field->name +
                                              "] field which is of type [" +
                                              std::string(field_type_name(resolved.field->type)) +
                                              "], does not support case insensitive term queries");
  }
  std::string text(value);
  if (resolved.field != nullptr) {
    QUARRY_ASSIGN_OR_RETURN(text, index_form(*resolved.field, value, compiler.analysis()));
  }
  Pattern pattern{make_folded_automaton(text, false), resolved.prefix, resolved.prefix.size(),
                  text};
  if (resolved.kind == ResolvedField::Kind::kId) {
    return Status(
        ErrorType::kQueryShard,
        "[_id] field which is of type [_id], does not support case insensitive term queries");
  }
  if (resolved.kind == ResolvedField::Kind::kIndexName)
    pattern.automaton = make_wildcard_automaton(stars_only(text), true);
  QUARRY_ASSIGN_OR_RETURN(WeightPtr done,
                          resolve_pattern(compiler, resolved, "", "term", kWithWildcard,
                                          *pattern.automaton, scope.boost));
  if (done != nullptr) return done;
  return WeightPtr(std::make_unique<PatternWeight>(*resolved.field, std::move(pattern), scope.boost,
                                                   compiler.progress().stop));
}

}  // namespace quarry
