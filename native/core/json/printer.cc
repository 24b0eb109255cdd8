// A state machine over bytes: the kind of token that it is inside of, and the tokens that may
// follow.
#include "json/printer.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "base/ascii.h"
#include "base/coding.h"
#include "json/scanner.h"

namespace quarry {

namespace {

constexpr size_t kUnitBytes = 6;  // \u00e4

constexpr uint64_t kOneInEachByte = 0x0101010101010101;
/// Sets the high bit of the first byte that is 0; bits of later bytes may be wrong.
constexpr uint64_t zero_bytes(uint64_t word) {
  return (word - kOneInEachByte) & ~word & kOneInEachByte << 7;
}

bool is_hex(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'f');
}
/// Whether the character belongs to a number or a literal.
bool is_scalar(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || c == '-' || c == '+' ||
         c == '.';
}
bool begins_scalar(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == 't' || c == 'f' || c == 'n';
}

/// The number of bytes before the first quote or backslash.
size_t plain_letters(std::string_view text) {
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= text.size(); at += sizeof(uint64_t)) {
    const auto word = load<uint64_t>(text.data() + at);
    const uint64_t stop =
        zero_bytes(word ^ kOneInEachByte * '"') | zero_bytes(word ^ kOneInEachByte * '\\');
    if (stop != 0) return at + static_cast<size_t>(std::countr_zero(stop)) / 8;
  }
  while (at < text.size() && text[at] != '"' && text[at] != '\\') ++at;
  return at;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Result<PathMatcher> filter_path_matcher(const std::vector<std::string_view>& patterns) {
  if (patterns.empty()) return PathMatcher();
  QUARRY_ASSIGN_OR_RETURN(
      PathPatterns compiled,
      PathPatterns::compile(patterns, PathPatterns::Syntax::kFilterPath, "filter_path"));
  return PathMatcher(std::make_shared<const PathPatterns>(std::move(compiled)));
}

}  // namespace

Result<JsonPrinter> JsonPrinter::create(PrintStyle style, std::string_view filter,
                                        std::string& out) {
  std::vector<std::string_view> includes;
  std::vector<std::string_view> excludes;
  while (!filter.empty()) {
    const size_t end = std::min(filter.find(','), filter.size());
    const std::string_view pattern = trimmed(filter.substr(0, end));
    filter.remove_prefix(std::min(end + 1, filter.size()));
    if (pattern.starts_with('-')) {
      excludes.push_back(pattern.substr(1));
    } else if (!pattern.empty()) {
      includes.push_back(pattern);
    }
  }
  QUARRY_ASSIGN_OR_RETURN(PathMatcher include, filter_path_matcher(includes));
  QUARRY_ASSIGN_OR_RETURN(PathMatcher exclude, filter_path_matcher(excludes));
  return JsonPrinter(style, std::move(include), std::move(exclude), out);
}

JsonPrinter::JsonPrinter(PrintStyle style, PathMatcher includes, PathMatcher excludes,
                         std::string& out)
    : out_(out),
      writer_(style, out),
      includes_(std::move(includes)),
      excludes_(std::move(excludes)) {
  writer_.start();
}

Result<size_t> JsonPrinter::print(std::string_view text, size_t most) {
  size_t at = 0;
  while (at < text.size() && out_.size() < most && error_ == nullptr) {
    const std::string_view rest = text.substr(at);
    switch (inside_) {
      case Inside::kNothing:
        at += read_token(rest);
        break;
      case Inside::kKey:
      case Inside::kString:
        at += read_string(rest);
        break;
      case Inside::kScalar:
        at += read_scalar(rest);
        break;
      case Inside::kSkipped:
        at += skip(rest);
        break;
      case Inside::kSkippedString:
        at += skip_string(rest);
        break;
    }
  }
  if (error_ != nullptr) {
    return Status(ErrorType::kXContentParse,
                  std::string(error_) + " at byte " + std::to_string(read_ + at));
  }
  read_ += at;
  return at;
}

Status JsonPrinter::finish() {
  if (inside_ == Inside::kScalar && levels_.empty()) {
    inside_ = Inside::kNothing;
    if (kept_) writer_.end_leaf(false);
    end_value();
  }
  if (inside_ != Inside::kNothing || expect_ != Expect::kNothing) fail("unexpected end");
  if (error_ != nullptr) {
    return {ErrorType::kXContentParse, std::string(error_) + " at byte " + std::to_string(read_)};
  }
  writer_.finish();
  return {};
}

void JsonPrinter::fail(const char* what) {
  if (error_ == nullptr) error_ = what;
}

/// Reads one character that starts or separates values; returns the number of bytes read.
size_t JsonPrinter::read_token(std::string_view text) {
  const char c = text[0];
  if (is_json_space(c)) return 1;
  switch (expect_) {
    case Expect::kFirstKey:
      if (c == '}') {
        close(c);
        return 1;
      }
      [[fallthrough]];
    case Expect::kKey:
      if (c != '"') {
        fail("expected a key");
        return 0;
      }
      levels_.back().any = true;
      key_.clear();
      key_escaped_ = false;
      inside_ = Inside::kKey;
      return 1;
    case Expect::kColon:
      if (c != ':') fail("expected a colon");
      expect_ = Expect::kValue;
      return 1;
    case Expect::kSeparator:
      if (c == ',') {
        expect_ = levels_.back().object ? Expect::kKey : Expect::kValue;
      } else {
        close(c);
      }
      return 1;
    case Expect::kFirstItem:
      if (c == ']') {
        close(c);
        return 1;
      }
      levels_.back().any = true;
      [[fallthrough]];
    case Expect::kValue:
      begin_value(c);
      // A number is read including its first character.
      return inside_ == Inside::kScalar ? 0 : 1;
    case Expect::kNothing:
      fail("unexpected character after the value");
      return 0;
  }
  return 1;
}

