// Which documents of a segment are nested. A document with nested objects is a block: its nested
// documents, those inside another one before it, then the document itself, the root. A block is
// live or deleted as a whole.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/bitset.h"
#include "base/status.h"
#include "postings/inverted_field.h"

namespace quarry {

/// Immutable, thread-safe.
class NestedDocs {
 public:
  /// Reads the terms of the field `_nested_path`, which are the paths of the nested documents. The
  /// error is kCorrupt for documents that form no blocks.
  static Result<NestedDocs> read(const InvertedField& paths, uint32_t max_doc);

  const Bitset& roots() const { return roots_; }
  /// The documents at the path of a nested object; null when the segment has none.
  const Bitset* at(std::string_view path) const;
  /// The first document of the block that `doc` is in.
  uint32_t block_begin(uint32_t doc) const { return roots_.after_previous(doc); }
  uint32_t root_of(uint32_t doc) const { return roots_.next(doc); }
  /// The path of a nested document; empty for a root.
  std::string_view path_of(uint32_t doc) const;
  uint32_t root_count() const { return root_count_; }
  /// The most nested documents of a root.
  uint32_t largest_block() const { return largest_block_; }

 private:
  Bitset roots_;
  std::map<std::string, Bitset, std::less<>> paths_;
  uint32_t root_count_ = 0;
  uint32_t largest_block_ = 0;
};

}  // namespace quarry
