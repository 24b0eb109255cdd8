// The html_strip char filter: lenient parsing of markup. What is not a valid tag or reference is
// kept as text.
#include <algorithm>
#include <optional>

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"
#include "text/char_filters/char_filters.h"

namespace quarry {
namespace {

// Inline tags: their removal must not split the word around them. All other tags become a line end.
constexpr std::string_view kInlineTags[] = {
    "a",      "abbr", "acronym", "b",        "basefont", "bdo",   "big",   "cite",
    "code",   "dfn",  "em",      "font",     "i",        "img",   "input", "kbd",
    "label",  "q",    "s",       "samp",     "select",   "small", "span",  "strike",
    "strong", "sub",  "sup",     "textarea", "tt",       "u",     "var",
};

bool ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool name_char(char c) { return ascii_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == ':'; }

struct Tag {
  size_t length = 0;  // including the brackets
  std::string name;   // lower-case
  bool closing = false;
};

/// Parses the tag at `at`, where a '<' was found. `quoted` is the number of bytes of quoted
/// attribute values that may still be read; after that, quotes are plain characters, so that a text
/// full of unclosed quotes takes linear time.
std::optional<Tag> parse_tag(std::string_view text, size_t at, size_t& quoted) {
  Tag tag;
  size_t next = at + 1;
  tag.closing = next < text.size() && text[next] == '/';
  if (tag.closing) ++next;
  if (next >= text.size() || !ascii_letter(text[next])) return std::nullopt;
  const size_t name = next;
  while (next < text.size() && name_char(text[next])) ++next;
  tag.name = to_lower(text.substr(name, next - name));
  char quote = 0;
  for (; next < text.size(); ++next) {
    const char c = text[next];
    if (quote != 0 && quoted > 0) {
      --quoted;
      if (c == quote) quote = 0;
    } else if (quoted > 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '>') {
      tag.length = next + 1 - at;
      return tag;
    } else if (c == '<') {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// The length of a comment, declaration or processing instruction at `at`; 0 when there is none.
size_t declaration_length(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at);
  std::string_view close;
  if (rest.starts_with("<!--")) {
    close = "-->";
  } else if (rest.starts_with("<!") || rest.starts_with("<?")) {
    close = ">";
  } else {
    return 0;
  }
  const size_t end = rest.find(close, 2);
  return end == std::string_view::npos ? 0 : end + close.size();
}

/// The end of the element (script or style) that `tag` opens, or of the tag when it is never
/// closed.
size_t raw_element_end(std::string_view text, size_t at, const Tag& tag, size_t& quoted) {
  size_t next = at + tag.length;
  while ((next = text.find('<', next)) != std::string_view::npos) {
    const auto found = parse_tag(text, next, quoted);
    if (found && found->closing && found->name == tag.name) return next + found->length;
    ++next;
  }
  return at + tag.length;
}

struct Reference {
  size_t length = 0;
  uint32_t code_point = 0;
};

std::optional<Reference> parse_number(std::string_view text, size_t at) {
  size_t next = at + 2;
  const bool hex = next < text.size() && (text[next] | 0x20) == 'x';
  if (hex) ++next;
  const size_t digits = next;
  uint32_t value = 0;
  for (; next < text.size() && next - digits < 8; ++next) {
    const char c = text[next];
    const bool digit = c >= '0' && c <= '9';
    const char low = static_cast<char>(c | 0x20);
    if (!digit && !(hex && low >= 'a' && low <= 'f')) break;
    value = value * (hex ? 16 : 10) + static_cast<uint32_t>(digit ? c - '0' : low - 'a' + 10);
  }
  if (next == digits || value == 0 || value > 0x10FFFF) return std::nullopt;
  if (next < text.size() && text[next] == ';') ++next;
  return Reference{next - at, value};
}

/// Parses the character reference at `at`, where a '&' was found.
std::optional<Reference> parse_reference(std::string_view text, size_t at) {
  if (text.substr(at).starts_with("&#")) return parse_number(text, at);
  size_t next = at + 1;
  while (next < text.size() && next - at < 16 && name_char(text[next])) ++next;
  if (next >= text.size() || text[next] != ';') return std::nullopt;
  const uint32_t code_point = html_entity(text.substr(at + 1, next - at - 1));
  if (code_point == 0) return std::nullopt;
  return Reference{next + 1 - at, code_point};
}

class HtmlStripper {
 public:
  HtmlStripper(std::string_view text, FilteredText& out,
               const std::set<std::string, std::less<>>& escaped)
      : text_(text), out_(out), escaped_(escaped) {}

  void run() {
    size_t at = 0;
    while ((at = text_.find_first_of("<&", at)) != std::string_view::npos) {
      const size_t length = text_[at] == '&' ? reference(at) : markup(at);
      at += std::max<size_t>(length, 1);
    }
    out_.keep_until(text_.size());
  }

 private:
  size_t replace(size_t at, size_t length, std::string_view replacement) {
    out_.keep_until(at);
    if (replacement.empty()) {
      out_.append_to_word(length);
    } else {
      out_.replace(length, replacement);
    }
    return length;
  }

  size_t reference(size_t at) {
    const auto found = parse_reference(text_, at);
    if (!found) return 0;
    std::string decoded;
    append_utf8(decoded, found->code_point == 0xA0 ? uint32_t{' '} : found->code_point);
    return replace(at, found->length, decoded);
  }

  size_t markup(size_t at) {
    constexpr std::string_view kCdata = "<![CDATA[";
    if (text_.substr(at).starts_with(kCdata)) return cdata(at, kCdata.size());
    // A failed search for the end reads the rest of the text, so it is not repeated for later
    // openings.
    if (!declarations_open_) {
      const size_t declaration = declaration_length(text_, at);
      if (declaration > 0) return replace(at, declaration, "");
      declarations_open_ = text_.substr(at).starts_with("<!") || text_.substr(at).starts_with("<?");
    }
    const auto tag = parse_tag(text_, at, quoted_);
    if (!tag || escaped_.contains(tag->name)) return tag ? tag->length : 0;
    const bool raw = !tag->closing && (tag->name == "script" || tag->name == "style");
    if (raw && !raw_open_) {
      const size_t end = raw_element_end(text_, at, *tag, quoted_);
      raw_open_ = end == at + tag->length;
      return replace(at, end - at, "\n");
    }
    const bool in_line = std::find(std::begin(kInlineTags), std::end(kInlineTags), tag->name) !=
                         std::end(kInlineTags);
    return replace(at, tag->length, in_line ? "" : "\n");
  }

  size_t cdata(size_t at, size_t open) {
    const size_t close = cdata_open_ ? std::string_view::npos : text_.find("]]>", at + open);
    if (close == std::string_view::npos) {
      cdata_open_ = true;
      return 0;
    }
    replace(at, open, "");
    replace(close, 3, "");
    return close + 3 - at;
  }

  const std::string_view text_;
  FilteredText& out_;
  const std::set<std::string, std::less<>>& escaped_;
  size_t quoted_ = 4 * text_.size();
  bool declarations_open_ = false;
  bool raw_open_ = false;
  bool cdata_open_ = false;
};

}  // namespace

void HtmlStripCharFilter::apply(std::string_view text, std::string& out, OffsetMap& map,
                                AnalysisBudget&) const {
  FilteredText filtered(text, out, map);
  HtmlStripper(text, filtered, escaped_tags_).run();
}

}  // namespace quarry
