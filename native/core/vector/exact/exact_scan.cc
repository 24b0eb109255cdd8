#include "vector/exact/exact_scan.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quarry {
namespace {

/// The number of rows between two checks of the stop condition and of the limit.
constexpr uint32_t kScanChunk = 1024;
constexpr uint32_t kRowChunk = 256;
constexpr uint32_t kSelectRoom = 16;  // beyond the count, simd/kernels.h

/// A scan that starts at the sketch first scores the most promising of this many rows, so that the
/// limit excludes nearly all others from the start.
constexpr uint32_t kSeedBlock = 64 * kScanChunk;
constexpr uint32_t kLeastSeeds = 24;

/// Fewer survivors are scored directly: reading their rows costs less than refining their bounds.
constexpr uint32_t kWorthRefining = 8;

/// The number of f32 rows that are prefetched ahead.
constexpr uint32_t kLeastRowsAhead = 3;
/// In a scan of consecutive rows at least this many bytes are prefetched: three short rows do not
/// hide the memory latency.
constexpr size_t kBytesAhead = 4608;
constexpr size_t kMostRowsAhead = 16;

/// Up to this |q||x| no sum of products overflows float.
constexpr double kMostFloatProduct = 1e37;

/// Under l2, half the squared norms are taken slightly too small, so that their rounding cannot
/// make a bound too low.
constexpr double kNormSlack = 0x1p-20;
constexpr auto kNormFactor = static_cast<float>(kNormSlack - 0.5);

constexpr float kInfiniteScore = std::numeric_limits<float>::infinity();

float rounded_down(double value) {
  constexpr auto kMost = static_cast<double>(std::numeric_limits<float>::max());
  if (!(value > -kMost)) return -kInfiniteScore;
  return std::nextafter(static_cast<float>(std::min(value, kMost)), -kInfiniteScore);
}

/// Upper bounds of the keys of rows, computed from their float dot products.
class FloatBound {
 public:
  explicit FloatBound(const ScanTarget& target)
      : norms_(target.query->options().similarity == VectorSimilarity::kCosine
                   ? nullptr
                   : target.column->norms()),
        l2_(target.l2()),
        query_norm_(target.query->norm()),
        slack_(float_dot_slack(target.column->dims()) * 1.001),
        unit_slack_(static_cast<float>(slack_ * query_norm_ * 1.001)) {}

  float operator()(uint32_t ordinal, float dot) const noexcept {
    if (norms_ == nullptr) return dot + unit_slack_;
    const auto norm = static_cast<double>(norms_[ordinal]);
    const double most = query_norm_ * norm;
    if (!(most < kMostFloatProduct)) return kInfiniteScore;
    double key = static_cast<double>(dot) + slack_ * most + 1e-30;
    if (l2_) key -= norm * norm * (0.5 - kNormSlack);
    return std::nextafter(static_cast<float>(key), kInfiniteScore);
  }

 private:
  const float* norms_;  // null: rows have unit length
  bool l2_;
  double query_norm_;
  double slack_;
  float unit_slack_;
};

/// Orders survivors by bound, the more promising first.
constexpr auto better = [](const auto& a, const auto& b) {
  return a.bound != b.bound ? a.bound > b.bound : a.ordinal < b.ordinal;
};

}  // namespace

RowScorer::RowScorer(const ScanTarget& target)
    : target_(target),
      threshold_(target.top->threshold()),
      limit_(rounded_down(target.query->least_key(threshold_))) {}

void RowScorer::score(uint32_t ordinal) {
  scored_++;
  const uint32_t doc = target_.column->doc(ordinal);
  const uint32_t outer = target_.top->of() == TopOf::kRows ? doc : target_.outer->next(doc);
  target_.top->push(target_.base + doc, target_.base + outer,
                    target_.query->score(target_.column->row(ordinal)));
  if (target_.top->threshold() == threshold_) return;
  threshold_ = target_.top->threshold();
  limit_ = rounded_down(target_.query->least_key(threshold_));
}

void RowScorer::prefetch(uint32_t ordinal) const {
  simd::prefetch(target_.column->row(ordinal), size_t{target_.column->dims()} * sizeof(float));
}

