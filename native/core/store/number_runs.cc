// Format of a run:
//   u8 kind: 0 the byte of the mark itself, which the text contained; nothing follows; 1 decimals;
//            2 floats
//   varint count (> 0); u8 length of the separator (1 .. 16), the separator
//   decimals: u8 bits of the digits (1 .. 58), u8 classes C (1 .. 16), u8 places[C] (0 .. 30);
//             count values of w bits each, lowest bit first, padded with zero bits to a whole byte.
//             A value: the digits as a number, above it the class in as many bits as C - 1 takes,
//             above it one bit for the sign.
//   floats:   f32[count], each printed as the shortest decimal of the same number in 64 bits,
//             without an exponent, as clients print floats that were converted to doubles
#include "store/number_runs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/ascii.h"

namespace quarry {
namespace {

enum class RunKind : uint8_t { kMark = 0, kDecimals = 1, kFloats = 2 };

/// Shorter runs stay in the text, because the head of a run takes about ten bytes.
constexpr size_t kLeastRun = 8;
constexpr size_t kMostSeparator = 16;
constexpr uint32_t kMostSignificantDigits = 17;
constexpr uint32_t kMostDigitBits = 58;
constexpr uint32_t kMostPlaces = 30;
/// With this many places or more, no digits precede the decimal point.
constexpr uint32_t kFarPlaces = 18;
constexpr uint32_t kMostClasses = 16;
/// Runs with wider values are tried as floats.
constexpr uint32_t kWideBits = 40;
/// More than the length of the longest float without an exponent.
constexpr size_t kNumberRoom = 400;

constexpr auto kIntegerPowers = [] {
  std::array<uint64_t, kFarPlaces> powers{1};
  for (size_t i = 1; i < powers.size(); i++) powers[i] = powers[i - 1] * 10;
  return powers;
}();

constexpr auto kPairs = [] {
  std::array<char, 200> pairs{};
  for (size_t i = 0; i < 100; i++) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

/// Writes the digits of `value`, at least `least` of them, so that they end at `end`. Returns their
/// beginning.
char* put_digits(char* end, uint64_t value, uint32_t least) {
  char* at = end;
  while (value >= 100) {
    const auto pair = static_cast<size_t>(value % 100);
    value /= 100;
    *--at = kPairs[2 * pair + 1];
    *--at = kPairs[2 * pair];
  }
  if (value >= 10) {
    *--at = kPairs[2 * value + 1];
    *--at = kPairs[2 * value];
  } else if (value > 0) {
    *--at = static_cast<char>('0' + value);
  }
  while (end - at < static_cast<std::ptrdiff_t>(least)) *--at = '0';
  return at;
}

/// The eight digits of `value`, which must be below 10^8, as characters in memory order.
uint64_t eight_digits(uint64_t value) {
  uint64_t lanes = value / 10000 | value % 10000 << 32;  // two numbers of four digits
  uint64_t high = (lanes * 5243 >> 19) & 0x0000007f0000007f;
  lanes = high | (lanes - high * 100) << 16;  // four numbers of two digits
  high = (lanes * 103 >> 10) & 0x000f000f000f000f;
  lanes = high | (lanes - high * 10) << 8;
  return lanes | 0x3030303030303030;
}

/// Upper bounds of the length of a decimal and of the bytes written after it, which are
/// overwritten.
constexpr size_t kDecimalRoom = 40;
constexpr size_t kSlack = 8;

/// Writes a decimal at `at`. Returns its end.
char* put_decimal(char* at, uint64_t digits, uint32_t places, bool negative) {
  *at = '-';  // branchless, as signs are hard to predict
  at += negative ? 1 : 0;
  const uint64_t unit = places < kFarPlaces ? kIntegerPowers[places] : UINT64_MAX;
  uint64_t whole = digits;
  if (places > 0) whole = digits < unit ? 0 : digits / unit;
  if (whole < 10) {
    *at++ = static_cast<char>('0' + whole);
  } else {
    std::array<char, kDecimalRoom> room;
    const char* first = put_digits(room.data() + room.size(), whole, 1);
    const auto length = static_cast<size_t>(room.data() + room.size() - first);
    std::memcpy(at, first, length);
    at += length;
  }
  if (places == 0) return at;
  *at++ = '.';
  const uint64_t rest = digits - whole * unit;
  if (places <= 8) {
    quarry::store(at, eight_digits(rest) >> 8 * (8 - places));
  } else {
    put_digits(at + places, rest, places);
  }
  return at + places;
}

/// The shortest decimal of `value` without an exponent, stored in `room`.
std::string_view spell(float value, std::array<char, kNumberRoom>& room) {
  const auto [end, error] = std::to_chars(room.data(), room.data() + room.size(),
                                          static_cast<double>(value), std::chars_format::fixed);
  return {room.data(), error == std::errc() ? static_cast<size_t>(end - room.data()) : 0};
}

/// Whether `text` is the shortest decimal of a float, which is then stored in `out`.
bool read_float(std::string_view text, float& out) {
  double exact = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exact);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  out = static_cast<float>(exact);
  std::array<char, kNumberRoom> room;
  return std::isfinite(out) && static_cast<double>(out) == exact && spell(out, room) == text;
}

uint32_t class_bits(size_t classes) { return static_cast<uint32_t>(std::bit_width(classes - 1)); }

void put_head(ByteWriter& runs, RunKind kind, size_t count, std::string_view separator) {
  runs.put(kind);
  runs.put_varint(count);
  runs.put(static_cast<uint8_t>(separator.size()));
  runs.put_bytes(separator);
}

/// Writes values of up to 64 bits without padding between them.
class BitWriter {
 public:
  explicit BitWriter(ByteWriter& out) : out_(out) {}
  void put(uint64_t value, uint32_t bits) {
    open_ |= value << used_;
    if (used_ + bits < 64) {
      used_ += bits;
      return;
    }
    out_.put(open_);
    const uint32_t written = 64 - used_;
    used_ = bits - written;
    open_ = used_ == 0 ? 0 : value >> written;
  }
  void finish() {
    for (; used_ > 0; used_ -= std::min(used_, 8U), open_ >>= 8) {
      out_.put(static_cast<uint8_t>(open_));
    }
  }

