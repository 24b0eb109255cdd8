// Exact phrases by intersection of shifted positions; sloppy ones by Lucene's algorithm
// (SloppyPhraseMatcher): a queue of the parts by shifted position, in which the distance between
// the first and the last is the number of moves.
#include "query/phrase/phrase_matcher.h"

#include <algorithm>
#include <limits>

namespace quarry {

namespace {

/// The most common phrase has two parts: one pass over both lists.
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
                     uint32_t enough, StopCheck& stop) {
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
    if (stop.step(static_cast<uint32_t>(parts.size()))) return count;
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

/// One part and its current position, which is shifted by the part's offset in the phrase.
struct SloppyMatcher::State {
  static constexpr size_t kNotQueued = SIZE_MAX;

  struct Part {
    int64_t position = 0;
    int64_t offset = 0;
    size_t ordinal = 0;
    int group = -1;
    size_t group_index = 0;
    const PartPositions* positions = nullptr;
    size_t at = 0;
    size_t queued_at = kNotQueued;  // index in the heap

    bool next() {
      if (at == positions->size()) return false;
      position = static_cast<int64_t>((*positions)[at++]) - offset;
      return true;
    }
    int64_t real_position() const { return position + offset; }
  };

  static bool is_before(const Part* a, const Part* b) {
    if (a->position != b->position) return a->position < b->position;
    if (a->offset != b->offset) return a->offset < b->offset;
    return a->ordinal < b->ordinal;
  }

  /// Parts that share terms, sorted by their positions in the document, so that parts at the same
  /// position are adjacent.
  struct Group {
    std::vector<Part*> parts;     // by group_index
    std::vector<Part*> in_order;  // by real position, then by group_index

    static bool stands_before(const Part* a, const Part* b) {
      const int64_t first = a->real_position();
      const int64_t second = b->real_position();
      return first != second ? first < second : a->group_index < b->group_index;
    }
    void sort() {
      in_order = parts;
      std::sort(in_order.begin(), in_order.end(), stands_before);
    }
    /// The part with the lowest index among those at the position of `part`, or null.
    Part* collision(const Part& part) const {
      const int64_t wanted = part.real_position();
      auto at = std::lower_bound(
          in_order.begin(), in_order.end(), wanted,
          [](const Part* one, int64_t position) { return one->real_position() < position; });
      if (at != in_order.end() && *at == &part) ++at;
      return at != in_order.end() && (*at)->real_position() == wanted ? *at : nullptr;
    }
    /// Moves the part to its next position; false at its end.
    bool advance(Part& part) {
      const auto from = std::lower_bound(in_order.begin(), in_order.end(), &part, stands_before);
      if (!part.next()) return false;
      const auto to = std::lower_bound(from + 1, in_order.end(), &part, stands_before);
      std::rotate(from, from + 1, to);
      return true;
    }
  };

  std::vector<Part> parts;
  std::vector<Group> groups;
  std::vector<Part*> queue;  // a heap, with the first part in front
  bool multiple_terms = false;
  int64_t slop = 0;
  int64_t end = 0;
  StopCheck* stop = nullptr;

  void set(size_t place, Part* part) {
    queue[place] = part;
    part->queued_at = place;
  }
  void sift_up(size_t place) {
    Part* const part = queue[place];
    while (place > 0 && is_before(part, queue[(place - 1) / 2])) {
      set(place, queue[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    set(place, part);
  }
  void sift_down(size_t place) {
    Part* const part = queue[place];
    while (2 * place + 1 < queue.size()) {
      size_t child = 2 * place + 1;
      if (child + 1 < queue.size() && is_before(queue[child + 1], queue[child])) child++;
      if (!is_before(queue[child], part)) break;
      set(place, queue[child]);
      place = child;
    }
    set(place, part);
  }
  void push(Part* part) {
    queue.push_back(part);
    sift_up(queue.size() - 1);
  }
  Part* pop() {
    Part* const first = queue.front();
    Part* const last = queue.back();
    queue.pop_back();
    if (!queue.empty()) {
      queue[0] = last;
      sift_down(0);
    }
    first->queued_at = kNotQueued;
    return first;
  }
  /// False at the end of the part's positions, or if the search has to stop.
  bool advance(Part& part) {
    if (stop->step()) return false;
    const bool moved =
        part.group < 0 ? part.next() : groups[static_cast<size_t>(part.group)].advance(part);
    if (moved) end = std::max(end, part.position);
    return moved;
  }
  static Part* lesser(Part* a, Part* b) {
    const bool first =
        a->position < b->position || (a->position == b->position && a->offset < b->offset);
    return first ? a : b;
  }

  bool place();
  bool separate_groups();
  bool separate_at_start(Group& group);
  bool resolve_collisions(Part* part);
};

bool SloppyMatcher::State::place() {
  for (Part& part : parts) {
    part.at = 0;
    part.queued_at = kNotQueued;
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

/// Moves parts with a repeated term to different initial positions.
bool SloppyMatcher::State::separate_groups() {
  for (Group& group : groups) {
    if (multiple_terms) {
      group.sort();
      if (!separate_at_start(group)) return false;
      continue;
    }
    // All parts of the group have the positions of the same term.
    for (size_t i = 1; i < group.parts.size(); i++) {
      Part& part = *group.parts[i];
      if (i >= part.positions->size() || stop->step()) return false;
      part.at = i;
      part.next();
    }
    group.sort();
  }
  return true;
}

bool SloppyMatcher::State::separate_at_start(Group& group) {
  for (size_t i = 0; i < group.parts.size();) {
    bool again = false;
    while (Part* other = group.collision(*group.parts[i])) {
      Part* moved = lesser(group.parts[i], other);
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

/// Moves colliding parts apart after `part` moved. False at the end of the positions.
bool SloppyMatcher::State::resolve_collisions(Part* part) {
  if (part->group < 0) return true;
  const Group& group = groups[static_cast<size_t>(part->group)];
  while (Part* other = group.collision(*part)) {
    part = lesser(part, other);
    if (!advance(*part)) return false;
    // A part only ever moves backwards in the queue.
    if (part->queued_at != kNotQueued) sift_down(part->queued_at);
  }
  return true;
}

SloppyMatcher::SloppyMatcher(const PhraseShape& shape, StopCheck& stop)
    : state_(std::make_unique<State>()) {
  state_->slop = shape.slop;
  state_->multiple_terms = shape.multiple_terms;
  state_->stop = &stop;
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
    std::vector<State::Part*>& group = state_->groups[static_cast<size_t>(part.group)].parts;
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
      if (part->position > next) {  // the match that starts there cannot become shorter
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
    if (state.stop->stopped()) return 0;
    if (!positioned) found = length <= state.slop;
    if (found) total += 1.0F / (1.0F + static_cast<float>(length));
  }
  return total;
}

}  // namespace quarry