void ExactScan::run(const ScanTarget& target, const CandidateRows& rows, const QueryCodes& codes,
                    ScanStage stage) {
  const CodePlanes* coded = stage == ScanStage::kRows ? nullptr : target.column->planes();
  Run run = {target, rows, codes, coded, {}, {}, RowScorer(target)};
  if (stage == ScanStage::kRows) return scan_rows(run);
  const CodePlanes& planes = *run.planes;
  const float* norms = target.l2() ? target.column->norms() : nullptr;
  run.full_bound = {codes.full_bias,
                    codes.full_scale,
                    codes.mean_dot + codes.full_query_error,
                    planes.full_error,
                    codes.norm,
                    nullptr,
                    0,
                    norms,
                    kNormFactor};
  run.sketch_bound = {codes.sketch_bias,
                      codes.sketch_scale,
                      codes.mean_dot + codes.sketch_query_error,
                      planes.sketch_error,
                      codes.sketch_norm,
                      planes.tail,
                      codes.rest_norm,
                      norms,
                      kNormFactor};
  stage == ScanStage::kFull ? scan_full(run) : scan_sketch(run);
  target.counters->exact_distances += run.scorer.scored();
  target.counters->bytes_read += run.scorer.scored() * planes.dims * sizeof(float);
}

void ExactScan::scan_rows(Run& run) {
  const VectorColumn& column = *run.target.column;
  const CandidateRows& rows = run.rows;
  const simd::Kernels& kernels = *run.target.kernels;
  const float* query = run.target.query->vector().data();
  const size_t dims = column.dims();
  const size_t ahead =
      std::clamp<size_t>(kBytesAhead / (dims * sizeof(float)), kLeastRowsAhead, kMostRowsAhead);
  const FloatBound bound(run.target);
  for (uint32_t first = 0; first < rows.count && !run.target.stop->expired(); first += kRowChunk) {
    const uint32_t last = std::min(rows.count, first + kRowChunk);
    selected_.clear();
    for (uint32_t place = first; place < last; place++) {
      const uint32_t ordinal = rows.ordinal(place);
      if (rows.ordinals != nullptr || rows.accepts(ordinal)) selected_.push_back(ordinal);
    }
    survivors_.clear();
    const size_t count = selected_.size();
    const float limit = run.scorer.limit();
    for (size_t i = 0; i < count; i++) {
      if (i + ahead < count) run.scorer.prefetch(selected_[i + ahead]);
      const uint32_t ordinal = selected_[i];
      const float most = bound(ordinal, kernels.dot(query, column.row(ordinal), dims));
      if (!(most < limit)) survivors_.push_back({most, ordinal});
    }
    run.target.counters->exact_distances += count;
    run.target.counters->bytes_read += count * dims * sizeof(float);
    score_survivors(run);
  }
}

void ExactScan::scan_full(Run& run) {
  const CodePlanes& planes = *run.planes;
  for (uint32_t first = 0; first < run.rows.count && !run.target.stop->expired();
       first += kScanChunk) {
    const Chunk chunk = {first, std::min(kScanChunk, run.rows.count - first)};
    sum_codes(run, planes.full, run.codes.full(), chunk);
    run.target.counters->full_distances += chunk.count;
    run.target.counters->bytes_read += chunk.count * (planes.full.stride + sizeof(float));
    select_rows(run, run.full_bound, run.scorer.limit(), chunk, sums_.data());
    survivors_.clear();
    for (const uint32_t place : places_) {
      const uint32_t ordinal = run.rows.ordinal(first + place);
      survivors_.push_back({bound_of(run.full_bound, ordinal, sums_[place]), ordinal});
    }
    score_survivors(run);
  }
}

