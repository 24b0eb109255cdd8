// Encodes shard replies, fetch replies and the search reply that contains both.
#include "query/plan/hits.h"

#include <limits>

namespace quarry {
namespace {

constexpr size_t kShardHeaderBytes = 144;
constexpr size_t kFetchHeaderBytes = 32;
constexpr size_t kTimedOutAt = 12;  // offset in the header of a fetch reply
constexpr size_t kTextsAt = 13;
constexpr size_t kAggsAt = 136;

void put_cause(ByteWriter& writer, const Status& status) {
  writer.put_string(status.reason());
  writer.put_string(status.cause());
}

void put_shard_header(ByteWriter& writer, const ShardHits& hits, ErrorType status) {
  const size_t sort_keys = hits.legs.empty() ? 0 : hits.legs[0].sort.size();
  writer.put(kHitsMagic);
  writer.put(kHitsVersion);
  writer.put(static_cast<uint16_t>(status));
  writer.put(hits.generation);
  writer.put(hits.mapping_version);
  writer.put(hits.total);
  writer.put(static_cast<uint8_t>(hits.total_is_lower_bound ? 1 : 0));
  writer.put(static_cast<uint8_t>(hits.timed_out ? 1 : 0));
  writer.put(static_cast<uint8_t>(hits.terminated_early ? 1 : 0));
  writer.put(static_cast<uint8_t>(hits.legs.size()));
  writer.put(hits.index_number);
  writer.put(hits.shard);
  writer.put(static_cast<uint32_t>(sort_keys));
  writer.put(hits.postings.blocks);
  writer.put(hits.docs_scored);
  writer.put(hits.vectors.sketch_distances);
  writer.put(hits.vectors.full_distances);
  writer.put(hits.vectors.exact_distances);
  writer.put(hits.vectors.hops);
  writer.put(hits.vectors.bytes_read);
  writer.put(hits.postings.positions);
  writer.put(hits.postings.bytes);
  writer.put(hits.terms_visited);
  writer.put(hits.docs_sorted);
  // Position and length of the aggregations, patched later if there are any.
  writer.put(uint64_t{0});
}

template <typename T>
void put_column(ByteWriter& writer, const std::vector<T>& values) {
  writer.align(8);
  writer.put_bytes(
      Bytes(reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)));
}

void put_texts(ByteWriter& writer, const std::vector<std::string>& texts) {
  writer.align(8);
  uint32_t end = 0;
  for (const std::string& text : texts) {
    end += static_cast<uint32_t>(text.size());
    writer.put(end);
  }
  for (const std::string& text : texts) writer.put_bytes(text);
}

void put_sort_column(ByteWriter& writer, const SortColumn& column) {
  writer.align(8);
  writer.put(static_cast<uint8_t>(column.kind));
  put_column(writer, column.nulls);
  switch (column.kind) {
    case SortColumnKind::kInt:
    case SortColumnKind::kUnsigned:
    case SortColumnKind::kBoolean:
      put_column(writer, column.ints);
      break;
    case SortColumnKind::kDouble:
    case SortColumnKind::kScore:
      put_column(writer, column.doubles);
      break;
    case SortColumnKind::kString:
      put_texts(writer, column.strings);
      break;
    case SortColumnKind::kFormatted:
      put_texts(writer, column.strings);
      put_texts(writer, column.texts);
      break;
  }
}

void put_fetch_header(ByteWriter& writer, ErrorType status, size_t documents) {
  writer.put(kSourceMagic);
  writer.put(kSourceVersion);
  writer.put(static_cast<uint16_t>(status));
  writer.put(static_cast<uint32_t>(documents));
  while (writer.size() < kFetchHeaderBytes) writer.put(uint8_t{0});
}

}  // namespace

void put_leg(ByteWriter& writer, const LegHits& leg) {
  writer.align(8);
  writer.put(static_cast<uint32_t>(leg.docs.size()));
  writer.put(leg.has_max_score ? leg.max_score : std::numeric_limits<float>::quiet_NaN());
  put_column(writer, leg.scores);
  put_column(writer, leg.docs);
  put_column(writer, leg.seq_nos);
  for (const SortColumn& column : leg.sort) put_sort_column(writer, column);
}

