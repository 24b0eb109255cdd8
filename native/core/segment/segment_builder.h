// The write buffer of a shard: parsed documents in, one segment image out. Text is analysed and
// interned on the way in (u32 term-id streams), inverted by a counting sort when the image is
// built.
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

/// One thread at a time. Documents get slots 0, 1, 2 … in the order of add().
class SegmentBuilder {
 public:
  SegmentBuilder();
  ~SegmentBuilder();
  SegmentBuilder(SegmentBuilder&&) noexcept;
  SegmentBuilder& operator=(SegmentBuilder&&) noexcept;

  /// `mapping` is the one `document` was parsed with (later calls may bring newer versions). Copies
  /// everything it keeps. The names in `document.ignored` and its routing go to the keyword fields
  /// "_ignored" and "_routing". Terms longer than 32,766 bytes are illegal_argument_exception, and
  /// then nothing was added.
  Status add(const Mapping& mapping, const ParsedDocument& document, std::string_view id,
             std::string_view source, const DocVersion& version);
  /// The same with the mapping's fields, by id.
  Status add(std::span<const Field> fields, const ParsedDocument& document, std::string_view id,
             std::string_view source, const DocVersion& version);

  uint32_t size() const;
  /// Heap in use, about.
  size_t memory_bytes() const;
  /// What add() was given for `slot`, for real-time gets; views valid until the builder dies or
  /// grows.
  std::string_view source(uint32_t slot) const;
  std::string_view id(uint32_t slot) const;
  DocVersion version(uint32_t slot) const;
  /// The vector that `slot` has in a field of one vector, by the mapping's id, as it was added;
  /// empty when it has none.
  std::span<const float> vector(uint32_t field, uint32_t slot) const;
  /// The routing the document came with; empty when it had none.
  std::string_view routing(uint32_t slot) const;

  /// The image of all slots that are set in `live` (size() bits), densely renumbered in order;
  /// const, so that gets go on beside it. At least one slot must be live. Vectors are left as rows
  /// unless `effort` says otherwise.
  Result<SegmentImage> build(const Bitset& live, VectorEffort effort = VectorEffort::kRows) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace quarry