void ExactScan::scan_sketch(Run& run) {
  const CodePlanes& planes = *run.planes;
  const uint32_t block = std::min(kSeedBlock, run.rows.count);
  for (uint32_t first = 0; first < run.rows.count && !run.target.stop->expired();) {
    const Chunk chunk = {first, first == 0 ? block : std::min(kScanChunk, run.rows.count - first)};
    // Loads the bounds into the second-level cache before they are used
    if (run.rows.ordinals == nullptr) {
      simd::prefetch(planes.sketch_error + first,
                     std::min(chunk.count, kScanChunk) * sizeof(float));
      simd::prefetch(planes.tail + first, std::min(chunk.count, kScanChunk) * sizeof(float));
    }
    sum_codes(run, planes.sketch, run.codes.sketch(), chunk);
    run.target.counters->sketch_distances += chunk.count;
    run.target.counters->bytes_read += chunk.count * (planes.sketch.stride + 2 * sizeof(float));
    if (first == 0) seed(run, block);
    select_rows(run, run.sketch_bound, run.scorer.limit(), chunk, sums_.data());
    selected_.clear();
    for (const uint32_t place : places_) selected_.push_back(run.rows.ordinal(first + place));
    if (run.codes.sketch_rest_pays) refine_selected(run, sums_.data());
    if (first == 0) {  // the seeds are already scored
      const auto rest = std::remove_if(selected_.begin(), selected_.end(), [&](uint32_t ordinal) {
        return std::binary_search(seeds_.begin(), seeds_.end(), ordinal);
      });
      selected_.erase(rest, selected_.end());
    }
    full_of_selected(run);
    score_survivors(run);
    first += chunk.count;
  }
}

/// Scores the rows of the first `block` with the best sketch estimates; their sums are already
/// computed.
void ExactScan::seed(Run& run, uint32_t block) {
  const size_t wanted = std::max(kLeastSeeds, 2 * run.target.top->k());
  simd::RowBound estimate = run.sketch_bound;
  estimate.error_factor = 0;
  estimate.tail_factor = 0;
  float limit = -kInfiniteScore;
  survivors_.clear();
  for (uint32_t first = 0; first < block; first += kRowChunk) {
    const Chunk chunk = {first, std::min(kRowChunk, block - first)};
    select_rows(run, estimate, limit, chunk, sums_.data() + first);
    for (const uint32_t place : places_) {
      const uint32_t ordinal = run.rows.ordinal(first + place);
      survivors_.push_back({bound_of(estimate, ordinal, sums_[first + place]), ordinal});
    }
    if (survivors_.size() < 2 * wanted) continue;
    std::nth_element(survivors_.begin(), survivors_.begin() + static_cast<ptrdiff_t>(wanted - 1),
                     survivors_.end(), better);
    survivors_.resize(wanted);
    limit = survivors_.back().bound;
  }
  selected_.clear();
  for (const Survivor& survivor : survivors_) selected_.push_back(survivor.ordinal);
  std::sort(selected_.begin(), selected_.end());
  seeds_ = selected_;
  full_of_selected(run);
  score_survivors(run);
}

void ExactScan::sum_codes(const Run& run, simd::CodeRows codes, const int8_t* query, Chunk chunk) {
  const simd::Kernels& kernels = *run.target.kernels;
  if (sums_.size() < chunk.count) sums_.resize(chunk.count);
  if (run.rows.ordinals != nullptr) {
    kernels.gather_codes(codes, run.rows.ordinals + chunk.first, chunk.count, query, sums_.data());
  } else {
    kernels.dot_codes(codes, chunk.first, chunk.count, query, sums_.data());
  }
}

/// Sets places_ to the rows of the chunk that reach the limit and may be returned.
void ExactScan::select_rows(const Run& run, const simd::RowBound& bound, float limit, Chunk chunk,
                            const int32_t* sums) {
  const simd::Kernels& kernels = *run.target.kernels;
  const CandidateRows& rows = run.rows;
  places_.resize(chunk.count + kSelectRoom);
  if (rows.ordinals != nullptr) {
    places_.resize(kernels.gather_select(bound, limit, rows.ordinals + chunk.first, chunk.count,
                                         sums, places_.data()));
    return;
  }
  places_.resize(kernels.select(bound, limit, chunk.first, chunk.count, sums, places_.data()));
  if (rows.passing == nullptr) return;
  const auto rest = std::remove_if(places_.begin(), places_.end(), [&](uint32_t place) {
    return !rows.accepts(chunk.first + place);
  });
  places_.erase(rest, places_.end());
}

