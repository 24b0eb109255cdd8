// The part of the write buffer for one field: a stream of term numbers, or numbers, or vectors, by
// document slot.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/status.h"
#include "mapping/schema/field.h"
#include "segment/term_table.h"
#include "text/analysis/token.h"

namespace quarry {

/// Largest position of a token: Lucene's limit, Integer.MAX_VALUE - 128.
inline constexpr uint32_t kMaxPosition = 2147483519;

/// Memory shared by the fields of one write buffer.
struct BufferPool {
  Arena terms;
  size_t bytes = 0;  // approximate heap of the fields, without the arena
};

/// Slots arrive in ascending order. One writer; const members may be called by several threads once
/// writing has stopped.
class FieldBuffer {
 public:
  /// The representation of a field's values.
  enum class Kind : uint8_t {
    kNothing,   // neither index nor doc values: values are dropped
    kTokens,    // analysed text
    kTerms,     // whole terms: keyword, ip, flattened
    kNumbers,   // a column of numbers or points
    kVectors,   // rows of floats, one or several per document
    kPresence,  // only whether there is a value: binary
  };
  static Kind kind_of(const Field& field);

  explicit FieldBuffer(const Field& field);

  /// Adds one value of a text field. Its positions continue after the previous values of `slot`,
  /// with `gap` positions between. illegal_argument_exception for a term or a position that is too
  /// large; a part of the value may have been added then.
  Status add_tokens(uint32_t slot, const TokenBuffer& tokens, uint32_t gap, BufferPool& pool);
  /// illegal_argument_exception for a term that is too long.
  Status add_term(uint32_t slot, std::string_view term, BufferPool& pool);
  void add_number(uint32_t slot, int64_t value, BufferPool& pool);
  /// `floats`: the bytes of one vector with vector_options().dims elements. A slot has only one,
  /// unless the field allows several.
  Status add_vector(uint32_t slot, std::string_view floats, BufferPool& pool);
  void add_presence(uint32_t slot, BufferPool& pool);
  /// Removes all values of the last slot, if it is `slot`.
  void drop(uint32_t slot);
  /// Norms can be switched off while documents are added; the segment has norms only if all
  /// documents have.
  void restrict_norms(bool norms) { norms_ = norms_ && norms; }

  const std::string& name() const { return name_; }
  FieldType type() const { return type_; }
  Kind kind() const { return kind_; }
  bool indexed() const { return indexed_; }
  bool ordinals() const { return ordinals_; }
  bool norms() const { return norms_; }
  bool freqs() const { return freqs_; }
  bool positions() const { return positions_; }
  const TermTable& terms() const { return terms_; }

  /// Slots with at least one value, ascending, without duplicates; for numbers and vectors there is
  /// one entry per value instead.
  const std::vector<uint32_t>& slots() const { return slots_; }
  const std::vector<int64_t>& numbers() const { return numbers_; }
  const VectorOptions& vector_options() const { return vector_; }
  /// The vector of the slot at `index` in slots().
  std::span<const float> vector(size_t index) const {
    const float* chunk = vector_chunks_[index / kChunkRows].get();
    return {chunk + index % kChunkRows * vector_.dims, vector_.dims};
  }
  /// For a field of whole terms: the first value of `slot`, or an empty view.
  std::string_view first_term(uint32_t slot) const;
  /// Calls `visit(term, position)` for each token of the slot at `index` in slots(). Positions are
  /// in ascending order, with repetitions.
  template <typename Visitor>
  void each_token(size_t index, Visitor visit) const {
    const uint32_t* at = stream_.data() + begins_[index];
    const uint32_t* end =
        stream_.data() + (index + 1 < begins_.size() ? begins_[index + 1] : stream_.size());
    uint32_t next = 0;  // one past the previous token's position
    while (at < end) {
      const uint32_t word = *at++;
      const uint32_t increment = (word & kHasIncrement) != 0 ? *at++ : 1;
      next += increment;
      visit(word & ~kHasIncrement, next - 1);
    }
  }

 private:
  /// Set in a term number that is followed by a word with its position increment; otherwise the
  /// increment is 1.
  static constexpr uint32_t kHasIncrement = uint32_t{1} << 31;

  /// Vectors are stored in chunks, so that growing does not copy them. Only the first chunk starts
  /// small, for fields and shards with few documents.
  static constexpr size_t kChunkRows = 256;
  static constexpr size_t kFirstRows = 8;

  void start_slot(uint32_t slot, BufferPool& pool);
  float* vector_room(size_t index, BufferPool& pool);
  uint32_t intern(std::string_view term, uint64_t hash, BufferPool& pool);
  Status add_batch(std::span<const Token> tokens, BufferPool& pool);
  Status position_too_large(uint64_t position) const;
  Status immense_term(std::string_view term) const;

  std::string name_;
  FieldType type_;
  Kind kind_;
  bool indexed_;
  bool ordinals_;
  bool norms_;
  bool freqs_;
  bool positions_;
  TermTable terms_;
  std::vector<uint32_t> slots_;
  std::vector<uint64_t> begins_;  // where a slot's words start in stream_
  std::vector<uint32_t> stream_;
  std::vector<int64_t> numbers_;
  VectorOptions vector_;
  bool several_vectors_;
  std::vector<std::unique_ptr<float[]>> vector_chunks_;
  size_t first_rows_ = 0;       // capacity of the first chunk, in rows
  uint32_t next_position_ = 0;  // of the last slot: one past its last token
  uint64_t base_position_ = 0;  // of the last slot: where its next value starts
};

}  // namespace quarry
