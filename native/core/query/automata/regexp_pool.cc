// Constructors of regular expressions that simplify while they build.
#include <algorithm>
#include <utility>

#include "query/automata/regexp_syntax.h"

namespace quarry {
namespace {

constexpr char32_t kLastSymbol = 0x1100ff;  // code points, and the 256 stand-ins for invalid bytes

}  // namespace

SymbolRanges normalize_ranges(SymbolRanges ranges) {
  std::erase_if(ranges, [](const auto& range) { return range.first > range.second; });
  std::sort(ranges.begin(), ranges.end());
  SymbolRanges out;
  for (const auto& range : ranges) {
    if (!out.empty() && range.first <= out.back().second + 1) {
      out.back().second = std::max(out.back().second, range.second);
    } else {
      out.push_back(range);
    }
  }
  return out;
}

SymbolRanges invert_ranges(const SymbolRanges& ranges) {
  SymbolRanges out;
  char32_t next = 0;
  for (const auto& [first, last] : normalize_ranges(ranges)) {
    if (first > next) out.emplace_back(next, first - 1);
    next = last + 1;
  }
  if (next <= kLastSymbol) out.emplace_back(next, kLastSymbol);
  return out;
}

RegexpPool::RegexpPool() {
  intern({Kind::kNothing, false, 0, 0, {}, {}});
  intern({Kind::kEmpty, true, 0, 0, {}, {}});
}

RegexpPool::Id RegexpPool::intern(Node node) {
  const auto [at, added] = ids_.try_emplace(std::move(node), static_cast<Id>(nodes_.size()));
  if (added) nodes_.push_back(&at->first);
  return at->second;
}

RegexpPool::Id RegexpPool::symbols(SymbolRanges ranges) {
  ranges = normalize_ranges(std::move(ranges));
  if (ranges.empty()) return kNothing;
  return intern({Kind::kSymbols, false, 0, 0, {}, std::move(ranges)});
}

RegexpPool::Id RegexpPool::concat(Id a, Id b) {
  if (a == kNothing || b == kNothing) return kNothing;
  if (a == kEmpty) return b;
  if (b == kEmpty) return a;
  const Node& first = node(a);
  // Nests to the right, so that a derivative only changes the head.
  if (first.kind == Kind::kConcat) {
    const Id head = first.parts[0];
    const Id tail = first.parts[1];
    return concat(head, concat(tail, b));
  }
  return intern({Kind::kConcat, first.nullable && node(b).nullable, 0, 0, {a, b}, {}});
}

RegexpPool::Id RegexpPool::combine(Kind kind, std::vector<Id> parts) {
  std::vector<Id> flat;
  for (const Id part : parts) {
    const Node& inner = node(part);
    if (inner.kind == kind) {
      flat.insert(flat.end(), inner.parts.begin(), inner.parts.end());
    } else {
      flat.push_back(part);
    }
  }
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  const Id nothing = kNothing;
  const Id everything = any_text();
  const Id neutral = kind == Kind::kUnion ? nothing : everything;
  const Id absorbing = kind == Kind::kUnion ? everything : nothing;
  std::erase(flat, neutral);
  if (std::find(flat.begin(), flat.end(), absorbing) != flat.end()) return absorbing;
  if (flat.empty()) return neutral;
  if (flat.size() == 1) return flat[0];
  const auto nullable = [this](Id id) { return node(id).nullable; };
  const bool empty_matches = kind == Kind::kUnion ? std::any_of(flat.begin(), flat.end(), nullable)
                                                  : std::all_of(flat.begin(), flat.end(), nullable);
  return intern({kind, empty_matches, 0, 0, std::move(flat), {}});
}

RegexpPool::Id RegexpPool::unite(std::vector<Id> parts) {
  return combine(Kind::kUnion, std::move(parts));
}
RegexpPool::Id RegexpPool::intersect(std::vector<Id> parts) {
  return combine(Kind::kIntersection, std::move(parts));
}

RegexpPool::Id RegexpPool::complement(Id a) {
  const Node& inner = node(a);
  if (inner.kind == Kind::kComplement) return inner.parts[0];
  return intern({Kind::kComplement, !inner.nullable, 0, 0, {a}, {}});
}

RegexpPool::Id RegexpPool::any_text() { return complement(kNothing); }

RegexpPool::Id RegexpPool::repeat(Id a, uint32_t min, uint32_t max) {
  if (min > max) return kNothing;
  if (max == 0 || a == kEmpty) return kEmpty;
  if (a == kNothing) return min == 0 ? kEmpty : kNothing;
  if (min == 1 && max == 1) return a;
  if (node(a).nullable) min = 0;
  return intern({Kind::kRepeat, min == 0, min, max, {a}, {}});
}

}  // namespace quarry