/// Removes rows whose refined bound is below the limit; the refined bound includes the residual of
/// the query's sketch codes. `sums` is by place; the codes of the rows are still cached.
void ExactScan::refine_selected(Run& run, const int32_t* sums) {
  const auto count = static_cast<uint32_t>(selected_.size());
  const QueryCodes& codes = run.codes;
  selected_sums_.resize(count);
  run.target.kernels->gather_codes(run.planes->sketch, selected_.data(), count, codes.sketch_rest(),
                                   selected_sums_.data());
  simd::RowBound fine = run.sketch_bound;
  fine.base = codes.mean_dot + codes.sketch_fine_error;
  const float limit = run.scorer.limit();
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++) {
    const float bound = bound_of(fine, selected_[i], sums[places_[i]]) +
                        codes.sketch_rest_estimate(selected_sums_[i]);
    selected_[left] = selected_[i];
    left += bound < limit ? 0 : 1;
  }
  selected_.resize(left);
}

void ExactScan::full_of_selected(Run& run) {
  const auto count = static_cast<uint32_t>(selected_.size());
  selected_sums_.resize(count);
  run.target.kernels->gather_codes(run.planes->full, selected_.data(), count, run.codes.full(),
                                   selected_sums_.data());
  run.target.counters->full_distances += count;
  run.target.counters->bytes_read += count * (run.planes->full.stride + sizeof(float));
  survivors_.clear();
  const float limit = run.scorer.limit();
  for (uint32_t i = 0; i < count; i++) {
    const float bound = bound_of(run.full_bound, selected_[i], selected_sums_[i]);
    if (!(bound < limit)) survivors_.push_back({bound, selected_[i]});
  }
}

/// Removes survivors whose refined bound is below the limit; the refined bound includes the
/// residual of the query's codes of plane F.
void ExactScan::refine_survivors(Run& run) {
  const auto count = static_cast<uint32_t>(survivors_.size());
  if (run.planes == nullptr || count < kWorthRefining) return;
  const QueryCodes& codes = run.codes;
  selected_.clear();
  for (const Survivor& row : survivors_) selected_.push_back(row.ordinal);
  selected_sums_.resize(count);
  run.target.kernels->gather_codes(run.planes->full, selected_.data(), count, codes.full_rest(),
                                   selected_sums_.data());
  const float gained = codes.full_fine_error - codes.full_query_error;
  const float limit = run.scorer.limit();
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++) {
    const float bound = survivors_[i].bound + codes.full_rest_estimate(selected_sums_[i]) + gained;
    survivors_[left] = {bound, selected_[i]};
    left += bound < limit ? 0 : 1;
  }
  survivors_.resize(left);
}

/// Scores the most promising first: once the best are scored, the limit excludes most others.
void ExactScan::score_survivors(Run& run) {
  RowScorer& scorer = run.scorer;
  const size_t k = run.target.top->k();
  if (scorer.limit() == -kInfiniteScore && survivors_.size() > k) {
    const auto rest = survivors_.begin() + static_cast<ptrdiff_t>(k);
    std::nth_element(survivors_.begin(), rest, survivors_.end(), better);
    for (size_t i = 0; i < k; i++) {
      if (i + kLeastRowsAhead < k) scorer.prefetch(survivors_[i + kLeastRowsAhead].ordinal);
      scorer.score(survivors_[i].ordinal);
    }
    const float limit = scorer.limit();
    survivors_.erase(std::remove_if(rest, survivors_.end(),
                                    [&](const Survivor& row) { return row.bound < limit; }),
                     survivors_.end());
    survivors_.erase(survivors_.begin(), rest);
  }
  refine_survivors(run);
  std::sort(survivors_.begin(), survivors_.end(), better);
  for (size_t i = 0; i < survivors_.size() && !(survivors_[i].bound < scorer.limit()); i++) {
    if (i + kLeastRowsAhead < survivors_.size())
      scorer.prefetch(survivors_[i + kLeastRowsAhead].ordinal);
    scorer.score(survivors_[i].ordinal);
  }
}

}  // namespace quarry
