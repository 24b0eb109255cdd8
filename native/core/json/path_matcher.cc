#include "json/path_matcher.h"

#include <algorithm>
#include <utility>

namespace quarry {

namespace {
constexpr uint32_t kRoot = 0;
constexpr uint32_t kDead = 1;             // the state in which no pattern can match
constexpr size_t kMostBytes = 1 << 20;    // of the cache, unless the open ones need more
constexpr size_t kLongestKnownKey = 256;  // longer keys are not cached, since they rarely repeat
constexpr size_t kEntryBytes = 96;        // of a node and its key, plus the key's bytes and words
}  // namespace

PathMatcher::PathMatcher(std::shared_ptr<const PathPatterns> patterns)
    : patterns_(std::move(patterns)), most_bytes_(kMostBytes) {
  Node root;
  root.below = patterns_->start();
  root.matches_leaf = patterns_->matches_leaf(root.below);
  path_.push_back(add(std::move(root)));
  add({});
}

uint32_t PathMatcher::add(Node node) {
  bytes_ += kEntryBytes + node.below.size() * sizeof(PathPatterns::Word);
  nodes_.push_back(std::move(node));
  return static_cast<uint32_t>(nodes_.size() - 1);
}

PathMatcher::Node PathMatcher::compute(std::string_view key) const {
  PathPatterns::State now = at().below;
  PathPatterns::State next;
  for (const char letter : key) {
    patterns_->step(now, letter, next);
    now.swap(next);
    if (now.empty()) break;
  }
  Node node;
  node.matches = patterns_->matches(now);
  patterns_->end_key(now, node.below);
  node.matches_leaf = patterns_->matches_leaf(node.below);
  return node;
}

void PathMatcher::enter(std::string_view key) {
  if (!has_patterns()) return;
  if (is_dead()) {
    path_.push_back(kDead);
    return;
  }
  if (bytes_ > most_bytes_) forget();
  const uint32_t from = path_.back();
  const bool remembers = key.size() <= kLongestKnownKey;
  if (remembers) {
    lookup_.assign(reinterpret_cast<const char*>(&from), sizeof(from));
    lookup_ += key;
    const auto known = known_.find(lookup_);
    if (known != known_.end()) {
      path_.push_back(known->second);
      return;
    }
  }
  ++computed_;
  const uint32_t node = add(compute(key));
  path_.push_back(node);
  if (!remembers) return;
  known_.emplace(lookup_, node);
  bytes_ += lookup_.size();
}

/// Removes all nodes except those of the current path.
void PathMatcher::forget() {
  std::vector<Node> old = std::exchange(nodes_, {});
  known_.clear();
  bytes_ = 0;
  add(std::move(old[kRoot]));
  add({});
  for (uint32_t& node : path_) {
    if (node > kDead) node = add(std::move(old[node]));
  }
  most_bytes_ = std::max(kMostBytes, 2 * bytes_);
}

}  // namespace quarry
