#include "shard/merge_policy.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace quarry {
namespace {

/// Segments up to this size count as equal, so that many small segments are merged at once.
constexpr double kFloorBytes = 256 * 1024;

/// Width of a tier in powers of kSegmentsPerTier (LogMergePolicy.LEVEL_LOG_SPAN).
constexpr double kTierSpan = 0.75;

/// Share of deleted documents above which a segment is rewritten alone.
constexpr double kDeletedShare = 0.33;

/// Estimate of the bytes that remain without the deleted documents.
uint64_t live_bytes(const MergeCandidate& segment) {
  if (segment.docs == 0) return 0;
  const double share = static_cast<double>(segment.live) / segment.docs;
  return static_cast<uint64_t>(static_cast<double>(segment.bytes) * share);
}

double level(const MergeCandidate& segment) {
  const double bytes = std::max(static_cast<double>(live_bytes(segment)), kFloorBytes);
  return std::log(bytes) / std::log(static_cast<double>(kSegmentsPerTier));
}

uint64_t total_bytes(std::span<const MergeCandidate> segments) {
  return std::accumulate(
      segments.begin(), segments.end(), uint64_t{0},
      [](uint64_t sum, const MergeCandidate& segment) { return sum + live_bytes(segment); });
}

void consider(std::span<const MergeCandidate> segments, MergeRange range,
              std::optional<MergeRange>& best) {
  const auto bytes_of = [segments](const MergeRange& at) {
    return total_bytes(segments.subspan(at.begin, at.end - at.begin));
  };
  if (bytes_of(range) > kLargestMergedBytes) return;
  if (!best || bytes_of(range) < bytes_of(*best)) best = range;
}

/// Considers runs of kSegmentsPerTier adjacent segments of one tier within [begin, end).
void consider_tiers(std::span<const MergeCandidate> segments, size_t begin, size_t end,
                    std::optional<MergeRange>& best) {
  std::vector<double> levels;
  for (size_t i = begin; i < end; i++) levels.push_back(level(segments[i]));
  for (size_t start = begin; start < end;) {
    const auto first = levels.begin() + static_cast<std::ptrdiff_t>(start - begin);
    const double bottom = *std::max_element(first, levels.end()) - kTierSpan;
    size_t upto = end;
    while (levels[upto - 1 - begin] < bottom) upto--;
    for (size_t at = start; at + kSegmentsPerTier <= upto; at += kSegmentsPerTier) {
      consider(segments, {at, at + kSegmentsPerTier}, best);
    }
    start = upto;
  }
}

/// The first run of adjacent segments whose vectors are unbuilt. They are merged together, so that
/// the graph is built only once.
std::optional<MergeRange> find_unbuilt(std::span<const MergeCandidate> segments) {
  const auto unbuilt = [segments](size_t at) {
    return at < segments.size() && segments[at].on_disk && segments[at].unbuilt;
  };
  size_t begin = 0;
  while (begin < segments.size() && !unbuilt(begin)) begin++;
  if (begin == segments.size()) return std::nullopt;
  uint64_t bytes = live_bytes(segments[begin]);
  size_t end = begin + 1;
  for (; unbuilt(end); end++) {
    bytes += live_bytes(segments[end]);
    if (bytes > kLargestMergedBytes) break;
  }
  return MergeRange{begin, end};
}

}  // namespace

std::optional<MergeRange> choose_merge(std::span<const MergeCandidate> segments) {
  size_t disk = 0;
  while (disk < segments.size() && segments[disk].on_disk) disk++;
  std::optional<MergeRange> best;
  consider_tiers(segments, 0, disk, best);
  consider_tiers(segments, disk, segments.size(), best);
  if (best) return best;
  if (const auto unbuilt = find_unbuilt(segments)) return unbuilt;
  for (size_t i = 0; i < segments.size(); i++) {
    const double deleted = segments[i].docs - segments[i].live;
    if (deleted > kDeletedShare * segments[i].docs) consider(segments, {i, i + 1}, best);
  }
  return best;
}

std::optional<MergeRange> choose_forced_merge(std::span<const MergeCandidate> segments,
                                              uint32_t max_segments) {
  const size_t wanted = std::max<uint32_t>(max_segments, 1);
  if (segments.size() <= wanted) {
    for (size_t i = 0; i < segments.size(); i++) {
      if (segments[i].unbuilt || segments[i].loose) return MergeRange{i, i + 1};
    }
    if (wanted > 1 || segments.empty() || segments[0].live == segments[0].docs) return std::nullopt;
    return MergeRange{0, 1};
  }
  const size_t count = segments.size() - wanted + 1;
  MergeRange best{0, count};
  for (size_t at = 1; at + count <= segments.size(); at++) {
    const MergeRange range{at, at + count};
    if (total_bytes(segments.subspan(at, count)) <
        total_bytes(segments.subspan(best.begin, count))) {
      best = range;
    }
  }
  return best;
}

}  // namespace quarry
