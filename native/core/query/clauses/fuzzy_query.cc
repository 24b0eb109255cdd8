// Expands a fuzzy term and scores the expansions with blended statistics, like Lucene's
// TopTermsBlendedFreqScoringRewrite.
#include "query/clauses/fuzzy_query.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "query/automata/automaton.h"
#include "query/automata/one_edit.h"
#include "query/clauses/pattern_query.h"
#include "query/clauses/term_query.h"
#include "query/phrase/term_places.h"
#include "query/plan/clause_limit.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

constexpr uint32_t kMaxEdits = 2;
// In characters; the size of an automaton's state grows with them.
constexpr size_t kMaxFuzzyLength = 1000;

bool parse_whole(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_auto(std::string_view text) {
  return text.size() >= 4 && std::equal(text.begin(), text.begin() + 4, "AUTO",
                                        [](char a, char b) { return (a & ~0x20) == b; });
}

Result<uint32_t> auto_edits(std::string_view fuzziness, uint64_t characters) {
  double low = 3;
  double high = 6;
  if (fuzziness.size() > 4) {
    const std::string_view bounds = fuzziness.substr(5);
    const size_t comma = bounds.find(',');
    const bool good = fuzziness[4] == ':' && comma != std::string_view::npos &&
                      parse_whole(bounds.substr(0, comma), low) &&
                      parse_whole(bounds.substr(comma + 1), high);
    if (!good) {
      return Status(ErrorType::kParse, "failed to find low and high distance values in [" +
                                           std::string(fuzziness) + "]");
    }
    if (low < 0 || high < 0 || low > high) {
      return Status(ErrorType::kIllegalArgument,
                    "fuzziness wrongly configured, must be: lowDistance > 0, highDistance"
                    " > 0 and lowDistance <= highDistance ");
    }
  }
  const auto length = static_cast<double>(characters);
  if (length < low) return 0U;
  return length < high ? 1U : 2U;
}

/// At most 1; negative for a term that has more edits than characters, infinitely so for an empty
/// one. Such terms match all the same, with a boost of 0.
float expansion_similarity(uint32_t edits, size_t term_length, size_t text_length) {
  const auto shorter = static_cast<float>(std::min(term_length, text_length));
  if (edits == 0) return 1.0F;
  return shorter == 0 ? -std::numeric_limits<float>::infinity()
                      : 1.0F - static_cast<float>(edits) / shorter;
}

struct Expansion {
  std::string text;
  uint32_t edits = 0;
  const FuzzyOptions& options;
};

std::unique_ptr<TermAutomaton> make_automaton(const Expansion& fuzzy, uint32_t edits) {
  return make_fuzzy_automaton(fuzzy.text, edits, fuzzy.options.prefix_length,
                              fuzzy.options.transpositions);
}

/// A term of some shard that the allowed edits lead to.
struct Reached {
  uint32_t edits = 0;  // minimum number of edits
  TermState state;
};
using Reachable = std::map<std::string, Reached, std::less<>>;

/// Computes the minimum number of edits that lead to a term within the allowed number.
class EditCounter {
 public:
  explicit EditCounter(const Expansion& fuzzy) : most_(fuzzy.edits) {
    for (uint32_t edits = 0; edits < most_; edits++)
      closer_.push_back(make_automaton(fuzzy, edits));
  }
  uint32_t edits(std::string_view text) {
    uint32_t edits = 0;
    while (edits < most_ && !matches_text(*closer_[edits], text)) edits++;
    return edits;
  }

 private:
  uint32_t most_;
  // By number of edits, all below the allowed number.
  std::vector<std::unique_ptr<TermAutomaton>> closer_;
};

/// The prefix that every term starts with.
std::string fuzzy_prefix(const ResolvedField& resolved, const Expansion& fuzzy) {
  size_t at = 0;
  for (uint32_t i = 0; i < fuzzy.options.prefix_length && at < fuzzy.text.size(); i++)
    next_code_point(fuzzy.text, at);
  return resolved.prefix + fuzzy.text.substr(0, at);
}

/// The segments of all shards, in the order of Compiler::each_segment().
std::vector<const SegmentView*> segment_views(const SearchContext& context) {
  std::vector<const SegmentView*> views;
  const auto add = [&views](const ShardView& shard) {
    for (const SegmentView& view : shard.segments) views.push_back(&view);
  };
  for (const ShardView* shard : context.all_shards) add(*shard);
  if (context.all_shards.empty()) add(*context.view);
  return views;
}

/// The terms of all shards within the allowed edits, and their places in the shard under search.
/// The walk over the dictionaries finds the places, so that the terms need not be looked up again.
Result<Reachable> reachable_terms(Compiler& compiler, const ResolvedField& resolved,
                                  const Expansion& fuzzy) {
  Reachable found;
  const std::string literal = fuzzy_prefix(resolved, fuzzy);
  EditCounter closer(fuzzy);
  const auto automaton = make_automaton(fuzzy, fuzzy.edits);
  const SearchContext& context = compiler.context();
  const std::vector<SegmentView>& own = context.view->segments;
  const TermCodec* codec = resolved.field->traits().codec;
  std::optional<OneEdit> near;
  if (fuzzy.edits == 1 && context.filters != nullptr && resolved.prefix.empty() && codec == nullptr)
    near.emplace(fuzzy.text, fuzzy.options.prefix_length, fuzzy.options.transpositions);
  size_t passed = 0;  // number of the shard's own segments visited; these are adjacent in the walk
  for (const SegmentView* view : segment_views(context)) {
    const Segment* segment = view->segment.get();
    const bool is_own = passed < own.size() && own[passed].segment.get() == segment;
    const size_t ord = passed;
    passed += is_own ? 1 : 0;
    const SegmentField* field = segment->field(resolved.field->name);
    if (field == nullptr || field->inverted == nullptr) continue;
    const TermDictionary& terms = field->inverted->terms();
    std::optional<std::vector<uint32_t>> ordinals;
    if (near)
      ordinals = near->find(*context.filters, view->segment, resolved.field->name, terms,
                            compiler.progress().stop);
    if (codec != nullptr) {
      QUARRY_ASSIGN_OR_RETURN(
          ordinals, match_printed_terms(*automaton, terms, codec->print, compiler.progress().stop));
    } else if (!ordinals) {
      QUARRY_ASSIGN_OR_RETURN(ordinals,
                              match_terms(*automaton, terms, terms.prefix_range(literal),
                                          resolved.prefix.size(), &compiler.progress().stop));
    }
    for (const uint32_t ordinal : *ordinals) {
      const std::string_view term = terms.term(ordinal);
      auto at = found.find(term);
      if (at == found.end()) {
        at = found.try_emplace(std::string(term)).first;
        // As in Elasticsearch, encoded terms are not ranked by their edits.
        if (codec == nullptr) at->second.edits = closer.edits(term.substr(resolved.prefix.size()));
        at->second.state.found.resize(own.size());
      }
      TermState& state = at->second.state;
      const TermInfo info = terms.info(ordinal);
      state.doc_freq += info.doc_freq;
      state.total_term_freq += field->inverted->has_freqs() ? info.total_term_freq : info.doc_freq;
      if (is_own) state.found[ord] = {field, ordinal, info};
    }
  }
  // Only if the list of shards does not contain the shard under search.
  if (passed < own.size()) {
    for (auto& [term, reached] : found) reached.state = compiler.term(resolved.field->name, term);
  }
  return found;
}

/// The best `max_expansions` terms: the most similar first, then the smaller term. `keep`: whether
/// they will be cached.
std::vector<ScoredTerm> best_candidates(Reachable reachable, const ResolvedField& resolved,
                                        const Expansion& fuzzy, bool keep) {
  const size_t text_length = decode_utf8(fuzzy.text).size();
  std::vector<ScoredTerm> out;
  for (auto& [term, reached] : reachable) {
    const size_t length = decode_utf8(std::string_view(term).substr(resolved.prefix.size())).size();
    const float similarity = expansion_similarity(reached.edits, length, text_length);
    TermState& state = reached.state;
    if (keep && state.kept == nullptr) {
      state.kept = std::make_shared<const TermPlaces>(state.doc_freq, state.total_term_freq,
                                                      std::exchange(state.found, {}));
    }
    out.push_back({term, similarity, std::move(state)});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const ScoredTerm& a, const ScoredTerm& b) { return a.boost > b.boost; });
  const size_t most = std::min(fuzzy.options.max_expansions, max_clauses());
  if (out.size() > most) out.resize(most);
  for (ScoredTerm& term : out) term.boost = std::max(0.0F, term.boost);
  return out;
}

