// The Pike machine: a list of threads, ordered by preference, advances through the text one
// character at a time.
#include "text/regex/regex.h"

#include <algorithm>
#include <optional>

#include "text/analysis/utf8.h"
#include "text/regex/regex_looks.h"

namespace quarry {
namespace {

constexpr size_t kUnset = std::string_view::npos;

/// Threads by program counter, ordered by preference, each with its group slots.
class ThreadList {
 public:
  ThreadList(size_t program_size, size_t slots)
      : position_(program_size, 0), slot_count_(slots), slots_(program_size * slots) {}

  void clear() { order_.clear(); }
  bool contains(uint32_t pc) const {
    return position_[pc] < order_.size() && order_[position_[pc]] == pc;
  }
  size_t* add(uint32_t pc) {
    position_[pc] = order_.size();
    order_.push_back(pc);
    return slots(pc);
  }
  size_t* slots(uint32_t pc) { return slots_.data() + pc * slot_count_; }
  const std::vector<uint32_t>& order() const { return order_; }

 private:
  std::vector<uint32_t> order_;
  std::vector<size_t> position_;
  size_t slot_count_;
  std::vector<size_t> slots_;
};

class Machine {
 public:
  Machine(const RegexProgram& program, std::string_view text, AnalysisBudget& budget)
      : program_(program),
        text_(text),
        budget_(budget),
        looks_(program, text, budget),
        slot_count_(2 * (program.group_count + 1)),
        current_(program.code.size(), slot_count_),
        next_(program.code.size(), slot_count_),
        scratch_(slot_count_) {
    budget_.spend(program.code.size() * slot_count_ / kSlotsPerStep);
  }

  /// The slots of the best match that starts at or after `from`.
  std::optional<std::vector<size_t>> run(size_t from) {
    std::optional<std::vector<size_t>> best;
    current_.clear();
    next_.clear();
    size_t at = from;
    for (;;) {
      if (!best) {  // a thread that starts later has lower preference than all running threads
        std::fill(scratch_.begin(), scratch_.end(), kUnset);
        scratch_[0] = at;
        follow(current_, 0, at);
      }
      if (current_.order().empty() && best) break;
      const size_t threads = current_.order().size();
      if (!budget_.spend(1 + threads + threads * slot_count_ / kSlotsPerStep)) return std::nullopt;
      const bool at_end = at >= text_.size();
      const CodePoint cp = at_end ? CodePoint{0, 0} : decode_utf8(text_, at);
      step(at, at_end, cp, best);
      if (at_end) break;
      at += cp.bytes;
      std::swap(current_, next_);
      next_.clear();
    }
    return best;
  }

 private:
  struct Frame {
    uint32_t pc;
    uint32_t slot;  // kNoSlot: visit pc; else restore scratch_[slot] to `old`
    size_t old;
  };
  static constexpr uint32_t kNoSlot = UINT32_MAX;
  static constexpr size_t kSlotsPerStep = 8;  // copied together

  void step(size_t at, bool at_end, const CodePoint& cp, std::optional<std::vector<size_t>>& best) {
    for (const uint32_t pc : current_.order()) {
      const RegexInstruction& op = program_.code[pc];
      const size_t* slots = current_.slots(pc);
      if (op.op == RegexOp::kMatch) {
        best.emplace(slots, slots + slot_count_);
        (*best)[1] = at;
        return;  // the remaining threads have lower preference
      }
      if (op.op != RegexOp::kSet || at_end || !program_.sets[op.x].contains(cp.value)) continue;
      std::copy(slots, slots + slot_count_, scratch_.begin());
      follow(next_, pc + 1, at + cp.bytes);
    }
  }

  /// Adds the threads that are reachable from `pc` without consuming text, with scratch_ as their
  /// slots.
  void follow(ThreadList& list, uint32_t start, size_t at) {
    stack_.clear();
    stack_.push_back({start, kNoSlot, 0});
    while (!stack_.empty()) {
      const Frame frame = stack_.back();
      stack_.pop_back();
      if (frame.slot != kNoSlot) {
        scratch_[frame.slot] = frame.old;
        continue;
      }
      if (list.contains(frame.pc)) continue;
      std::copy(scratch_.begin(), scratch_.end(), list.add(frame.pc));
      push_successors(program_.code[frame.pc], frame.pc, at);
    }
  }

