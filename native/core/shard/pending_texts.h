// Collects the strings of a write request that must be embedded remotely before it is written. The
// request is simulated against the current documents; nothing is stored.
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

/// One request. If another write changes a document in the meantime, its operation may need strings
/// that are not listed here; the write then refuses the document, and the caller repeats the
/// request.
class PendingTexts {
 public:
  /// To be called for the operations in the order of the request, each with its index and shard. An
  /// operation that would be refused adds no strings.
  void add(const WriteOperation& operation, uint32_t index_number, const IndexState& index,
           Shard& shard);
  /// list<(str embedder, list<str text>)>: whole strings and passages, each once, in the order of
  /// their first occurrence. list = u32 count, str = u32 length + UTF-8.
  std::vector<uint8_t> encode() const;

 private:
  /// A document after the operations so far.
  struct Played {
    CurrentDocument current;
    std::string source;
  };
  struct Texts {
    std::vector<std::string> texts;
    std::set<std::pair<uint64_t, uint64_t>> seen;  // hashes of `texts`
  };

  Played& played(const WriteOperation& operation, uint32_t index_number, Shard& shard);
  static std::optional<Played> play(WriteOperation operation, const Played& document);
  bool collect(std::string_view source, std::string_view id,
               std::shared_ptr<const Mapping>& mapping);
  void want(const std::string& embedder, std::string_view text);

  // Mappings including the fields added by documents; null: no field has an embedder.
  std::map<uint32_t, std::shared_ptr<const Mapping>> mappings_;
  std::map<std::pair<uint32_t, std::string>, Played> documents_;
  std::map<std::string, Texts> embedders_;
  Played unnamed_;  // for a document whose id is not generated yet
  ParsedDocument parsed_;
};

}  // namespace quarry
