// Phrase frequencies: exact by definition, sloppy as in Lucene.
#include "query/phrase/phrase_matcher.h"

#include <algorithm>
#include <limits>
#include <random>

#include "testing/counting_clock.h"
#include "testing/test.h"

namespace quarry::phrase_matcher_test {

PhraseShape shape(std::vector<uint32_t> offsets, std::vector<int> groups, uint32_t slop) {
  PhraseShape out;
  out.offsets = std::move(offsets);
  out.groups = std::move(groups);
  out.slop = slop;
  return out;
}

using Lists = std::vector<std::vector<uint32_t>>;

std::vector<PartPositions> views(const Lists& lists) { return {lists.begin(), lists.end()}; }

float sloppy(const PhraseShape& phrase, const Lists& parts) {
  StopCheck stop(nullptr, 0);
  return SloppyMatcher(phrase, stop).frequency(views(parts), false);
}

uint32_t exact(const PhraseShape& phrase, const Lists& parts, uint32_t enough) {
  StopCheck stop(nullptr, 0);
  return count_exact(phrase, views(parts), enough, stop);
}

TEST(PhraseMatcher, CountsExactOccurrences) {
  const PhraseShape phrase = shape({0, 1, 3}, {-1, -1, -1}, 0);
  EXPECT_EQ(exact(phrase, {{0, 5, 9}, {1, 6, 11}, {3, 8}}, 100), 2);
  EXPECT_EQ(exact(phrase, {{0, 5}, {1, 6}, {3, 8}}, 1), 1);
  EXPECT_EQ(exact(phrase, {{0}, {2}, {3}}, 100), 0);
}

TEST(PhraseMatcher, FindsTwoPartsAtTheirDistance) {
  const std::vector<uint32_t> first{0, 5, 9};
  const std::vector<uint32_t> second{1, 8, 11};
  EXPECT_TRUE(stand_apart(first, second, 2));
  EXPECT_TRUE(stand_apart(first, second, 3));
  EXPECT_FALSE(stand_apart(first, second, 4));
  EXPECT_FALSE(stand_apart(first, {}, 1));
}

TEST(PhraseMatcher, SlopCountsMoves) {
  const PhraseShape two = shape({0, 1}, {-1, -1}, 2);
  EXPECT_EQ(sloppy(two, {{0}, {1}}), 1.0F);
  EXPECT_EQ(sloppy(two, {{0}, {2}}), 0.5F);
  EXPECT_EQ(sloppy(two, {{1}, {0}}), 1.0F / 3);  // the reverse order takes two moves
  EXPECT_EQ(sloppy(two, {{0}, {4}}), 0.0F);
  EXPECT_EQ(sloppy(two, {{0, 10}, {1, 12}}), 1.5F);
}

TEST(PhraseMatcher, ARepeatedTermNeedsAsManyOccurrences) {
  const PhraseShape twice = shape({0, 1}, {0, 0}, 1);
  EXPECT_EQ(sloppy(twice, {{3}, {3}}), 0.0F);
  EXPECT_EQ(sloppy(twice, {{3, 4}, {3, 4}}), 1.0F);
}

/// Lucene's SloppyPhraseMatcher, step by step: collisions by a loop over the group, the queue as a
/// sorted list.
class NaiveSloppy {
 public:
  NaiveSloppy(const PhraseShape& shape, const Lists& lists) : shape_(shape), lists_(lists) {
    for (size_t i = 0; i < lists.size(); i++)
      parts_.push_back({0, int64_t{shape.offsets[i]}, i, shape.groups[i], 0});
  }
  float frequency() {
    for (Part& part : parts_) {
      if (!next(part)) return 0;
    }
    if (!separate()) return 0;
    end_ = std::numeric_limits<int64_t>::min();
    for (Part& part : parts_) {
      end_ = std::max(end_, part.position);
      queue_.push_back(&part);
    }
    float total = 0;
    bool positioned = true;
    while (positioned) {
      Part* part = pop();
      int64_t length = end_ - part->position;
      int64_t following = queue_.empty() ? part->position : first()->position;
      bool found = false;
      positioned = false;
      while (advance(*part)) {
        if (!resolve(part)) break;
        if (part->position > following) {
          queue_.push_back(part);
          if (length <= int64_t{shape_.slop}) {
            found = positioned = true;
            break;
          }
          part = pop();
          following = queue_.empty() ? part->position : first()->position;
          length = end_ - part->position;
        } else {
          length = std::min(length, end_ - part->position);
        }
      }
      if (!positioned) found = length <= int64_t{shape_.slop};
      if (found) total += 1.0F / (1.0F + static_cast<float>(length));
    }
    return total;
  }

