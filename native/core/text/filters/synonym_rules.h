// Synonym rules in Solr's format: "a, b => c" replaces, "a, b, c" declares equivalent terms.
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

/// The synonyms of a matched sequence of words.
struct SynonymOutputs {
  std::vector<SynonymWords> terms;
  bool keep_original = false;
  size_t words = 0;       // number of words of all terms
  size_t characters = 0;  // number of characters of all words
};

/// All rules as a trie over words.
class SynonymMap {
 public:
  /// Adds `output` to the synonyms of `input`.
  void add(const SynonymWords& input, const SynonymWords& output, bool keep_original);
  /// Ends building and releases the memory used for it.
  void finish() { known_.clear(); }
  /// The number of words of all rules, both those to match and their synonyms.
  size_t words() const { return words_; }

  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNone = UINT32_MAX;
  /// The node that `word` leads to from `node`, or kNone.
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
  /// The rules added so far, by node and words, because terms with thousands of synonyms cannot be
  /// compared one by one.
  std::unordered_set<std::string> known_;
  size_t words_ = 0;
};

/// The maximum number of words of an index's synonyms; "a, b, c" are six rules of two words each.
inline constexpr size_t kMaxSynonymWords = size_t{2} << 20;

struct SynonymOptions {
  bool expand = true;    // false: all terms of an equivalence become its first term
  bool lenient = false;  // invalid rules are skipped
  size_t max_words = kMaxSynonymWords;
};

/// Splits a term into words as the index analyzes it; an error when the result is not a simple
/// sequence.
using SynonymAnalysis = std::function<Result<SynonymWords>(std::string_view term)>;

Result<SynonymMap> parse_synonyms(const std::vector<std::string>& lines, SynonymOptions options,
                                  const SynonymAnalysis& analyse);

}  // namespace quarry
