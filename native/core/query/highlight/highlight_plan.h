// The payload of the plan's highlight node: what to highlight, and how. Its layout is that of
// Highlight and HighlightField in opcodes.def. index_limit is the length of the longest text that
// is analyzed, in characters; number_of_fragments 0: the whole values; max_analyzed_offset and
// phrase_limit 0: none; the filter is the highlight_query.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "query/plan/plan.h"

namespace quarry {

enum HighlightFlags : uint8_t {
  kHighlightAnyField = 1,  // require_field_match: false
  kHighlightHtml = 2,      // escape the text, but not the tags
  kHighlightByScore = 4,
  kHighlightPlain = 8,  // type plain: analyze the text, whatever offsets the mapping has
};

enum class FragmentScanner : uint8_t { kSentence, kWord, kChars };

/// Lengths and offsets are in characters (code points).
struct HighlightSpec {
  std::string pattern;
  uint8_t flags = 0;
  uint32_t fragment_size = 100;  // 0: no limit
  uint32_t fragments = 5;        // 0: the whole values
  uint32_t no_match_size = 0;
  FragmentScanner scanner = FragmentScanner::kSentence;
  std::u32string boundary_chars;
  uint32_t boundary_max_scan = 20;
  uint32_t max_analyzed_offset = 0;
  uint32_t phrase_limit = 0;
  std::string pre_tag;
  std::string post_tag;
  std::vector<std::string> matched_fields;  // empty: the field itself
  std::optional<PlanNode> query;            // none: the legs of the plan

  bool any_field() const { return (flags & kHighlightAnyField) != 0; }
  bool plain() const { return (flags & kHighlightPlain) != 0; }
};

struct HighlightPlan {
  uint32_t index_limit = 0;
  std::vector<std::pair<std::string, std::string>> meanings;  // field, text
  std::vector<HighlightSpec> fields;
};

/// parsing_exception for malformed input. Views of nodes point into the payload.
Result<HighlightPlan> read_highlight_plan(const PlanNode& node);

}  // namespace quarry
