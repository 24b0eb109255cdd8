// Compiles the syntax tree to a program: each construct becomes splits and jumps around the code of
// its parts.
#include <map>

#include "text/regex/regex_syntax.h"

namespace quarry {
namespace {

// Counted repetitions are expanded; this limits the memory and time that a pattern can take.
constexpr size_t kMaxInstructions = 10000;

class RegexCompiler {
 public:
  /// `backwards`: the code matches the characters in reverse order. The look-arounds of the pattern
  /// are added to `looks`, and `look_numbers` has their numbers by node.
  RegexCompiler(const RegexTree& tree, bool backwards, std::vector<RegexLook>& looks,
                std::map<uint32_t, uint32_t>& look_numbers)
      : tree_(tree), backwards_(backwards), looks_(looks), look_numbers_(look_numbers) {}

  /// False when the program would be too large.
  bool run(uint32_t root) {
    emit(root);
    push(RegexOp::kMatch);
    return !too_large_;
  }
  std::vector<RegexInstruction> take() { return std::move(code_); }

 private:
  uint32_t here() const { return static_cast<uint32_t>(code_.size()); }
  uint32_t push(RegexOp op, uint32_t x = 0, uint32_t y = 0) {
    too_large_ = too_large_ || code_.size() >= kMaxInstructions;
    if (!too_large_) code_.push_back({op, x, y});
    return too_large_ ? 0 : here() - 1;
  }
  /// Sets the targets of a split: into the body at `body`, or past it.
  void aim(uint32_t split, uint32_t body, uint32_t past, bool greedy) {
    if (too_large_) return;
    code_[split].x = greedy ? body : past;
    code_[split].y = greedy ? past : body;
  }

  void emit(uint32_t index) {
    // Empty parts are repeated without emitting instructions, so visits are limited too.
    if (++visits_ > 10 * kMaxInstructions) too_large_ = true;
    if (too_large_) return;
    const RegexNode& node = tree_.nodes[index];
    switch (node.kind) {
      case RegexNodeKind::kEmpty:
        break;
      case RegexNodeKind::kSet:
        push(RegexOp::kSet, node.x);
        break;
      case RegexNodeKind::kAssert:
        push(RegexOp::kAssert, node.x);
        break;
      case RegexNodeKind::kConcat:
        for (size_t i = 0; i < node.children.size(); ++i) {
          emit(node.children[backwards_ ? node.children.size() - 1 - i : i]);
        }
        break;
      case RegexNodeKind::kLook:
        emit_look(index);
        break;
      case RegexNodeKind::kAlternation:
        emit_alternation(node);
        break;
      case RegexNodeKind::kGroup:
        push(RegexOp::kSave, 2 * node.x);
        emit(node.children.front());
        push(RegexOp::kSave, 2 * node.x + 1);
        break;
      case RegexNodeKind::kRepeat:
        emit_repeat(node);
        break;
    }
  }

  void emit_look(uint32_t index) {
    const auto known = look_numbers_.find(index);
    if (known != look_numbers_.end()) {
      push(RegexOp::kLook, known->second);
      return;
    }
    const RegexNode& node = tree_.nodes[index];
    const bool behind = node.x == 1;
    RegexCompiler body(tree_, !behind, looks_, look_numbers_);
    if (!body.run(node.children.front())) too_large_ = true;
    const auto number = static_cast<uint32_t>(looks_.size());
    looks_.push_back({body.take(), behind, node.y == 1});
    look_numbers_.emplace(index, number);
    push(RegexOp::kLook, number);
  }

  void emit_alternation(const RegexNode& node) {
    std::vector<uint32_t> jumps;
    for (size_t i = 0; i < node.children.size(); ++i) {
      const bool last = i + 1 == node.children.size();
      const uint32_t split = last ? 0 : push(RegexOp::kSplit);
      emit(node.children[i]);
      if (last) break;
      jumps.push_back(push(RegexOp::kJump));
      aim(split, split + 1, here(), true);
    }
    if (too_large_) return;
    for (const uint32_t jump : jumps) code_[jump].x = here();
  }

  void emit_repeat(const RegexNode& node) {
    const uint32_t body = node.children.front();
    for (uint32_t i = 0; i < node.x && !too_large_; ++i) emit(body);
    if (node.y == RegexNode::kUnbounded) {
      const uint32_t split = push(RegexOp::kSplit);
      emit(body);
      push(RegexOp::kJump, split);
      aim(split, split + 1, here(), node.greedy);
      return;
    }
    std::vector<uint32_t> splits;
    for (uint32_t i = node.x; i < node.y && !too_large_; ++i) {
      splits.push_back(push(RegexOp::kSplit));
      emit(body);
    }
    for (const uint32_t split : splits) aim(split, split + 1, here(), node.greedy);
  }

  const RegexTree& tree_;
  const bool backwards_;
  std::vector<RegexLook>& looks_;
  std::map<uint32_t, uint32_t>& look_numbers_;
  std::vector<RegexInstruction> code_;
  size_t visits_ = 0;
  bool too_large_ = false;
};

}  // namespace

Result<RegexProgram> compile_regex(std::string_view pattern, RegexFlags flags) {
  QUARRY_ASSIGN_OR_RETURN(RegexTree tree, parse_regex(pattern, flags));
  RegexProgram program;
  std::map<uint32_t, uint32_t> look_numbers;
  RegexCompiler compiler(tree, false, program.looks, look_numbers);
  if (!compiler.run(tree.root)) return regex_error(pattern, "the pattern is too large");
  const RegexNode& root = tree.nodes[tree.root];
  const bool one_or_more = root.kind == RegexNodeKind::kRepeat && root.x == 1 && root.greedy &&
                           root.y == RegexNode::kUnbounded &&
                           tree.nodes[root.children.front()].kind == RegexNodeKind::kSet;
  program.code = compiler.take();
  program.sets = std::move(tree.sets);
  program.group_count = tree.group_count;
  program.names = std::move(tree.names);
  program.single_set_repeats = one_or_more;
  program.single_set = one_or_more || root.kind == RegexNodeKind::kSet;
  return program;
}

}  // namespace quarry
