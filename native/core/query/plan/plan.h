// The binary search plan: the request of the coordinator to a shard. Encoded by
// src/wire/plan-writer.ts, decoded here; golden files in test/golden/wire check both sides.
//
// Header, 64 bytes:
//   0  u32 magic "QPLN" (0x4e4c5051)   4  u16 version (1)          6  u16 legs
//   8  u32 flags (PlanFlags)
//   12 u32 track_total_hits (0: do not count, 0xffffffff: exact, else the cap)
//   16 i64 now_ms (wall clock for date math)
//   24 u64 timeout_us (0: none; counted from the start of execution)
//   32 u32 from   36 u32 size (the page of an inline fetch)
//   40 u32 window (maximum number of hits per leg, >= from + size)
//   44 u32 terminate_after (0: none)   48 f32 min_score (NaN: none)
//   52 u32 frame bytes                 56 u64 reserved (0)
// then frame nodes (opcodes.def) up to `frame bytes`.
//
// A leg and a post_filter hold exactly one query node. A scalar always has its str: "" for null,
// "true" or "false" for booleans, the spelling for numbers. Nothing inside the frames is aligned.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "query/plan/plan_node.h"

namespace quarry {

enum PlanFlags : uint32_t {
  kPlanTrackScores = 1,  // return scores in addition to the sort values
  kPlanInlineFetch =
      2,  // append the fetch reply of hits [from, from + size) if only one shard is searched
  kPlanProfile = 4,
  kPlanHitsJson = 8,  // the inline fetch returns hits as JSON strings
};

enum FetchFlags : uint8_t {
  kFetchVersion = 1,
  kFetchSeqNo = 2,
  kFetchExplain = 4,
  kFetchMatchedQueries = 8,   // set when any clause has a _name
  kFetchWithoutVectors = 16,  // the vector fields of the mapping are left out of the source
  kFetchNamedScores = 32,     // matched_queries includes the scores
};

enum class SortMode : uint8_t { kDefault, kMin, kMax, kSum, kAvg, kMedian };
enum class MultiMatchType : uint8_t {
  kBestFields,
  kMostFields,
  kCrossFields,
  kPhrase,
  kPhrasePrefix,
  kBoolPrefix,
  kCombinedFields
};

/// A JSON scalar as the caller wrote it.
struct Scalar {
  enum class Kind : uint8_t { kNull, kBool, kNumber, kString };
  Kind kind = Kind::kNull;
  std::string text;
  bool quoted() const { return kind == Kind::kString; }
};

struct MatchOptions {
  bool operator_and = false;
  std::string minimum_should_match;
  std::string analyzer;
  std::string fuzziness;
  uint32_t prefix_length = 0;
  uint32_t max_expansions = 50;
  bool transpositions = true;
  bool zero_terms_all = false;
  bool lenient = false;
  bool synonym_phrases = true;
  /// The expansions of a fuzzy word score a constant.
  bool constant_words = false;
};

/// The nested documents at a path, as part of a sort key.
struct NestedSortLevel {
  std::string path;
  uint32_t max_children = UINT32_MAX;
  bool has_filter = false;
  PlanNode filter;
};

struct SortKey {
  std::string field;
  bool descending = false;
  SortMode mode = SortMode::kDefault;
  uint8_t missing = 0;
  Scalar missing_value;
  std::string unmapped_type;
  std::string numeric_type;
  std::string format;
  Bytes details;  // of _script and _geo_distance; points into the plan's bytes
  std::vector<NestedSortLevel>
      nested;  // from the outermost; empty: the document itself has the field
  bool has_query = false;
  PlanNode query;  // its score is the value; points into the plan's bytes
};
inline constexpr std::string_view kScriptSort = "_script";
inline constexpr std::string_view kDistanceSort = "_geo_distance";

struct FieldAndFormat {
  std::string pattern;
  std::string format;
};

/// A field of hits that a script computes.
struct ScriptFieldSpec {
  std::string name;
  bool ignore_failure = false;
  Bytes script;  // points into the plan's bytes
};

struct FetchSpec {
  uint8_t source = 1;
  std::vector<std::string> includes;
  std::vector<std::string> excludes;
  uint8_t flags = 0;
  std::vector<FieldAndFormat> docvalue_fields;
  std::vector<FieldAndFormat> fields;
};

/// A snapshot of a shard that an earlier phase of the same request used.
struct NamedSnapshot {
  uint32_t index = 0;
  uint32_t shard = 0;
  uint64_t generation = 0;
};

struct InnerHitsSpec;

/// A decoded frame. Views point into the plan bytes, which must outlive it.
struct Plan {
  uint32_t flags = 0;
  uint32_t track_total_hits = 10000;
  int64_t now_ms = 0;
  uint64_t timeout_us = 0;
  uint32_t from = 0;
  uint32_t size = 10;
  uint32_t window = 10;
  uint32_t terminate_after = 0;
  float min_score = 0;
  bool has_min_score = false;
  std::vector<PlanNode> legs;
  PlanNode post_filter;
  bool has_post_filter = false;
  std::vector<SortKey> sort;         // empty: by score
  std::vector<Scalar> search_after;  // empty: start with the first hit
  FetchSpec fetch;
  std::vector<PlanNode> rescores;            // only with hits sorted by score
  std::vector<std::string> unmapped_fields;  // patterns of `fields`
  std::vector<ScriptFieldSpec> script_fields;
  std::string collapse_field;             // empty: hits are not collapsed
  bool collapse_by_terms = false;         // the groups are searched for afterwards (inner_hits)
  std::optional<PlanNode> highlight;      // query/highlight/highlight_plan.h
  std::vector<InnerHitsSpec> inner_hits;  // that every document of the page shows
  std::vector<NamedSnapshot> snapshots;   // shards that are not listed use their newest
  std::vector<PlanNode> aggs;             // the top-level aggregations
};

/// The nested documents that a document shows inside it: those that the plan finds at the path of a
/// nested object.
struct InnerHitsSpec {
  std::string name;
  std::string path;  // may name a field of the object instead
  Plan plan;         // its time is that of the plan that has it, its time limit also
};

inline constexpr uint32_t kPlanMagic = 0x4e4c5051;
inline constexpr uint16_t kPlanVersion = 1;
inline constexpr uint32_t kExactTotal = UINT32_MAX;
inline constexpr uint32_t kMaxClauses = 1024;
inline constexpr uint32_t kMaxQueryDepth = 64;

/// parsing_exception for malformed input; never reads out of bounds. `trace`, if given, records all
/// payloads of the plan as they are read, and must outlive it.
Result<Plan> decode_plan(Bytes bytes, PlanTrace* trace = nullptr);
/// Reads the next node; its payload is checked against the bounds of the reader.
Result<PlanNode> read_node(PlanReader& reader);
/// Reads a list of sort keys, encoded as in SortKey in opcodes.def.
Status read_sort_keys(PlanReader& reader, std::vector<SortKey>& keys);
Scalar read_scalar(PlanReader& reader);
MatchOptions read_match_options(PlanReader& reader);

}  // namespace quarry
