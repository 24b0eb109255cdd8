// Writes: operations are grouped by index, in slices, so that a large body needs little memory beside itself.
#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/engine_impl.h"

namespace quarry {
namespace {

constexpr size_t kSlice = 4096;  // operations

}  // namespace

/// Operations on their way to their shards, and the answer so far.
struct EngineImpl::Batch {
  std::vector<AddressedOperation> items;  // of the current slice
  ByteWriter replies;
  uint32_t count = 0;
  uint64_t position = 0;
  std::unordered_map<uint32_t, std::shared_ptr<Index>> indices;
  std::vector<TouchedShard> touched;

  WriteReply finish() {
    return {encode_items(position, touched, count, replies.view()), position};
  }
  void touch(uint32_t index, uint32_t shard) {
    const bool known = std::any_of(touched.begin(), touched.end(), [&](const TouchedShard& other) {
      return other.index == index && other.shard == shard;
    });
    if (!known) touched.push_back({index, shard});
  }
};

/// What only the engine sees: an index that is gone, a name that is no alias, a routing that is required.
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
    item.refusal = Status(ErrorType::kRoutingMissing, "routing is required for [" + index->name() +
                                                          "]/[" + std::string(item.operation.id) +
                                                          "]");
  }
}

/// Executes the slice in batch.items and appends its replies in order.
void EngineImpl::run_batch(Batch& batch) {
  struct Group {  // of one index
    std::vector<Shard*> shards;
    std::vector<uint32_t> order;
  };
  std::map<uint32_t, Group> groups;
  std::deque<std::string> made_ids;
  std::vector<WriteOperation> operations;
  std::vector<WriteOutcome> outcomes(batch.items.size());
  std::vector<uint32_t> shards(batch.items.size());
  operations.reserve(batch.items.size());
  for (uint32_t i = 0; i < batch.items.size(); i++) {
    AddressedOperation& item = batch.items[i];
    WriteOperation& operation = item.operation;
    if (operation.auto_id && operation.id.empty()) operation.id = made_ids.emplace_back(ids_.next());
    auto found = batch.indices.find(item.index);
    if (found == batch.indices.end()) {
      found = batch.indices.emplace(item.index, indices_.find(item.index)).first;
    }
    if (item.refusal.ok()) refuse_misdirected(item, found->second);
    operations.push_back(operation);
    if (!item.refusal.ok()) {
      outcomes[i] = WriteOutcome::failed(item.refusal);
      continue;
    }
    Index* index = found->second.get();
    shards[i] = index->shard_of(operation.id, operation.routing);
    Group& group = groups[item.index];
    group.shards.push_back(&index->shard(shards[i]));
    group.order.push_back(i);
    batch.touch(item.index, shards[i]);
  }
  for (const auto& [number, group] : groups) {
    const uint64_t position = Shard::apply(group.shards, operations, group.order, outcomes);
    batch.position = std::max(batch.position, position);
  }
  for (uint32_t i = 0; i < batch.items.size(); i++) {
    const AddressedOperation& item = batch.items[i];
    const bool refused = item.index == kNoIndex;
    put_item(batch.replies, {operations[i].type, item.index, shards[i],
                             refused ? item.name : std::string_view(), operations[i].id,
                             &outcomes[i]});
  }
  batch.count += static_cast<uint32_t>(batch.items.size());
  batch.items.clear();
}

Result<WriteReply> EngineImpl::bulk(Bytes request, Bytes ndjson) {
  const Result<BulkRequest> body = BulkRequest::read(request, ndjson);
  if (!body.ok()) return WriteReply{encode_items_error(body.status()), 0};
  const std::vector<std::string_view> missing = body->missing_names();
  if (!missing.empty()) return WriteReply{encode_missing_names(missing), 0};
  Batch batch;
  for (size_t at = 0; at < body->size(); at++) {
    batch.items.push_back(body->operation(at));
    if (batch.items.size() == kSlice) run_batch(batch);
  }
  run_batch(batch);
  return batch.finish();
}

Result<WriteReply> EngineImpl::write(Bytes bytes) {
  Result<std::vector<AddressedOperation>> operations = read_operations(bytes);
  if (!operations.ok()) return WriteReply{encode_items_error(operations.status()), 0};
  Batch batch;
  batch.items = std::move(operations).value();
  run_batch(batch);
  return batch.finish();
}

}  // namespace quarry
