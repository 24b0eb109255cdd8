// The texts that a write request wants embedded elsewhere before it is written: the request is played
// through against the documents as they are, and nothing is stored.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/document/document.h"
#include "mapping/vectors/vector_table.h"
#include "shard/shard.h"

namespace quarry {

/// One request. An operation that another write overtakes may want other texts than are listed here; its
/// document is then refused, and sent again by the caller.
class PendingTexts {
 public:
  /// The operations in the order of the request, each with its index and shard. What would be refused gives
  /// no text.
  void add(const WriteOperation& operation, uint32_t index_number, const IndexState& index,
           Shard& shard);
  /// list<(str embedder, list<str text>)>: whole texts and passages, each once, in the order of their first
  /// occurrence. list = u32 count, str = u32 length + UTF-8.
  std::vector<uint8_t> encode() const;

 private:
  /// A document after the operations so far.
  struct Played {
    CurrentDocument current;
    std::string source;
  };
  struct Texts {
    std::vector<std::string> texts;
    std::set<std::pair<uint64_t, uint64_t>> seen;  // hashes of them
  };

  Played& played(const WriteOperation& operation, uint32_t index_number, Shard& shard);
  static std::optional<Played> play(WriteOperation operation, const Played& document);
  bool collect(std::string_view source, std::string_view id,
               std::shared_ptr<const Mapping>& mapping);
  void want(const std::string& embedder, std::string_view text);

  std::map<uint32_t, std::shared_ptr<const Mapping>> mappings_;  // with what documents add; null: nothing to embed
  std::map<std::pair<uint32_t, std::string>, Played> documents_;
  std::map<std::string, Texts> embedders_;
  Played unnamed_;  // a document whose id is still to be made
  ParsedDocument parsed_;
};

}  // namespace quarry
