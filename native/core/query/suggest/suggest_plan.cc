// Decodes the requests of suggesters, and encodes the reply of a failed request.
#include "query/suggest/suggest_plan.h"

#include <utility>

namespace quarry {
namespace {

enum class LookupKind : uint8_t {
  kAnalyze = 1,
  kCandidates = 2,
  kCounts = 3,
  kComplete = 4,
  kTerms = 5
};

Status malformed_suggest() { return {ErrorType::kParsing, "malformed suggest request"}; }

/// The count of a list whose rows take at least `row_bytes`; fails the reader if they cannot fit.
uint32_t read_row_count(PlanReader& reader, size_t row_bytes) {
  const auto count = reader.get<uint32_t>();
  if (count <= reader.remaining() / row_bytes) return count;
  reader.fail();
  return 0;
}

std::vector<std::string_view> read_strings(PlanReader& reader) {
  std::vector<std::string_view> strings(read_row_count(reader, sizeof(uint32_t)));
  for (std::string_view& one : strings) one = reader.get_string();
  return strings;
}

AnalyzeRequest read_analyze(PlanReader& reader) {
  AnalyzeRequest request;
  request.field = reader.get_string();
  request.analyzer = reader.get_string();
  request.text = reader.get_string();
  return request;
}

CandidatesRequest read_candidates(PlanReader& reader) {
  CandidatesRequest request;
  request.field = reader.get_string();
  request.term = reader.get_string();
  request.edits = reader.get<uint8_t>();
  request.prefix = reader.get<uint32_t>();
  request.most = reader.get<uint32_t>();
  if (request.edits < 1 || request.edits > 2) reader.fail();
  return request;
}

CountsRequest read_counts(PlanReader& reader) {
  CountsRequest request;
  request.field = reader.get_string();
  request.terms = read_strings(reader);
  return request;
}

TermsRequest read_terms(PlanReader& reader) {
  TermsRequest request;
  request.field = reader.get_string();
  request.analyzer = reader.get_string();
  request.most_tokens = reader.get<uint32_t>();
  request.sorted = reader.get<uint8_t>() != 0;
  request.texts = read_strings(reader);
  return request;
}

CompleteRequest read_complete(PlanReader& reader) {
  CompleteRequest request;
  request.field = reader.get_string();
  request.analyzer = reader.get_string();
  request.text = reader.get_string();
  request.size = reader.get<uint32_t>();
  request.skip_duplicates = reader.get<uint8_t>() != 0;
  request.fuzzy = reader.get<uint8_t>() != 0;
  request.edits = reader.get<uint8_t>();
  request.transpositions = reader.get<uint8_t>() != 0;
  request.min_length = reader.get<uint32_t>();
  request.prefix_length = reader.get<uint32_t>();
  request.unicode_aware = reader.get<uint8_t>() != 0;
  if (request.edits > 2) reader.fail();
  return request;
}

bool read_lookup(PlanReader& reader, std::vector<SuggestLookup>& out) {
  switch (reader.get<LookupKind>()) {
    case LookupKind::kAnalyze:
      out.emplace_back(read_analyze(reader));
      break;
    case LookupKind::kCandidates:
      out.emplace_back(read_candidates(reader));
      break;
    case LookupKind::kCounts:
      out.emplace_back(read_counts(reader));
      break;
    case LookupKind::kComplete:
      out.emplace_back(read_complete(reader));
      break;
    case LookupKind::kTerms:
      out.emplace_back(read_terms(reader));
      break;
    default:
      return false;
  }
  return !reader.failed();
}

}  // namespace

Result<SuggestRequest> decode_suggest(Bytes bytes) {
  PlanReader reader(bytes, nullptr);
  SuggestRequest request;
  const auto limit = reader.get<double>();
  if (!(limit >= 0 && limit < 1e15)) return malformed_suggest();
  request.timeout_us = static_cast<uint64_t>(limit);
  const uint32_t shards = read_row_count(reader, sizeof(uint32_t) + sizeof(uint64_t));
  for (uint32_t i = 0; i < shards; i++) {
    const auto shard = reader.get<uint32_t>();
    request.shards[shard] = reader.get<uint64_t>();
  }
  const uint32_t lookups = read_row_count(reader, 1);
  for (uint32_t i = 0; i < lookups; i++)
    if (!read_lookup(reader, request.lookups)) return malformed_suggest();
  request.is_filtered = reader.get<uint8_t>() != 0;
  if (request.is_filtered) {
    const auto now_ms = reader.get<double>();
    if (!(now_ms >= 0 && now_ms < 1e18)) return malformed_suggest();
    request.now_ms = static_cast<int64_t>(now_ms);
    QUARRY_ASSIGN_OR_RETURN(request.filter, read_node(reader));
  }
  if (reader.failed() || !reader.done()) return malformed_suggest();
  return request;
}

std::vector<uint8_t> encode_suggest_error(const Status& status) {
  ByteWriter out;
  out.put(kSuggestMagic);
  out.put(kSuggestVersion);
  out.put(static_cast<uint16_t>(status.type()));
  out.put_string(status.reason());
  out.put_string(status.cause());
  return out.take();
}

}  // namespace quarry
