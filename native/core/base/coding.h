// Little-endian coding: a growing ByteWriter and a bounds-checked ByteReader. Everything that reads
// bytes from disk or from the addon boundary uses ByteReader: a read past the end sets `failed` and
// yields zero.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace quarry {

static_assert(std::endian::native == std::endian::little, "all formats are little-endian");

using Bytes = std::span<const uint8_t>;

inline bool all_zero(Bytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

/// Unaligned little-endian load; the caller guarantees sizeof(T) readable bytes.
template <typename T>
  requires std::is_trivially_copyable_v<T>
inline T load(const void* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// Unaligned little-endian store; the caller guarantees sizeof(T) writable bytes.
template <typename T>
  requires std::is_trivially_copyable_v<T>
inline void store(void* to, T value) noexcept {
  std::memcpy(to, &value, sizeof(T));
}

inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Appends to a byte vector that it owns.
class ByteWriter {
 public:
  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  void put(T value) {
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    store(bytes_.data() + at, value);
  }
  /// LEB128, at most 5 bytes for 32-bit and 10 for 64-bit values.
  void put_varint(uint64_t value) {
    while (value >= 0x80) {
      bytes_.push_back(static_cast<uint8_t>(value | 0x80));
      value >>= 7;
    }
    bytes_.push_back(static_cast<uint8_t>(value));
  }
  void put_bytes(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void put_bytes(std::string_view text) { put_bytes(as_bytes(text)); }
  /// u32 length, then the bytes.
  void put_string(std::string_view text) {
    put(static_cast<uint32_t>(text.size()));
    put_bytes(text);
  }
  /// Appends zero bytes up to a multiple of `alignment` (a power of two).
  void align(size_t alignment) {
    bytes_.resize((bytes_.size() + alignment - 1) & ~(alignment - 1));
  }
  /// Overwrites an earlier put() at byte offset `at`.
  template <typename T>
  void patch(size_t at, T value) {
    store(bytes_.data() + at, value);
  }

  size_t size() const { return bytes_.size(); }
  void clear() { bytes_.clear(); }
  void reserve(size_t bytes) { bytes_.reserve(bytes); }
  Bytes view() const { return bytes_; }
  std::vector<uint8_t>& buffer() { return bytes_; }
  std::vector<uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<uint8_t> bytes_;
};

/// Bounds-checked cursor over bytes that it does not own.
class ByteReader {
 public:
  ByteReader() = default;
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  T get() {
    if (remaining() < sizeof(T)) return fail<T>();
    T value = load<T>(bytes_.data() + at_);
    at_ += sizeof(T);
    return value;
  }
  uint64_t get_varint() {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
      if (at_ >= bytes_.size()) return fail<uint64_t>();
      const uint8_t byte = bytes_[at_++];
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    return fail<uint64_t>();
  }
  /// A view into the underlying bytes; empty and failed() when fewer than `count` remain.
  Bytes get_bytes(size_t count) {
    if (remaining() < count) return fail<Bytes>();
    Bytes view = bytes_.subspan(at_, count);
    at_ += count;
    return view;
  }
  std::string_view get_string() {
    const auto length = get<uint32_t>();
    return as_text(get_bytes(length));
  }
  void align(size_t alignment) {
    const size_t aligned = (at_ + alignment - 1) & ~(alignment - 1);
    if (aligned > bytes_.size()) {
      fail<int>();
      return;
    }
    at_ = aligned;
  }
  void seek(size_t at) {
    if (at > bytes_.size()) {
      fail<int>();
      return;
    }
    at_ = at;
  }

  size_t position() const { return at_; }
  size_t remaining() const { return bytes_.size() - at_; }
  bool done() const { return at_ == bytes_.size(); }
  bool failed() const { return failed_; }

 private:
  template <typename T>
  T fail() {
    failed_ = true;
    at_ = bytes_.size();
    return T{};
  }

  Bytes bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace quarry
