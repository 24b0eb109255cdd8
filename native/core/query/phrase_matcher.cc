// Exact phrases by intersection of shifted positions; sloppy ones by Lucene's algorithm
// (SloppyPhraseMatcher): a queue of the parts by shifted position, where the spread between first
// and last is the number of moves.
#include "query/phrase_matcher.h"

#include <algorithm>
#include <limits>

namespace quarry {

namespace {

/// Two parts, the commonest phrase: one pass over both lists.
uint32_t count_pairs(const PartPositions& first, const PartPositions& second, uint32_t distance,
                     uint32_t enough) {
  uint32_t count = 0;
  size_t at = 0;
  for (const uint32_t position : first) {
    const uint64_t wanted = uint64_t{position} + distance;
    while (at < second.size() && second[at] < wanted) at++;
    if (at == second.size()) return count;
    if (second[at] == wanted && ++count >= enough) return count;
  }
  return count;
}

}  // namespace

bool stand_apart(PartPositions first, PartPositions second, uint32_t distance) {
  return count_pairs(first, second, distance, 1) > 0;
}

uint32_t count_exact(const PhraseShape& shape, std::span<const PartPositions> parts,
                     uint32_t enough) {
  if (parts.size() == 2 && shape.offsets[0] == 0)
    return count_pairs(parts[0], parts[1], shape.offsets[1], enough);
  size_t lead = 0;
  for (size_t i = 1; i < parts.size(); i++) {
    if (parts[i].size() < parts[lead].size()) lead = i;
  }
  constexpr size_t kUsual = 8;
  size_t usual[kUsual] = {};
  std::vector<size_t> many(parts.size() > kUsual ? parts.size() : 0, 0);
  size_t* const at = many.empty() ? usual : many.data();
  uint32_t count = 0;
  for (const uint32_t position : parts[lead]) {
    if (position < shape.offsets[lead]) continue;
    const uint32_t start = position - shape.offsets[lead];
    bool all = true;
    for (size_t i = 0; i < parts.size() && all; i++) {
      if (i == lead) continue;
      const uint32_t wanted = start + shape.offsets[i];
      while (at[i] < parts[i].size() && parts[i][at[i]] < wanted) at[i]++;
      if (at[i] == parts[i].size()) return count;
      all = parts[i][at[i]] == wanted;
    }
    if (all && ++count >= enough) return count;
  }
  return count;
}

/// One part on its way through its positions. `position` is shifted by the part's offset in the
/// phrase.
struct SloppyMatcher::State {
  struct Part {
    int64_t position = 0;
    int64_t offset = 0;
    size_t ordinal = 0;
    int group = -1;
    size_t group_index = 0;
    const PartPositions* positions = nullptr;
    size_t at = 0;

    bool next() {
      if (at == positions->size()) return false;
      position = static_cast<int64_t>((*positions)[at++]) - offset;
      return true;
    }
    int64_t real_position() const { return position + offset; }
  };

  struct Later {
    bool operator()(const Part* a, const Part* b) const {
      if (a->position != b->position) return a->position > b->position;
      if (a->offset != b->offset) return a->offset > b->offset;
      return a->ordinal > b->ordinal;
    }
  };

  std::vector<Part> parts;
  std::vector<std::vector<Part*>> groups;
  std::vector<Part*> queue;
  bool multiple_terms = false;
  int64_t slop = 0;
  int64_t end = 0;

  void push(Part* part) {
    queue.push_back(part);
    std::push_heap(queue.begin(), queue.end(), Later());
  }
  Part* pop() {
    std::pop_heap(queue.begin(), queue.end(), Later());
    Part* part = queue.back();
    queue.pop_back();
    return part;
  }
  bool advance(Part& part) {
    if (!part.next()) return false;
    end = std::max(end, part.position);
    return true;
  }
  /// The other part of its group that stands on the same position of the document, or null.
  Part* collision(const Part& part) const {
    for (Part* other : groups[static_cast<size_t>(part.group)]) {
      if (other != &part && other->real_position() == part.real_position()) return other;
    }
    return nullptr;
  }
  static Part* lesser(Part* a, Part* b) {
    const bool first =
        a->position < b->position || (a->position == b->position && a->offset < b->offset);
    return first ? a : b;
  }

