// Lists the strings of a write request that must be embedded remotely before it is written.
#include "engine/engine_impl.h"
#include "shard/pending_texts.h"

namespace quarry {

/// Refused operations have no strings to embed.
void EngineImpl::note_texts(AddressedOperation& item, PendingTexts& texts) {
  if (!item.refusal.ok()) return;
  const Result<std::shared_ptr<Index>> found = indices_.find(item.index);
  if (!found.ok()) return;
  refuse_misdirected(item, *found);
  if (!item.refusal.ok()) return;
  Index& index = **found;
  Shard& shard = index.shard(index.shard_of(item.operation.id, item.operation.routing));
  if (!shard.needs_recovery()) texts.add(item.operation, item.index, index, shard);
}

Result<std::vector<uint8_t>> EngineImpl::pending_texts(Bytes request, Bytes ndjson) {
  PendingTexts texts;
  ByteReader magic(request);
  if (magic.get<uint32_t>() == kOpsMagic) {
    Result<std::vector<AddressedOperation>> operations = read_operations(request);
    if (!operations.ok()) return texts.encode();
    for (AddressedOperation& item : *operations) note_texts(item, texts);
    return texts.encode();
  }
  const Result<BulkRequest> body = BulkRequest::read(request, ndjson);
  if (!body.ok() || !body->missing_names().empty()) return texts.encode();
  for (size_t at = 0; at < body->size(); at++) {
    AddressedOperation item = body->operation(at);
    note_texts(item, texts);
  }
  return texts.encode();
}

}  // namespace quarry
