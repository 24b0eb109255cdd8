// Writes: operations are grouped by index, in slices, so that a large body needs little memory in
// addition to its own.
#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/engine_impl.h"
#include "mapping/vectors/vector_table.h"

namespace quarry {
namespace {

constexpr size_t kSlice = 4096;  // operations

}  // namespace

/// The operations of a request, processed slice by slice, and the reply so far.
struct EngineImpl::Batch {
  Batch(EmbedderPool& embedders, const VectorTable& table)
      : embedder(EmbedderPool::lend(&embedders)), vectors(*embedder, table) {}

  EmbedderPool::Lease embedder;
  TableVectors vectors;
  // The current slice; the vectors have one entry per operation.
  std::vector<AddressedOperation> items;
  std::vector<WriteOperation> operations;
  std::vector<WriteOutcome> outcomes;
  std::vector<uint32_t> shards;
  std::deque<std::string> made_ids;
  struct Group {  // of one index
    std::vector<Shard*> shards;
    std::vector<uint32_t> order;
  };
  std::map<uint32_t, Group> groups;

  // State of the whole request.
  ByteWriter replies;
  uint32_t count = 0;
  uint64_t position = 0;
  std::unordered_map<uint32_t, std::shared_ptr<Index>> indices;
  std::vector<TouchedShard> touched;
  std::unordered_set<uint64_t> seen;  // the keys of `touched`

  void touch(uint32_t index, uint32_t shard) {
    const uint64_t key = uint64_t{index} << 32 | shard;
    if (seen.insert(key).second) touched.push_back({index, shard});
  }
  void answer_slice();
  WriteReply finish() { return {encode_items(position, touched, count, replies.view()), position}; }
};

/// Appends the replies of the slice in order and clears it for the next one.
void EngineImpl::Batch::answer_slice() {
  for (uint32_t i = 0; i < items.size(); i++) {
    const AddressedOperation& item = items[i];
    const bool refused = item.index == kNoIndex;
    put_item(replies, {operations[i].type, item.index, shards[i],
                       refused ? item.name : std::string_view(), operations[i].id, &outcomes[i]});
  }
  count += static_cast<uint32_t>(items.size());
  items.clear();
  operations.clear();
  made_ids.clear();
  groups.clear();
}

/// The refusals that depend on the engine's state: a dropped index, a name that is not an alias, a
/// missing required routing.
void EngineImpl::refuse_misdirected(AddressedOperation& item,
                                    const std::shared_ptr<Index>& index) const {
  if (index == nullptr) {
    const std::string name =
        item.name.empty() ? std::to_string(item.index) : std::string(item.name);
    item.refusal = Status(ErrorType::kIndexNotFound, "no such index [" + name + "]");
    return;
  }
  if (item.require_alias && index->name() == item.name) {
    item.refusal = not_an_alias(item.name);
    item.index = kNoIndex;
    return;
  }
  if (item.operation.routing.empty() && index->mapping()->routing_required()) {
    item.refusal =
        Status(ErrorType::kRoutingMissing, "routing is required for [" + index->name() + "]/[" +
                                               std::string(item.operation.id) + "]");
  }
}

/// Generates the id if it is missing, and adds the operation to the group of its index unless it is
/// refused.
void EngineImpl::direct(Batch& batch, uint32_t at) {
  AddressedOperation& item = batch.items[at];
  WriteOperation& operation = item.operation;
  if (operation.auto_id && operation.id.empty()) {
    operation.id = batch.made_ids.emplace_back(ids_.next());
  }
  auto found = batch.indices.find(item.index);
  if (found == batch.indices.end()) {
    Result<std::shared_ptr<Index>> index = indices_.find(item.index);
    if (!index.ok() && item.refusal.ok()) item.refusal = index.status();
    found = batch.indices.emplace(item.index, index.ok() ? *index : nullptr).first;
  }
  if (item.refusal.ok()) refuse_misdirected(item, found->second);
  batch.operations.push_back(operation);
  if (!item.refusal.ok()) {
    batch.outcomes[at] = WriteOutcome::failed(item.refusal);
    return;
  }
  Index& index = *found->second;
  const uint32_t shard = index.shard_of(operation.id, operation.routing);
  batch.shards[at] = shard;
  Batch::Group& group = batch.groups[item.index];
  group.shards.push_back(&index.shard(shard));
  group.order.push_back(at);
  batch.touch(item.index, shard);
}

/// Executes the slice in batch.items.
void EngineImpl::run_slice(Batch& batch) {
  batch.outcomes.assign(batch.items.size(), WriteOutcome());
  batch.shards.assign(batch.items.size(), 0);
  for (uint32_t i = 0; i < batch.items.size(); i++) direct(batch, i);
  for (const auto& [number, group] : batch.groups) {
    const uint64_t position =
        Shard::apply(group.shards, batch.operations, group.order, batch.vectors, batch.outcomes);
    batch.position = std::max(batch.position, position);
  }
  batch.answer_slice();
}

Result<WriteReply> EngineImpl::bulk(Bytes request, Bytes ndjson, Bytes vectors) {
  const Result<BulkRequest> body = BulkRequest::read(request, ndjson);
  if (!body.ok()) return WriteReply{encode_items_error(body.status()), 0};
  const std::vector<std::string_view> missing = body->missing_names();
  if (!missing.empty()) return WriteReply{encode_missing_names(missing), 0};
  const Result<VectorTable> table = VectorTable::read(vectors);
  if (!table.ok()) return WriteReply{encode_items_error(table.status()), 0};
  Batch batch(embedders_, *table);
  for (size_t at = 0; at < body->size(); at++) {
    batch.items.push_back(body->operation(at));
    if (batch.items.size() == kSlice) run_slice(batch);
  }
  run_slice(batch);
  return batch.finish();
}

Result<WriteReply> EngineImpl::write(Bytes bytes, Bytes vectors) {
  Result<std::vector<AddressedOperation>> operations = read_operations(bytes);
  if (!operations.ok()) return WriteReply{encode_items_error(operations.status()), 0};
  const Result<VectorTable> table = VectorTable::read(vectors);
  if (!table.ok()) return WriteReply{encode_items_error(table.status()), 0};
  Batch batch(embedders_, *table);
  batch.items = std::move(operations).value();
  run_slice(batch);
  return batch.finish();
}

}  // namespace quarry