 private:
  static constexpr int kGroups = 3;
  struct Part {
    int64_t position;
    int64_t offset;
    size_t ordinal;
    int group;
    size_t at;
  };
  bool next(Part& part) {
    const std::vector<uint32_t>& positions = lists_[part.ordinal];
    if (part.at == positions.size()) return false;
    part.position = int64_t{positions[part.at++]} - part.offset;
    return true;
  }
  bool advance(Part& part) {
    if (!next(part)) return false;
    end_ = std::max(end_, part.position);
    return true;
  }
  Part* collision(const Part& part) {
    for (Part& other : parts_) {
      const bool same = other.position + other.offset == part.position + part.offset;
      if (&other != &part && other.group == part.group && same) return &other;
    }
    return nullptr;
  }
  static Part* lesser(Part* a, Part* b) {
    if (a->position != b->position) return a->position < b->position ? a : b;
    return a->offset < b->offset ? a : b;
  }
  bool separate() {
    for (int group = 0; group < kGroups; group++) {
      std::vector<Part*> same;
      for (Part& part : parts_) {
        if (part.group == group) same.push_back(&part);
      }
      if (!(shape_.multiple_terms ? separate_several(same) : separate_repeats(same))) return false;
    }
    return true;
  }
  bool separate_repeats(const std::vector<Part*>& same) {
    for (size_t i = 1; i < same.size(); i++) {
      for (size_t moves = 0; moves < i; moves++) {
        if (!next(*same[i])) return false;
      }
    }
    return true;
  }
  bool separate_several(const std::vector<Part*>& same) {
    for (size_t i = 0; i < same.size();) {
      bool again = false;
      while (Part* other = collision(*same[i])) {
        Part* moved = lesser(same[i], other);
        if (!advance(*moved)) return false;
        const auto at = std::find(same.begin(), same.end(), moved) - same.begin();
        again = at < static_cast<std::ptrdiff_t>(i);
        if (again) break;
      }
      if (!again) i++;
    }
    return true;
  }
  bool resolve(Part* part) {
    if (part->group < 0) return true;
    while (Part* other = collision(*part)) {
      part = lesser(part, other);
      if (!advance(*part)) return false;
    }
    return true;
  }
  Part* first() {
    return *std::min_element(queue_.begin(), queue_.end(), [](const Part* a, const Part* b) {
      if (a->position != b->position) return a->position < b->position;
      return a->offset != b->offset ? a->offset < b->offset : a->ordinal < b->ordinal;
    });
  }
  Part* pop() {
    Part* const least = first();
    std::erase(queue_, least);
    return least;
  }

