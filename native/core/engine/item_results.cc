#include "engine/item_results.h"

namespace quarry {
namespace {

constexpr uint16_t kItemsVersion = 1;

ByteWriter start(const Status& status) {
  ByteWriter out;
  out.put(kItemsMagic);
  out.put(kItemsVersion);
  out.put(status.type());
  return out;
}

void put_counts(ByteWriter& out, uint64_t position, size_t names, uint32_t items, size_t touched) {
  out.put(position);
  out.put(static_cast<uint32_t>(names));
  out.put(items);
  out.put(static_cast<uint32_t>(touched));
  out.put(uint32_t{0});
}

}  // namespace

void put_item(ByteWriter& out, const ItemReply& item) {
  const WriteOutcome& outcome = *item.outcome;
  out.put(item.op);
  out.put(outcome.result);
  out.put(outcome.http_status);
  out.put(item.index);
  out.put(item.shard);
  out.put(outcome.primary_term);
  out.put(outcome.version);
  out.put(outcome.seq_no);
  out.put_string(item.name);
  out.put_string(item.id);
  out.put(outcome.error.type());
  if (!outcome.error.ok()) {
    out.put_string(outcome.error.reason());
    out.put_string(outcome.error.cause());
  }
  out.put_string(outcome.get_source);
}

std::vector<uint8_t> encode_items(uint64_t position, const std::vector<TouchedShard>& touched,
                                  uint32_t count, Bytes items) {
  ByteWriter out = start(Status());
  put_counts(out, position, 0, count, touched.size());
  for (const TouchedShard& shard : touched) {
    out.put(shard.index);
    out.put(shard.shard);
  }
  out.put_bytes(items);
  return out.take();
}

std::vector<uint8_t> encode_missing_names(const std::vector<std::string_view>& names) {
  ByteWriter out = start(Status());
  put_counts(out, 0, names.size(), 0, 0);
  for (const std::string_view name : names) out.put_string(name);
  return out.take();
}

std::vector<uint8_t> encode_items_error(const Status& status) {
  ByteWriter out = start(status);
  out.put_string(status.reason());
  out.put_string(status.cause());
  return out.take();
}

}  // namespace quarry