 private:
  ByteWriter& out_;
  uint64_t open_ = 0;
  uint32_t used_ = 0;  // below 64
};

/// `bits` (1 .. 64) bits from bit `at` on. `bytes` must contain them.
uint64_t bits_at(Bytes bytes, uint64_t at, uint32_t bits) {
  const size_t first = static_cast<size_t>(at / 8);
  const auto shift = static_cast<uint32_t>(at % 8);
  uint64_t value = 0;
  if (bytes.size() - first >= sizeof(uint64_t)) {
    value = load<uint64_t>(bytes.data() + first) >> shift;
  } else {
    uint64_t rest = 0;
    for (size_t i = first; i < bytes.size(); i++) rest |= uint64_t{bytes[i]} << (8 * (i - first));
    value = rest >> shift;
  }
  if (shift + bits > 64) value |= uint64_t{bytes[first + 8]} << (64 - shift);
  return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

}  // namespace

/// Reads a JSON number without an exponent that is followed by a comma or a closing bracket.
bool NumberPacker::read_number(std::string_view source, size_t at, Number& out) {
  const auto letter = [source](size_t i) { return i < source.size() ? source[i] : '\0'; };
  uint32_t significant = 0;
  const auto take_digits = [&] {
    for (; is_digit(letter(at)) && significant <= kMostSignificantDigits; at++) {
      out.digits = out.digits * 10 + static_cast<uint64_t>(source[at] - '0');
      significant += out.digits != 0 ? 1 : 0;
    }
  };
  out = {};
  out.begin = static_cast<uint32_t>(at);
  out.negative = letter(at) == '-';
  if (out.negative) at++;
  const size_t first = at;
  take_digits();
  if (at == first || (at > first + 1 && source[first] == '0')) return false;
  if (letter(at) == '.') {
    const size_t point = at++;
    take_digits();
    const size_t places = at - point - 1;
    if (places == 0 || places > kMostPlaces) return false;
    out.places = static_cast<uint8_t>(places);
  }
  out.end = static_cast<uint32_t>(at);
  return significant <= kMostSignificantDigits && (letter(at) == ',' || letter(at) == ']');
}

/// Reads the numbers from `at` on that have the same separator into numbers_. Returns the end of
/// the last one.
size_t NumberPacker::read_row(std::string_view source, size_t at) {
  numbers_.clear();
  separator_ = {};
  size_t end = at;
  while (true) {
    Number& number = numbers_.emplace_back();  // filled in place, to save a copy
    if (!read_number(source, at, number)) {
      numbers_.pop_back();
      break;
    }
    end = number.end;
    if (source[end] != ',') break;
    size_t next = end + 1;
    while (next < source.size() && is_json_space(source[next])) next++;
    const std::string_view between = source.substr(end, next - end);
    if (separator_.empty()) separator_ = between;
    if (between.size() > kMostSeparator || between != separator_) break;
    at = next;
  }
  return end;
}

/// False when the numbers have too many different numbers of places.
bool NumberPacker::write_decimals(ByteWriter& runs) const {
  std::array<uint8_t, kMostClasses> places;
  std::array<uint8_t, kMostPlaces + 1> class_of;
  class_of.fill(kMostClasses);
  size_t classes = 0;
  uint64_t all = 1;
  for (const Number& number : numbers_) {
    all |= number.digits;
    if (class_of[number.places] != kMostClasses) continue;
    if (classes == kMostClasses) return false;
    class_of[number.places] = static_cast<uint8_t>(classes);
    places[classes++] = number.places;
  }
  const auto digit_bits = static_cast<uint32_t>(std::bit_width(all));
  const uint32_t sign_at = digit_bits + class_bits(classes);
  put_head(runs, RunKind::kDecimals, numbers_.size(), separator_);
  runs.put(static_cast<uint8_t>(digit_bits));
  runs.put(static_cast<uint8_t>(classes));
  runs.put_bytes(Bytes(places).first(classes));
  BitWriter bits(runs);
  for (const Number& number : numbers_) {
    const uint64_t value = number.digits | uint64_t{class_of[number.places]} << digit_bits |
                           uint64_t{number.negative} << sign_at;
    bits.put(value, sign_at + 1);
  }
  bits.finish();
  return true;
}

/// Writes runs of floats; the numbers between the runs stay in the text.
void NumberPacker::write_floats(std::string_view source, std::string& text, ByteWriter& runs) {
  size_t at = 0;
  while (at < numbers_.size()) {
    floats_.clear();
    float value = 0;
    size_t end = at;
    for (; end < numbers_.size(); end++) {
      const Number& number = numbers_[end];
      if (!read_float(source.substr(number.begin, number.end - number.begin), value)) break;
      floats_.push_back(value);
    }
    if (at > 0) text.append(separator_);
    if (floats_.size() >= kLeastRun) {
      put_head(runs, RunKind::kFloats, floats_.size(), separator_);
      runs.put_bytes(
          {reinterpret_cast<const uint8_t*>(floats_.data()), floats_.size() * sizeof(float)});
      text.push_back(kRunMark);
    } else {
      end = std::max(end, at + 1);
      text.append(source.substr(numbers_[at].begin, numbers_[end - 1].end - numbers_[at].begin));
    }
    at = end;
  }
}

/// Writes the numbers in numbers_, packed if possible.
void NumberPacker::write_row(std::string_view source, std::string& text,
                             std::vector<uint8_t>& runs) {
  ByteWriter out;
  uint64_t all = 0;
  for (const Number& number : numbers_) all |= number.digits;
  const bool wide = static_cast<uint32_t>(std::bit_width(all)) > kWideBits;
  float value = 0;
  const Number& first = numbers_.front();
  if (wide && read_float(source.substr(first.begin, first.end - first.begin), value)) {
    write_floats(source, text, out);
  } else if (write_decimals(out)) {
    text.push_back(kRunMark);
  } else {
    text.append(source.substr(first.begin, numbers_.back().end - first.begin));
  }
  runs.insert(runs.end(), out.view().begin(), out.view().end());
}

/// Packs the array that begins at `at`, after its opening bracket. Numbers that cannot be packed
/// stay in the text. Returns the position of the first character that belongs to no number. `done`:
/// end of the part of `source` that is already in `text`.
size_t NumberPacker::pack_array(std::string_view source, size_t at, size_t& done, std::string& text,
                                std::vector<uint8_t>& runs) {
  while (true) {
    while (at < source.size() && is_json_space(source[at])) at++;
    if (at == source.size() || !(is_digit(source[at]) || source[at] == '-')) return at;
    const size_t end = read_row(source, at);
    if (numbers_.size() >= kLeastRun) {
      text.append(source.substr(done, at - done));
      write_row(source, text, runs);
      done = end;
    }
    at = source.find_first_of(std::string_view(",[]\x01"), std::max(end, at + 1));
    if (at == std::string_view::npos) return source.size();
    if (source[at] != ',') return at;
    at++;
  }
}

void NumberPacker::pack(std::string_view source, std::string& text, std::vector<uint8_t>& runs) {
  size_t done = 0;
  for (size_t at = 0; at < source.size();) {
    const size_t found = source.find_first_of(std::string_view("[\x01"), at);
    if (found == std::string_view::npos) break;
    if (source[found] == kRunMark) {
      runs.push_back(static_cast<uint8_t>(RunKind::kMark));
      at = found + 1;
    } else {
      at = pack_array(source, found + 1, done, text, runs);
    }
  }
  text.append(source.substr(done));
}

bool NumberUnpacker::decimals(std::string_view separator, uint64_t count, std::string* out) {
  const auto digit_bits = reader_.get<uint8_t>();
  const auto classes = reader_.get<uint8_t>();
  const Bytes places = reader_.get_bytes(classes);
  if (reader_.failed() || digit_bits == 0 || digit_bits > kMostDigitBits || classes == 0 ||
      classes > kMostClasses) {
    return false;
  }
  if (*std::max_element(places.begin(), places.end()) > kMostPlaces) return false;
  const uint32_t place_bits = class_bits(classes);
  const uint32_t width = digit_bits + place_bits + 1;
  if (count > reader_.remaining() * 8 / width) return false;
  const Bytes values = reader_.get_bytes(static_cast<size_t>((count * width + 7) / 8));
  if (reader_.failed()) return false;
  if (out == nullptr) return true;
  const uint64_t digit_mask = (uint64_t{1} << digit_bits) - 1;
  const uint64_t place_mask = (uint64_t{1} << place_bits) - 1;
  const size_t before = out->size();
  out->resize(before + static_cast<size_t>(count) * (kDecimalRoom + separator.size()) + kSlack);
  char* at = out->data() + before;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t value = bits_at(values, i * width, width);
    const uint64_t place = value >> digit_bits & place_mask;
    if (place >= classes) return false;
    if (i > 0) at = std::copy(separator.begin(), separator.end(), at);
    at = put_decimal(at, value & digit_mask, places[place], value >> (width - 1) != 0);
  }
  out->resize(static_cast<size_t>(at - out->data()));
  return true;
}

bool NumberUnpacker::floats(std::string_view separator, uint64_t count, std::string* out) {
  if (count > reader_.remaining() / sizeof(float)) return false;
  const Bytes values = reader_.get_bytes(static_cast<size_t>(count) * sizeof(float));
  if (out == nullptr) return true;
  std::array<char, kNumberRoom> room;
  for (size_t i = 0; i < count; i++) {
    const auto value = load<float>(values.data() + i * sizeof(float));
    if (!std::isfinite(value)) return false;
    if (i > 0) out->append(separator);
    out->append(spell(value, room));
  }
  return true;
}

/// Reads the next run into `out`, or skips it when `out` is null.
bool NumberUnpacker::next(std::string* out) {
  const auto kind = reader_.get<RunKind>();
  if (reader_.failed()) return false;
  if (kind == RunKind::kMark) {
    if (out != nullptr) out->push_back(kRunMark);
    return true;
  }
  const uint64_t count = reader_.get_varint();
  const auto length = reader_.get<uint8_t>();
  if (length == 0 || length > kMostSeparator) return false;
  const std::string_view separator = as_text(reader_.get_bytes(length));
  if (reader_.failed() || count == 0) return false;
  if (kind == RunKind::kDecimals) return decimals(separator, count, out);
  return kind == RunKind::kFloats && floats(separator, count, out);
}

bool NumberUnpacker::skip(std::string_view text) {
  for (size_t at = text.find(kRunMark); at != std::string_view::npos;
       at = text.find(kRunMark, at + 1)) {
    if (!next(nullptr)) return false;
  }
  return true;
}

bool NumberUnpacker::unpack(std::string_view text, std::string& out) {
  size_t done = 0;
  for (size_t at = text.find(kRunMark); at != std::string_view::npos;
       at = text.find(kRunMark, done)) {
    out.append(text.substr(done, at - done));
    if (!next(&out)) return false;
    done = at + 1;
  }
  out.append(text.substr(done));
  return true;
}

}  // namespace quarry
