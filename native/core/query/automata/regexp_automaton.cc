// Derivatives of regular expressions, by classes of symbols that the expression does not
// distinguish.
#include "query/automata/regexp_automaton.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "query/automata/pattern_pieces.h"
#include "query/automata/regexp_syntax.h"

namespace quarry {
namespace {

using Id = RegexpPool::Id;
using Kind = RegexpPool::Kind;

constexpr size_t kNodesPerState =
    64;  // expressions per state; a walk that needs more on average is too large

class RegexpAutomaton final : public TermAutomaton {
 public:
  RegexpAutomaton(std::string pattern, std::unique_ptr<RegexpPool> pool, Id root,
                  uint32_t max_states)
      : pattern_(std::move(pattern)), pool_(std::move(pool)), root_(root), max_states_(max_states) {
    std::set<char32_t> bounds;
    for (Id id = 0; id < pool_->size(); id++) {
      for (const auto& [first, last] : pool_->node(id).symbols) {
        bounds.insert(first);
        bounds.insert(last + 1);
      }
    }
    bounds_.assign(bounds.begin(), bounds.end());
  }

  // A state is the number of an expression; RegexpPool::kNothing is kDead.
  State start() override { return root_; }
  State step(State state, char32_t symbol) override {
    const auto symbol_class = static_cast<uint32_t>(
        std::upper_bound(bounds_.begin(), bounds_.end(), symbol) - bounds_.begin());
    const Id next = derive(state, symbol_class);
    if (next >= seen_.size()) seen_.resize(pool_->size(), false);
    if (!seen_[next]) made_++;
    seen_[next] = true;
    if (made_ > max_states_ || pool_->size() > kNodesPerState * (size_t{max_states_} + 16)) {
      too_many_ = true;
      return kDead;
    }
    return next;
  }
  bool accepts(State state) override { return pool_->node(state).nullable; }
  size_t states() const override { return 0; }  // status() limits the states instead
  void reset() override {}
  Status status() const override {
    if (!too_many_) return {};
    return {ErrorType::kIllegalArgument, "Determinizing [" + pattern_ +
                                             "] would require more than " +
                                             std::to_string(max_states_) + " states."};
  }

 private:
  Id derive(Id id, uint32_t symbol_class) {
    const uint64_t key = (uint64_t{id} << 32) | symbol_class;
    if (const auto known = derived_.find(key); known != derived_.end()) return known->second;
    const Id result = derive_node(id, symbol_class);
    derived_[key] = result;
    return result;
  }

  Id derive_node(Id id, uint32_t symbol_class) {
    const RegexpPool::Node& node = pool_->node(id);
    switch (node.kind) {
      case Kind::kNothing:
      case Kind::kEmpty:
        return RegexpPool::kNothing;
      case Kind::kSymbols:
        return contains(node.symbols, symbol_class) ? RegexpPool::kEmpty : RegexpPool::kNothing;
      case Kind::kConcat: {
        const Id rest = pool_->concat(derive(node.parts[0], symbol_class), node.parts[1]);
        if (!pool_->node(node.parts[0]).nullable) return rest;
        return pool_->unite({rest, derive(node.parts[1], symbol_class)});
      }
      case Kind::kUnion:
        return pool_->unite(derive_all(node.parts, symbol_class));
      case Kind::kIntersection:
        return pool_->intersect(derive_all(node.parts, symbol_class));
      case Kind::kComplement:
        return pool_->complement(derive(node.parts[0], symbol_class));
      case Kind::kRepeat: {
        const uint32_t min = node.min == 0 ? 0 : node.min - 1;
        const uint32_t max = node.max == RegexpPool::kUnbounded ? node.max : node.max - 1;
        const Id again = pool_->repeat(node.parts[0], min, max);
        return pool_->concat(derive(node.parts[0], symbol_class), again);
      }
    }
    return RegexpPool::kNothing;
  }

  std::vector<Id> derive_all(const std::vector<Id>& parts, uint32_t symbol_class) {
    std::vector<Id> out;
    for (const Id part : parts) out.push_back(derive(part, symbol_class));
    return out;
  }

  /// Class c has the symbols from bounds_[c - 1] to before bounds_[c]; class 0 those before the
  /// first bound.
  bool contains(const SymbolRanges& ranges, uint32_t symbol_class) const {
    const char32_t symbol = symbol_class == 0 ? 0 : bounds_[symbol_class - 1];
    return std::any_of(ranges.begin(), ranges.end(), [symbol](const auto& range) {
      return symbol >= range.first && symbol <= range.second;
    });
  }

  std::string pattern_;
  std::unique_ptr<RegexpPool> pool_;
  Id root_;
  uint32_t max_states_;
  bool too_many_ = false;
  std::vector<char32_t> bounds_;
  std::unordered_map<uint64_t, Id> derived_;
  std::vector<bool> seen_;  // expressions that were used as states
  uint32_t made_ = 0;
};

}  // namespace

Result<std::unique_ptr<TermAutomaton>> make_regexp_automaton(std::string_view pattern,
                                                             uint32_t flags, bool fold,
                                                             uint32_t max_states,
                                                             std::vector<TermPiece>* pieces) {
  auto pool = std::make_unique<RegexpPool>();
  QUARRY_ASSIGN_OR_RETURN(const Id root, parse_regexp(pattern, flags, fold, *pool));
  if (pieces != nullptr) *pieces = regexp_pieces(*pool, root);
  return std::unique_ptr<TermAutomaton>(
      std::make_unique<RegexpAutomaton>(std::string(pattern), std::move(pool), root, max_states));
}

}  // namespace quarry
