// Byte formats of the write path, read and written by src/wire/. Little-endian; str = u32 length +
// UTF-8.
//
//   Bulk request: u32 magic "QBLK" (0x4b4c4251), u32 flags (1: every line requires an alias, which
//     the table already reflects; 2: routing follows; others reserved, 0), str default index name
//     (empty: none), u8 default source spec present, str default `_source` JSON, u32 names, per
//     name: str name, u32 index number (UINT32_MAX: refused), then for refused names u16 error
//     type, str reason. Every distinct index name of the body (or the default) must be in the
//     table. A line with `require_alias` is refused when its name is the index's own. Routing: str
//     default routing of the lines without one (empty: their id decides), u32 aliases, per alias:
//     str name (in the table), str the routing of every line through the alias; a line with another
//     routing is refused.
//   Write operations: u32 magic "QOPS" (0x53504f51), u32 count, per operation: u8 op (OpType), u8
//     version_type, u8 flags (1 if_seq_no given, 2 if_primary_term given, 4 version given, 8
//     detect_noop off, 16 doc_as_upsert, 32 auto id: the id is newly generated, so no document has
//     it; the engine generates it when it is empty), u8 0, u32 index number, u32 retry_on_conflict
//     (unused: an update reads and writes under one lock and never has to retry), u64 if_seq_no,
//     u64 if_primary_term, u64 version, str id, str routing, str source (index, create: the
//     document; update: the whole update body {"doc":…,"upsert":…}), str source_filter (update: raw
//     JSON of `_source`, empty: none; the `_source` of the body takes precedence).
//   Item results: u32 magic "QITM" (0x4d544951), u16 version (1), u16 status (0; otherwise the
//     request failed, nothing was executed, and only str reason, str cause follow), u64 log
//     position, u32 missing names, u32 items, u32 touched shards, u32 0; then str per missing name
//     (if there are any, nothing was executed and there are no items), then per touched shard u32
//     index, u32 shard, then per item: u8 op, u8 result (WriteResult), u16 http status, u32 index
//     number (UINT32_MAX when the name was refused), u32 shard, u32 primary_term, u64 version, u64
//     seq_no, str index name as given (only when the name was refused), str id (empty: none was
//     given), u16 error type, and if that is not 0: str reason, str cause; str get (update with
//     `_source`: the filtered source JSON, else empty). The log must be durable up to the log
//     position before any item is acknowledged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "json/bulk_reader.h"
#include "shard/write_operation.h"

namespace quarry {

inline constexpr uint32_t kBulkMagic = 0x4b4c4251;
inline constexpr uint32_t kOpsMagic = 0x53504f51;
inline constexpr uint32_t kItemsMagic = 0x4d544951;
inline constexpr uint32_t kNoIndex = UINT32_MAX;

using ItemResult = WriteResult;

/// One item of the reply. The referenced data must outlive the call.
struct ItemReply {
  OpType op = OpType::kIndex;
  uint32_t index = kNoIndex;
  uint32_t shard = 0;
  std::string_view name;  // only when the name was refused
  std::string_view id;
  const WriteOutcome* outcome = nullptr;
};
void put_item(ByteWriter& out, const ItemReply& item);

struct TouchedShard {
  uint32_t index = 0;
  uint32_t shard = 0;
};

/// The complete reply; `items` holds the output of put_item.
std::vector<uint8_t> encode_items(uint64_t position, const std::vector<TouchedShard>& touched,
                                  uint32_t count, Bytes items);
std::vector<uint8_t> encode_missing_names(const std::vector<std::string_view>& names);
std::vector<uint8_t> encode_items_error(const Status& status);

}  // namespace quarry
