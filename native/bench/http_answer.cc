#include "bench/http_answer.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace quarry::bench {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr size_t kStatusAt = std::string_view("HTTP/1.1 ").size();
constexpr size_t kMostHead = 64 << 10;
constexpr size_t kMostLine = 1 << 10;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

/// Parses the whole string as a number.
std::optional<uint64_t> number(std::string_view text, int base) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// The value of a header in `head`, whose lines end with CRLF.
std::optional<std::string_view> header(std::string_view head, std::string_view name) {
  for (size_t at = head.find(kLineEnd); at != std::string_view::npos;) {
    const size_t begin = at + kLineEnd.size();
    const size_t end = head.find(kLineEnd, begin);
    const std::string_view line = head.substr(begin, end - begin);
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos && same_name(line.substr(0, colon), name)) {
      return trimmed(line.substr(colon + 1));
    }
    at = end;
  }
  return std::nullopt;
}

}  // namespace

AnswerReader::State AnswerReader::take(std::string_view bytes) {
  while (!bytes.empty() && part_ != Part::kWhole && part_ != Part::kBroken) {
    if (part_ == Part::kHead) {
      take_head(bytes);
    } else if (part_ == Part::kBody || part_ == Part::kChunk) {
      skip(bytes);
    } else {
      take_line(bytes);
    }
  }
  if (!bytes.empty()) part_ = Part::kBroken;
  if (part_ == Part::kBroken) return State::kBroken;
  return part_ == Part::kWhole ? State::kWhole : State::kMore;
}

void AnswerReader::reset() {
  part_ = Part::kHead;
  head_.clear();
  line_.clear();
  left_ = 0;
  status_ = 0;
}

void AnswerReader::take_head(std::string_view& bytes) {
  const size_t before = head_.size();
  head_ += bytes;
  const size_t end = head_.find(kHeadEnd, before < kHeadEnd.size() ? 0 : before - kHeadEnd.size());
  if (end == std::string::npos) {
    bytes = {};
    if (head_.size() > kMostHead) part_ = Part::kBroken;
    return;
  }
  bytes.remove_prefix(end + kHeadEnd.size() - before);
  head_.resize(end);
  part_ = read_head();
}

AnswerReader::Part AnswerReader::read_head() {
  const std::string_view head = head_;
  if (head.size() < kStatusAt + 3 || !head.starts_with("HTTP/1.")) return Part::kBroken;
  const std::optional<uint64_t> status = number(head.substr(kStatusAt, 3), 10);
  if (!status || *status < 200) return Part::kBroken;
  status_ = static_cast<int>(*status);
  if (header(head, "transfer-encoding")) return Part::kChunkSize;
  const std::optional<uint64_t> length = number(header(head, "content-length").value_or(""), 10);
  if (!length) return Part::kBroken;
  left_ = *length;
  return left_ == 0 ? Part::kWhole : Part::kBody;
}

void AnswerReader::skip(std::string_view& bytes) {
  const uint64_t here = std::min<uint64_t>(left_, bytes.size());
  bytes.remove_prefix(here);
  left_ -= here;
  if (left_ == 0) part_ = part_ == Part::kBody ? Part::kWhole : Part::kChunkEnd;
}

void AnswerReader::take_line(std::string_view& bytes) {
  const size_t end = bytes.find('\n');
  if (end == std::string_view::npos) {
    line_ += bytes;
    bytes = {};
    if (line_.size() > kMostLine) part_ = Part::kBroken;
    return;
  }
  line_ += bytes.substr(0, end);
  bytes.remove_prefix(end + 1);
  part_ = behind_line();
  line_.clear();
}

AnswerReader::Part AnswerReader::behind_line() {
  if (line_.empty() || line_.back() != '\r') return Part::kBroken;
  line_.pop_back();
  if (part_ != Part::kChunkSize) {
    if (!line_.empty()) return Part::kBroken;
    return part_ == Part::kLastEnd ? Part::kWhole : Part::kChunkSize;
  }
  const std::string_view digits = std::string_view(line_).substr(0, line_.find(';'));
  const std::optional<uint64_t> size = number(trimmed(digits), 16);
  if (!size) return Part::kBroken;
  left_ = *size;
  return left_ == 0 ? Part::kLastEnd : Part::kChunk;
}

}  // namespace quarry::bench
