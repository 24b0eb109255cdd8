// One segment's vectors, built and searched as by the engine, for benchmarks: the sections, the
// column over them, and searches that report their hits and their work.
#pragma once

#include <time.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/bitset.h"
#include "base/file.h"
#include "testing/temp_dir.h"
#include "vector/vector_search.h"
#include "vector/vector_writer.h"

namespace quarry::bench {

/// CPU time of the calling thread, because the machine is shared with other processes.
inline double cpu_us() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

struct BuildOptions {
  uint32_t dims = 0;
  uint32_t m = 16;
  uint32_t ef_construction = 128;

  VectorOptions to_field(VectorIndex index) const {
    VectorOptions options;
    options.dims = dims;
    options.index = index;
    options.m = m;
    options.ef_construction = ef_construction;
    return options;
  }
};

/// Sections in a mapped file, each at a multiple of 64 as in a segment's file: the alignment of
/// rows of codes and links determines the cache lines that a search touches.
class MappedSections {
 public:
  Status map(const VectorSections& sections) {
    std::vector<uint8_t> image;
    const std::vector<uint8_t>* const parts[] = {&sections.head, &sections.docs,   &sections.rows,
                                                 &sections.full, &sections.sketch, &sections.bounds,
                                                 &sections.graph};
    std::vector<size_t> starts;
    for (const std::vector<uint8_t>* part : parts) {
      image.resize((image.size() + 63) / 64 * 64);
      starts.push_back(image.size());
      image.insert(image.end(), part->begin(), part->end());
    }
    const testing::TempDir folder;
    const std::unique_ptr<FileSystem> files = make_posix_file_system();
    const Status written = files->write_atomically(folder.file("vectors"), image);
    if (!written.ok()) return written;
    Result<std::shared_ptr<ByteSource>> mapped = files->map(folder.file("vectors"));
    if (!mapped.ok()) return mapped.status();
    file_ = std::move(mapped).value();
    views_.clear();
    for (size_t i = 0; i < starts.size(); i++)
      views_.push_back(file_->bytes().subspan(starts[i], parts[i]->size()));
    return {};
  }
  VectorSectionViews views() const {
    return {views_[0], views_[1], views_[2], views_[3], views_[4], views_[5], views_[6]};
  }

 private:
  std::shared_ptr<ByteSource> file_;  // stays valid after the file is unlinked
  std::vector<Bytes> views_;
};

/// The document number of a row is the row number.
struct BuiltVectors {
  MappedSections sections;
  std::optional<VectorColumn> column;
  double codes_seconds = 0;  // CPU time: rows, training, encoding
  double graph_seconds = 0;  // CPU time that the graph adds

  uint32_t sketch_dims() const {
    return column->planes() == nullptr ? 0 : column->planes()->sketch_dims;
  }
  size_t hot_bytes() const {
    const VectorSectionViews views = sections.views();
    return views.full.size() + views.sketch.size() + views.bounds.size() + views.graph.size();
  }
};

/// CPU seconds of VectorWriter's last step.
inline Result<double> finish(VectorWriter& writer, const GraphSeed* seed, BuiltVectors& out) {
  const uint32_t rows = writer.size();
  const double start = cpu_us();
  const Result<VectorSections> made = writer.finish(rows, VectorEffort::kFull, seed, nullptr);
  const double seconds = (cpu_us() - start) / 1e6;
  if (!made.ok()) return made.status();
  const Status mapped = out.sections.map(*made);
  if (!mapped.ok()) return mapped;
  Result<VectorColumn> column = VectorColumn::open(out.sections.views(), rows);
  if (!column.ok()) return column.status();
  if (!column->derived_damage().empty())
    return Status(ErrorType::kCorrupt, "just built, and damaged: " + column->derived_damage());
  out.column.emplace(std::move(column).value());
  return seconds;
}

/// CPU seconds from the rows to the sections.
inline Result<double> build_once(std::span<const float> rows, const BuildOptions& options,
                                 VectorIndex index, BuiltVectors& out) {
  const double start = cpu_us();
  VectorWriter writer(options.to_field(index));
  const auto count = static_cast<uint32_t>(rows.size() / options.dims);
  writer.reserve(count);
  for (uint32_t i = 0; i < count; i++)
    writer.add(i, rows.subspan(size_t{i} * options.dims, options.dims));
  const double added = (cpu_us() - start) / 1e6;
  const Result<double> finished = finish(writer, nullptr, out);
  if (!finished.ok()) return finished.status();
  return added + *finished;
}

/// Builds codes, then codes and a graph: the difference is the time of the graph.
inline Result<std::unique_ptr<BuiltVectors>> build_vectors(std::span<const float> rows,
                                                           const BuildOptions& options) {
  auto built = std::make_unique<BuiltVectors>();
  const Result<double> codes = build_once(rows, options, VectorIndex::kFlat, *built);
  if (!codes.ok()) return codes.status();
  const Result<double> all = build_once(rows, options, VectorIndex::kHnsw, *built);
  if (!all.ok()) return all.status();
  built->codes_seconds = *codes;
  built->graph_seconds = *all - *codes;
  return built;
}

struct SearchSpec {
  VectorPath path = VectorPath::kAuto;
  uint32_t beam = kMinBeam;
  uint32_t k = 10;
  const Bitset* filter = nullptr;
  const Bitset* live = nullptr;
};

/// Runs the searches of one thread.
class VectorProbe {
 public:
  /// `found` receives the rows, best first; their scores are kept as well.
  void run(const BuiltVectors& built, std::span<const float> vector, const SearchSpec& spec,
           std::vector<VectorHit>& found) {
    searcher_.set_min_beam(spec.beam);
    const PreparedVector query(built.column->options(), vector);
    TopVectors top(spec.k, std::nullopt);
    StopCheck stop(nullptr, 0);
    searcher_.search({&*built.column, 0, spec.live, spec.filter}, query, spec.k, top, stop,
                     counters, spec.path);
    found = top.take();
  }

  VectorCounters counters;

 private:
  VectorSearcher searcher_;
};

}  // namespace quarry::bench
