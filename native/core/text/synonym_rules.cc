// The rule parser and the trie.
#include "text/synonym_rules.h"

#include <algorithm>

namespace quarry {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Offset of the first `separator` that no backslash escapes, or npos.
size_t find_unescaped(std::string_view text, std::string_view separator) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text.substr(at).starts_with(separator)) {
      return at;
    }
  }
  return std::string_view::npos;
}

std::string unescape(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    out += text[at];
  }
  return out;
}

/// One line; `terms` and `targets` are analysed. No targets: an equality.
struct Rule {
  std::vector<SynonymWords> terms;
  std::vector<SynonymWords> targets;
  bool replaces = false;
};

Status parse_terms(std::string_view text, bool lenient, const SynonymAnalysis& analyse,
                   std::vector<SynonymWords>& out) {
  for (bool more = true; more;) {
    const size_t comma = find_unescaped(text, ",");
    more = comma != std::string_view::npos;
    const std::string term = unescape(trimmed(text.substr(0, comma)));
    if (more) text.remove_prefix(comma + 1);
    if (term.empty()) {
      if (lenient) continue;
      return Status(ErrorType::kIllegalArgument, "a term is empty");
    }
    auto words = analyse(term);
    if (words.ok()) {
      out.push_back(std::move(*words));
    } else if (!lenient) {
      return words.status();
    }
  }
  return {};
}

Result<Rule> parse_rule(std::string_view line, bool lenient, const SynonymAnalysis& analyse) {
  Rule rule;
  const size_t arrow = find_unescaped(line, "=>");
  rule.replaces = arrow != std::string_view::npos;
  QUARRY_RETURN_IF_ERROR(parse_terms(line.substr(0, arrow), lenient, analyse, rule.terms));
  if (!rule.replaces) return rule;
  const std::string_view targets = line.substr(arrow + 2);
  if (find_unescaped(targets, "=>") != std::string_view::npos) {
    return Status(ErrorType::kIllegalArgument,
                  "more than one explicit mapping specified on one line");
  }
  QUARRY_RETURN_IF_ERROR(parse_terms(targets, lenient, analyse, rule.targets));
  return rule;
}

void add_rule(const Rule& rule, bool expand, SynonymMap& map) {
  if (rule.replaces) {
    for (const SynonymWords& term : rule.terms) {
      for (const SynonymWords& target : rule.targets) map.add(term, target, false);
    }
    return;
  }
  for (const SynonymWords& term : rule.terms) {
    if (!expand) {
      map.add(term, rule.terms.front(), false);
      continue;
    }
    for (const SynonymWords& other : rule.terms) {
      if (other != term) map.add(term, other, true);
    }
  }
}

}  // namespace

void SynonymMap::add(const SynonymWords& input, const SynonymWords& output, bool keep_original) {
  uint32_t node = kRoot;
  for (const std::string& word : input) {
    const auto fresh = static_cast<uint32_t>(nodes_.size());
    const auto [at, added] = nodes_[node].next.try_emplace(word, fresh);
    node = at->second;
    if (added) nodes_.emplace_back();
  }
  SynonymOutputs& outputs = nodes_[node].outputs;
  outputs.keep_original = outputs.keep_original || keep_original;
  const bool known =
      std::find(outputs.terms.begin(), outputs.terms.end(), output) != outputs.terms.end();
  if (!known) outputs.terms.push_back(output);
}

uint32_t SynonymMap::step(uint32_t node, std::string_view word) const {
  const auto at = nodes_[node].next.find(word);
  return at == nodes_[node].next.end() ? kNone : at->second;
}

const SynonymOutputs* SynonymMap::outputs(uint32_t node) const {
  const SynonymOutputs& outputs = nodes_[node].outputs;
  return outputs.terms.empty() ? nullptr : &outputs;
}

Result<SynonymMap> parse_synonyms(const std::vector<std::string>& lines, SynonymOptions options,
                                  const SynonymAnalysis& analyse) {
  SynonymMap map;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trimmed(lines[i]);
    if (line.empty() || line.front() == '#') continue;
    auto rule = parse_rule(line, options.lenient, analyse);
    if (rule.ok()) {
      add_rule(*rule, options.expand, map);
      continue;
    }
    return Status(ErrorType::kIllegalArgument,
                  "Invalid synonym rule at line " + std::to_string(i + 1) + " [" +
                      std::string(line) + "]: " + rule.status().reason());
  }
  return map;
}

}  // namespace quarry
