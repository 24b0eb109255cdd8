#include "segment/field_buffer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/hash.h"

namespace quarry {
namespace {

constexpr size_t kBatch = 64;            // tokens whose terms are prefetched together
constexpr size_t kMaxTermBytes = 32766;  // Lucene's IndexWriter.MAX_TERM_LENGTH
constexpr size_t kSlotBytes = sizeof(uint32_t) + sizeof(uint64_t);
constexpr size_t kTermBytes =
    4 * 2 * sizeof(uint32_t) + sizeof(const char*);  // table at most half full

}  // namespace

FieldBuffer::Kind FieldBuffer::kind_of(const Field& field) {
  if (field.is_text()) return field.indexed ? Kind::kTokens : Kind::kNothing;
  // Queries also use the column, so an indexed number has a column even without doc values.
  const bool kept = field.indexed || field.has_column();
  if (field.is_terms()) return kept ? Kind::kTerms : Kind::kNothing;
  if (field.is_numeric() || field.has_points()) return kept ? Kind::kNumbers : Kind::kNothing;
  if (field.has_vectors()) return Kind::kVectors;
  return field.presence_only() ? Kind::kPresence : Kind::kNothing;
}

FieldBuffer::FieldBuffer(const Field& field)
    : name_(field.name),
      type_(field.type),
      kind_(kind_of(field)),
      indexed_(field.indexed),
      ordinals_(kind_ == Kind::kTerms && field.has_column()),
      norms_(field.norms && field.indexed),
      freqs_(kind_ == Kind::kTokens && (field.freqs || field.positions)),
      positions_(kind_ == Kind::kTokens && field.positions),
      vector_(field.vector),
      several_vectors_(field.several_vectors) {}

void FieldBuffer::start_slot(uint32_t slot, BufferPool& pool) {
  if (!slots_.empty() && slots_.back() == slot) return;
  slots_.push_back(slot);
  begins_.push_back(stream_.size());
  next_position_ = 0;
  base_position_ = 0;
  pool.bytes += kSlotBytes;
}

uint32_t FieldBuffer::intern(std::string_view term, uint64_t hash, BufferPool& pool) {
  const uint32_t before = terms_.size();
  const uint32_t id = terms_.intern(term, hash, pool.terms);
  pool.bytes += size_t{terms_.size() - before} * kTermBytes;
  return id;
}

/// Uses the wording of Elasticsearch, with the first thirty bytes as Java prints a byte array.
Status FieldBuffer::immense_term(std::string_view term) const {
  std::string prefix;
  for (const char byte : term.substr(0, 30)) {
    if (!prefix.empty()) prefix += ", ";
    prefix += std::to_string(static_cast<int>(static_cast<signed char>(byte)));
  }
  return {ErrorType::kIllegalArgument,
          "Document contains at least one immense term in field=\"" + name_ +
              "\" (whose UTF8 encoding is longer than the max length " +
              std::to_string(kMaxTermBytes) +
              "), all of which were skipped. Please correct the analyzer to not produce such "
              "terms. The prefix of "
              "the first immense term is: '[" +
              prefix + "]...'"};
}

Status FieldBuffer::add_tokens(uint32_t slot, const TokenBuffer& tokens, uint32_t gap,
                               BufferPool& pool) {
  start_slot(slot, pool);
  const size_t words_before = stream_.size();
  for (size_t first = 0; first < tokens.tokens.size(); first += kBatch) {
    const size_t count = std::min(kBatch, tokens.tokens.size() - first);
    QUARRY_RETURN_IF_ERROR(add_batch({tokens.tokens.data() + first, count}, pool));
  }
  base_position_ += uint64_t{tokens.end_position} + gap;
  pool.bytes += (stream_.size() - words_before) * sizeof(uint32_t);
  return {};
}

/// Adds at most kBatch tokens.
Status FieldBuffer::add_batch(std::span<const Token> tokens, BufferPool& pool) {
  std::array<uint64_t, kBatch> hashes;
  std::array<uint32_t, kBatch> likely;
  for (size_t i = 0; i < tokens.size(); i++) {
    if (tokens[i].text.size() > kMaxTermBytes) return immense_term(tokens[i].text);
    hashes[i] = hash64(tokens[i].text);
    terms_.prefetch_slot(hashes[i]);
  }
  for (size_t i = 0; i < tokens.size(); i++) likely[i] = terms_.prefetch_place(hashes[i]);
  for (size_t i = 0; i < tokens.size(); i++) terms_.prefetch_bytes(likely[i]);
  for (size_t i = 0; i < tokens.size(); i++) {
    const uint64_t position = base_position_ + tokens[i].position;
    if (position > kMaxPosition) return position_too_large(position);
    const uint32_t id = intern(tokens[i].text, hashes[i], pool);
    // A position smaller than the previous one is replaced by the previous one, because the index
    // requires ascending positions.
    const uint32_t next = std::max(static_cast<uint32_t>(position) + 1, next_position_);
    const uint32_t increment = next - next_position_;
    stream_.push_back(increment == 1 ? id : id | kHasIncrement);
    if (increment != 1) stream_.push_back(increment);
    next_position_ = next;
  }
  return {};
}

Status FieldBuffer::position_too_large(uint64_t position) const {
  return {ErrorType::kIllegalArgument,
          "position " + std::to_string(position) + " is too large for field '" + name_ +
              "': max allowed position is " + std::to_string(kMaxPosition)};
}

Status FieldBuffer::add_term(uint32_t slot, std::string_view term, BufferPool& pool) {
  if (term.size() > kMaxTermBytes) return immense_term(term);
  start_slot(slot, pool);
  stream_.push_back(intern(term, hash64(term), pool));
  pool.bytes += sizeof(uint32_t);
  return {};
}

void FieldBuffer::add_number(uint32_t slot, int64_t value, BufferPool& pool) {
  slots_.push_back(slot);
  numbers_.push_back(value);
  pool.bytes += sizeof(uint32_t) + sizeof(int64_t);
}

/// The memory for the vector at `index`, which may be one past the last.
float* FieldBuffer::vector_room(size_t index, BufferPool& pool) {
  const size_t chunk = index / kChunkRows;
  const size_t row_bytes = size_t{vector_.dims} * sizeof(float);
  if (chunk == vector_chunks_.size()) {
    const size_t rows = chunk == 0 ? kFirstRows : kChunkRows;
    vector_chunks_.push_back(std::make_unique_for_overwrite<float[]>(rows * vector_.dims));
    if (chunk == 0) first_rows_ = rows;
    pool.bytes += rows * row_bytes;
  } else if (chunk == 0 && index == first_rows_) {
    auto larger = std::make_unique_for_overwrite<float[]>(2 * first_rows_ * vector_.dims);
    std::memcpy(larger.get(), vector_chunks_[0].get(), first_rows_ * row_bytes);
    vector_chunks_[0] = std::move(larger);
    pool.bytes += first_rows_ * row_bytes;
    first_rows_ *= 2;
  }
  return vector_chunks_[chunk].get() + index % kChunkRows * vector_.dims;
}

Status FieldBuffer::add_vector(uint32_t slot, std::string_view floats, BufferPool& pool) {
  const size_t bytes = size_t{vector_.dims} * sizeof(float);
  const bool again = !slots_.empty() && slots_.back() == slot;
  if (bytes == 0 || floats.size() != bytes || (again && !several_vectors_)) {
    return {ErrorType::kInternal, "a vector that does not fit field [" + name_ + "]"};
  }
  std::memcpy(vector_room(slots_.size(), pool), floats.data(), bytes);
  slots_.push_back(slot);
  pool.bytes += sizeof(uint32_t);
  return {};
}

void FieldBuffer::add_presence(uint32_t slot, BufferPool& pool) { start_slot(slot, pool); }

std::string_view FieldBuffer::first_term(uint32_t slot) const {
  const auto at = std::lower_bound(slots_.begin(), slots_.end(), slot);
  if (at == slots_.end() || *at != slot) return {};
  return terms_.term(stream_[begins_[static_cast<size_t>(at - slots_.begin())]]);
}

void FieldBuffer::drop(uint32_t slot) {
  while (!slots_.empty() && slots_.back() == slot) {
    slots_.pop_back();
    if (kind_ == Kind::kNumbers) {
      numbers_.pop_back();
    } else if (kind_ != Kind::kVectors) {
      stream_.resize(begins_.back());
      begins_.pop_back();
    }
  }
}

}  // namespace quarry
