// The regular expressions of regexp queries: Lucene's syntax, parsed into hash-consed expressions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/status.h"

namespace quarry {

/// Sorted, disjoint, inclusive ranges of code points.
using SymbolRanges = std::vector<std::pair<char32_t, char32_t>>;

/// Numbers expressions. Expressions that are equal by associativity, commutativity and idempotence
/// of union and intersection have the same number, which keeps the set of derivatives of any
/// expression finite.
class RegexpPool {
 public:
  using Id = uint32_t;
  static constexpr Id kNothing = 0;  // matches nothing
  static constexpr Id kEmpty = 1;    // matches the empty string
  static constexpr uint32_t kUnbounded = UINT32_MAX;

  enum class Kind : uint8_t {
    kNothing,
    kEmpty,
    kSymbols,
    kConcat,
    kUnion,
    kIntersection,
    kComplement,
    kRepeat
  };
  struct Node {
    Kind kind = Kind::kNothing;
    bool nullable = false;
    uint32_t min = 0;
    uint32_t max = 0;
    std::vector<Id> parts;
    SymbolRanges symbols;
    friend bool operator<(const Node& a, const Node& b) {
      return std::tie(a.kind, a.min, a.max, a.parts, a.symbols) <
             std::tie(b.kind, b.min, b.max, b.parts, b.symbols);
    }
  };

  RegexpPool();
  Id symbols(SymbolRanges ranges);
  Id concat(Id a, Id b);
  Id unite(std::vector<Id> parts);
  Id intersect(std::vector<Id> parts);
  Id complement(Id a);
  Id repeat(Id a, uint32_t min, uint32_t max);
  Id any_text();

  const Node& node(Id id) const { return *nodes_[id]; }
  size_t size() const { return nodes_.size(); }

 private:
  Id intern(Node node);
  Id combine(Kind kind, std::vector<Id> parts);

  std::map<Node, Id> ids_;
  std::vector<const Node*> nodes_;
};

/// Optional operators of the syntax (the `flags` of a regexp query).
enum RegexpFlags : uint32_t {
  kRegexpIntersection = 1,
  kRegexpComplement = 2,
  kRegexpEmpty = 4,
  kRegexpAnyString = 8,
  kRegexpInterval = 16,
  kRegexpAll = 31,
};
/// "INTERSECTION|COMPLEMENT"; empty means ALL. illegal_argument_exception for an unknown name.
Result<uint32_t> parse_regexp_flags(std::string_view names);

/// Parses `pattern`. `fold`: ASCII letters match in either case. illegal_argument_exception with
/// Lucene's message and position for a malformed pattern; nesting is limited.
Result<RegexpPool::Id> parse_regexp(std::string_view pattern, uint32_t flags, bool fold,
                                    RegexpPool& pool);

/// Sorts and joins ranges; ranges that end before they start are dropped.
SymbolRanges normalize_ranges(SymbolRanges ranges);
SymbolRanges invert_ranges(const SymbolRanges& ranges);

}  // namespace quarry
