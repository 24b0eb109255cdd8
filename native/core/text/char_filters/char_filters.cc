// Implements FilteredText and the mapping char filter.
#include "text/char_filters/char_filters.h"

#include <algorithm>
#include <functional>

#include "text/analysis/options.h"
#include "text/analysis/utf8.h"

namespace quarry {
namespace {

// A lookup compares bytes of some keys: their ends, where keys have a common prefix.
constexpr size_t kComparedPerStep = 8;

}  // namespace

void FilteredText::keep_until(size_t end) {
  if (end <= at_) return;
  out_ += text_.substr(at_, end - at_);
  at_ = end;
}

void FilteredText::replace(size_t length, std::string_view replacement) {
  const std::string_view replaced = text_.substr(at_, length);
  const auto start = static_cast<uint32_t>(out_.size());
  const size_t end = at_ + replaced.size();
  const bool byte_by_byte = is_ascii(replaced) && is_ascii(replacement);
  const size_t same = byte_by_byte ? std::min(replaced.size(), replacement.size()) : size_t{1};
  if (replacement.empty()) {
    map_.add_removal(start, static_cast<int64_t>(end) - int64_t{start});
    at_ = end;
    return;
  }
  // Offsets start .. start + same - 1 keep the current shift; the others map to the end.
  const auto at = [start](size_t i) { return start + static_cast<uint32_t>(i); };
  const auto to_end = [&](size_t i) { return static_cast<int64_t>(end) - int64_t{at(i)}; };
  if (same < replacement.size()) map_.add_fixed(at(same), to_end(same));
  if (!byte_by_byte || replaced.size() != replacement.size()) {
    map_.add(at(replacement.size()), to_end(replacement.size()));
  }
  out_ += replacement;
  at_ = end;
}

void FilteredText::append_to_word(size_t length) {
  at_ = std::min(at_ + length, text_.size());
  const auto start = static_cast<uint32_t>(out_.size());
  map_.add(start, static_cast<int64_t>(at_) - int64_t{start});
}

MappingCharFilter::MappingCharFilter(std::map<std::string, std::string, std::less<>> mappings)
    : mappings_(std::move(mappings)) {
  for (const auto& [key, value] : mappings_) {
    lengths_[static_cast<uint8_t>(key.front())].push_back(static_cast<uint32_t>(key.size()));
  }
  for (std::vector<uint32_t>& lengths : lengths_) {
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  }
}

const std::string* MappingCharFilter::find(std::string_view text, size_t& length,
                                           AnalysisBudget& budget) const {
  for (const uint32_t candidate : lengths_[static_cast<uint8_t>(text.front())]) {
    if (candidate > text.size()) continue;
    if (!budget.spend(1 + candidate / kComparedPerStep)) return nullptr;
    const auto found = mappings_.find(text.substr(0, candidate));
    if (found == mappings_.end()) continue;
    length = candidate;
    return &found->second;
  }
  return nullptr;
}

void MappingCharFilter::apply(std::string_view text, std::string& out, OffsetMap& map,
                              AnalysisBudget& budget) const {
  FilteredText filtered(text, out, map);
  for (size_t at = 0; at < text.size();) {
    size_t length = 0;
    const std::string* replacement = find(text.substr(at), length, budget);
    if (budget.exceeded()) return;
    if (replacement == nullptr) {
      at += decode_utf8(text, at).bytes;
      continue;
    }
    filtered.keep_until(at);
    if (!budget.allows(map.size(), out.size() + replacement->size())) return;
    filtered.replace(length, *replacement);
    at += length;
  }
  filtered.keep_until(text.size());
}

namespace {

bool unescape_mapping(std::string_view text, std::string& out) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      out += text[at];
      continue;
    }
    if (++at >= text.size()) return false;
    constexpr std::string_view kLetters = "ntrbf";
    constexpr std::string_view kValues = "\n\t\r\b\f";
    const size_t known = kLetters.find(text[at]);
    if (text[at] == 'u') {
      const std::string digits(text.substr(at + 1, 4));
      const bool hex = digits.size() == 4 &&
                       digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
      if (!hex) return false;
      append_utf8(out, static_cast<uint32_t>(std::stoul(digits, nullptr, 16)));
      at += 4;
    } else {
      out += known == std::string_view::npos ? text[at] : kValues[known];
    }
  }
  return true;
}

}  // namespace

Result<std::map<std::string, std::string, std::less<>>> parse_mappings(
    const std::vector<std::string>& lines) {
  std::map<std::string, std::string, std::less<>> out;
  for (const std::string& line : lines) {
    const size_t arrow = line.rfind("=>");
    std::string key;
    std::string value;
    const bool right =
        arrow != std::string::npos &&
        unescape_mapping(trim_ascii(std::string_view(line).substr(0, arrow)), key) &&
        unescape_mapping(trim_ascii(std::string_view(line).substr(arrow + 2)), value);
    if (!right || key.empty()) {
      return Status(ErrorType::kIllegalArgument, "Invalid mapping rule : [" + line + "]");
    }
    if (!out.emplace(key, value).second) {
      return Status(ErrorType::kIllegalArgument, "match \"" + key + "\" was already added");
    }
  }
  return out;
}

}  // namespace quarry
