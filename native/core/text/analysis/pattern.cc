// Splits and replaces text by regular expressions.
#include "text/analysis/pattern.h"

#include "text/char_filters/char_filters.h"
#include "text/tokenizers/standard_tokenizer.h"

namespace quarry {

void PatternTokenizer::tokenize(std::string_view text, TokenBuffer& out,
                                AnalysisBudget& budget) const {
  const auto emit = [&](size_t start, size_t end) {
    // A group that did not participate has start npos.
    if (start >= end || !budget.allows(out.tokens.size() + 1, out.arena.used())) return;
    const std::string_view raw = text.substr(start, end - start);
    const auto position = static_cast<uint32_t>(out.tokens.size());
    out.tokens.push_back(Token{lowercase_ ? lower_into(raw, out.arena) : raw, position, 1,
                               static_cast<uint32_t>(start), static_cast<uint32_t>(end),
                               kTypeWord});
  };
  size_t gap = 0;
  regex_.for_each_match(text, budget, [&](const Regex::Groups& groups) {
    if (group_ >= 0) {
      const auto& [start, end] = groups[static_cast<size_t>(group_)];
      emit(start, end);
    } else {
      emit(gap, groups[0].first);
      gap = groups[0].second;
    }
  });
  if (group_ < 0) emit(gap, text.size());
  finish_positions(out);
}

Result<Replacement> Replacement::parse(std::string_view text, const Regex& regex) {
  const auto bad = [&](const std::string& what) {
    return Status(ErrorType::kIllegalArgument, "replacement [" + std::string(text) + "]: " + what);
  };
  Replacement out;
  Part part;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      part.literal += text[++at];
      continue;
    }
    if (text[at] != '$') {
      part.literal += text[at];
      continue;
    }
    ++at;
    if (at < text.size() && text[at] == '{') {
      const size_t close = text.find('}', at);
      if (close == std::string_view::npos) return bad("unclosed [${]");
      part.group = regex.group_number(text.substr(at + 1, close - at - 1));
      if (part.group == 0) return bad("the pattern has no such named group");
      at = close;
    } else if (at < text.size() && text[at] >= '0' && text[at] <= '9') {
      part.group = static_cast<size_t>(text[at] - '0');
      // As many digits as form the number of a group, as in Java.
      for (; at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9'; ++at) {
        const size_t longer = 10 * part.group + static_cast<size_t>(text[at + 1] - '0');
        if (longer > regex.group_count()) break;
        part.group = longer;
      }
    } else {
      return bad("[$] must be followed by a group; write [\\$] for the character");
    }
    if (part.group > regex.group_count()) return bad("the pattern has no such group");
    out.parts_.push_back(std::move(part));
    part = Part{};
  }
  out.parts_.push_back(std::move(part));
  return out;
}

void Replacement::append(std::string_view text, const Regex::Groups& groups, std::string& out,
                         AnalysisBudget& budget) const {
  for (const Part& part : parts_) {
    if (!budget.spend(1) || !budget.allows(0, out.size() + part.literal.size())) return;
    out += part.literal;
    if (part.group == std::string::npos) continue;
    const auto& [start, end] = groups[part.group];
    if (start >= end || end > text.size()) continue;
    if (!budget.allows(0, out.size() + end - start)) return;
    out += text.substr(start, end - start);
  }
}

void PatternReplaceFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  for (Token& token : out.tokens) {
    if (!budget.allows(out.tokens.size(), out.arena.used())) return;
    std::string replaced;
    size_t kept = 0;
    bool changed = false;
    regex_.for_each_match(token.text, budget, [&](const Regex::Groups& groups) {
      if (changed && !all_) return;
      changed = true;
      replaced += token.text.substr(kept, groups[0].first - kept);
      replacement_.append(token.text, groups, replaced, budget);
      kept = groups[0].second;
    });
    if (!changed) continue;
    replaced += token.text.substr(kept);
    token.text = out.arena.copy(replaced);
  }
}

void PatternReplaceCharFilter::apply(std::string_view text, std::string& out, OffsetMap& map,
                                     AnalysisBudget& budget) const {
  FilteredText filtered(text, out, map);
  std::string replaced;
  regex_.for_each_match(text, budget, [&](const Regex::Groups& groups) {
    filtered.keep_until(groups[0].first);
    replaced.clear();
    replacement_.append(text, groups, replaced, budget);
    if (!budget.allows(map.size(), out.size() + replaced.size())) return;
    filtered.replace(groups[0].second - groups[0].first, replaced);
  });
  filtered.keep_until(text.size());
}

}  // namespace quarry
