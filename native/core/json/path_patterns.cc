// All patterns run side by side as one set of positions.
#include "json/path_patterns.h"

#include <algorithm>

namespace quarry {

PathPatterns::PathPatterns(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    starts_.push_back(static_cast<uint32_t>(positions_.size()));
    for (const char c : pattern) {
      const bool repeated_star =
          c == '*' && positions_.size() > starts_.back() && positions_.back().kind == Kind::kStar;
      if (!repeated_star) positions_.push_back({c == '*' ? Kind::kStar : Kind::kLiteral, c});
    }
    positions_.push_back({Kind::kEnd, 0});
    positions_.push_back({Kind::kBelow, 0});
  }
}

/// A star may match nothing, so the position behind it is reached with it.
void PathPatterns::add(State& state, uint32_t position) const {
  state.push_back(position);
  if (positions_[position].kind == Kind::kStar) state.push_back(position + 1);
}

PathPatterns::State PathPatterns::start() const {
  State state;
  for (const uint32_t position : starts_) add(state, position);
  return state;
}

PathPatterns::State PathPatterns::step(const State& state, std::string_view text) const {
  State now = state;
  State next;
  for (const char c : text) {
    next.clear();
    for (const uint32_t at : now) {
      const Position& position = positions_[at];
      switch (position.kind) {
        case Kind::kLiteral:
          if (position.literal == c) add(next, at + 1);
          break;
        case Kind::kStar:
          add(next, at);
          break;
        case Kind::kEnd:
          if (c == '.') next.push_back(at + 1);
          break;
        case Kind::kBelow:
          next.push_back(at);
          break;
      }
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    now.swap(next);
    if (now.empty()) break;
  }
  return now;
}

bool PathPatterns::accepts(const State& state) const {
  return std::any_of(state.begin(), state.end(), [this](uint32_t at) {
    return positions_[at].kind == Kind::kEnd || positions_[at].kind == Kind::kBelow;
  });
}

}  // namespace quarry
