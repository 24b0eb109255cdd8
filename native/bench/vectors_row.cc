// The engine's vector search with a C interface, as one row of the peers' table:
// bench/vectors/peers.py loads it together with the packages of others, in one process. Arrays
// belong to the caller and have the length given by the arguments; a handle may be used by one
// thread only.
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/built_vectors.h"
#include "simd/kernels.h"

namespace {

using namespace quarry;
using namespace quarry::bench;

struct Row {
  BuiltVectors built;
  VectorProbe probe;
};

}  // namespace

#define EXPORTED __attribute__((visibility("default")))

extern "C" {

/// `rows`: count x dims floats. Null if the build fails.
EXPORTED void* quarry_vectors_new(const float* rows, uint32_t count, uint32_t dims, uint32_t m,
                                  uint32_t ef_construction) {
  auto row = std::make_unique<Row>();
  const Result<double> seconds = build_once(
      {rows, size_t{count} * dims}, {dims, m, ef_construction}, VectorIndex::kHnsw, row->built);
  return seconds.ok() ? row.release() : nullptr;
}

EXPORTED void quarry_vectors_free(void* handle) {
  const std::unique_ptr<Row> row(static_cast<Row*>(handle));
}

/// Properties of the index: 0 dimensions of the sketch, 1 bytes per vector that a search keeps in
/// memory, 2 the number of the instruction set.
EXPORTED double quarry_vectors_figure(const void* handle, uint32_t which) {
  const BuiltVectors& built = static_cast<const Row*>(handle)->built;
  const double figures[] = {static_cast<double>(built.sketch_dims()),
                            static_cast<double>(built.hot_bytes()) / built.column->size(),
                            static_cast<double>(simd::kernels().isa)};
  return which < 3 ? figures[which] : 0;
}

/// `path` is defined in vector/vector_search.h; `bits`: allowed rows, or null. `out`: count x k
/// rows, -1 if fewer were found.
EXPORTED void quarry_vectors_search(void* handle, const float* probes, uint32_t count, uint32_t k,
                                    uint32_t path, uint32_t beam, const uint64_t* bits,
                                    int32_t* out) {
  Row& row = *static_cast<Row*>(handle);
  const VectorColumn& column = *row.built.column;
  SearchSpec spec{static_cast<VectorPath>(path), beam, k};
  Bitset filter;
  if (bits != nullptr) {
    const size_t words = (size_t{column.size()} + 63) / 64;
    filter = Bitset(std::vector<uint64_t>(bits, bits + words), column.size());
    spec.filter = &filter;
  }
  std::vector<VectorHit> hits;
  for (uint32_t p = 0; p < count; p++) {
    row.probe.run(row.built, {probes + size_t{p} * column.dims(), column.dims()}, spec, hits);
    for (uint32_t i = 0; i < k; i++)
      *out++ = i < hits.size() ? static_cast<int32_t>(hits[i].doc) : -1;
  }
}

}  // extern "C"