  const PhraseShape& shape_;
  const Lists& lists_;
  std::vector<Part> parts_;
  std::vector<Part*> queue_;
  int64_t end_ = 0;
};

std::vector<uint32_t> random_positions(std::mt19937& random, uint32_t most, uint32_t room) {
  std::vector<uint32_t> positions(1 + random() % most);
  for (uint32_t& position : positions) position = static_cast<uint32_t>(random() % room);
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

TEST(PhraseMatcher, RepeatsAreCountedAsByAWalkOverTheirGroup) {
  std::mt19937 random(11);
  uint32_t matched = 0;
  for (int round = 0; round < 4000; round++) {
    const size_t parts = 2 + random() % 7;
    const uint32_t room = 6 + static_cast<uint32_t>(random() % 40);
    const uint32_t terms = 1 + static_cast<uint32_t>(random() % 3);
    Lists of_term;
    for (uint32_t term = 0; term < terms; term++)
      of_term.push_back(random_positions(random, 20, room));
    PhraseShape phrase;
    phrase.slop = static_cast<uint32_t>(random() % 12);
    Lists lists;
    std::vector<uint32_t> used(terms, 0);
    std::vector<uint32_t> which;
    uint32_t offset = 0;
    for (size_t i = 0; i < parts; i++) {
      which.push_back(static_cast<uint32_t>(random() % terms));
      used[which.back()]++;
      offset += i == 0 ? 0 : 1 + static_cast<uint32_t>(random() % 2);
      phrase.offsets.push_back(offset);
    }
    for (size_t i = 0; i < parts; i++) {
      phrase.groups.push_back(used[which[i]] > 1 ? static_cast<int>(which[i]) : -1);
      lists.push_back(of_term[which[i]]);
    }
    // Parts with several terms share a group with parts that have other positions.
    phrase.multiple_terms = round % 3 == 0;
    if (phrase.multiple_terms) {
      for (size_t i = 0; i < parts; i++) {
        phrase.groups[i] = 0;
        if (random() % 2 == 0) lists[i] = random_positions(random, 20, room);
      }
    }
    const float expected = NaiveSloppy(phrase, lists).frequency();
    EXPECT_EQ(sloppy(phrase, lists), expected);
    matched += expected > 0 ? 1 : 0;
  }
  EXPECT_GT(matched, 500);
}

TEST(PhraseMatcher, RepeatsOfAWordAreFoundWithoutAWalkForEachPosition) {
  constexpr uint32_t kParts = 300;
  constexpr uint32_t kPositions = 2000;
  PhraseShape phrase;
  phrase.slop = 100000;
  std::vector<uint32_t> positions;
  for (uint32_t i = 0; i < kPositions; i++) positions.push_back(3 * i);
  for (uint32_t i = 0; i < kParts; i++) {
    phrase.offsets.push_back(i);
    phrase.groups.push_back(0);
  }
  const Lists lists(kParts, positions);
  const testing::CountingClock clock;
  StopCheck stop(&clock, testing::CountingClock::kTimeoutUs);
  EXPECT_GT(SloppyMatcher(phrase, stop).frequency(views(lists), false), 0.0F);
  // One step for each position that a part advances to.
  EXPECT_LE(clock.looks(), kParts * kPositions / StopCheck::kStepsPerLook + 2);
}

TEST(PhraseMatcher, StopsWithinADocument) {
  constexpr uint32_t kParts = 50;
  PhraseShape phrase;
  phrase.slop = 100000;
  std::vector<uint32_t> positions;
  for (uint32_t i = 0; i < 20000; i++) positions.push_back(i);
  for (uint32_t i = 0; i < kParts; i++) {
    phrase.offsets.push_back(i);
    phrase.groups.push_back(0);
  }
  const Lists lists(kParts, positions);
  const testing::CountingClock clock(3);
  StopCheck stop(&clock, testing::CountingClock::kTimeoutUs);
  EXPECT_EQ(SloppyMatcher(phrase, stop).frequency(views(lists), false), 0.0F);
  EXPECT_TRUE(stop.timed_out());
  EXPECT_EQ(clock.looks(), 4);
  const testing::CountingClock exact_clock(3);
  StopCheck exact_stop(&exact_clock, testing::CountingClock::kTimeoutUs);
  EXPECT_LT(count_exact(phrase, views(lists), UINT32_MAX, exact_stop), 1000);
  EXPECT_TRUE(exact_stop.timed_out());
}

}  // namespace quarry::phrase_matcher_test
