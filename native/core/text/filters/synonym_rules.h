// Synonym rules in Solr's format: "a, b => c" replaces, "a, b, c" makes equal.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/status.h"

namespace quarry {

/// A term of one or more words.
using SynonymWords = std::vector<std::string>;

/// What a matched sequence of words becomes.
struct SynonymOutputs {
  std::vector<SynonymWords> terms;
  bool keep_original = false;
  size_t words = 0;       // of all terms
  size_t characters = 0;  // of all words
};

/// All rules as a trie over words.
class SynonymMap {
 public:
  /// Adds `output` to what `input` becomes.
  void add(const SynonymWords& input, const SynonymWords& output, bool keep_original);
  /// Ends building.
  void finish() { known_.clear(); }
  /// Words of all rules: those that are matched and those that come of them.
  size_t words() const { return words_; }

  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNone = UINT32_MAX;
  /// The node reached from `node` by `word`, or kNone.
  uint32_t step(uint32_t node, std::string_view word) const;
  /// Null when no rule ends at `node`.
  const SynonymOutputs* outputs(uint32_t node) const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  struct Node {
    std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> next;
    SynonymOutputs outputs;
  };
  std::vector<Node> nodes_ = std::vector<Node>(1);
  /// What was added, by node and words: terms of thousands of synonyms are not compared one by one.
  std::unordered_set<std::string> known_;
  size_t words_ = 0;
};

/// An index's synonyms come to at most so many words: "a, b, c" are six rules of two words each.
inline constexpr size_t kMaxSynonymWords = size_t{2} << 20;

struct SynonymOptions {
  bool expand = true;    // false: the terms of an equality all become its first
  bool lenient = false;  // rules that cannot be used are skipped
  size_t max_words = kMaxSynonymWords;
};

/// Splits a term into words the way the index will see it; an error when that is not a plain
/// sequence.
using SynonymAnalysis = std::function<Result<SynonymWords>(std::string_view term)>;

Result<SynonymMap> parse_synonyms(const std::vector<std::string>& lines, SynonymOptions options,
                                  const SynonymAnalysis& analyse);

}  // namespace quarry
