// The state of the patterns while a document is walked: the walk enters and leaves keys. The state
// of each path is cached, since documents have the same paths repeatedly.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "json/path_patterns.h"

namespace quarry {

/// Not thread-safe. A copy shares the patterns and has its own position.
class PathMatcher {
 public:
  /// Without patterns nothing matches.
  PathMatcher() = default;
  explicit PathMatcher(std::shared_ptr<const PathPatterns> patterns);

  /// Returns to the state in which no key is entered.
  void rewind() {
    if (has_patterns()) path_.resize(1);
  }
  /// `key` is unescaped.
  void enter(std::string_view key);
  void leave() {
    if (has_patterns()) path_.pop_back();
  }

  /// Whether some pattern matches the entered keys, and therefore everything below them.
  bool matches() const { return has_patterns() && at().matches; }
  /// Whether a value at this path that is not an object matches.
  bool matches_leaf() const { return has_patterns() && at().matches_leaf; }
  /// Whether no pattern can match anything below.
  bool is_dead() const { return !has_patterns() || at().below.empty(); }
  bool has_patterns() const { return patterns_ != nullptr; }
  /// The number of keys that were not in the cache and were run through the automaton.
  size_t computed_keys() const { return computed_; }

 private:
  struct Node {
    PathPatterns::State below;  // the state after the end of the key
    bool matches = false;
    bool matches_leaf = false;
  };

  const Node& at() const { return nodes_[path_.back()]; }
  Node compute(std::string_view key) const;
  uint32_t add(Node node);
  void forget();

  std::shared_ptr<const PathPatterns> patterns_;
  std::vector<Node> nodes_;
  /// Maps a node and a key to the child node.
  std::unordered_map<std::string, uint32_t> known_;
  std::string lookup_;
  std::vector<uint32_t> path_;  // nodes of the current path, the root first
  size_t bytes_ = 0;            // of nodes_ and known_
  size_t most_bytes_ = 0;       // limit above which the cache is cleared
  size_t computed_ = 0;
};

}  // namespace quarry
