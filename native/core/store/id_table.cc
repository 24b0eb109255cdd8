// Format of the section. All integers little-endian; every array starts at a multiple of 8.
//
//   u32 magic "QIDS", u16 version: 1 ids as they are, 2 each is a UUID as print_uuid() writes it
//   and stored as its 16 bytes (hashes are of the text all the same), u16 zero
//   u32 documents N, u32 slots S (> N), u32 doc_bits (smallest b with N < 2^b), u32 fixed_length
//   u32 slot[S]        open addressing, linear probing, home = (hash64(id) >> 32) * S >> 32.
//                      Low doc_bits: the docId; the bits above: as many low bits of the hash (a
//                      fingerprint, which avoids comparing ids). All ones: empty; there is
//                      at least one empty slot. A document with an empty id has none.
//   if fixed_length is 0 (ids of different lengths):
//     u64 start[N / 64]  where every 64th document's id starts in the blob
//     u16 end[N]         where the id ends, counted from the start of its 64 (an id has at most
//                        512 bytes)
//   u64 bytes, then the blob: all ids in docId order
//   three columns: version; sequence number minus docId (0 bytes wide in a segment without holes);
//   primary term:
//     u64 base, u32 width (0, 1, 2, 4 or 8), u32 zero
//     offset[N] of `width` bytes; the value is base + offset, modulo 2^64
#include "store/id_table.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"

namespace quarry {
namespace {

constexpr uint32_t kIdTableMagic = 0x53444951;  // "QIDS"
constexpr uint16_t kTextIds = 1;
constexpr uint16_t kUuidIds = 2;
constexpr uint32_t kEmptySlot = UINT32_MAX;
constexpr uint32_t kGroup = 64;
constexpr size_t kAlignment = 8;
static_assert(kGroup * 512 <= UINT16_MAX, "ends within a group are 16 bits");

/// Load factor 0.8: short probe sequences at 5 bytes per document.
uint32_t slot_count_for(size_t documents) {
  return static_cast<uint32_t>(documents + documents / 4 + 1);
}

uint32_t home_slot(uint64_t hash, uint32_t slots) {
  return static_cast<uint32_t>((hash >> 32) * slots >> 32);
}

/// The bits of a slot above the docId, in place.
uint32_t fingerprint(uint64_t hash, uint32_t doc_bits) {
  return static_cast<uint32_t>(hash << doc_bits);
}

uint32_t width_for(uint64_t largest) {
  if (largest == 0) return 0;
  if (largest <= UINT8_MAX) return 1;
  if (largest <= UINT16_MAX) return 2;
  return largest <= UINT32_MAX ? 4 : 8;
}

void write_column(ByteWriter& out, const std::vector<uint64_t>& values) {
  // Signed, so that a sequence number smaller than its docId is a small negative number.
  int64_t low = values.empty() ? 0 : INT64_MAX;
  int64_t high = values.empty() ? 0 : INT64_MIN;
  for (const uint64_t value : values) {
    low = std::min(low, static_cast<int64_t>(value));
    high = std::max(high, static_cast<int64_t>(value));
  }
  const auto base = static_cast<uint64_t>(low);
  const uint32_t width = width_for(static_cast<uint64_t>(high) - base);
  out.align(kAlignment);
  out.put(base);
  out.put(width);
  out.put(uint32_t{0});
  for (const uint64_t value : values) {
    const uint64_t offset = value - base;
    out.put_bytes(Bytes(reinterpret_cast<const uint8_t*>(&offset), width));
  }
}

Status corrupt_id_table(const std::string& what) {
  return {ErrorType::kCorrupt, "id table: " + what};
}

}  // namespace

void IdTableWriter::add(std::string_view id, const DocVersion& version) {
  blob_.append(id);
  ends_.push_back(blob_.size());
  versions_.push_back(version);
}

namespace {

/// Ids by docId, stored in the writer's blob.
class IdList {
 public:
  IdList(std::string_view blob, const std::vector<uint64_t>& ends) : blob_(blob), ends_(ends) {}
  uint32_t size() const { return static_cast<uint32_t>(ends_.size()); }
  uint64_t start(uint32_t doc) const { return doc == 0 ? 0 : ends_[doc - 1]; }
  uint64_t end(uint32_t doc) const { return ends_[doc]; }
  std::string_view id(uint32_t doc) const {
    return blob_.substr(start(doc), end(doc) - start(doc));
  }
  /// The length that all ids have, or 0 when they differ.
  uint32_t common_length() const {
    if (ends_.empty()) return 0;
    for (uint32_t doc = 0; doc < size(); doc++) {
      if (end(doc) != (doc + uint64_t{1}) * ends_[0]) return 0;
    }
    return static_cast<uint32_t>(ends_[0]);
  }

