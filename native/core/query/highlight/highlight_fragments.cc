// Fragments by sentences joined or cut to a length, by words, by boundary characters, or whole
// values.
#include "query/highlight/highlight_fragments.h"

#include <algorithm>

namespace quarry {
namespace {

constexpr uint32_t kMargin = 6;  // characters before a match, for boundary characters

}  // namespace

const Boundaries& FragmentCutter::sentences() {
  if (!sentences_) sentences_ = sentence_boundaries(value_);
  return *sentences_;
}

const Boundaries& FragmentCutter::words() {
  if (!words_) words_ = word_boundaries(value_);
  return *words_;
}

TextSpan FragmentCutter::around(TextSpan match) {
  if (whole_) return {0, length()};
  if (spec_.scanner == FragmentScanner::kChars) {
    const TextSpan span = by_chars(match.start);
    last_end_ = span.end;
    return span;
  }
  // Fragments are laid around the middle of the match.
  const uint32_t middle = match.start + (match.end - match.start) / 2;
  const uint32_t offset = std::max(match.start + 1, middle);
  if (spec_.scanner == FragmentScanner::kSentence && spec_.fragment_size > 0)
    return bounded_sentence(offset);
  const Boundaries& all = spec_.scanner == FragmentScanner::kWord ? words() : sentences();
  return {std::min(match.start, boundary_before(all, offset)), boundary_after(all, middle)};
}

/// Takes as many sentences as fit, starting with the one at `offset`, or a single one that does not
/// fit.
void FragmentCutter::open_window(uint32_t offset) {
  part_.start = boundary_before(sentences(), offset);
  const uint32_t used = offset - part_.start;
  const uint64_t target =
      uint64_t{offset} + (used < spec_.fragment_size ? spec_.fragment_size - used : 0);
  if (target >= length()) {
    part_.end = length();
  } else {
    part_.end = boundary_before(sentences(), static_cast<uint32_t>(target) + 1);
    if (part_.end <= part_.start)
      part_.end = boundary_after(sentences(), static_cast<uint32_t>(target));
  }
  window_ = part_;
}

TextSpan FragmentCutter::bounded_sentence(uint32_t offset) {
  const uint32_t size = spec_.fragment_size;
  if (offset > window_.start && offset < window_.end) {
    part_ = {part_.end, window_.end};
  } else {
    open_window(offset);
  }
  if (part_.end - part_.start <= size) return part_;
  // Too long: the start moves towards the match, then the end gets the remaining length.
  if (offset > size && offset - size > part_.start)
    part_.start = std::max(part_.start, boundary_before(words(), offset - size));
  const uint32_t used = offset - part_.start;
  const uint32_t end = offset + (used < size ? size - used : 0);
  if (end < window_.end) part_.end = std::min(window_.end, boundary_after(words(), end));
  return part_;
}

bool FragmentCutter::is_boundary_char(uint32_t at) const {
  return spec_.boundary_chars.find(value_[at]) != std::u32string::npos;
}

/// A fragment of the requested size, extended to the nearest boundary character on each side if
/// that is within boundary_max_scan.
TextSpan FragmentCutter::by_chars(uint32_t place) const {
  uint32_t start = std::max(last_end_, place > kMargin ? place - kMargin : 0);
  for (uint32_t i = 0; i < spec_.boundary_max_scan && start - i > last_end_; i++) {
    if (!is_boundary_char(start - i - 1)) continue;
    start -= i;
    break;
  }
  const uint64_t size = spec_.fragment_size == 0 ? length() : spec_.fragment_size;
  auto end = static_cast<uint32_t>(std::min<uint64_t>(length(), start + size));
  for (uint32_t i = 0; i < spec_.boundary_max_scan && end + i < length(); i++) {
    if (!is_boundary_char(end + i)) continue;
    end += i;
    break;
  }
  return {start, std::max(end, place + 1)};
}

TextSpan beginning(const FieldText& text, uint32_t size) {
  for (const TextSpan& span : text.spans()) {
    if (span.start == span.end) continue;
    if (uint64_t{span.start} + size >= span.end) return span;
    const auto value = std::u32string_view(text.text()).substr(span.start, span.end - span.start);
    return {span.start, span.start + boundary_after(word_boundaries(value), size)};
  }
  return {};
}

}  // namespace quarry
