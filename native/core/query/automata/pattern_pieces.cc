#include "query/automata/pattern_pieces.h"

#include <string>
#include <utility>

#include "text/analysis/utf8.h"

namespace quarry {
namespace {

/// Collects consecutive characters, and cuts them where the pattern allows other text.
class PieceList {
 public:
  void add(char c) { text_ += c; }
  void add_symbol(char32_t symbol) { append_utf8(text_, static_cast<uint32_t>(symbol)); }
  void cut() { end_piece(false); }
  std::vector<TermPiece> finish() {
    end_piece(true);
    return std::move(pieces_);
  }

 private:
  void end_piece(bool at_end) {
    if (text_.empty()) return;
    pieces_.push_back({std::move(text_), at_end});
    text_.clear();
  }

  std::string text_;
  std::vector<TermPiece> pieces_;
};

// Symbols above it stand for bytes that are not UTF-8.
constexpr char32_t kLastCodePoint = 0x10ffff;

/// Adds one part of a concatenation.
void add_part(const RegexpPool::Node& part, PieceList& out) {
  const bool one = part.kind == RegexpPool::Kind::kSymbols && part.symbols.size() == 1 &&
                   part.symbols[0].first == part.symbols[0].second;
  if (one && part.symbols[0].first <= kLastCodePoint) {
    out.add_symbol(part.symbols[0].first);
  } else {
    out.cut();
  }
}

}  // namespace

std::vector<TermPiece> wildcard_pieces(std::string_view pattern) {
  PieceList out;
  for (size_t i = 0; i < pattern.size(); i++) {
    if (pattern[i] == '*' || pattern[i] == '?') {
      out.cut();
      continue;
    }
    if (pattern[i] == '\\' && i + 1 < pattern.size()) i++;
    out.add(pattern[i]);
  }
  return out.finish();
}

std::vector<TermPiece> regexp_pieces(const RegexpPool& pool, RegexpPool::Id root) {
  PieceList out;
  RegexpPool::Id rest = root;  // concatenations nest to the right
  for (; pool.node(rest).kind == RegexpPool::Kind::kConcat; rest = pool.node(rest).parts[1]) {
    add_part(pool.node(pool.node(rest).parts[0]), out);
  }
  add_part(pool.node(rest), out);
  return out.finish();
}

}  // namespace quarry
