// hnswlib as a peer in the same process, if its headers are installed: they come with an npm
// package that native/package.json lists for development. Its distance functions are compiled for
// the best instruction set that it can dispatch to (AVX-512), as with its users' -march=native.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#if __has_include(<hnswlib.h>)
#define QUARRY_HAS_HNSWLIB 1
// Included before the options below, so that no header of the standard library is compiled with
// them.
#include <assert.h>
#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <fstream>
#include <iostream>
#include <list>
#include <mutex>
#include <queue>
#include <random>
#include <string>
#include <unordered_map>
#include <unordered_set>
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
// The macros of an instruction set do not follow the pragma, so they are defined here.
#define NO_MANUAL_VECTORIZATION
#define USE_SSE
#define USE_AVX
#define USE_AVX512
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"  // false in GCC 12's _mm512_reduce_add_ps
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,fma")
#include <hnswlib.h>
#pragma GCC pop_options
#pragma GCC diagnostic pop
#else
#include <hnswlib.h>
#endif
#endif

namespace quarry::bench {

#ifdef QUARRY_HAS_HNSWLIB

class HnswlibPeer {
 public:
  static bool can_run() {
#ifdef USE_AVX512
    return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return true;
#endif
  }
  /// `rows` have unit length.
  HnswlibPeer(const std::vector<float>& rows, uint32_t dims, uint32_t m, uint32_t ef_construction)
      : space_(dims), graph_(&space_, rows.size() / dims, m, ef_construction, 42) {
    for (size_t i = 0; i * dims < rows.size(); i++) graph_.addPoint(rows.data() + i * dims, i);
  }
  void search(const float* probe, uint32_t k, uint32_t beam, std::vector<uint32_t>& found) {
    graph_.setEf(beam);
    auto nearest = graph_.searchKnn(probe, k);
    found.clear();
    for (; !nearest.empty(); nearest.pop())
      found.push_back(static_cast<uint32_t>(nearest.top().second));
  }

 private:
  hnswlib::InnerProductSpace space_;
  hnswlib::HierarchicalNSW<float> graph_;
};

#endif

}  // namespace quarry::bench
