// Runs the components and maps token offsets back through the char filters.
#include "text/chain.h"

#include <algorithm>
#include <utility>

#include "text/case_filters.h"
#include "text/standard_tokenizer.h"

namespace quarry {
namespace {

/// Runs all char filters; `maps` receives one map per filter, in order.
std::string filter_chars(const std::vector<CharFilterPtr>& filters, std::string_view text,
                         std::vector<OffsetMap>* maps) {
  std::string current(text);
  for (const CharFilterPtr& filter : filters) {
    std::string next;
    OffsetMap map;
    filter->apply(current, next, map);
    current = std::move(next);
    if (maps != nullptr) maps->push_back(std::move(map));
  }
  return current;
}

/// Offsets of the filtered text become offsets of the text before all filters.
void restore_offsets(const std::vector<OffsetMap>& maps, Token& token) {
  for (auto map = maps.rbegin(); map != maps.rend(); ++map) {
    token.start = map->original_start(token.start);
    token.end = std::max(token.start, map->original_end(token.end));
  }
}

}  // namespace

void OffsetMap::push(uint32_t at, int64_t delta, int64_t end_delta) {
  if (!shifts_.empty() && shifts_.back().at == at) {
    shifts_.back().delta = delta;
    if (end_delta == delta) shifts_.back().end_delta = delta;  // ends move along but for removals
  } else {
    shifts_.push_back({at, delta, end_delta});
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
  return shift == nullptr ? at : static_cast<uint32_t>(int64_t{at} + shift->delta);
}

uint32_t OffsetMap::original_end(uint32_t at) const {
  const Shift* shift = find(at);
  if (shift == nullptr) return at;
  return static_cast<uint32_t>(int64_t{at} + (shift->at == at ? shift->end_delta : shift->delta));
}

ChainAnalyzer::ChainAnalyzer(Chain chain) : chain_(std::move(chain)) {
  for (const TokenFilterPtr& filter : chain_.filters) {
    if (filter->normalizes()) normalizers_.push_back(filter);
  }
  const auto* standard = dynamic_cast<const StandardTokenizer*>(chain_.tokenizer.get());
  if (standard == nullptr || chain_.filters.empty()) return;
  if (dynamic_cast<const LowercaseFilter*>(chain_.filters.front().get()) == nullptr) return;
  chain_.tokenizer = std::make_shared<StandardTokenizer>(standard->max_token_length(), true);
  chain_.filters.erase(chain_.filters.begin());
}

void ChainAnalyzer::analyze(std::string_view text, TokenBuffer& out) const {
  out.clear();
  if (!chain_.char_filters.empty()) {
    analyze_filtered(text, out);
    return;
  }
  chain_.tokenizer->tokenize(text, out);
  for (const TokenFilterPtr& filter : chain_.filters) filter->apply(out);
}

void ChainAnalyzer::analyze_filtered(std::string_view text, TokenBuffer& out) const {
  std::vector<OffsetMap> maps;
  const std::string filtered = filter_chars(chain_.char_filters, text, &maps);
  chain_.tokenizer->tokenize(out.arena.copy(filtered), out);
  for (Token& token : out.tokens) restore_offsets(maps, token);
  for (const TokenFilterPtr& filter : chain_.filters) filter->apply(out);
}

std::string ChainAnalyzer::normalize(std::string_view term) const {
  TokenBuffer buffer;
  const std::string filtered = filter_chars(chain_.char_filters, term, nullptr);
  Token& token = buffer.tokens.emplace_back();
  token.text = filtered;
  token.end = static_cast<uint32_t>(filtered.size());
  token.type = kTypeWord;
  buffer.end_position = 1;
  for (const TokenFilterPtr& filter : normalizers_) filter->apply(buffer);
  return buffer.tokens.empty() ? std::string() : std::string(buffer.tokens.front().text);
}

}  // namespace quarry