std::vector<uint8_t> encode_shard_hits(const ShardHits& hits) {
  ByteWriter writer;
  writer.reserve(kShardHeaderBytes);
  put_shard_header(writer, hits, ErrorType::kOk);
  for (const LegHits& leg : hits.legs) put_leg(writer, leg);
  if (!hits.aggs.empty()) {
    writer.align(8);
    writer.patch(kAggsAt, static_cast<uint32_t>(writer.size()));
    writer.patch(kAggsAt + 4, static_cast<uint32_t>(hits.aggs.size()));
    writer.put_bytes(Bytes(hits.aggs));
  }
  return writer.take();
}

std::vector<uint8_t> encode_shard_error(uint32_t index_number, uint32_t shard,
                                        const Status& status) {
  ShardHits empty;
  empty.index_number = index_number;
  empty.shard = shard;
  ByteWriter writer;
  put_shard_header(writer, empty, status.type());
  put_cause(writer, status);
  return writer.take();
}

std::vector<uint8_t> encode_fetched(const std::vector<FetchedDocument>& documents) {
  ByteWriter writer;
  put_fetch_header(writer, ErrorType::kOk, documents.size());
  for (const FetchedDocument& document : documents) {
    writer.put(static_cast<uint8_t>(document.found ? 1 : 0));
    writer.put(static_cast<uint8_t>(document.has_source ? 1 : 0));
    writer.put(uint16_t{0});
    writer.put(document.primary_term);
    writer.put(document.version);
    writer.put(document.seq_no);
    writer.put_string(document.id);
    writer.put_string(document.routing);
    writer.put_string(document.source);
    writer.put_string(document.fields);
    writer.put_string(document.ignored);
    writer.put_string(document.matched_queries);
    writer.put_string(document.explanation);
    writer.put_string(document.highlight);
    writer.put_string(document.ignored_values);
    writer.put_string(document.nested);
    writer.put(static_cast<uint32_t>(document.inner_hits.size()));
    for (const InnerHits& inner : document.inner_hits) {
      if (inner.hits.legs.empty()) {
        writer.put_string({});
        continue;
      }
      const std::vector<uint8_t> reply =
          join_replies({encode_shard_hits(inner.hits)}, encode_fetched(inner.documents));
      writer.put_string(as_text(reply));
    }
  }
  return writer.take();
}

std::vector<uint8_t> encode_page_text(std::string_view hits, size_t documents, bool timed_out) {
  ByteWriter writer;
  writer.reserve(kFetchHeaderBytes + sizeof(uint32_t) + hits.size());
  put_fetch_header(writer, ErrorType::kOk, documents);
  writer.patch(kTimedOutAt, static_cast<uint8_t>(timed_out ? 1 : 0));
  writer.patch(kTextsAt, uint8_t{1});
  writer.put_string(hits);
  return writer.take();
}

std::vector<uint8_t> encode_fetch_error(const Status& status) {
  ByteWriter writer;
  put_fetch_header(writer, status.type(), 0);
  put_cause(writer, status);
  return writer.take();
}

std::vector<uint8_t> join_replies(const std::vector<std::vector<uint8_t>>& shards,
                                  Bytes inline_fetch) {
  ByteWriter writer;
  writer.put(kReplyMagic);
  writer.put(static_cast<uint32_t>(shards.size()));
  for (const std::vector<uint8_t>& shard : shards) writer.put(static_cast<uint32_t>(shard.size()));
  for (const std::vector<uint8_t>& shard : shards) {
    writer.align(8);
    writer.put_bytes(Bytes(shard));
  }
  if (!inline_fetch.empty()) {
    writer.align(8);
    writer.put_bytes(inline_fetch);
  }
  return writer.take();
}

}  // namespace quarry
