// A look-behind holds where a match of its pattern ends, so its pattern runs forwards from all
// places at once. A look-ahead holds where a match starts, so its reversed pattern runs backwards.
// Look-arounds within others have lower numbers and are known before.
#include "text/regex/regex_looks.h"

#include <utility>

#include "text/analysis/utf8.h"

namespace quarry {
namespace {

constexpr size_t kWordsPerStep = 16;  // of a table of places, which are cleared together

bool is_newline(char c) { return c == '\n' || c == '\r'; }

bool word_before(std::string_view text, size_t at) {
  return at > 0 && is_regex_word(static_cast<unsigned char>(text[at - 1]));
}
bool word_after(std::string_view text, size_t at) {
  return at < text.size() && is_regex_word(static_cast<unsigned char>(text[at]));
}

/// The instructions that are reached at one place, without groups.
class States {
 public:
  explicit States(size_t size) : place_(size, 0) {}
  void clear() { order_.clear(); }
  bool add(uint32_t pc) {
    if (place_[pc] < order_.size() && order_[place_[pc]] == pc) return false;
    place_[pc] = order_.size();
    order_.push_back(pc);
    return true;
  }
  const std::vector<uint32_t>& order() const { return order_; }

 private:
  std::vector<uint32_t> order_;
  std::vector<size_t> place_;
};

class LookPass {
 public:
  LookPass(const RegexProgram& program, const RegexLook& look, const RegexLookTable& inner,
           std::string_view text)
      : program_(program),
        look_(look),
        inner_(inner),
        text_(text),
        current_(look.code.size()),
        next_(look.code.size()) {}

  void run(std::vector<uint64_t>& places, AnalysisBudget& budget) {
    size_t at = look_.behind ? 0 : text_.size();
    for (;;) {
      follow(current_, 0, at);
      bool matches = false;
      const bool last = look_.behind ? at == text_.size() : at == 0;
      const CodePoint cp = last           ? CodePoint{0, 0}
                           : look_.behind ? decode_utf8(text_, at)
                                          : decode_before(text_, at);
      const size_t to = look_.behind ? at + cp.bytes : at - cp.bytes;
      for (const uint32_t pc : current_.order()) {
        const RegexInstruction& op = look_.code[pc];
        if (op.op == RegexOp::kMatch) matches = true;
        if (op.op == RegexOp::kSet && !last && program_.sets[op.x].contains(cp.value))
          follow(next_, pc + 1, to);
      }
      if (matches != look_.negated) places[at / 64] |= uint64_t{1} << (at % 64);
      if (last || !budget.spend(1 + current_.order().size())) return;
      at = to;
      std::swap(current_, next_);
      next_.clear();
    }
  }

 private:
  /// Adds what is reached from `start` without consuming text.
  void follow(States& states, uint32_t start, size_t at) {
    stack_.assign(1, start);
    while (!stack_.empty()) {
      const uint32_t pc = stack_.back();
      stack_.pop_back();
      if (!states.add(pc)) continue;
      const RegexInstruction& op = look_.code[pc];
      if (op.op == RegexOp::kJump || op.op == RegexOp::kSplit) stack_.push_back(op.x);
      if (op.op == RegexOp::kSplit) stack_.push_back(op.y);
      const bool passes = (op.op == RegexOp::kAssert &&
                           regex_assert_holds(static_cast<RegexAssert>(op.x), text_, at)) ||
                          (op.op == RegexOp::kLook && inner_.holds(op.x, at));
      if (passes) stack_.push_back(pc + 1);
    }
  }

  const RegexProgram& program_;
  const RegexLook& look_;
  const RegexLookTable& inner_;
  const std::string_view text_;
  States current_;
  States next_;
  std::vector<uint32_t> stack_;
};

}  // namespace

bool regex_assert_holds(RegexAssert kind, std::string_view text, size_t at) {
  const bool at_end = at == text.size();
  switch (kind) {
    case RegexAssert::kTextStart:
      return at == 0;
    case RegexAssert::kTextEnd:
      return at_end;
    case RegexAssert::kTextEndOrLastNewline:
      return at_end || (at + 1 == text.size() && is_newline(text[at])) ||
             (at + 2 == text.size() && text.substr(at) == "\r\n");
    case RegexAssert::kLineStart:
      return at == 0 || (is_newline(text[at - 1]) && !at_end);
    case RegexAssert::kLineEnd:
      return at_end || is_newline(text[at]);
    case RegexAssert::kWordBoundary:
      return word_before(text, at) != word_after(text, at);
    case RegexAssert::kNotWordBoundary:
      return word_before(text, at) == word_after(text, at);
  }
  return false;
}

RegexLookTable::RegexLookTable(const RegexProgram& program, std::string_view text,
                               AnalysisBudget& budget) {
  for (const RegexLook& look : program.looks) {
    std::vector<uint64_t> places(text.size() / 64 + 1, 0);
    budget.spend(look.code.size() + places.size() / kWordsPerStep);
    LookPass(program, look, *this, text).run(places, budget);
    places_.push_back(std::move(places));
  }
}

}  // namespace quarry
