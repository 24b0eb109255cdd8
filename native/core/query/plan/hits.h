// Encodings of the replies to the coordinator, which src/wire/ decodes. All integers are
// little-endian; str = u32 length + UTF-8.
//
// Search reply = u32 magic "QRPL" (0x4c505251), u32 shard replies, u32 byte length of each, then
// the shard replies 8-aligned, then (kPlanInlineFetch with one shard) a fetch reply, 8-aligned.
//
// Shard reply, 144-byte header:
//   0 u32 magic "QHIT" (0x54494851)     4 u16 version (4)    6 u16 status (error type number, 0 ok)
//   8 u64 snapshot generation          16 u64 mapping version
//   24 u64 total hits counted          32 u8 relation (0 eq, 1 gte)   33 u8 timed_out
//   34 u8 terminated_early             35 u8 legs            36 u32 index number
//   40 u32 shard                       44 u32 sort keys      48 u64 blocks decoded
//   56 u64 documents scored            64 u64 sketch distances        72 u64 SQ8 distances
//   80 u64 exact distances             88 u64 graph hops     96 u64 bytes of vectors read
//   104 u64 positions read             112 u64 bytes of postings blocks read
//   120 u64 terms looked up or walked over
//   128 u64 documents whose sort keys were read
//   136 u32 offset of the aggregations in the shard reply (0: none), 8-aligned
//   140 u32 bytes of the aggregations (query/aggs/frame/agg_reply.h)
// status != 0: only str reason, str cause ("type: reason" of an inner error, may be empty) follow.
// Every leg and every sort key starts 8-aligned in its shard reply. Per leg: u32 hits, f32
// max_score (NaN: none), then the 8-aligned columns f32 score[hits] (NaN: not scored), padding, u32
// doc[hits], padding, u64 seq_no[hits] (tie break across shards), then per sort key: u8 kind,
// padding to 8, u8 null[hits], padding to 8, then by kind:
//   0: i64[hits]   1: f64[hits]   2: u64[hits]   3: u32 end[hits] + bytes (strings)
//   4: f32 score, as f64[hits]
//   5: i64[hits] of 0 and 1, printed as JSON false and true
//   6 (formatted: dates with a format, addresses): two columns like kind 3, each 8-aligned:
//      first the order keys (opaque bytes, compared bytewise), then the strings to print as JSON
// Order of a key's column: numbers by value, strings and order keys bytewise. A null sorts last in
// either direction, or first if the key says missing first. A missing number is not a null: it
// holds the largest or smallest value of the type.
// The fetch phase names a hit by (index number, shard, generation, doc).
//
// Fetch reply, 32-byte header: u32 magic "QSRC" (0x43525351), u16 version (4), u16 status, u32
// documents, u8 timed_out, u8 texts, padding. status != 0: str reason, str cause. texts = 1 (the
// inline fetch of kPlanHitsJson): one str, the hits as JSON objects separated by commas. Otherwise
// per document: u8 found, u8 has_source, u16 0, u32 primary_term, u64 version, u64 seq_no, str id,
// str routing, str source, then JSON strings that may be empty: str fields, str ignored, str
// matched_queries, str explanation, str highlight, str ignored_values, str nested (the place of a
// nested document in its root), then u32 inner hits, in the order of the plan, each as a str that
// is a search reply: one shard reply, and the fetch reply of its page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "postings/postings.h"
#include "vector/vector_search.h"

namespace quarry {

inline constexpr uint32_t kReplyMagic = 0x4c505251;
inline constexpr uint32_t kHitsMagic = 0x54494851;
inline constexpr uint32_t kSourceMagic = 0x43525351;
inline constexpr uint16_t kHitsVersion = 4;
inline constexpr uint16_t kSourceVersion = 4;

enum class SortColumnKind : uint8_t {
  kInt,
  kDouble,
  kUnsigned,
  kString,
  kScore,
  kBoolean,
  kFormatted
};

/// The values of one sort key, one entry per hit; only the vectors that belong to `kind` are
/// filled.
struct SortColumn {
  SortColumnKind kind = SortColumnKind::kInt;
  std::vector<uint8_t> nulls;
  std::vector<int64_t> ints;
  std::vector<double> doubles;
  std::vector<std::string> strings;  // kFormatted: the order keys
  std::vector<std::string> texts;    // kFormatted: the strings that are printed
};

struct LegHits {
  float max_score = 0;
  bool has_max_score = false;
  std::vector<float> scores;
  std::vector<uint32_t> docs;
  std::vector<uint64_t> seq_nos;
  std::vector<SortColumn> sort;
};

struct ShardHits {
  uint64_t generation = 0;
  uint64_t mapping_version = 0;
  uint64_t total = 0;
  bool total_is_lower_bound = false;
  bool timed_out = false;
  bool terminated_early = false;
  uint32_t index_number = 0;
  uint32_t shard = 0;
  PostingsWork postings;
  uint64_t docs_scored = 0;
  uint64_t docs_sorted = 0;
  uint64_t terms_visited = 0;
  VectorCounters vectors;
  std::vector<LegHits> legs;
  std::vector<uint8_t> aggs;  // the encoded aggregations; empty: none requested
};

struct InnerHits;

struct FetchedDocument {
  bool found = false;
  bool has_source = false;
  uint32_t primary_term = 1;
  uint64_t version = 0;
  uint64_t seq_no = 0;
  std::string id;
  std::string routing;
  std::string source;
  std::string fields;
  std::string ignored;
  // JSON: values of the requested fields that the index rejected.
  std::string ignored_values;
  // JSON: the place of a nested document, whose id and version are those of its root.
  std::string nested;
  std::string matched_queries;
  std::string explanation;
  std::string highlight;
  std::vector<InnerHits> inner_hits;  // in the order of Plan::inner_hits
};

/// The hits that a document shows inside it.
struct InnerHits {
  ShardHits hits;                          // of one leg; of none: the path is not mapped as nested
  std::vector<FetchedDocument> documents;  // of the page
};

std::vector<uint8_t> encode_shard_hits(const ShardHits& hits);
/// Writes one leg as it appears in a shard reply.
void put_leg(ByteWriter& writer, const LegHits& leg);
std::vector<uint8_t> encode_shard_error(uint32_t index_number, uint32_t shard,
                                        const Status& status);
std::vector<uint8_t> encode_fetched(const std::vector<FetchedDocument>& documents);
/// `hits`: `documents` JSON objects, separated by commas.
std::vector<uint8_t> encode_page_text(std::string_view hits, size_t documents, bool timed_out);
std::vector<uint8_t> encode_fetch_error(const Status& status);
/// Joins shard replies and the inline fetch reply, which may be empty, into one search reply.
std::vector<uint8_t> join_replies(const std::vector<std::vector<uint8_t>>& shards,
                                  Bytes inline_fetch);

}  // namespace quarry
