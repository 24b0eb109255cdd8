// Several ways to search one set, checked first and then timed alternately: a round runs every case
// over a slice of the probes, so that other load on the machine slows all of them equally. The time
// of a case is its best round.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/built_vectors.h"
#include "bench/result_line.h"
#include "bench/vector_truth.h"

namespace quarry::bench {

struct SearchCase {
  std::string part;
  std::string engine;
  uint32_t beam = 0;
  const Truth* truth = nullptr;
  bool exact = false;  // its recall must be 1
  /// Replaces the content of `found` with the rows that it finds for a probe of the set.
  std::function<void(uint32_t probe, std::vector<uint32_t>& found)> run;
  const VectorCounters* counters = nullptr;  // null: the case has none

  VectorCounters work;  // of the checked probes
  uint32_t checked = 0;
  uint32_t slice = 0;
  double recall = 0;
  double worst = 1;
  std::vector<double> us;
};

inline VectorCounters difference(const VectorCounters& a, const VectorCounters& b) {
  return {a.sketch_distances - b.sketch_distances, a.full_distances - b.full_distances,
          a.exact_distances - b.exact_distances, a.hops - b.hops, a.bytes_read - b.bytes_read};
}

class InterleavedCases {
 public:
  InterleavedCases(const VectorSet& set, bool json) : set_(set), json_(json) {}

  void add(SearchCase added) { cases_.push_back(std::move(added)); }

  /// Computes recall, worst probe and work of every case. False if an exact case misses one of the
  /// nearest vectors.
  bool check() {
    bool sound = true;
    for (SearchCase& c : cases_) {
      check(c);
      if (!c.exact || c.recall == 1) continue;
      std::fprintf(stderr, "wrong: %s %s %s has recall %.5f\n", set_.name.c_str(), c.part.c_str(),
                   c.engine.c_str(), c.recall);
      sound = false;
    }
    return sound;
  }

  /// `others`, if given, runs once a round to measure the current speed of the machine.
  void time(uint32_t rounds, const std::function<void()>& others = {}) {
    std::vector<uint32_t> found;
    for (uint32_t round = 0; round < rounds; round++) {
      if (others) others();
      for (SearchCase& c : cases_) {
        const double start = cpu_us();
        for (uint32_t p = 0; p < c.slice; p++) c.run(p, found);
        c.us.push_back((cpu_us() - start) / c.slice);
      }
    }
  }

  void print() {
    for (SearchCase& c : cases_) {
      std::sort(c.us.begin(), c.us.end());
      ResultLine line(json_);
      line.text("set", set_.name).text("part", c.part).text("engine", c.engine);
      line.count("rows", c.truth->rows).count("beam", c.beam);
      line.number("recall", c.recall, 5).number("worst", c.worst, 1);
      if (!c.us.empty()) line.number("us", c.us.front()).number("median", c.us[c.us.size() / 2]);
      if (c.counters != nullptr) line.counters(c.work, c.checked);
      line.print();
    }
  }

 private:
  static constexpr double kSliceUs = 250'000;    // of one case in one round
  static constexpr double kCheckUs = 4'000'000;  // of one case

  void check(SearchCase& c) {
    const VectorCounters before = c.counters == nullptr ? VectorCounters() : *c.counters;
    std::vector<uint32_t> found;
    const double wanted = c.truth->expected_hits();
    double hits = 0;
    double spent = 0;
    for (; c.checked < set_.probe_count() && spent < kCheckUs; c.checked++) {
      const double start = cpu_us();
      c.run(c.checked, found);
      spent += cpu_us() - start;
      const double good = count_hits(set_, *c.truth, c.checked, found);
      c.worst = std::min(c.worst, good / wanted);
      hits += good;
    }
    c.recall = hits / (c.checked * wanted);
    if (c.counters != nullptr) c.work = difference(*c.counters, before);
    const double fit = kSliceUs * c.checked / std::max(spent, 1.0);
    c.slice = std::clamp(static_cast<uint32_t>(fit), 1u, c.checked);
  }

  const VectorSet& set_;
  bool json_;
  std::vector<SearchCase> cases_;
};

}  // namespace quarry::bench