 private:
  std::string_view blob_;
  const std::vector<uint64_t>& ends_;
};

/// The 16 bytes of every id; nothing when one of them is none that print_uuid() writes.
std::optional<std::string> pack_uuids(const IdList& ids) {
  if (ids.size() == 0 || ids.common_length() != kUuidLength) return std::nullopt;
  std::string packed(size_t{ids.size()} * kUuidBytes, '\0');
  for (uint32_t doc = 0; doc < ids.size(); doc++) {
    auto* to = reinterpret_cast<uint8_t*>(packed.data() + size_t{doc} * kUuidBytes);
    if (!parse_uuid(ids.id(doc), to)) return std::nullopt;
  }
  return packed;
}

void write_slots(ByteWriter& out, const IdList& ids, uint32_t slot_count, uint32_t doc_bits) {
  std::vector<uint32_t> slots(slot_count, kEmptySlot);
  for (uint32_t doc = 0; doc < ids.size(); doc++) {
    if (ids.start(doc) == ids.end(doc)) continue;
    const uint64_t hash = hash64(ids.id(doc));
    uint32_t at = home_slot(hash, slot_count);
    while (slots[at] != kEmptySlot) at = at + 1 == slot_count ? 0 : at + 1;
    slots[at] = fingerprint(hash, doc_bits) | doc;
  }
  out.align(kAlignment);
  for (const uint32_t slot : slots) out.put(slot);
}

void write_ends(ByteWriter& out, const IdList& ids) {
  out.align(kAlignment);
  for (uint32_t doc = 0; doc < ids.size(); doc += kGroup) out.put(ids.start(doc));
  for (uint32_t doc = 0; doc < ids.size(); doc++) {
    out.put(static_cast<uint16_t>(ids.end(doc) - ids.start(doc / kGroup * kGroup)));
  }
}

}  // namespace

std::vector<uint8_t> IdTableWriter::finish() {
  const IdList ids(blob_, ends_);
  const uint32_t slot_count = slot_count_for(ends_.size());
  const auto doc_bits = static_cast<uint32_t>(std::bit_width(ends_.size()));
  const std::optional<std::string> uuids = pack_uuids(ids);
  const uint32_t fixed_length = uuids ? kUuidBytes : ids.common_length();
  const std::string& blob = uuids ? *uuids : blob_;
  ByteWriter out;
  out.reserve(64 + size_t{4} * slot_count + blob.size() + ends_.size() * 8);
  out.put(kIdTableMagic);
  out.put(uuids ? kUuidIds : kTextIds);
  out.put(uint16_t{0});
  out.put(ids.size());
  out.put(slot_count);
  out.put(doc_bits);
  out.put(fixed_length);
  write_slots(out, ids, slot_count, doc_bits);
  if (fixed_length == 0) write_ends(out, ids);
  out.align(kAlignment);
  out.put(static_cast<uint64_t>(blob.size()));
  out.put_bytes(blob);
  std::vector<uint64_t> column(versions_.size());
  const auto write = [&](auto value_of) {
    for (size_t doc = 0; doc < column.size(); doc++) column[doc] = value_of(doc);
    write_column(out, column);
  };
  write([&](size_t doc) { return versions_[doc].version; });
  write([&](size_t doc) { return versions_[doc].seq_no - doc; });
  write([&](size_t doc) { return uint64_t{versions_[doc].primary_term}; });
  return out.take();
}

uint64_t IdTable::PackedColumn::get(uint32_t doc) const {
  const uint8_t* at = offsets + size_t{doc} * width;
  switch (width) {
    case 0:
      return base;
    case 1:
      return base + *at;
    case 2:
      return base + load<uint16_t>(at);
    case 4:
      return base + load<uint32_t>(at);
    default:
      return base + load<uint64_t>(at);
  }
}

/// A width that is not allowed makes the reader fail.
IdTable::PackedColumn IdTable::read_column(ByteReader& reader, uint32_t size) {
  PackedColumn column;
  reader.align(kAlignment);
  column.base = reader.get<uint64_t>();
  column.width = reader.get<uint32_t>();
  const bool known = column.width <= 2 || column.width == 4 || column.width == 8;
  if (reader.get<uint32_t>() != 0 || !known) reader.seek(SIZE_MAX);
  column.offsets = reader.get_bytes(size_t{column.width} * size).data();
  return column;
}

Result<IdTable> IdTable::open(Bytes section) {
  ByteReader reader(section);
  if (reader.get<uint32_t>() != kIdTableMagic) return corrupt_id_table("wrong magic number");
  const auto version = reader.get<uint16_t>();
  if (version != kTextIds && version != kUuidIds)
    return corrupt_id_table("unknown version " + std::to_string(version));
  if (reader.get<uint16_t>() != 0) return corrupt_id_table("reserved bytes are not zero");
  IdTable table;
  table.uuids_ = version == kUuidIds;
  table.size_ = reader.get<uint32_t>();
  table.slot_count_ = reader.get<uint32_t>();
  table.doc_bits_ = reader.get<uint32_t>();
  table.fixed_length_ = reader.get<uint32_t>();
  if (table.slot_count_ <= table.size_ || table.doc_bits_ >= 32 ||
      table.doc_bits_ != static_cast<uint32_t>(std::bit_width(table.size_))) {
    return corrupt_id_table("impossible numbers of documents and slots");
  }
  if (table.uuids_ && table.fixed_length_ != kUuidBytes)
    return corrupt_id_table("impossible length of UUIDs");
  reader.align(kAlignment);
  table.slots_ = reader.get_bytes(size_t{4} * table.slot_count_).data();
  if (table.fixed_length_ == 0) {
    reader.align(kAlignment);
    table.group_starts_ = reader.get_bytes((size_t{table.size_} + kGroup - 1) / kGroup * 8).data();
    table.ends_ = reader.get_bytes(size_t{2} * table.size_).data();
  }
  reader.align(kAlignment);
  table.blob_ = as_text(reader.get_bytes(reader.get<uint64_t>()));
  table.versions_ = read_column(reader, table.size_);
  table.seq_nos_ = read_column(reader, table.size_);
  table.primary_terms_ = read_column(reader, table.size_);
  if (reader.failed() || !reader.done()) return corrupt_id_table("wrong length");
  return table;
}

std::optional<uint32_t> IdTable::find(std::string_view id) const { return find(id, hash64(id)); }

std::optional<uint32_t> IdTable::find(std::string_view id, uint64_t hash) const {
  if (size_ == 0) return std::nullopt;
  const uint32_t doc_mask = (uint32_t{1} << doc_bits_) - 1;
  const uint32_t wanted = fingerprint(hash, doc_bits_);
  uint8_t uuid[kUuidBytes];
  if (uuids_) {
    if (!parse_uuid(id, uuid)) return std::nullopt;
    id = std::string_view(reinterpret_cast<const char*>(uuid), kUuidBytes);
  }
  uint32_t at = home_slot(hash, slot_count_);
  for (uint32_t probes = 0; probes < slot_count_; probes++) {
    const auto slot = load<uint32_t>(slots_ + size_t{4} * at);
    if (slot == kEmptySlot) return std::nullopt;
    const uint32_t doc = slot & doc_mask;
    if ((slot & ~doc_mask) == wanted && doc < size_ && stored_id(doc) == id) return doc;
    at = at + 1 == slot_count_ ? 0 : at + 1;
  }
  return std::nullopt;
}

uint64_t IdTable::end_of(uint32_t doc) const {
  return load<uint64_t>(group_starts_ + size_t{8} * (doc / kGroup)) +
         load<uint16_t>(ends_ + size_t{2} * doc);
}

std::string_view IdTable::id(uint32_t doc, IdBuffer& buffer) const {
  const std::string_view stored = stored_id(doc);
  if (!uuids_ || stored.size() != kUuidBytes) return stored;
  print_uuid(reinterpret_cast<const uint8_t*>(stored.data()), buffer.text);
  return {buffer.text, kUuidLength};
}

std::string_view IdTable::stored_id(uint32_t doc) const {
  uint64_t start = uint64_t{doc} * fixed_length_;
  uint64_t end = start + fixed_length_;
  if (fixed_length_ == 0) {
    start = doc % kGroup == 0 ? load<uint64_t>(group_starts_ + size_t{8} * (doc / kGroup))
                              : end_of(doc - 1);
    end = end_of(doc);
  }
  // Corrupt offsets give a wrong id, but never a view outside of the blob.
  if (start > blob_.size() || end < start) return {};
  return blob_.substr(start, end - start);
}

DocVersion IdTable::version(uint32_t doc) const {
  return {versions_.get(doc), seq_no(doc), static_cast<uint32_t>(primary_terms_.get(doc))};
}

uint64_t IdTable::seq_no(uint32_t doc) const { return seq_nos_.get(doc) + doc; }

}  // namespace quarry
