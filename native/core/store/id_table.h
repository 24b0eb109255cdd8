// The ids file of a segment: `_id` -> docId by a hash table, docId -> `_id`, version, sequence number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"

namespace quarry {

struct DocVersion {
  uint64_t version = 0;
  uint64_t seq_no = 0;
  uint32_t primary_term = 1;
};

class IdTableWriter {
 public:
  /// Documents in docId order. Ids are unique within a segment, 1..512 bytes.
  void add(std::string_view id, const DocVersion& version);
  std::vector<uint8_t> finish();

 private:
  std::string blob_;
  std::vector<uint64_t> ends_;
  std::vector<DocVersion> versions_;
};

/// Reader; the section's bytes must outlive it. Thread-safe. docs < size().
class IdTable {
 public:
  IdTable() = default;
  static Result<IdTable> open(Bytes section);
  uint32_t size() const { return size_; }
  std::optional<uint32_t> find(std::string_view id) const;
  /// As find, with the hash64 of the id at hand.
  std::optional<uint32_t> find(std::string_view id, uint64_t hash) const;
  std::string_view id(uint32_t doc) const;
  DocVersion version(uint32_t doc) const;
  uint64_t seq_no(uint32_t doc) const;

 private:
  uint32_t size_ = 0;
  Bytes section_;
};

}  // namespace quarry