/// Starts a value at its first character. Its path determines whether it is kept.
void JsonPrinter::begin_value(char c) {
  const Level* parent = top();
  const bool container = c == '{' || c == '[';
  bool included = parent == nullptr ? !includes_.has_patterns() : parent->included;
  bool kept = true;
  if (parent == nullptr || !parent->all) {
    included = included || includes_.matches();
    const bool may_fit = container ? !includes_.is_dead() : includes_.matches_leaf();
    kept = !excludes_.matches() && (included || may_fit);
  }
  if (container && kept) {
    open(c == '{', included);
    return;
  }
  kept_ = kept;
  if (container) {
    skipped_depth_ = 1;
    inside_ = Inside::kSkipped;
  } else if (c == '"') {
    inside_ = Inside::kString;
    if (kept) writer_.begin_leaf(true);
  } else if (begins_scalar(c)) {
    inside_ = Inside::kScalar;
    if (kept) writer_.begin_leaf(false);
  } else {
    fail("expected a value");
  }
}

void JsonPrinter::open(bool object, bool included) {
  if (levels_.size() == kDeepest) {
    fail("objects and arrays are too deep");
    return;
  }
  levels_.push_back({object, included, included && excludes_.is_dead(), false});
  writer_.open(object);
  expect_ = object ? Expect::kFirstKey : Expect::kFirstItem;
}

void JsonPrinter::close(char c) {
  if (c != (levels_.back().object ? '}' : ']')) {
    fail("expected a comma or the end of an object or array");
    return;
  }
  const Level level = levels_.back();
  levels_.pop_back();
  writer_.close(level.included && !level.any);
  end_value();
}

void JsonPrinter::end_key() {
  writer_.set_key(key_);
  expect_ = Expect::kColon;
  const Level& level = levels_.back();
  if (level.all) return;
  std::string_view name = key_;
  if (key_escaped_) {
    unescaped_key_.resize(key_.size());
    name = {unescaped_key_.data(), unescape_json(key_, unescaped_key_.data())};
  }
  if (!level.included) includes_.enter(name);
  excludes_.enter(name);
}

void JsonPrinter::end_value() {
  const Level* parent = top();
  expect_ = parent == nullptr ? Expect::kNothing : Expect::kSeparator;
  if (parent == nullptr || !parent->object || parent->all) return;
  if (!parent->included) includes_.leave();
  excludes_.leave();
}

size_t JsonPrinter::read_string(std::string_view text) {
  if (!escape_.empty()) {
    read_escaped(text[0]);
    return 1;
  }
  const bool key = inside_ == Inside::kKey;
  const size_t plain = plain_letters(text);
  if (key) {
    key_.append(text, 0, plain);
  } else if (kept_) {
    writer_.letters(text.substr(0, plain));
  }
  if (plain == text.size()) return plain;
  if (text[plain] == '\\') {
    escape_ = '\\';
    return plain + 1;
  }
  inside_ = Inside::kNothing;
  if (key) {
    end_key();
  } else {
    if (kept_) writer_.end_leaf(true);
    end_value();
  }
  return plain + 1;
}

void JsonPrinter::read_escaped(char c) {
  const bool hex = escape_.size() > 1;
  constexpr std::string_view kKinds = "\"\\/bfnrtu";
  if (hex ? !is_hex(c) : kKinds.find(c) == kKinds.npos) {
    fail("unknown escape");
    return;
  }
  escape_ += c;
  if (escape_[1] == 'u' && escape_.size() < kUnitBytes) return;
  if (inside_ == Inside::kKey) {
    key_ += escape_;
    key_escaped_ = true;
  } else if (kept_) {
    writer_.escape(escape_);
  }
  escape_.clear();
}

size_t JsonPrinter::read_scalar(std::string_view text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), is_scalar);
  const auto length = static_cast<size_t>(end - text.begin());
  if (kept_) writer_.scalar(text.substr(0, length));
  if (length == text.size()) return length;
  inside_ = Inside::kNothing;
  if (kept_) writer_.end_leaf(false);
  end_value();
  return length;
}

/// Skips a value that is filtered out: only brackets and strings are tracked, the rest is not
/// checked.
size_t JsonPrinter::skip(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      inside_ = Inside::kSkippedString;
      return at + 1;
    }
    if (c == '{' || c == '[') ++skipped_depth_;
    if ((c == '}' || c == ']') && --skipped_depth_ == 0) {
      inside_ = Inside::kNothing;
      end_value();
      return at + 1;
    }
  }
  return text.size();
}

size_t JsonPrinter::skip_string(std::string_view text) {
  if (!escape_.empty()) {
    escape_.clear();
    return 1;
  }
  const size_t plain = plain_letters(text);
  if (plain == text.size()) return plain;
  if (text[plain] == '\\') {
    escape_ = '\\';
  } else {
    inside_ = Inside::kSkipped;
  }
  return plain + 1;
}

}  // namespace quarry
