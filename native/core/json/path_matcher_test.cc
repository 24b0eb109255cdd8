// Patterns over paths, compared with an exhaustive matcher, and the cache of paths.
#include "json/path_matcher.h"

#include <memory>

#include "json/source_filter.h"
#include "testing/test.h"

namespace quarry::path_matcher_test {

using Keys = std::vector<std::string>;

PathMatcher matcher(const std::vector<std::string_view>& patterns, PathPatterns::Syntax syntax) {
  Result<PathPatterns> compiled = PathPatterns::compile(patterns, syntax, "patterns");
  return PathMatcher(std::make_shared<const PathPatterns>(std::move(compiled).value()));
}

bool matches(PathMatcher& at, const Keys& keys) {
  at.rewind();
  for (const std::string& key : keys) at.enter(key);
  return at.matches();
}

/// Implements filter_path, key by key.
bool matches_naively(const Keys& pattern, size_t p, const Keys& keys, size_t k) {
  if (p == pattern.size()) return k == keys.size();
  if (pattern[p] == "**") {
    if (p + 1 == pattern.size()) return false;  // by itself it only determines which leaves match
    for (size_t skip = k; skip <= keys.size(); ++skip) {
      if (matches_naively(pattern, p + 1, keys, skip)) return true;
    }
    return false;
  }
  return k < keys.size() && simple_match(pattern[p], keys[k]) &&
         matches_naively(pattern, p + 1, keys, k + 1);
}

std::string joined(const Keys& keys) {
  std::string out;
  for (const std::string& key : keys) out += (out.empty() ? "" : ".") + key;
  return out;
}

/// A number below `most`, derived from `seed`.
size_t draw(uint64_t& seed, size_t most) {
  seed = seed * 6364136223846793005 + 1442695040888963407;
  return static_cast<size_t>(seed >> 33) % most;
}

Keys draw_keys(uint64_t& seed, const Keys& from) {
  Keys keys;
  for (size_t i = 1 + draw(seed, 5); i > 0; --i) keys.push_back(from[draw(seed, from.size())]);
  return keys;
}

TEST(PathMatcher, FilterPathsAreWhatTryingEverythingFinds) {
  const Keys of_patterns = {"a", "ab", "b", "*", "a*", "*b", "*a*b*", "**", "**", "***"};
  const Keys of_paths = {"a", "b", "ab", "aab", "ba", "c"};
  uint64_t seed = 7;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Keys> patterns;
    std::vector<std::string> texts;
    for (size_t i = 1 + draw(seed, 30); i > 0; --i) {
      patterns.push_back(draw_keys(seed, of_patterns));
      texts.push_back(joined(patterns.back()));
    }
    PathMatcher at = matcher({texts.begin(), texts.end()}, PathPatterns::Syntax::kFilterPath);
    for (int path = 0; path < 5; ++path) {
      const Keys keys = draw_keys(seed, of_paths);
      bool wanted = false;
      for (const Keys& pattern : patterns) wanted |= matches_naively(pattern, 0, keys, 0);
      EXPECT_EQ(matches(at, keys), wanted);
    }
  }
}

TEST(PathMatcher, SourcePatternsCrossDotsAndMatchAllBelow) {
  const Keys parts = {"a", "b", "a.b", "*", "*a", "b*", "**"};
  const Keys of_paths = {"a", "b", "a.b", "ab", "b.a"};
  uint64_t seed = 11;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::string> texts;
    for (size_t i = 1 + draw(seed, 40); i > 0; --i) texts.push_back(joined(draw_keys(seed, parts)));
    PathMatcher at = matcher({texts.begin(), texts.end()}, PathPatterns::Syntax::kSource);
    const Keys keys = draw_keys(seed, of_paths);
    const std::string path = joined(keys);
    bool wanted = false;
    for (const std::string& text : texts) {
      wanted |= simple_match(text, path) || simple_match(text + ".*", path);
    }
    EXPECT_EQ(matches(at, keys), wanted);
  }
}

TEST(PathMatcher, LeavesBelowDoubleStars) {
  PathMatcher at = matcher({"a.**", "b.**.c"}, PathPatterns::Syntax::kFilterPath);
  at.enter("a");
  EXPECT_TRUE(!at.matches() && at.matches_leaf() && !at.is_dead());
  at.enter("x");
  EXPECT_TRUE(at.matches_leaf());
  at.leave();
  at.leave();
  at.enter("b");
  EXPECT_TRUE(!at.matches_leaf() && !at.is_dead());
  at.leave();
  at.enter("c");
  EXPECT_TRUE(at.is_dead());
}

TEST(PathMatcher, ForgetsPathsThatAreManyAndKnowsWhereItIs) {
  PathMatcher at = matcher({"a.**.z", "a.k7.**"}, PathPatterns::Syntax::kFilterPath);
  at.enter("a");
  for (int i = 0; i < 50'000; ++i) {
    at.enter("k" + std::to_string(i));
    EXPECT_EQ(at.matches_leaf(), i == 7);
    at.enter("z");
    EXPECT_TRUE(at.matches());
    at.leave();
    at.leave();
  }
  at.enter("z");
  EXPECT_TRUE(at.matches());
}

TEST(PathMatcher, ManyPatternsAreOnePass) {
  std::vector<std::string> texts;
  for (int i = 0; i < 20'000; ++i) texts.push_back("*a*" + std::to_string(i) + "*");
  PathMatcher at = matcher({texts.begin(), texts.end()}, PathPatterns::Syntax::kSource);
  EXPECT_TRUE(matches(at, {"xa", "b19999c"}));
  EXPECT_TRUE(!matches(at, {"x", "19999"}));
  for (int i = 0; i < 10'000; ++i) EXPECT_TRUE(!matches(at, {"common", "text"}));
  EXPECT_EQ(at.computed_keys(), 6U);
}

}  // namespace quarry::path_matcher_test
