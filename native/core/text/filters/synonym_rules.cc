// Implements the rule parser and the trie.
#include "text/filters/synonym_rules.h"

#include <algorithm>
#include <span>
#include <utility>

namespace quarry {
namespace {

std::string_view trimmed_rule(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// The offset of the first `separator` that is not escaped by a backslash, or npos.
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

std::string unescape_rule(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    out += text[at];
  }
  return out;
}

/// One line of rules; `terms` and `targets` are analyzed. Without targets the terms are equivalent.
struct SynonymRule {
  std::vector<SynonymWords> terms;
  std::vector<SynonymWords> targets;
  bool replaces = false;
};

Status parse_terms(std::string_view text, bool lenient, const SynonymAnalysis& analyse,
                   std::vector<SynonymWords>& out) {
  for (bool more = true; more;) {
    const size_t comma = find_unescaped(text, ",");
    more = comma != std::string_view::npos;
    const std::string term = unescape_rule(trimmed_rule(text.substr(0, comma)));
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

Result<SynonymRule> parse_rule(std::string_view line, bool lenient,
                               const SynonymAnalysis& analyse) {
  SynonymRule rule;
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

/// False when the rules have more than `max_words` words.
bool add_rule(const SynonymRule& rule, const SynonymOptions& options, SynonymMap& map) {
  const std::span<const SynonymWords> all(rule.terms);
  const std::span<const SynonymWords> outputs =
      rule.replaces    ? std::span<const SynonymWords>(rule.targets)
      : options.expand ? all
                       : all.first(std::min<size_t>(all.size(), 1));
  const bool equal = !rule.replaces && options.expand;
  for (const SynonymWords& term : rule.terms) {
    for (const SynonymWords& output : outputs) {
      if (equal && output == term) continue;
      map.add(term, output, equal);
      if (map.words() > options.max_words) return false;
    }
  }
  return true;
}

}  // namespace

void SynonymMap::add(const SynonymWords& input, const SynonymWords& output, bool keep_original) {
  uint32_t node = kRoot;
  for (const std::string& word : input) {
    const auto fresh = static_cast<uint32_t>(nodes_.size());
    const auto [at, added] = nodes_[node].next.try_emplace(word, fresh);
    node = at->second;
    if (added) nodes_.emplace_back();
    words_ += added ? 1 : 0;
  }
  SynonymOutputs& outputs = nodes_[node].outputs;
  outputs.keep_original = outputs.keep_original || keep_original;
  std::string key = std::to_string(node);
  for (const std::string& word : output) key.append(1, '\0').append(word);
  if (!known_.insert(std::move(key)).second) return;
  outputs.terms.push_back(output);
  outputs.words += output.size();
  words_ += output.size();
  for (const std::string& word : output) outputs.characters += word.size();
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
    const std::string_view line = trimmed_rule(lines[i]);
    if (line.empty() || line.front() == '#') continue;
    auto rule = parse_rule(line, options.lenient, analyse);
    if (rule.ok() && add_rule(*rule, options, map)) continue;
    if (rule.ok()) {
      return Status(ErrorType::kIllegalArgument,
                    "the synonyms of an index may come to [" + std::to_string(kMaxSynonymWords) +
                        "] words, where each term of a rule counts with all that it becomes; "
                        "line " +
                        std::to_string(i + 1) + " exceeds that");
    }
    return Status(ErrorType::kIllegalArgument,
                  "Invalid synonym rule at line " + std::to_string(i + 1) + " [" +
                      std::string(line) + "]: " + rule.status().reason());
  }
  map.finish();
  return map;
}

}  // namespace quarry
