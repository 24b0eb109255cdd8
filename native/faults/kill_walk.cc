#include "faults/kill_walk.h"

#include <array>
#include <vector>

#include "faults/simulation.h"

namespace quarry::faults {
namespace {

using testing::DiskVerdict;

constexpr std::array kWays = {DiskVerdict::kDieBefore, DiskVerdict::kDieDuring,
                              DiskVerdict::kDieAfter};

class Walk {
 public:
  Walk(uint64_t seed, size_t stride) : seed_(seed), stride_(stride) {}

  WalkReport run() {
    const Report whole = play({Kill{}});
    if (!whole.finding.empty()) return std::move(report_);
    const std::vector<std::string>& events = whole.events.front();
    std::set<std::string> met;
    for (size_t at = 0; at < events.size() && report_.finding.empty(); at++) {
      const bool first = met.insert(events[at]).second;
      if (first || at % stride_ == 0) end_at(at + 1, first);
    }
    report_.points = std::move(met);
    return std::move(report_);
  }

 private:
  Report play(const std::vector<Kill>& kills) {
    Plan plan;
    plan.seed = seed_;
    plan.kills = kills;
    Report report = simulate(plan);
    if (report.finding.empty() || !report_.finding.empty()) return report;
    report_.finding = report.finding + " (ends";
    for (const Kill& kill : kills) {
      report_.finding += " at " + std::to_string(kill.at) + " way " +
                         std::to_string(static_cast<int>(kill.how)) +
                         (kill.power ? " without power" : " killed");
    }
    report_.finding += ")";
    return report;
  }

  void end_at(size_t at, bool first) {
    for (const DiskVerdict how : kWays) {
      if (stride_ > 1 && how != kWays[at % kWays.size()]) continue;
      for (const bool power : {false, true}) {
        if (!report_.finding.empty()) return;
        const Kill kill{at, how, power};
        report_.singles++;
        const Report single = play({kill});
        if (single.events.size() < 2) continue;
        if (stride_ == 1 || (first && !power)) pairs_of(kill, single.events[1]);
      }
    }
  }

  /// `start`: the operations of the life after the first end; those of its start are first.
  void pairs_of(const Kill& kill, const std::vector<std::string>& start) {
    for (size_t at = 0; at < start.size() && report_.finding.empty(); at += stride_) {
      const size_t turn = turn_++;
      report_.pairs++;
      play({kill, {at + 1, kWays[turn % kWays.size()], turn / kWays.size() % 2 == 0}});
    }
  }

  const uint64_t seed_;
  const size_t stride_;
  size_t turn_ = 0;
  WalkReport report_;
};

}  // namespace

WalkReport walk(uint64_t seed, size_t stride) { return Walk(seed, stride).run(); }

}  // namespace quarry::faults