  bool place();
  bool separate_groups();
  bool separate_at_start(std::vector<Part*>& group);
  bool resolve_collisions(Part* part);
  void requeue(std::vector<bool>& moved, int group);
};

bool SloppyMatcher::State::place() {
  for (Part& part : parts) {
    part.at = 0;
    if (!part.next()) return false;
  }
  end = std::numeric_limits<int64_t>::min();
  if (!separate_groups()) return false;
  queue.clear();
  end = std::numeric_limits<int64_t>::min();
  for (Part& part : parts) {
    end = std::max(end, part.position);
    push(&part);
  }
  return true;
}

/// Repeated terms start on different positions.
bool SloppyMatcher::State::separate_groups() {
  for (std::vector<Part*>& group : groups) {
    if (multiple_terms) {
      if (!separate_at_start(group)) return false;
      continue;
    }
    for (size_t i = 1; i < group.size(); i++) {
      for (size_t moves = 0; moves < i; moves++) {
        if (!group[i]->next()) return false;
      }
    }
  }
  return true;
}

bool SloppyMatcher::State::separate_at_start(std::vector<Part*>& group) {
  for (size_t i = 0; i < group.size();) {
    bool again = false;
    while (Part* other = collision(*group[i])) {
      Part* moved = lesser(group[i], other);
      if (!advance(*moved)) return false;
      if (moved->group_index < i) {
        again = true;
        break;
      }
    }
    if (!again) i++;
  }
  return true;
}

/// Moves colliding repeats apart after `part` moved. False at the end of the positions.
bool SloppyMatcher::State::resolve_collisions(Part* part) {
  if (part->group < 0) return true;
  std::vector<bool> moved(groups[static_cast<size_t>(part->group)].size(), false);
  const size_t first = part->group_index;
  const int group = part->group;
  while (Part* other = collision(*part)) {
    const size_t other_index = other->group_index;
    part = lesser(part, other);
    if (!advance(*part)) return false;
    if (other_index != first) moved[other_index] = true;
  }
  requeue(moved, group);
  return true;
}

/// Parts that moved while they were queued are taken out and put back.
void SloppyMatcher::State::requeue(std::vector<bool>& moved, int group) {
  std::vector<Part*> taken;
  auto left = std::count(moved.begin(), moved.end(), true);
  while (left > 0 && !queue.empty()) {
    // The order of the heap is broken only by those parts; rebuilding it costs as much as finding
    // them.
    std::make_heap(queue.begin(), queue.end(), Later());
    Part* part = pop();
    taken.push_back(part);
    if (part->group == group && moved[part->group_index]) {
      moved[part->group_index] = false;
      left--;
    }
  }
  for (Part* part : taken) push(part);
}

SloppyMatcher::SloppyMatcher(const PhraseShape& shape) : state_(std::make_unique<State>()) {
  state_->slop = shape.slop;
  state_->multiple_terms = shape.multiple_terms;
  state_->parts.resize(shape.offsets.size());
  int groups = 0;
  for (size_t i = 0; i < shape.offsets.size(); i++) {
    State::Part& part = state_->parts[i];
    part.offset = shape.offsets[i];
    part.ordinal = i;
    part.group = shape.groups[i];
    groups = std::max(groups, part.group + 1);
  }
  state_->groups.resize(static_cast<size_t>(groups));
  for (State::Part& part : state_->parts) {
    if (part.group < 0) continue;
    std::vector<State::Part*>& group = state_->groups[static_cast<size_t>(part.group)];
    part.group_index = group.size();
    group.push_back(&part);
  }
}

SloppyMatcher::~SloppyMatcher() = default;

float SloppyMatcher::frequency(std::span<const PartPositions> parts, bool any) {
  State& state = *state_;
  for (size_t i = 0; i < parts.size(); i++) state.parts[i].positions = &parts[i];
  if (!state.place()) return 0;
  float total = 0;
  bool positioned = true;
  while (positioned && !(any && total > 0)) {
    State::Part* part = state.pop();
    int64_t length = state.end - part->position;
    int64_t next = state.queue.empty() ? part->position : state.queue.front()->position;
    bool found = false;
    positioned = false;
    while (state.advance(*part)) {
      if (!state.resolve_collisions(part)) break;
      if (part->position > next) {  // done shortening the match that starts there
        state.push(part);
        if (length <= state.slop) {
          found = positioned = true;
          break;
        }
        part = state.pop();
        next = state.queue.empty() ? part->position : state.queue.front()->position;
        length = state.end - part->position;
      } else {
        length = std::min(length, state.end - part->position);
      }
    }
    if (!positioned) found = length <= state.slop;
    if (found) total += 1.0F / (1.0F + static_cast<float>(length));
  }
  return total;
}

}  // namespace quarry
