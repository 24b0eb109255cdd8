// The write path of a shard: check, parse, apply to the memtable, log; taken back when the log refuses.
#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "json/merge.h"
#include "json/value.h"
#include "shard/shard.h"

namespace quarry {
namespace {

/// The write lock is held for one chunk: at most so many operations or logged bytes.
constexpr size_t kChunkOperations = 256;
constexpr size_t kChunkBytes = size_t{1} << 20;

/// Lucene's limit of documents in one index, which is a shard here.
constexpr uint64_t kMaxDocuments = 2147483519;

/// Each round adds the fields of one more level of objects; more rounds than levels are a bug.
constexpr uint32_t kMappingRounds = kMaxJsonDepth + 2;

constexpr uint16_t kOk = 200;
constexpr uint16_t kCreatedStatus = 201;
constexpr uint16_t kNotFoundStatus = 404;

WriteOutcome done(WriteResult result, uint16_t http_status, const DocVersion& version) {
  WriteOutcome outcome;
  outcome.result = result;
  outcome.http_status = http_status;
  outcome.primary_term = version.primary_term;
  outcome.version = version.version;
  outcome.seq_no = version.seq_no;
  return outcome;
}

}  // namespace

uint64_t Shard::apply(std::span<const WriteOperation> operations, std::span<const uint32_t> order,
                      std::span<WriteOutcome> outcomes) {
  Status ready = ensure_open();
  if (ready.ok() && needs_recovery_.load()) {
    ready = Status(ErrorType::kNotReady, "shard [" + std::to_string(number_) + "] is recovering");
  }
  if (ready.ok() && stopping_.load()) ready = Status(ErrorType::kStore, "the index is closed");
  if (!ready.ok()) {
    for (const uint32_t at : order) outcomes[at] = WriteOutcome::failed(ready);
    return 0;
  }
  for (size_t begin = 0; begin < order.size();) {
    const std::span<const uint32_t> rest = order.subspan(begin);
    Status block = node_.log->state();
    Status refused;
    size_t count = apply_chunk(operations, rest, outcomes, block, refused);
    if (refused.type() == ErrorType::kClusterBlock && block.ok()) {
      // No room for all of it: deletes, which make room, get another chance alone.
      block = refused;
      count = apply_chunk(operations, rest.first(count), outcomes, block, refused);
    }
    begin += count;
    relieve();
  }
  return node_.log->position();
}

/// Applies a first part of `order` and logs it in one frame. `block`: why only deletes are accepted (Ok: all
/// are). `refused`: why the log did not take the frame; then nothing was applied. Returns the operations done.
size_t Shard::apply_chunk(std::span<const WriteOperation> operations,
                          std::span<const uint32_t> order, std::span<WriteOutcome> outcomes,
                          const Status& block, Status& refused) {
  const std::lock_guard lock(write_mutex_);
  frame_.clear();
  undo_.clear();
  const uint64_t position = node_.log->position();
  size_t count = 0;
  while (count < order.size() && count < kChunkOperations && frame_.size() < kChunkBytes) {
    const uint32_t at = order[count++];
    outcomes[at] = apply_one(operations[at], block);
    if (!outcomes[at].error.ok()) counters_.add(Total::kFailed);
  }
  refused = Status();
  if (frame_.empty()) return count;
  // Before the append: a release of the log must never miss the operations that are in it.
  first_unflushed_.store(std::min(first_unflushed_.load(), position));
  const Result<uint64_t> logged = node_.log->append(frame_, !block.ok());
  if (logged.ok()) {
    active_->cover(last_seq_no_, position);
  } else {
    refused = logged.status();
    for (size_t i = undo_.size(); i-- > 0;) active_->undo(undo_[i]);
    for (const uint32_t at : order.first(count)) {
      if (outcomes[at].error.ok()) outcomes[at] = WriteOutcome::failed(refused);
    }
  }
  update_marks();
  return count;
}

WriteOutcome Shard::apply_one(const WriteOperation& operation, const Status& block) {
  const bool removes = operation.type == OpType::kDelete;
  if (!block.ok() && (!removes || block.type() != ErrorType::kClusterBlock)) {
    return WriteOutcome::failed(block);
  }
  const uint64_t hash = hash64(operation.id);
  Located at;
  at.hash = hash;
  if (!operation.auto_id) at = locate(operation.id, hash);
  switch (operation.type) {
    case OpType::kDelete:
      return delete_document(operation, at);
    case OpType::kUpdate:
      return update_document(operation, at);
    default:
      return write_document(operation, at, operation.source, operation.routing);
  }
}

/// Parses into parsed_, growing the mapping by what the document brings.
Result<std::shared_ptr<const Mapping>> Shard::parse(std::string_view source, std::string_view id) {
  std::shared_ptr<const Mapping> mapping = index_.mapping();
  for (uint32_t round = 0; round < kMappingRounds; round++) {
    QUARRY_RETURN_IF_ERROR(parse_document(*mapping, source, parsed_, id));
    if (parsed_.dynamic_mapping.empty()) return mapping;
    QUARRY_ASSIGN_OR_RETURN(mapping, index_.grow_mapping(parsed_.dynamic_mapping));
  }
  return Status(ErrorType::kInternal, "the mapping does not settle for a document");
}

/// What the operation replaces outside the active memtable.
std::optional<PendingDelete> Shard::older_document(const Located& at) const {
  if (at.place == Located::Place::kFrozen) {
    return PendingDelete{frozen_->uid(), PendingDelete::kUnknownDoc, {}};
  }
  if (at.place != Located::Place::kSegment) return std::nullopt;
  return PendingDelete{current_->entries[at.entry].uid, at.doc, {}};
}

/// Puts what is in parsed_ into the active memtable.
Status Shard::store_document(const std::shared_ptr<const Mapping>& mapping, std::string_view id,
                             std::string_view source, const DocVersion& version,
                             const Located& at) {
  const std::optional<PendingDelete> older = older_document(at);
  QUARRY_ASSIGN_OR_RETURN(const Memtable::Undo undo,
                          active_->add(mapping, parsed_, id, at.hash, source, version,
                                       older ? &*older : nullptr));
  undo_.push_back(undo);
  return {};
}

void Shard::store_delete(std::string_view id, const DocVersion& version, const Located& at) {
  const std::optional<PendingDelete> older = older_document(at);
  undo_.push_back(active_->remove(id, at.hash, version, node_.clock->wall_ms(),
                                  older ? &*older : nullptr));
}

WriteOutcome Shard::write_document(const WriteOperation& operation, const Located& at,
                                   std::string_view source, std::string_view routing) {
  Result<std::shared_ptr<const Mapping>> mapping = parse(source, operation.id);
  if (!mapping.ok()) return WriteOutcome::failed(mapping.status());
  const Result<uint64_t> version = next_version(operation, at.current);
  if (!version.ok()) return WriteOutcome::failed(version.status());
  if (documents_ + active_->slots() >= kMaxDocuments) {
    return WriteOutcome::failed({ErrorType::kIllegalArgument,
                                 "number of documents in the shard cannot exceed [" +
                                     std::to_string(kMaxDocuments) + "]"});
  }
  parsed_.routing = routing;
  const DocVersion stored{*version, index_.next_seq_no(), kPrimaryTerm};
  Status status = store_document(*mapping, operation.id, source, stored, at);
  if (!status.ok()) return WriteOutcome::failed(std::move(status));
  last_seq_no_ = stored.seq_no;
  frame_.add({WalRecordType::kIndex, index_number_, number_, stored.seq_no, stored.version,
              stored.primary_term, operation.id, routing, source, {}});
  counters_.add(Total::kIndexed);
  if (at.current.exists()) return done(WriteResult::kUpdated, kOk, stored);
  return done(WriteResult::kCreated, kCreatedStatus, stored);
}

WriteOutcome Shard::delete_document(const WriteOperation& operation, const Located& at) {
  const Result<uint64_t> version = next_version(operation, at.current);
  if (!version.ok()) return WriteOutcome::failed(version.status());
  const DocVersion stored{*version, index_.next_seq_no(), kPrimaryTerm};
  store_delete(operation.id, stored, at);
  last_seq_no_ = stored.seq_no;
  frame_.add({WalRecordType::kDelete, index_number_, number_, stored.seq_no, stored.version,
              stored.primary_term, operation.id, {}, {}, {}});
  counters_.add(Total::kDeleted);
  if (at.current.exists()) return done(WriteResult::kDeleted, kOk, stored);
  return done(WriteResult::kNotFound, kNotFoundStatus, stored);
}

/// Reads the current document, merges, and writes the result as a whole document.
WriteOutcome Shard::update_document(WriteOperation operation, const Located& at) {
  Result<UpdateRequest> request = read_update_request(operation.source);
  if (!request.ok()) return WriteOutcome::failed(request.status());
  const std::string_view spec =
      request->source.empty() ? operation.source_filter : request->source;
  const Result<std::optional<SourceFilter>> filter = read_source_spec(spec);
  if (!filter.ok()) return WriteOutcome::failed(filter.status());
  if (request->if_seq_no) operation.if_seq_no = request->if_seq_no;
  if (request->if_primary_term) operation.if_primary_term = request->if_primary_term;

  StoredDocument existing;
  Result<MergedDocument> merged = merge_update(operation, *request, at, existing);
  if (!merged.ok()) return WriteOutcome::failed(merged.status());
  WriteOutcome outcome;
  if (merged->changed) {
    const std::string_view routing =
        operation.routing.empty() ? std::string_view(existing.routing) : operation.routing;
    operation.if_seq_no.reset();
    operation.if_primary_term.reset();
    operation.type = OpType::kIndex;
    outcome = write_document(operation, at, merged->source, routing);
  } else {
    counters_.add(Total::kNoops);
    outcome = done(WriteResult::kNoop, kOk, at.current.version);
  }
  if (!outcome.error.ok() || !*filter) return outcome;
  const Status filtered = (*filter)->apply(merged->source, outcome.get_source);
  return filtered.ok() ? outcome : WriteOutcome::failed(filtered);
}

/// The document after the update; `changed` false when detect_noop finds nothing to do.
Result<MergedDocument> Shard::merge_update(const WriteOperation& operation,
                                           const UpdateRequest& request, const Located& at,
                                           StoredDocument& existing) const {
  const bool doc_as_upsert = request.doc_as_upsert || operation.doc_as_upsert;
  if (!at.current.exists()) {
    if (doc_as_upsert) return MergedDocument{std::string(request.doc), true};
    if (!request.upsert.empty()) return MergedDocument{std::string(request.upsert), true};
    return Status(ErrorType::kDocumentMissing,
                  "[" + std::string(operation.id) + "]: document missing");
  }
  QUARRY_RETURN_IF_ERROR(check_seq_no(operation, at.current));
  QUARRY_RETURN_IF_ERROR(read_document(at, existing));
  QUARRY_ASSIGN_OR_RETURN(MergedDocument merged, merge_documents(existing.source, request.doc));
  if (!request.detect_noop || !operation.detect_noop) merged.changed = true;
  if (!merged.changed) merged.source = existing.source;
  return merged;
}

/// Writers that outrun the background work do some of it: memory stays bounded.
void Shard::relieve() {
  if (unflushed_bytes_.load() < 2 * node_.memtable_bytes) return;
  const std::unique_lock lock(maintenance_mutex_, std::try_to_lock);
  if (!lock.owns_lock()) {
    // Somebody flushes or merges. A refresh at least packs the memtable.
    static_cast<void>(refresh());
    return;
  }
  // A failure shows where it matters: at the next flush that somebody asks for.
  static_cast<void>(flush_now());
}

}  // namespace quarry
