// The encoding of requests by suggesters and of the replies. The coordinator interprets the words
// and counts that it gets; the code here does not depend on the suggester.
//
// Request: f64 time limit (microseconds, 0 none), u32 shards, each u32 shard, u64 generation (0 the
//   newest); u32 lookups, each u8 kind and
//   1 analyze:    str field, str analyzer (empty: the field's search analyzer), str text
//   2 candidates: str field, str term, u8 edits (1 or 2), u32 prefix (characters), u32 most
//   3 counts:     str field, u32 terms (str each)
//   4 complete:   str field, str analyzer (empty: the field's search analyzer), str text, u32 size,
//                 u8 skip duplicates, u8 fuzzy, u8 edits (0 to 2), u8 transpositions, u32 min
//                 length, u32 prefix length, u8 unicode aware
//   5 terms:      str field, str analyzer (empty: the field's index analyzer), u32 most tokens of
//                 one text (0: all), u8 sorted, u32 texts (str each)
//   then u8 filtered; if set, f64 milliseconds (wall clock for its dates), node query: only
//   documents that match it count.
// Reply: u32 magic "QSUG" (0x47555351), u16 version (1), u16 status (error type number, 0 ok);
//   status != 0: str reason, str cause. Else u32 shards, each u32 shard, u64 generation; then a
//   result for each lookup, in order:
//   1 analyze:    u8 mapped, u32 tokens, each str term, u32 start, u32 end (UTF-16 units),
//                 u32 position, u8 kind (0 word, 1 shingle, 2 synonym)
//   2 candidates: u32 terms, each str, u8 edits (0: the term itself), f64 documents,
//                 f64 occurrences
//   3 counts:     u8 has the field, f64 documents (deleted ones too), f64 live documents,
//                 f64 occurrences of all terms, f64 different terms (-1: unknown, there are several
//                 segments), u32 terms, each f64 documents, f64 occurrences; the totals over all
//                 terms are not available for a filtered request (0 and -1)
//   4 complete:   u8 mapped as completion, u32 completions, each f32 score, u32 shard, u32 doc (as
//                 in search hits), str key, str input
//   5 terms:      u8 mapped, u32 terms, each str term, u32 occurrences in all texts; in the order
//   of
//                 their first occurrence, or of their bytes if sorted
//   and last u8 complete (0: the time was up before the dictionaries were read).
// Documents and occurrences of a term include deleted documents until a merge, as in all
// statistics; those of a filtered request do not.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <variant>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "query/plan/plan.h"

namespace quarry {

inline constexpr uint32_t kSuggestMagic = 0x47555351;
inline constexpr uint16_t kSuggestVersion = 1;

struct AnalyzeRequest {
  std::string_view field;
  std::string_view analyzer;
  std::string_view text;
};

/// Terms of `field` within `edits` of `term`; swapping adjacent characters is one edit. The first
/// `prefix` characters must be equal, and at least one if there are two edits.
struct CandidatesRequest {
  std::string_view field;
  std::string_view term;
  uint32_t edits = 1;
  uint32_t prefix = 0;
  uint32_t most = 0;  // maximum number of terms, those with fewer edits first, then by bytes
};

struct CountsRequest {
  std::string_view field;
  std::vector<std::string_view> terms;
};

struct CompleteRequest {
  std::string_view field;
  std::string_view analyzer;
  std::string_view text;
  uint32_t size = 0;
  bool skip_duplicates = false;
  bool fuzzy = false;
  uint32_t edits = 1;
  bool transpositions = true;
  uint32_t min_length = 0;     // a shorter text is looked up exactly
  uint32_t prefix_length = 0;  // units of the text that must match exactly
  bool unicode_aware = false;  // lengths and edits count characters instead of bytes
};

/// The terms that the texts have as values of the field.
struct TermsRequest {
  std::string_view field;
  std::string_view analyzer;
  uint32_t most_tokens = 0;  // of one text; 0: all
  bool sorted = false;
  std::vector<std::string_view> texts;
};

using SuggestLookup =
    std::variant<AnalyzeRequest, CandidatesRequest, CountsRequest, CompleteRequest, TermsRequest>;

struct SuggestRequest {
  uint64_t timeout_us = 0;
  std::map<uint32_t, uint64_t> shards;  // shard number to generation
  std::vector<SuggestLookup> lookups;
  bool is_filtered = false;
  PlanNode filter;
  int64_t now_ms = 0;
};

/// Strings are views into `bytes`. parsing_exception for malformed input.
Result<SuggestRequest> decode_suggest(Bytes bytes);

std::vector<uint8_t> encode_suggest_error(const Status& status);

}  // namespace quarry
