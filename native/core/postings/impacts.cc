#include "postings/impacts.h"

#include <algorithm>
#include <limits>

#include "postings/norms.h"

namespace quarry {
namespace {

constexpr uint32_t kUnboundedFreq = 0xffffff;

/// The loss of precision when two adjacent pairs are joined: the smaller of the relative growth of
/// the left one's frequency and of the right one's shortness. Scores grow approximately like freq /
/// length.
double loss(const Impact& left, const Impact& right) {
  const double freq = (right.freq + 1.0) / (left.freq + 1.0);
  const double length = (decode_norm(right.norm) + 1.0) / (decode_norm(left.norm) + 1.0);
  return std::min(freq, length);
}

}  // namespace

void ImpactFront::add(Impact impact) {
  // Finds the first pair with a norm at least as large. The pairs before it are shorter and, in a
  // front, less frequent.
  auto at = pairs_.begin();
  while (at != pairs_.end() && at->norm < impact.norm) ++at;
  if (at != pairs_.begin() && std::prev(at)->freq >= impact.freq) return;
  if (at != pairs_.end() && at->norm == impact.norm && at->freq >= impact.freq) return;
  auto end = at;
  while (end != pairs_.end() && end->freq <= impact.freq) ++end;
  if (at == end) {
    pairs_.insert(at, impact);
    return;
  }
  *at = impact;
  pairs_.erase(std::next(at), end);
}

void ImpactFront::add(const ImpactFront& other) {
  for (const Impact& impact : other.pairs_) add(impact);
}

void ImpactFront::shorten(uint32_t limit) {
  while (pairs_.size() > limit) {
    size_t best = 0;
    double best_loss = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i + 1 < pairs_.size(); ++i) {
      const double here = loss(pairs_[i], pairs_[i + 1]);
      if (here >= best_loss) continue;
      best = i;
      best_loss = here;
    }
    pairs_[best].freq = pairs_[best + 1].freq;
    pairs_.erase(pairs_.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

uint32_t pack_impact(Impact impact) noexcept {
  return std::min(impact.freq, kUnboundedFreq) << 8 | impact.norm;
}

Impact unpack_impact(uint32_t packed) noexcept {
  const uint32_t freq = packed >> 8;
  const auto norm = static_cast<uint8_t>(packed & 0xff);
  return {freq == kUnboundedFreq ? std::numeric_limits<uint32_t>::max() : freq, norm};
}

}  // namespace quarry
