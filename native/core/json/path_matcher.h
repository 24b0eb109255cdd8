// Where a walk over a document is in the patterns: it enters keys and leaves them. What became of a
// path is remembered, as documents have the same paths again and again.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "json/path_patterns.h"

namespace quarry {

/// One thread. A copy shares the patterns and has its own place.
class PathMatcher {
 public:
  /// Without patterns: nothing matches.
  PathMatcher() = default;
  explicit PathMatcher(std::shared_ptr<const PathPatterns> patterns);

  /// To where no key was entered.
  void rewind() {
    if (has_patterns()) path_.resize(1);
  }
  /// `key` without escapes.
  void enter(std::string_view key);
  void leave() {
    if (has_patterns()) path_.pop_back();
  }

  /// Some pattern matches the keys that were entered, and all below.
  bool matches() const { return has_patterns() && at().matches; }
  /// A value here that is no object is matched.
  bool matches_leaf() const { return has_patterns() && at().matches_leaf; }
  /// No pattern matches anything below.
  bool is_dead() const { return !has_patterns() || at().below.empty(); }
  bool has_patterns() const { return patterns_ != nullptr; }
  /// Keys that were not found among the remembered ones: what the automaton was run over.
  size_t computed_keys() const { return computed_; }

 private:
  struct Node {
    PathPatterns::State below;  // behind the end of the key
    bool matches = false;
    bool matches_leaf = false;
  };

  const Node& at() const { return nodes_[path_.back()]; }
  Node compute(std::string_view key) const;
  uint32_t add(Node node);
  void forget();

  std::shared_ptr<const PathPatterns> patterns_;
  std::vector<Node> nodes_;
  /// A node and a key to the node below.
  std::unordered_map<std::string, uint32_t> known_;
  std::string lookup_;
  std::vector<uint32_t> path_;  // nodes, the root first
  size_t bytes_ = 0;            // of nodes_ and known_
  size_t most_bytes_ = 0;       // when they are forgotten
  size_t computed_ = 0;
};

}  // namespace quarry
