// Decodes the requests of suggesters, and encodes the reply of a failed request.
#include "query/suggest/suggest_plan.h"

#include <utility>

namespace quarry {
namespace {

enum class AskKind : uint8_t { kAnalyze = 1, kCandidates = 2, kCounts = 3, kComplete = 4 };

Status malformed_suggest() {
  return {ErrorType::kParsing, "malformed_suggest request of a suggester"};
}

/// The count of a list whose rows take at least `row_bytes`; fails the reader if they cannot fit.
uint32_t read_row_count(ByteReader& reader, size_t row_bytes) {
  const auto count = reader.get<uint32_t>();
  if (count <= reader.remaining() / row_bytes) return count;
  reader.seek(SIZE_MAX);
  return 0;
}

AnalyzeAsk read_analyze(ByteReader& reader) {
  AnalyzeAsk ask;
  ask.field = reader.get_string();
  ask.analyzer = reader.get_string();
  ask.text = reader.get_string();
  return ask;
}

CandidatesAsk read_candidates(ByteReader& reader) {
  CandidatesAsk ask;
  ask.field = reader.get_string();
  ask.term = reader.get_string();
  ask.edits = reader.get<uint8_t>();
  ask.prefix = reader.get<uint32_t>();
  ask.most = reader.get<uint32_t>();
  if (ask.edits < 1 || ask.edits > 2) reader.seek(SIZE_MAX);
  return ask;
}

CountsAsk read_counts(ByteReader& reader) {
  CountsAsk ask;
  ask.field = reader.get_string();
  const uint32_t terms = read_row_count(reader, sizeof(uint32_t));
  ask.terms.reserve(terms);
  for (uint32_t i = 0; i < terms; i++) ask.terms.push_back(reader.get_string());
  return ask;
}

CompleteAsk read_complete(ByteReader& reader) {
  CompleteAsk ask;
  ask.field = reader.get_string();
  ask.analyzer = reader.get_string();
  ask.text = reader.get_string();
  ask.size = reader.get<uint32_t>();
  ask.skip_duplicates = reader.get<uint8_t>() != 0;
  ask.fuzzy = reader.get<uint8_t>() != 0;
  ask.edits = reader.get<uint8_t>();
  ask.transpositions = reader.get<uint8_t>() != 0;
  ask.min_length = reader.get<uint32_t>();
  ask.prefix_length = reader.get<uint32_t>();
  ask.unicode_aware = reader.get<uint8_t>() != 0;
  if (ask.edits > 2) reader.seek(SIZE_MAX);
  return ask;
}

bool read_ask(ByteReader& reader, std::vector<SuggestAsk>& out) {
  switch (reader.get<AskKind>()) {
    case AskKind::kAnalyze:
      out.emplace_back(read_analyze(reader));
      break;
    case AskKind::kCandidates:
      out.emplace_back(read_candidates(reader));
      break;
    case AskKind::kCounts:
      out.emplace_back(read_counts(reader));
      break;
    case AskKind::kComplete:
      out.emplace_back(read_complete(reader));
      break;
    default:
      return false;
  }
  return !reader.failed();
}

}  // namespace

Result<SuggestRequest> decode_suggest(Bytes bytes) {
  ByteReader reader(bytes);
  SuggestRequest request;
  const auto limit = reader.get<double>();
  if (!(limit >= 0 && limit < 1e15)) return malformed_suggest();
  request.timeout_us = static_cast<uint64_t>(limit);
  const uint32_t shards = read_row_count(reader, sizeof(uint32_t) + sizeof(uint64_t));
  for (uint32_t i = 0; i < shards; i++) {
    const auto shard = reader.get<uint32_t>();
    request.shards[shard] = reader.get<uint64_t>();
  }
  const uint32_t asks = read_row_count(reader, 1);
  for (uint32_t i = 0; i < asks; i++)
    if (!read_ask(reader, request.asks)) return malformed_suggest();
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
