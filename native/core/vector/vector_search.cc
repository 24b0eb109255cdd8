#include "vector/vector_search.h"

#include <algorithm>

#include "vector/exact/candidate_rows.h"
#include "vector/exact/exact_scan.h"
#include "vector/hnsw/hnsw_search.h"
#include "vector/scan_costs.h"

namespace quarry {

/// The buffers of one thread.
class VectorScratch {
 public:
  uint32_t min_beam = kMinBeam;
  CandidateFinder finder;
  QueryCodes codes;
  ExactScan scan;
  HnswSearcher walker;
  const simd::Kernels* kernels = &simd::kernels();
};

namespace {

/// The numbers of rows up to which rows are compared in f32 without SQ8 codes, and in SQ8 without
/// the sketch.
constexpr uint32_t kFewRows = 256;
constexpr uint32_t kSomeRows = 3000;

/// Nanoseconds per entry of the beam, comparable with scan_costs.h.
constexpr double kSketchBeam = 105;
constexpr double kFullBeam = 100;
constexpr double kFullBeamLine = 11;  // for each 64 bytes of a row
/// Nanoseconds per requested hit: each leaves a scan more rows to compare than a walk.
constexpr double kScanPerHit = 700;
/// An exact result may take this many times as long as a walk.
constexpr double kExactPreference = 1.5;
/// Codes larger than this do not stay in the last-level cache, and cost about twice as much.
constexpr uint64_t kLastCache = uint64_t{16} << 20;
constexpr double kFromMemory = 1.9;

/// If the sketch leaves a larger share of rows, a walk over it loses more by additional steps than
/// it saves.
constexpr float kBluntSketch = 0.06F;

ScanStage stage_of(const VectorSegment& segment, const CandidateRows& rows,
                   const PreparedVector& query, uint32_t k) {
  const CodePlanes* planes = segment.column->planes();
  if (planes == nullptr || rows.count <= std::max<uint64_t>(kFewRows, uint64_t{2} * k) ||
      query.norm() > kMaxCodedNorm) {
    return ScanStage::kRows;
  }
  if (planes->sketch_dims == 0 || rows.count <= kSomeRows) return ScanStage::kFull;
  return ScanStage::kSketch;
}

/// Nanoseconds of an exact scan that starts at `stage`.
double scan_cost(const CodePlanes& planes, uint32_t rows, ScanStage stage) {
  const bool sketch = stage == ScanStage::kSketch;
  const size_t stride = sketch ? planes.sketch.stride : planes.full.stride;
  double cost = full_row_cost(stride);
  if (sketch) {
    cost = sketch_row_cost(stride) +
           static_cast<double>(planes.sketch_survivors) * survivor_cost(planes.full.stride);
  }
  if (uint64_t{planes.size} * stride > kLastCache) cost *= kFromMemory;
  return cost * rows;
}

bool prefers_sketch(const CodePlanes& planes) {
  return planes.sketch_dims != 0 && planes.sketch_survivors < kBluntSketch &&
         planes.sketch.stride < planes.full.stride;
}

VectorPath choose(const VectorSegment& segment, const CandidateRows& rows, ScanStage stage,
                  uint32_t k, uint32_t beam) {
  const VectorColumn& column = *segment.column;
  if (stage == ScanStage::kRows) return VectorPath::kRows;
  if (segment.filter != nullptr || column.graph() == nullptr || !column.options().wants_graph()) {
    return VectorPath::kCascade;
  }
  const CodePlanes& planes = *column.planes();
  const bool sketch = prefers_sketch(planes);
  const double lines = static_cast<double>(planes.full.stride) / 64;
  const double walk = beam * (sketch ? kSketchBeam : kFullBeam + kFullBeamLine * lines);
  const double scan = scan_cost(planes, rows.count, stage) + k * kScanPerHit;
  if (scan <= kExactPreference * walk) return VectorPath::kCascade;
  return sketch ? VectorPath::kSketchWalk : VectorPath::kFullWalk;
}

/// The requested path, or the most similar one that the segment supports.
VectorPath allowed(VectorPath path, const VectorColumn& column, const PreparedVector& query,
                   ScanStage& stage) {
  const CodePlanes* planes = column.planes();
  if (path == VectorPath::kRows || planes == nullptr || query.norm() > kMaxCodedNorm) {
    stage = ScanStage::kRows;
    return VectorPath::kRows;
  }
  stage = planes->sketch_dims != 0 ? ScanStage::kSketch : ScanStage::kFull;
  if (path == VectorPath::kCascade || column.graph() == nullptr) return VectorPath::kCascade;
  return planes->sketch_dims != 0 ? path : VectorPath::kFullWalk;
}

/// Dead rows occupy places in the beam, because the walk traverses them. The beam therefore grows
/// with their share; otherwise recall falls with every deletion (0.9983 instead of 0.9991 at 30 %
/// on sentence embeddings). It at most doubles: segments with more than a third of dead rows are
/// rewritten.
uint32_t beam_among_dead(uint32_t beam, uint32_t size, uint32_t live) {
  const uint64_t scaled = uint64_t{beam} * size / std::max(live, 1U);
  return static_cast<uint32_t>(std::min<uint64_t>(scaled, uint64_t{2} * beam));
}

/// Scores the candidates of a walk and adds them to the top, until the bounds of plane F exclude
/// all the rest.
void rescore(const ScanTarget& target, const CodePlanes& planes, const QueryCodes& codes,
             const std::vector<HnswCandidate>& candidates) {
  constexpr size_t kAhead = 3;
  RowScorer scorer(target);
  for (size_t i = 0; i < candidates.size(); i++) {
    const float highest = candidates[i].estimate + codes.full_query_error;
    if (highest + codes.norm * planes.max_full_error < scorer.limit()) break;
    if (i + kAhead < candidates.size()) scorer.prefetch(candidates[i + kAhead].ordinal);
    const uint32_t ordinal = candidates[i].ordinal;
    if (highest + codes.norm * planes.full_error[ordinal] < scorer.limit()) continue;
    scorer.score(ordinal);
  }
  target.counters->exact_distances += scorer.scored();
  target.counters->bytes_read += scorer.scored() * planes.dims * sizeof(float);
}

}  // namespace

void VectorCounters::add(const VectorCounters& other) {
  sketch_distances += other.sketch_distances;
  full_distances += other.full_distances;
  exact_distances += other.exact_distances;
  hops += other.hops;
  bytes_read += other.bytes_read;
}

VectorSearcher::VectorSearcher() : scratch_(std::make_unique<VectorScratch>()) {}
VectorSearcher::~VectorSearcher() = default;

void VectorSearcher::set_min_beam(uint32_t beam) { scratch_->min_beam = beam; }
void VectorSearcher::set_kernels(const simd::Kernels& kernels) { scratch_->kernels = &kernels; }

void VectorSearcher::search(const VectorSegment& segment, const PreparedVector& query,
                            uint32_t num_candidates, TopVectors& top, StopCheck& stop,
                            VectorCounters& counters, VectorPath path) {
  const VectorColumn& column = *segment.column;
  const CandidateRows rows = scratch_->finder.find(column, segment.live, segment.filter);
  if (rows.count == 0 || top.k() == 0) return;
  const uint32_t beam = std::max({scratch_->min_beam, num_candidates, top.k()});
  ScanStage stage = stage_of(segment, rows, query, top.k());
  path = path == VectorPath::kAuto ? choose(segment, rows, stage, top.k(), beam)
                                   : allowed(path, column, query, stage);
  const ScanTarget target = {&column, segment.base, segment.outer, &query,
                             &top,    &stop,        &counters,     scratch_->kernels};
  if (stage != ScanStage::kRows) {
    const bool sketch = stage == ScanStage::kSketch || path == VectorPath::kSketchWalk;
    scratch_->codes.prepare(*column.planes(), query.vector(), sketch);
  }
  if (path == VectorPath::kSketchWalk || path == VectorPath::kFullWalk) {
    HnswQuery walk;
    walk.planes = column.planes();
    walk.graph = column.graph();
    walk.codes = &scratch_->codes;
    walk.live = rows.passing;
    walk.k = top.k();
    walk.beam = beam_among_dead(beam, column.size(), rows.passing_count);
    walk.use_sketch = path == VectorPath::kSketchWalk;
    walk.kernels = scratch_->kernels;
    const std::vector<HnswCandidate>& found = scratch_->walker.search(walk, stop, counters);
    // Deleted rows can fill the beam; then only a scan finds all hits.
    const bool enough = found.size() >= std::min(top.k(), rows.passing_count);
    if (enough || stop.stopped()) return rescore(target, *walk.planes, scratch_->codes, found);
  }
  scratch_->scan.run(target, rows, scratch_->codes, stage);
}

}  // namespace quarry
