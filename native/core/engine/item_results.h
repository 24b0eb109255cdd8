// Byte formats of the write path, read and written by src/wire/. Little-endian; str = u32 length + UTF-8.
//
// Bulk request: u32 magic "QBLK" (0x4b4c4251), u32 flags (1 default index requires alias …reserved 0), str default index name (empty: none),
//   u8 default source spec present, str default `_source` JSON, u32 names, per name: str name, u32 index number (UINT32_MAX: refused), then for refused ones
//   u16 error type, str reason. Every distinct index name of the body (or the default) must be in the table.
// Write operations: u32 magic "QOPS" (0x53504f51), u32 count, per operation: u8 op (OpType), u8 version_type, u8 flags (1 if_seq_no given,
//   2 if_primary_term given, 4 version given, 8 detect_noop off, 16 doc_as_upsert, 32 auto id), u8 0, u32 index number, u32 retry_on_conflict,
//   u64 if_seq_no, u64 if_primary_term, u64 version, str id, str routing, str source (index/create: the document; update: the whole
//   update body {"doc":…,"upsert":…}), str source_filter (update: raw JSON of `_source`, empty: none).
// Item results: u32 magic "QITM" (0x4d544951), u16 version (1), u16 status (0; else the request failed: str reason, str cause),
//   u64 wal position, u32 missing names, u32 items, u32 touched shards, u32 0; then str per missing name, then per touched shard u32 index, u32 shard,
//   then per item: u8 op, u8 result (ItemResult), u16 http status, u32 index number (UINT32_MAX when the name was refused), u32 shard, u32 primary_term,
//   u64 version, u64 seq_no, str index name as given (empty: look the number up), str id, u16 error type, and if that is not 0: str reason, str cause;
//   str get (update with `_source`: the fetched source JSON, else empty).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "json/bulk_reader.h"

namespace quarry {

inline constexpr uint32_t kBulkMagic = 0x4b4c4251;
inline constexpr uint32_t kOpsMagic = 0x53504f51;
inline constexpr uint32_t kItemsMagic = 0x4d544951;
inline constexpr uint32_t kNoIndex = UINT32_MAX;

enum class ItemResult : uint8_t { kCreated = 0, kUpdated = 1, kDeleted = 2, kNotFound = 3, kNoop = 4, kError = 5 };

}  // namespace quarry
