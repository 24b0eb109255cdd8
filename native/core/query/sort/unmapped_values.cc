// Walks the source and keeps track of the path.
#include "query/sort/unmapped_values.h"

#include <algorithm>

#include "query/automata/automaton.h"

namespace quarry {
namespace {

class UnmappedWalk {
 public:
  UnmappedWalk(const Mapping& mapping, const std::vector<std::string>& patterns, FieldTexts& out)
      : mapping_(mapping), out_(out) {
    for (const std::string& pattern : patterns)
      patterns_.push_back(make_wildcard_automaton(escaped(pattern), false));
  }

  void visit(const JsonValue& value, const std::string& path) {
    if (value.is_object()) {
      if (is_known(path)) return;  // the field takes the whole object
      for (const auto& [key, member] : value.members())
        visit(member, path.empty() ? key : path + "." + key);
    } else if (value.is_array()) {
      for (const JsonValue& item : value.items()) visit(item, path);
    } else if (!is_known(path) && is_wanted(path)) {
      out_[path].push_back(value.to_json());
    }
  }

 private:
  /// In patterns of names only the star is an operator.
  static std::string escaped(const std::string& pattern) {
    std::string text;
    for (const char c : pattern) {
      if (c == '?' || c == '\\') text += '\\';
      text += c;
    }
    return text;
  }
  bool is_known(const std::string& path) const {
    return !path.empty() && mapping_.find(path) != nullptr;
  }
  bool is_wanted(const std::string& path) const {
    return std::any_of(patterns_.begin(), patterns_.end(),
                       [&path](const auto& pattern) { return matches_text(*pattern, path); });
  }

  const Mapping& mapping_;
  std::vector<std::unique_ptr<TermAutomaton>> patterns_;
  FieldTexts& out_;
};

}  // namespace

void add_unmapped_values(const Mapping& mapping, const std::vector<std::string>& patterns,
                         const JsonValue& source, FieldTexts& out) {
  if (!patterns.empty()) UnmappedWalk(mapping, patterns, out).visit(source, {});
}

}  // namespace quarry
