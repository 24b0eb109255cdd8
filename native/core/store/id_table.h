// The ids file of a segment: a hash table from `_id` to docId, and `_id`, version and sequence
// number by docId.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "store/uuid_text.h"

namespace quarry {

struct DocVersion {
  uint64_t version = 0;
  uint64_t seq_no = 0;
  uint32_t primary_term = 1;
};

/// Where an id is printed that is stored as bytes.
struct IdBuffer {
  char text[kUuidLength];
};

class IdTableWriter {
 public:
  /// To be called in docId order. Ids are unique within a segment, 1..512 bytes. An empty id is
  /// that of a nested document, which is not found by it.
  void add(std::string_view id, const DocVersion& version);
  std::vector<uint8_t> finish();

 private:
  std::string blob_;
  std::vector<uint64_t> ends_;
  std::vector<DocVersion> versions_;
};

/// Reader; the section's bytes must outlive it. Thread-safe. Arguments `doc` must be < size().
class IdTable {
 public:
  IdTable() = default;
  static Result<IdTable> open(Bytes section);
  uint32_t size() const { return size_; }
  std::optional<uint32_t> find(std::string_view id) const;
  /// As find(id), with hash64 of the id computed by the caller. An absent id costs one cache miss,
  /// a present one three.
  std::optional<uint32_t> find(std::string_view id, uint64_t hash) const;
  /// A view of the section, or of `buffer`.
  std::string_view id(uint32_t doc, IdBuffer& buffer) const;
  DocVersion version(uint32_t doc) const;
  uint64_t seq_no(uint32_t doc) const;

 private:
  /// One number per document: base plus an offset of `width` bytes (0: all equal).
  struct PackedColumn {
    uint64_t base = 0;
    uint32_t width = 0;
    const uint8_t* offsets = nullptr;
    uint64_t get(uint32_t doc) const;
  };
  static PackedColumn read_column(ByteReader& reader, uint32_t size);
  uint64_t end_of(uint32_t doc) const;
  /// As it is stored.
  std::string_view stored_id(uint32_t doc) const;

  uint32_t size_ = 0;
  uint32_t slot_count_ = 0;
  uint32_t doc_bits_ = 0;
  uint32_t fixed_length_ = 0;  // of every id as it is stored; 0: they differ, see ends_
  bool uuids_ = false;
  const uint8_t* slots_ = nullptr;
  const uint8_t* group_starts_ = nullptr;
  const uint8_t* ends_ = nullptr;
  std::string_view blob_;
  PackedColumn versions_;
  PackedColumn seq_nos_;
  PackedColumn primary_terms_;
};

}  // namespace quarry
