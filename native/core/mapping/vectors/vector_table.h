// Vectors that were computed elsewhere, by embedder and text: the vectors that a write request or a
// log record supplies for fields with a remote embedder. The key is the text, so order, duplicates
// and updates have no effect.
//
// Bytes: nothing, or u32 magic "QVEC" (0x43455651), list<(str embedder, u32 dims, list<(u64 high,
// u64 low of XXH3-128(text), u8 kind, kind 0: f32[dims], kind 1: str reason for the failure)>)>;
// list = u32 count, str = u32 length + UTF-8. Written by src/wire/vectors-writer.ts and
// write_vectors(). Of two entries for one text the first is used.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "mapping/vectors/vector_source.h"

namespace quarry {

inline constexpr uint32_t kVectorsMagic = 0x43455651;

/// XXH3-128 of a text as two numbers.
struct TextHash {
  uint64_t high = 0;
  uint64_t low = 0;
  static TextHash of(std::string_view text);
  bool operator==(const TextHash&) const = default;
};

/// Immutable once read; the bytes must outlive it.
class VectorTable {
 public:
  struct Entry {
    Bytes floats;             // little-endian float32s; empty if embedding failed
    std::string_view reason;  // why embedding failed
    bool failed = false;
  };

  /// The error for malformed bytes is illegal_argument_exception.
  static Result<VectorTable> read(Bytes bytes);
  /// Null when there is no entry.
  const Entry* find(std::string_view embedder, const TextHash& text) const;

 private:
  struct HashOfHash {
    size_t operator()(const TextHash& text) const noexcept { return text.low; }
  };
  using Entries = std::unordered_map<TextHash, Entry, HashOfHash>;
  static bool read_entries(ByteReader& reader, Entries& entries);

  std::map<std::string_view, Entries> embedders_;
};

/// Uses the built-in embedder for its fields and a table for all others. Records which vectors of
/// the table a document used, for the log.
class TableVectors final : public VectorSource {
 public:
  /// Both arguments outlive this object, and no other object uses `embedder` meanwhile.
  TableVectors(LexicalEmbedder& embedder, const VectorTable& table)
      : built_in_(embedder), table_(table) {}

  void start_document() override { taken_.clear(); }
  Status embed(const Field& field, std::string_view text, std::vector<float>& out) override;
  /// The vectors of the table that the current document used.
  std::vector<uint8_t> taken() const override;

 private:
  struct Taken {
    std::string embedder;
    TextHash text;
    Bytes floats;
  };

  BuiltInVectors built_in_;
  const VectorTable& table_;
  std::vector<Taken> taken_;
};

}  // namespace quarry