/// The cached expansions of a string over the segments of a shard.
class KeptExpansions final : public JointEntry {
 public:
  explicit KeptExpansions(std::vector<ScoredTerm> made) : candidates(std::move(made)) {}
  size_t bytes() const override {
    size_t sum = sizeof(KeptExpansions);
    for (const ScoredTerm& candidate : candidates) {
      sum += sizeof(ScoredTerm) + candidate.term.capacity() +
             candidate.state.found.capacity() * sizeof(TermPlace) +
             (candidate.state.kept == nullptr ? 0 : candidate.state.kept->bytes());
    }
    return sum;
  }

  const std::vector<ScoredTerm> candidates;
};

std::string kept_name(const ResolvedField& resolved, const Expansion& fuzzy) {
  const FuzzyOptions& options = fuzzy.options;
  std::string text = std::to_string(fuzzy.edits);
  for (const uint64_t number : {uint64_t{options.prefix_length}, uint64_t{options.max_expansions},
                                uint64_t{options.transpositions}})
    text.append(1, ' ').append(std::to_string(number));
  text.append(1, ' ').append(resolved.prefix).append(fuzzy.text);
  return FilterCache::joint_name("fuzzy", resolved.field->name, text);
}

/// The cached expansions, or new ones, which are cached if the string was requested before.
Result<std::vector<ScoredTerm>> find_fuzzy_terms(Compiler& compiler, const ResolvedField& resolved,
                                                 const Expansion& fuzzy) {
  FilterCache* cache = compiler.keeps_joint() ? compiler.context().filters : nullptr;
  std::string name;
  FilterCache::Joint known;
  if (cache != nullptr) {
    name = kept_name(resolved, fuzzy);
    known = cache->find_joint(compiler.joint_segments(), name);
    if (known.entry != nullptr) return static_cast<const KeptExpansions&>(*known.entry).candidates;
  }
  QUARRY_ASSIGN_OR_RETURN(Reachable reachable, reachable_terms(compiler, resolved, fuzzy));
  std::vector<ScoredTerm> candidates =
      best_candidates(std::move(reachable), resolved, fuzzy, known.requested_before);
  // A walk that timed out has not visited all terms.
  if (known.requested_before && !compiler.progress().stop.stopped()) {
    cache->put_joint(compiler.joint_segments(), name,
                     std::make_shared<const KeptExpansions>(candidates));
  }
  return candidates;
}

}  // namespace

