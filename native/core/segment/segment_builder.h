// The write buffer of a shard: parsed documents are added, and one segment image is built. Text is
// analysed and interned when it is added (u32 term-id streams), and inverted by a counting sort
// when the image is built.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/bitset.h"
#include "base/status.h"
#include "mapping/document/document.h"
#include "mapping/schema/mapping.h"
#include "segment/segment.h"
#include "store/id_table.h"
#include "vector/vector_writer.h"

namespace quarry {

/// For one thread at a time. Documents get slots 0, 1, 2 … in the order of add(), nested ones
/// before the document that they are in.
class SegmentBuilder {
 public:
  SegmentBuilder();
  ~SegmentBuilder();
  SegmentBuilder(SegmentBuilder&&) noexcept;
  SegmentBuilder& operator=(SegmentBuilder&&) noexcept;

  /// `mapping` must be the one that `document` was parsed with (later calls may use newer
  /// versions). Copies all data that it keeps. The names in `document.ignored` and its routing are
  /// stored in the keyword fields "_ignored" and "_routing". illegal_argument_exception for terms
  /// longer than 32,766 bytes; nothing was added then.
  Status add(const Mapping& mapping, const ParsedDocument& document, std::string_view id,
             std::string_view source, const DocVersion& version);
  /// The same with the fields of the mapping, by id.
  Status add(std::span<const Field> fields, const ParsedDocument& document, std::string_view id,
             std::string_view source, const DocVersion& version);

  uint32_t size() const;
  /// The first slot of the nested documents of `slot`; itself when it has none.
  uint32_t block_begin(uint32_t slot) const;
  /// The approximate heap in use.
  size_t memory_bytes() const;
  /// The values passed to add() for `slot`, for real-time gets. Views are valid until the builder
  /// is destroyed or changed.
  std::string_view source(uint32_t slot) const;
  std::string_view id(uint32_t slot) const;
  DocVersion version(uint32_t slot) const;
  /// The vector of `slot` in a field with one vector per document, as it was added; `field` is its
  /// id in the mapping. Empty when there is none.
  std::span<const float> vector(uint32_t field, uint32_t slot) const;
  /// The routing of the document; empty when it had none.
  std::string_view routing(uint32_t slot) const;

  /// The image of all slots that are set in `live` (size() bits), renumbered without gaps in the
  /// same order. Const, so that gets can run concurrently. At least one slot must be live. By
  /// default only the rows of vectors are written.
  Result<SegmentImage> build(const Bitset& live, VectorEffort effort = VectorEffort::kRows) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace quarry
