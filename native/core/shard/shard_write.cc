// The write path of a shard: check, parse, apply to the memtable, append to the log; undone when
// the log refuses.
#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "json/merge.h"
#include "json/value.h"
#include "mapping/vectors/semantic_vectors.h"
#include "shard/shard.h"

namespace quarry {
namespace {

/// The write lock is held for one chunk: at most this many operations or logged bytes, or until a
/// memtable is full.
constexpr size_t kChunkOperations = 256;
constexpr size_t kChunkBytes = size_t{1} << 20;

/// Lucene's limit of documents in one index, applied here to a shard.
constexpr uint64_t kMaxDocuments = 2147483519;

/// Each round adds the fields of one more level of objects; needing more rounds than levels is a
/// bug.
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

/// Embeds the strings of the chunk before its locks are taken, as far as they can be determined (an
/// update depends on the current document), so that the longest part of the write does not block
/// other writers.
void prepare(const Mapping& mapping, std::span<const WriteOperation> operations,
             std::span<const uint32_t> order, PreparedVectors& vectors) {
  vectors.clear();
  if (mapping.semantic_fields().empty()) return;
  size_t bytes = 0;
  for (const uint32_t at : order) {
    if (bytes >= kChunkBytes) return;
    const WriteOperation& operation = operations[at];
    if (operation.type == OpType::kDelete || operation.type == OpType::kUpdate) continue;
    vectors.prepare(mapping, operation.source);
    bytes += operation.source.size();
  }
}

}  // namespace

Status Shard::ready_for_writes() {
  QUARRY_RETURN_IF_ERROR(ensure_open());
  if (needs_recovery_.load()) {
    return {ErrorType::kNotReady, "shard [" + std::to_string(number_) + "] is recovering"};
  }
  if (stopping_.load()) return {ErrorType::kStore, "the index is closed"};
  return {};
}

uint64_t Shard::apply(std::span<Shard* const> shards, std::span<const WriteOperation> operations,
                      std::span<const uint32_t> order, VectorSource& vectors,
                      std::span<WriteOutcome> outcomes) {
  std::vector<Shard*> owners;
  std::vector<uint32_t> accepted;
  for (size_t i = 0; i < order.size(); i++) {
    const Status ready = shards[i]->ready_for_writes();
    if (!ready.ok()) {
      outcomes[order[i]] = WriteOutcome::failed(ready);
      continue;
    }
    owners.push_back(shards[i]);
    accepted.push_back(order[i]);
  }
  if (accepted.empty()) return 0;
  const std::span<Shard* const> all(owners);
  const std::span<const uint32_t> rest(accepted);
  PreparedVectors prepared(vectors);
  for (size_t begin = 0; begin < accepted.size();) {
    begin += apply_chunk(all.subspan(begin), operations, rest.subspan(begin), prepared, outcomes);
  }
  return owners.front()->node_.log->position();
}

/// Applies a first part of `order` under the write locks of all its shards, so that sequence
/// numbers follow the request across shards; each shard logs its part in one frame. Returns the
/// number of operations executed.
size_t Shard::apply_chunk(std::span<Shard* const> owners,
                          std::span<const WriteOperation> operations,
                          std::span<const uint32_t> order, PreparedVectors& vectors,
                          std::span<WriteOutcome> outcomes) {
  const size_t most = std::min(order.size(), kChunkOperations);
  prepare(*owners.front()->index_.mapping(), operations, order.first(most), vectors);
  std::vector<Shard*> involved(owners.begin(), owners.begin() + static_cast<ptrdiff_t>(most));
  const auto by_number = [](const Shard* a, const Shard* b) { return a->number_ < b->number_; };
  std::sort(involved.begin(), involved.end(), by_number);
  involved.erase(std::unique(involved.begin(), involved.end()), involved.end());
  size_t count = 0;
  {
    // Ascending by shard number, which prevents deadlocks between writers.
    std::vector<std::unique_lock<std::mutex>> locks;
    for (Shard* shard : involved) {
      locks.emplace_back(shard->write_mutex_);
      shard->frame_.clear();
      shard->undo_.clear();
      shard->chunk_.clear();
      shard->vectors_ = &vectors;
    }
    WalWriter& log = *owners.front()->node_.log;
    const Status block = log.state();
    const uint64_t position = log.position();
    size_t bytes = 0;
    bool is_full = false;
    while (count < most && bytes < kChunkBytes && !is_full) {
      Shard& shard = *owners[count];
      const uint32_t at = order[count++];
      const size_t before = shard.frame_.size();
      outcomes[at] = shard.apply_one(operations[at], block);
      shard.chunk_.push_back(at);
      bytes += shard.frame_.size() - before;
      // Multi-fields make a hundred times the bytes of a document; relieve() flushes from here on.
      is_full = shard.active_->memory_bytes() >= 2 * shard.flush_from();
    }
    for (Shard* shard : involved) shard->log_chunk(operations, outcomes, block, position);
  }
  for (Shard* shard : involved) {
    // The outcomes already contain the error; this marks the shard as damaged.
    static_cast<void>(shard->verify_read(shard->current()->entries));
    shard->relieve();
  }
  return count;
}

/// Appends the operations that apply_one() added to frame_ to the log. `block`: the reason why only
/// deletes were accepted, or Ok when all operations were.
void Shard::log_chunk(std::span<const WriteOperation> operations, std::span<WriteOutcome> outcomes,
                      const Status& block, uint64_t position) {
  const Status refused = append_chunk(outcomes, !block.ok(), position);
  if (refused.type() == ErrorType::kClusterBlock && block.ok()) {
    // No disk space for the chunk: deletes, which free space, are retried alone.
    frame_.clear();
    undo_.clear();
    for (const uint32_t at : chunk_) outcomes[at] = apply_one(operations[at], refused);
    // The outcomes contain the result.
    static_cast<void>(append_chunk(outcomes, true, position));
  }
  for (const uint32_t at : chunk_) {
    if (!outcomes[at].error.ok()) counters_.add(Total::kFailed);
  }
  update_marks();
}

/// Appends frame_ to the log, or undoes its operations and sets their outcomes to failed.
Status Shard::append_chunk(std::span<WriteOutcome> outcomes, bool deletes_only, uint64_t position) {
  // Parts of segments that could not be read were treated as absent.
  const Status read = sound(current_->entries);
  if (frame_.empty() && read.ok()) return {};
  // Set before the append, so that a concurrent release of the log keeps these operations.
  first_unflushed_.store(std::min(first_unflushed_.load(), position));
  const Result<uint64_t> logged =
      read.ok() ? node_.log->append(frame_, deletes_only) : Result<uint64_t>(read);
  if (logged.ok()) {
    active_->cover(last_seq_no_, position);
    return {};
  }
  for (size_t i = undo_.size(); i-- > 0;) active_->undo(undo_[i]);
  for (const uint32_t at : chunk_) {
    if (outcomes[at].error.ok()) outcomes[at] = WriteOutcome::failed(logged.status());
  }
  return logged.status();
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

/// Parses and embeds into parsed_, with the mapping as extended by the document. The extended
/// mapping is not visible yet, because the document may still be refused.
Result<GrownMapping> Shard::parse(std::string_view source, std::string_view id) {
  GrownMapping mapping;
  mapping.after = index_.mapping();
  vectors_->start_document();
  for (uint32_t round = 0; round < kMappingRounds; round++) {
    QUARRY_RETURN_IF_ERROR(parse_document(*mapping.after, source, parsed_, id));
    if (parsed_.dynamic_mapping.empty()) {
      QUARRY_RETURN_IF_ERROR(embed_document(*mapping.after, id, *vectors_, parsed_));
    }
    if (parsed_.dynamic_mapping.empty()) return mapping;
    if (mapping.updates.empty()) mapping.before = mapping.after;
    QUARRY_ASSIGN_OR_RETURN(mapping.after, mapping.after->merge(parsed_.dynamic_mapping));
    mapping.updates.push_back(std::move(parsed_.dynamic_mapping));
  }
  return Status(ErrorType::kInternal, "the mapping does not settle for a document");
}

/// Makes the mapping changes of the document in parsed_ visible, after a trial memtable has
/// accepted the document: from then on it is not refused. Parses the document again when the
/// mapping of the index has changed in the meantime, which happens at most as often as fields can
/// be added.
Status Shard::grow(GrownMapping& mapping, std::string_view id, std::string_view source,
                   std::string_view routing) {
  parsed_.routing = routing;
  while (!mapping.updates.empty()) {
    Memtable trial(0);
    QUARRY_RETURN_IF_ERROR(
        trial.add(mapping.after, parsed_, id, hash64(id), source, {}, nullptr).status());
    QUARRY_ASSIGN_OR_RETURN(const bool shown, index_.grow_mapping(mapping));
    if (shown) return {};
    QUARRY_ASSIGN_OR_RETURN(mapping, parse(source, id));
    parsed_.routing = routing;
  }
  return {};
}

/// The document outside the active memtable that the operation replaces.
std::optional<PendingDelete> Shard::older_document(const Located& at) const {
  if (at.place == Located::Place::kFrozen) {
    return PendingDelete{frozen_->uid(), PendingDelete::kUnknownDoc, {}};
  }
  if (at.place != Located::Place::kSegment) return std::nullopt;
  return PendingDelete{current_->entries[at.entry].uid, at.doc, {}};
}

/// Adds the document in parsed_ to the active memtable.
Status Shard::store_document(const std::shared_ptr<const Mapping>& mapping, std::string_view id,
                             std::string_view source, const DocVersion& version,
                             const Located& at) {
  const std::optional<PendingDelete> older = older_document(at);
  QUARRY_ASSIGN_OR_RETURN(
      const Memtable::Undo undo,
      active_->add(mapping, parsed_, id, at.hash, source, version, older ? &*older : nullptr));
  undo_.push_back(undo);
  return {};
}

void Shard::store_delete(std::string_view id, const DocVersion& version, const Located& at) {
  const std::optional<PendingDelete> older = older_document(at);
  undo_.push_back(
      active_->remove(id, at.hash, version, node_.clock->wall_ms(), older ? &*older : nullptr));
}

WriteOutcome Shard::write_document(const WriteOperation& operation, const Located& at,
                                   std::string_view source, std::string_view routing) {
  parsed_.chosen_templates = operation.dynamic_templates;
  Result<GrownMapping> mapping = parse(source, operation.id);
  const Result<uint64_t> version = next_version(operation, at.current);
  // A document that fails the version check was not embedded, so the version conflict is reported.
  const bool not_embedded = mapping.status().type() == ErrorType::kVersionConflict;
  if (!mapping.ok() && (version.ok() || !not_embedded)) {
    return WriteOutcome::failed(mapping.status());
  }
  if (!version.ok()) return WriteOutcome::failed(version.status());
  if (documents_ + active_->slots() + parsed_.nested.size() >= kMaxDocuments) {
    return WriteOutcome::failed(
        {ErrorType::kIllegalArgument,
         "number of documents in the shard cannot exceed [" + std::to_string(kMaxDocuments) + "]"});
  }
  Status status = grow(*mapping, operation.id, source, routing);
  if (!status.ok()) return WriteOutcome::failed(std::move(status));
  const DocVersion stored{*version, index_.next_seq_no(), kPrimaryTerm};
  status = store_document(mapping->after, operation.id, source, stored, at);
  if (!status.ok()) return WriteOutcome::failed(std::move(status));
  last_seq_no_ = stored.seq_no;
  const std::vector<uint8_t> taken = vectors_->taken();
  const auto type = taken.empty() ? WalRecordType::kIndex : WalRecordType::kIndexWithVectors;
  frame_.add({type,
              index_number_,
              number_,
              stored.seq_no,
              stored.version,
              stored.primary_term,
              operation.id,
              routing,
              source,
              as_text(taken),
              {}});
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
  frame_.add({WalRecordType::kDelete,
              index_number_,
              number_,
              stored.seq_no,
              stored.version,
              stored.primary_term,
              operation.id,
              {},
              {},
              {},
              {}});
  counters_.add(Total::kDeleted);
  if (at.current.exists()) return done(WriteResult::kDeleted, kOk, stored);
  return done(WriteResult::kNotFound, kNotFoundStatus, stored);
}

/// Reads the current document, merges, and writes the result as a whole document.
WriteOutcome Shard::update_document(WriteOperation operation, const Located& at) {
  Result<UpdateRequest> request = read_update_request(operation.source);
  if (!request.ok()) return WriteOutcome::failed(request.status());
  const std::string_view spec = request->source.empty() ? operation.source_filter : request->source;
  Result<std::optional<SourceFilter>> filter = read_source_spec(spec);
  if (!filter.ok()) return WriteOutcome::failed(filter.status());
  if (request->if_seq_no) operation.if_seq_no = request->if_seq_no;
  if (request->if_primary_term) operation.if_primary_term = request->if_primary_term;
  if (const Status valid = check_condition(operation, *request); !valid.ok())
    return WriteOutcome::failed(valid);

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

/// The document after the update; `changed` is false when detect_noop finds no change.
Result<MergedDocument> Shard::merge_update(const WriteOperation& operation,
                                           const UpdateRequest& request, const Located& at,
                                           StoredDocument& existing) const {
  if (at.current.exists()) QUARRY_RETURN_IF_ERROR(read_document(at, existing));
  return apply_update(operation, request, at.current, existing.source);
}

/// A writer that is faster than the background work does part of it, so that memory stays bounded.
void Shard::relieve() {
  if (unflushed_bytes_.load() < 2 * flush_from()) return;
  const std::unique_lock lock(flush_mutex_, std::try_to_lock);
  if (!lock.owns_lock()) {
    // Another thread is flushing. A refresh at least compacts the memtable.
    static_cast<void>(refresh());
    return;
  }
  // A failure is reported by the next requested flush.
  static_cast<void>(flush_now());
}

}  // namespace quarry
