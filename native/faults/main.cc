// npm run test:faults -- [--seed N] [--runs N] [--all] [--verbose] [--walk]
// Runs the simulation for the seeds N, N+1, …; the seed of a failure is printed and repeats it,
// step by step with --verbose. --all: continues after a failure. --walk: instead, ends the process
// at every operation of one run, and again at every operation of the start that follows.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "faults/kill_walk.h"
#include "faults/simulation.h"
#include "testing/test.h"

namespace {

struct Arguments {
  uint64_t seed = 1;
  uint64_t runs = 1000;
  bool verbose = false;
  bool walk = false;
  bool all = false;
  bool valid = true;
};

Arguments read(int argc, char** argv) {
  Arguments read;
  for (int i = 1; i < argc; i++) {
    const std::string name = argv[i];
    const size_t equals = name.find('=');
    const bool number = name.starts_with("--seed") || name.starts_with("--runs");
    if (number && (equals != std::string::npos || i + 1 < argc)) {
      const char* text = equals != std::string::npos ? argv[i] + equals + 1 : argv[++i];
      (name.starts_with("--seed") ? read.seed : read.runs) = std::strtoull(text, nullptr, 10);
    } else if (name == "--verbose") {
      read.verbose = true;
    } else if (name == "--all") {
      read.all = true;
    } else if (name == "--walk") {
      read.walk = true;
    } else {
      read.valid = false;
    }
  }
  return read;
}

int simulate_all(const Arguments& arguments) {
  uint64_t acknowledged = 0;
  uint64_t starts = 0;
  uint64_t faults = 0;
  uint64_t failed = 0;
  for (uint64_t i = 0; i < arguments.runs; i++) {
    quarry::faults::Plan plan;
    plan.seed = arguments.seed + i;
    if (arguments.verbose)
      plan.trace = [](const std::string& what) { std::printf("%s\n", what.c_str()); };
    quarry::faults::Report report = quarry::faults::simulate(plan);
    for (const std::string& failure : quarry::testing::failures()) report.finding += " " + failure;
    if (!report.finding.empty()) {
      std::printf("faults: FAILED in run %llu with --seed %llu --runs 1: %s\n",
                  static_cast<unsigned long long>(i + 1),
                  static_cast<unsigned long long>(plan.seed), report.finding.c_str());
      if (!arguments.all) return 1;
      quarry::testing::failures().clear();
      failed++;
    }
    acknowledged += report.acknowledged;
    starts += report.starts;
    faults += report.faults;
  }
  if (failed > 0) return 1;
  std::printf(
      "faults: %llu runs from --seed %llu without a finding: %llu starts, %llu faults, %llu syncs "
      "acknowledged\n",
      static_cast<unsigned long long>(arguments.runs),
      static_cast<unsigned long long>(arguments.seed), static_cast<unsigned long long>(starts),
      static_cast<unsigned long long>(faults), static_cast<unsigned long long>(acknowledged));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read(argc, argv);
  if (!arguments.valid) {
    std::printf("faults [--seed N] [--runs N] [--all] [--verbose] [--walk]\n");
    return 2;
  }
  if (!arguments.walk) return simulate_all(arguments);
  const quarry::faults::WalkReport report = quarry::faults::walk(arguments.seed, 1);
  std::printf("faults: walk of seed %llu: %zu single ends, %zu pairs%s%s\n",
              static_cast<unsigned long long>(arguments.seed), report.singles, report.pairs,
              report.finding.empty() ? ", no finding" : ": FAILED ", report.finding.c_str());
  for (const std::string& point : report.points) std::printf("  %s\n", point.c_str());
  return report.finding.empty() ? 0 : 1;
}