Result<uint32_t> fuzzy_edits(std::string_view fuzziness, uint64_t characters) {
  if (fuzziness.empty()) fuzziness = "AUTO";
  if (is_auto(fuzziness)) return auto_edits(fuzziness, characters);
  double value = 0;
  if (!parse_whole(fuzziness, value)) {
    return Status(ErrorType::kIllegalArgument,
                  "fuzziness [" + std::string(fuzziness) + "] is not a number or AUTO");
  }
  if (value < 0 || value > kMaxEdits ||
      value != static_cast<double>(static_cast<uint32_t>(value))) {
    return Status(ErrorType::kIllegalArgument,
                  "Invalid fuzziness value: " + std::string(fuzziness) +
                      ". Valid edit distances are [AUTO, 0, 1, 2]");
  }
  return static_cast<uint32_t>(value);
}

Result<WeightPtr> make_fuzzy(Compiler& compiler, const ResolvedField& resolved,
                             std::string_view text, const FuzzyOptions& options, Scope scope) {
  const Field& field = *resolved.field;
  if (!has_text_terms(field)) {
    const Status refused = wrong_type("fuzzy", "keyword and text", field);
    return Status(ErrorType::kIllegalArgument, refused.reason());
  }
  QUARRY_RETURN_IF_ERROR(Compiler::check_searchable(field));
  if (options.max_expansions == 0) {
    return Status(ErrorType::kIllegalArgument, "maxExpansions must be positive.");
  }
  const size_t characters = decode_utf8(text).size();
  QUARRY_ASSIGN_OR_RETURN(const uint32_t edits, fuzzy_edits(options.fuzziness, characters));
  const bool one_term = edits == 0 && field.traits().codec == nullptr;
  if (!one_term && characters > kMaxFuzzyLength) {
    return Status(ErrorType::kIllegalArgument,
                  "a fuzzy term may have up to 1000 characters, this one on [" + field.name +
                      "] has " + std::to_string(characters));
  }
  const Expansion fuzzy{std::string(text), edits, options};
  if (one_term) return make_term_weight(compiler, field, resolved.prefix + fuzzy.text, scope);
  QUARRY_ASSIGN_OR_RETURN(std::vector<ScoredTerm> candidates,
                          find_fuzzy_terms(compiler, resolved, fuzzy));
  if (candidates.empty()) return make_no_docs("no term is similar enough");
  // The string was counted as one clause.
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses(candidates.size() - 1));
  return make_scored_terms(compiler, field, std::move(candidates), options.scoring, scope);
}

Result<WeightPtr> compile_fuzzy(PlanReader& reader, Compiler& compiler, Scope scope) {
  return compile_fuzzy_terms(reader, compiler, TermScoring::kBlended, scope);
}

Result<WeightPtr> compile_fuzzy_terms(PlanReader& reader, Compiler& compiler, TermScoring scoring,
                                      Scope scope) {
  const std::string_view name = reader.get_string();
  const Scalar value = read_scalar(reader);
  FuzzyOptions options;
  options.scoring = scoring;
  options.fuzziness = reader.get_string();
  options.prefix_length = reader.get<uint32_t>();
  options.max_expansions = reader.get<uint32_t>();
  options.transpositions = reader.get<uint8_t>() != 0;
  if (reader.failed()) return malformed_clause("fuzzy");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  const ResolvedField resolved = compiler.resolve(name);
  if (resolved.kind == ResolvedField::Kind::kUnmapped) return make_no_docs("unmapped field");
  if (resolved.kind != ResolvedField::Kind::kField) {
    return Status(ErrorType::kIllegalArgument,
                  "Can only use fuzzy queries on keyword and text fields - not on [" +
                      std::string(name) + "] which is of type [" + std::string(name) + "]");
  }
  QUARRY_ASSIGN_OR_RETURN(const std::string text,
                          index_form(*resolved.field, value.text, compiler.analysis()));
  return make_fuzzy(compiler, resolved, text, options, scope);
}

}  // namespace quarry
