// Runs the components and maps token offsets back through the char filters.
#include "text/analysis/chain.h"

#include <algorithm>
#include <utility>

#include "text/filters/case_filters.h"
#include "text/tokenizers/standard_tokenizer.h"

namespace quarry {
namespace {

/// Runs all char filters; `maps` receives one map per filter, in order.
Result<std::string> filter_chars(const std::vector<ChainPart<CharFilter>>& filters,
                                 std::string_view text, AnalysisBudget& budget,
                                 std::vector<OffsetMap>* maps) {
  std::string current(text);
  size_t shifts = 0;
  for (const ChainPart<CharFilter>& filter : filters) {
    std::string next;
    OffsetMap map;
    filter.component->apply(current, next, map, budget);
    shifts += map.size();
    if (!budget.finish_component(shifts, next.size())) return budget.refusal(filter.label);
    current = std::move(next);
    if (maps != nullptr) maps->push_back(std::move(map));
  }
  return current;
}

/// Converts the offsets of a token from the filtered text to the text before all char filters.
void restore_offsets(const std::vector<OffsetMap>& maps, Token& token) {
  for (auto map = maps.rbegin(); map != maps.rend(); ++map) {
    token.start = map->original_start(token.start);
    token.end = std::max(token.start, map->original_end(token.end));
  }
}

}  // namespace

void OffsetMap::push(uint32_t at, bool fixed, int64_t delta, int64_t end_delta) {
  if (!shifts_.empty() && shifts_.back().at == at) {
    shifts_.back().fixed = fixed;
    shifts_.back().delta = delta;
    // A removal leaves end_delta unchanged
    if (end_delta == delta) shifts_.back().end_delta = delta;
  } else {
    shifts_.push_back({at, fixed, delta, end_delta});
  }
}

const OffsetMap::Shift* OffsetMap::find(uint32_t at) const {
  const auto next =
      std::upper_bound(shifts_.begin(), shifts_.end(), at,
                       [](uint32_t value, const Shift& shift) { return value < shift.at; });
  return next == shifts_.begin() ? nullptr : &*std::prev(next);
}

uint32_t OffsetMap::original_start(uint32_t at) const {
  const Shift* shift = find(at);
  if (shift == nullptr) return at;
  return static_cast<uint32_t>(int64_t{shift->fixed ? shift->at : at} + shift->delta);
}

uint32_t OffsetMap::original_end(uint32_t at) const {
  const Shift* shift = find(at);
  if (shift == nullptr) return at;
  if (shift->at == at) return static_cast<uint32_t>(int64_t{at} + shift->end_delta);
  return static_cast<uint32_t>(int64_t{shift->fixed ? shift->at : at} + shift->delta);
}

Status apply_filter(const TokenFilter& filter, std::string_view label, TokenBuffer& out,
                    AnalysisBudget& budget) {
  filter.apply(out, budget);
  if (budget.finish_component(out.tokens.size(), out.arena.used())) return {};
  return budget.refusal(label);
}

ChainAnalyzer::ChainAnalyzer(Chain chain) : chain_(std::move(chain)) {
  for (const ChainPart<TokenFilter>& filter : chain_.filters) {
    if (filter.component->normalizes()) normalizers_.push_back(filter);
  }
  const auto* standard = dynamic_cast<const StandardTokenizer*>(chain_.tokenizer.component.get());
  if (standard == nullptr || chain_.filters.empty()) return;
  const TokenFilter* first = chain_.filters.front().component.get();
  if (dynamic_cast<const LowercaseFilter*>(first) == nullptr) return;
  chain_.tokenizer.component =
      std::make_shared<StandardTokenizer>(standard->max_token_length(), true);
  chain_.filters.erase(chain_.filters.begin());
}

Status ChainAnalyzer::analyze(std::string_view text, TokenBuffer& out,
                              AnalysisBudget& budget) const {
  out.clear();
  budget.start_text(text.size());
  out.source = text;
  std::vector<OffsetMap> maps;
  if (!chain_.char_filters.empty()) {
    QUARRY_ASSIGN_OR_RETURN(const std::string filtered,
                            filter_chars(chain_.char_filters, text, budget, &maps));
    text = out.arena.copy(filtered);
  }
  chain_.tokenizer.component->tokenize(text, out, budget);
  if (!budget.finish_component(out.tokens.size(), out.arena.used())) {
    return budget.refusal(chain_.tokenizer.label);
  }
  for (Token& token : out.tokens) {
    if (maps.empty()) break;
    restore_offsets(maps, token);
  }
  for (const ChainPart<TokenFilter>& filter : chain_.filters) {
    QUARRY_RETURN_IF_ERROR(apply_filter(*filter.component, filter.label, out, budget));
  }
  if (budget.finish_text(out.tokens.size())) return {};
  return budget.refusal(chain_.filters.empty() ? chain_.tokenizer.label
                                               : chain_.filters.back().label);
}

Result<std::string> ChainAnalyzer::normalize(std::string_view term, AnalysisBudget& budget) const {
  budget.start_text(term.size());
  TokenBuffer buffer;
  QUARRY_ASSIGN_OR_RETURN(const std::string filtered,
                          filter_chars(chain_.char_filters, term, budget, nullptr));
  Token& token = buffer.tokens.emplace_back();
  token.text = filtered;
  token.end = static_cast<uint32_t>(filtered.size());
  token.type = kTypeWord;
  buffer.end_position = 1;
  for (const ChainPart<TokenFilter>& filter : normalizers_) {
    QUARRY_RETURN_IF_ERROR(apply_filter(*filter.component, filter.label, buffer, budget));
  }
  return buffer.tokens.empty() ? std::string() : std::string(buffer.tokens.front().text);
}

}  // namespace quarry