  void push_successors(const RegexInstruction& op, uint32_t pc, size_t at) {
    switch (op.op) {
      case RegexOp::kJump:
        stack_.push_back({op.x, kNoSlot, 0});
        break;
      case RegexOp::kSplit:
        stack_.push_back({op.y, kNoSlot, 0});
        stack_.push_back({op.x, kNoSlot, 0});
        break;
      case RegexOp::kSave:
        stack_.push_back({0, op.x, scratch_[op.x]});
        scratch_[op.x] = at;
        stack_.push_back({pc + 1, kNoSlot, 0});
        break;
      case RegexOp::kAssert:
        if (regex_assert_holds(static_cast<RegexAssert>(op.x), text_, at)) {
          stack_.push_back({pc + 1, kNoSlot, 0});
        }
        break;
      case RegexOp::kLook:
        if (looks_.holds(op.x, at)) stack_.push_back({pc + 1, kNoSlot, 0});
        break;
      case RegexOp::kSet:
      case RegexOp::kMatch:
        break;
    }
  }

  const RegexProgram& program_;
  const std::string_view text_;
  AnalysisBudget& budget_;
  const RegexLookTable looks_;
  const size_t slot_count_;
  ThreadList current_;
  ThreadList next_;
  std::vector<size_t> scratch_;
  std::vector<Frame> stack_;
};

bool to_groups(const std::optional<std::vector<size_t>>& slots, Regex::Groups& groups) {
  if (!slots) return false;
  groups.resize(slots->size() / 2);
  for (size_t i = 0; i < groups.size(); ++i) groups[i] = {(*slots)[2 * i], (*slots)[2 * i + 1]};
  return true;
}

}  // namespace

Result<Regex> Regex::compile(std::string_view pattern, RegexFlags flags) {
  QUARRY_ASSIGN_OR_RETURN(RegexProgram program, compile_regex(pattern, flags));
  return Regex(std::move(program));
}

size_t Regex::group_number(std::string_view name) const {
  const auto at = program_.names.find(name);
  return at == program_.names.end() ? 0 : at->second;
}

bool Regex::search_single_set(std::string_view text, size_t from, Groups& groups) const {
  const CharSet& set = program_.sets.front();
  for (size_t at = from; at < text.size();) {
    CodePoint cp = decode_utf8(text, at);
    const size_t start = at;
    at += cp.bytes;
    if (!set.contains(cp.value)) continue;
    while (program_.single_set_repeats && at < text.size()) {
      cp = decode_utf8(text, at);
      if (!set.contains(cp.value)) break;
      at += cp.bytes;
    }
    groups.assign(1, {start, at});
    return true;
  }
  return false;
}

bool Regex::search(std::string_view text, size_t from, AnalysisBudget& budget,
                   Groups& groups) const {
  if (from > text.size()) return false;
  if (program_.single_set) return search_single_set(text, from, groups);
  return to_groups(Machine(program_, text, budget).run(from), groups);
}

void Regex::for_each_match(std::string_view text, AnalysisBudget& budget,
                           const std::function<void(const Groups&)>& each) const {
  Groups groups;
  std::optional<Machine> machine;
  if (!program_.single_set) machine.emplace(program_, text, budget);
  size_t from = 0;
  while (from <= text.size() && !budget.exceeded()) {
    const bool found =
        machine ? to_groups(machine->run(from), groups) : search_single_set(text, from, groups);
    if (!found) return;
    each(groups);
    from = groups[0].second;
    if (groups[0].first == from) from += from < text.size() ? decode_utf8(text, from).bytes : 1;
  }
}

Result<RegexFlags> parse_regex_flags(std::string_view names) {
  RegexFlags flags;
  while (!names.empty()) {
    const size_t bar = std::min(names.find('|'), names.size());
    const std::string_view name = names.substr(0, bar);
    names.remove_prefix(std::min(bar + 1, names.size()));
    if (name == "CASE_INSENSITIVE") {
      flags.ignore_case = true;
    } else if (name == "UNICODE_CASE") {
      flags.unicode_case = true;
    } else if (name == "MULTILINE") {
      flags.multiline = true;
    } else if (name == "DOTALL") {
      flags.dot_all = true;
    } else if (name == "COMMENTS") {
      flags.comments = true;
    } else if (name == "LITERAL") {
      flags.literal = true;
    } else if (!name.empty()) {
      return Status(ErrorType::kIllegalArgument,
                    "regular expression flag [" + std::string(name) + "] is not supported");
    }
  }
  return flags;
}

}  // namespace quarry
