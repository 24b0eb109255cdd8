// Replay of the log at start: operations above the checkpoint are added to the memtable.
#include <utility>

#include "base/hash.h"
#include "json/value.h"
#include "mapping/vectors/semantic_vectors.h"
#include "mapping/vectors/vector_table.h"
#include "shard/shard.h"
#include "wal/log_record.h"

namespace quarry {

void Shard::add_replay(const ReplayRecord& record) {
  if (replay_from_.load() == Memtable::kNoPosition) {
    replay_from_.store(record.position);
    first_unflushed_.store(record.position);
  }
  // A damaged shard cannot replay its records; they stay in the log until the shard is repaired.
  if (damaged()) return;
  replay_.push_back(record);
  replay_total_.fetch_add(1);
  needs_recovery_.store(true);
}

Status Shard::recover() {
  const std::lock_guard replay_lock(replay_mutex_);
  if (Status status = ensure_open(); !status.ok()) {
    // When the shard is damaged, every call on it reports the damage and the records are dropped
    // from memory. Other errors may be temporary, and the records are still needed.
    if (status.type() == ErrorType::kCorrupt) {
      replay_ = {};
      needs_recovery_.store(false);
    }
    return status;
  }
  if (!needs_recovery_.load()) return {};
  const std::lock_guard lock(publish_mutex_);
  EmbedderPool::Lease embedder = EmbedderPool::lend(node_.embedders);
  for (const ReplayRecord& record : replay_) {
    if (stopping_.load()) return {ErrorType::kStore, "the index is closed"};
    uint64_t bytes = 0;
    {
      const std::lock_guard write_lock(write_mutex_);
      QUARRY_RETURN_IF_ERROR(replay(record, *embedder));
      bytes = active_->memory_bytes();
    }
    replay_done_.fetch_add(1);
    if (bytes >= node_.memtable_bytes) QUARRY_RETURN_IF_ERROR(refresh_once().status());
  }
  QUARRY_RETURN_IF_ERROR(refresh_once().status());
  counters_.add(Total::kReplayed, replay_.size());
  replay_ = {};
  {
    const std::lock_guard write_lock(write_mutex_);
    replay_from_.store(Memtable::kNoPosition);
    update_marks();
  }
  needs_recovery_.store(false);
  return {};
}

/// The caller holds write_mutex_. A record that was already applied changes nothing.
Status Shard::replay(const ReplayRecord& replayed, LexicalEmbedder& embedder) {
  ByteReader reader(replayed.encoded);
  WalRecord record;
  if (!decode_record(reader, record)) {
    return {ErrorType::kInternal,
            "a log record of shard [" + segment_files_.dir() + "] cannot be read any more"};
  }
  const Located at = locate(record.id, hash64(record.id));
  if (at.current.known && at.current.version.seq_no >= record.seq_no) return {};
  const DocVersion version{record.version, record.seq_no, record.primary_term};
  undo_.clear();
  if (record.type == WalRecordType::kDelete) {
    store_delete(record.id, version, at);
  } else {
    const std::shared_ptr<const Mapping> mapping = parse_and_embed_leniently(record, embedder);
    parsed_.routing = record.routing;
    Status stored = store_document(mapping, record.id, record.body, version, at);
    if (!stored.ok()) {
      // A field refuses the document under the current mapping; the document itself must be kept.
      parsed_.clear();
      parsed_.routing = record.routing;
      stored = store_document(mapping, record.id, record.body, version, at);
    }
    QUARRY_RETURN_IF_ERROR(stored);
  }
  last_seq_no_ = record.seq_no;
  active_->cover(record.seq_no, replayed.position);
  return {};
}

/// Like parse_leniently(), and adds the vectors of the parsed document, including those in the
/// record. A document that has no vectors any more is searched by its terms only.
std::shared_ptr<const Mapping> Shard::parse_and_embed_leniently(const WalRecord& record,
                                                                LexicalEmbedder& embedder) {
  std::shared_ptr<const Mapping> mapping = parse_leniently(record.body);
  const Result<VectorTable> carried = VectorTable::read(as_bytes(record.vectors));
  if (!carried.ok()) return mapping;
  TableVectors vectors(embedder, *carried);
  const Status status = embed_document(*mapping, record.id, vectors, parsed_);
  return status.ok() ? mapping : parse_leniently(record.body);
}

namespace {

/// The members of an object that can be parsed, as one object. Empty when `source` is not an
/// object.
std::string parsable_part(const Mapping& mapping, std::string_view source,
                          ParsedDocument& scratch) {
  const Result<JsonValue> document = JsonValue::parse(source);
  if (!document.ok() || !document->is_object()) return {};
  JsonValue kept = JsonValue::object();
  for (const JsonValue::Member& member : document->members()) {
    const std::string alone = JsonValue::object({member}).to_json();
    const Status status = parse_document(mapping, alone, scratch);
    if (status.ok() && scratch.dynamic_mapping.empty()) kept.set(member.first, member.second);
  }
  return kept.to_json();
}

}  // namespace

/// Parses into parsed_. The mapping may have changed since the document was accepted: members that
/// no longer fit are not indexed, and the source is kept whole.
std::shared_ptr<const Mapping> Shard::parse_leniently(std::string_view source) {
  std::shared_ptr<const Mapping> mapping = index_.mapping();
  Status status = parse_document(*mapping, source, parsed_);
  if (status.ok() && !parsed_.dynamic_mapping.empty()) {
    if (auto grown = index_.replay_mapping(parsed_.dynamic_mapping); grown.ok()) {
      mapping = *grown;
      status = parse_document(*mapping, source, parsed_);
    }
  }
  if (status.ok() && parsed_.dynamic_mapping.empty()) return mapping;
  lenient_source_ = parsable_part(*mapping, source, parsed_);
  if (!parse_document(*mapping, lenient_source_, parsed_).ok()) parsed_.clear();
  return mapping;
}

}  // namespace quarry
