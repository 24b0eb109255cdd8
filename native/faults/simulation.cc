#include "faults/simulation.h"

#include <array>
#include <utility>

#include "base/hash.h"

namespace quarry::faults {
namespace {

using testing::DiskVerdict;

constexpr uint64_t kUnlimited = uint64_t{1} << 40;

/// Prefixes of operation names (testing::event_name) that a fault can apply to.
constexpr std::array<std::string_view, 22> kTargets = {"",
                                                       "",
                                                       "append log",
                                                       "append log",
                                                       "sync log",
                                                       "sync log",
                                                       "sync",
                                                       "append",
                                                       "sync dir",
                                                       "rename",
                                                       "create",
                                                       "remove",
                                                       "reserve",
                                                       "mkdir",
                                                       "overwrite",
                                                       "rename MANIFEST",
                                                       "before manifest switch",
                                                       "after manifest switch",
                                                       "before merge swap",
                                                       "after merge swap",
                                                       "log rotation",
                                                       "sync file"};
constexpr std::array<std::string_view, 4> kReadTargets = {"map", "map seg", "read", "list"};
constexpr std::array kDeaths = {DiskVerdict::kDieBefore, DiskVerdict::kDieDuring,
                                DiskVerdict::kDieAfter};

EngineOptions small_node(Random& random) {
  EngineOptions options;
  options.wal_file_bytes = 1024 << random.below(5);
  options.wal_flush_bytes = options.wal_file_bytes * (2 + random.below(4));
  options.memtable_flush_bytes = uint64_t{32768} << random.below(6);
  options.disk_reserve_bytes = random.below(2) * 8192;
  options.idle_close_ms = 1000;
  return options;
}

uint64_t mixed(uint64_t value) { return Random(value).next(); }

Random part_of(uint64_t seed, uint64_t part) { return Random(mixed(seed * 4 + part)); }

}  // namespace

Report simulate(const Plan& plan) { return Simulation(plan).run(); }

Simulation::Simulation(const Plan& plan)
    : plan_(plan), random_(part_of(plan.seed, 0)), faults_(part_of(plan.seed, 1)), node_([&plan] {
        Random random = part_of(plan.seed, 2);
        return small_node(random);
      }()) {}

Report Simulation::run() {
  const uint64_t lives = plan_.kills ? plan_.kills->size() + 1 : 2 + random_.below(4);
  for (uint64_t i = 0; i < lives && ok(); i++) live(i + 1 == lives);
  return std::move(report_);
}

void Simulation::note(const std::string& what) {
  if (plan_.trace) plan_.trace(what);
}

void Simulation::fail(const std::string& what) {
  if (!ok()) return;
  report_.finding = what;
  note("FINDING: " + what);
}

DiskVerdict Simulation::on_event(const testing::DiskEvent& event) {
  const std::string name = testing::event_name(event);
  report_.trace_hash = mixed(report_.trace_hash ^ hash64(name));
  if (plan_.kills) report_.events.back().push_back(name);
  DiskVerdict verdict = DiskVerdict::kGo;
  for (size_t i = 0; i < planned_.size(); i++) {
    const Fault& fault = planned_[i];
    if (!name.starts_with(fault.prefix)) continue;
    if (++counts_[i] == fault.at && verdict == DiskVerdict::kGo) verdict = fault.verdict;
  }
  if (plan_.trace) {
    const std::string how = verdict == DiskVerdict::kGo
                                ? ""
                                : "   <- verdict " + std::to_string(static_cast<int>(verdict));
    plan_.trace("    " + name + " " + std::string(event.path) + how);
  }
  if (verdict != DiskVerdict::kGo) {
    fired_ = true;
    report_.faults++;
  }
  return verdict;
}

/// Draws the faults of the coming life and passes them to the disk.
void Simulation::plan_faults(bool starting) {
  planned_.clear();
  fired_ = false;
  if (plan_.kills) {
    report_.events.emplace_back();
    if (life_ < plan_.kills->size()) {
      const Kill& kill = (*plan_.kills)[life_];
      planned_.push_back({"", kill.at, kill.how});
    }
  } else {
    const uint64_t kind = faults_.below(10);
    const uint64_t most = starting ? 40 : 12;
    if (kind < 4) {
      const std::string prefix(kTargets[faults_.below(kTargets.size())]);
      const uint64_t at = 1 + faults_.below(prefix.empty() ? most * 20 : most);
      planned_.push_back({prefix, at, kDeaths[faults_.below(kDeaths.size())]});
    } else if (kind < 7) {
      const bool reads = faults_.below(4) == 0;
      const std::string_view prefix = reads ? kReadTargets[faults_.below(kReadTargets.size())]
                                            : kTargets[faults_.below(kTargets.size())];
      const bool full = !reads && faults_.below(3) == 0 && !prefix.starts_with("sync");
      planned_.push_back({std::string(prefix), 1 + faults_.below(most),
                          full ? DiskVerdict::kFull : DiskVerdict::kFail});
    }
  }
  counts_.assign(planned_.size(), 0);
  node_.disk->set_visitor([this](std::string_view point) { intrude(point); });
  node_.disk->set_script([this](const testing::DiskEvent& event) { return on_event(event); },
                         faults_.next());
}

bool Simulation::expect(const Status& status, const std::string& what) {
  if (status.ok()) return true;
  note("  " + what + ": " + status.reason());
  if (!excused()) fail(what + " failed for no reason: " + status.reason());
  return false;
}

/// Records whether writes have stopped, and fails if they have without a fault.
void Simulation::after_request() {
  if (dead() || stopped_) return;
  stopped_ = node_.engine->write_state().type() == ErrorType::kStore;
  if (!stopped_) return;
  note("  writes have stopped: " + node_.engine->write_state().reason());
  if (!fired_) fail("writes have stopped for no reason");
}

bool Simulation::open_once(bool faulty) {
  report_.starts++;
  const Status opened = node_.open();
  note("start: " + (opened.ok() ? std::string("ready") : opened.reason()));
  if (opened.ok()) return true;
  if (!dead() && !fired_ && !limited_) fail("a start fails for no reason: " + opened.reason());
  if (faulty) node_.kill();
  return false;
}

/// Starts the node. A few attempts may fail or end at a fault; the last one has no faults and must
/// succeed.
bool Simulation::start() {
  const uint64_t tries = plan_.kills ? 0 : faults_.below(3);
  for (uint64_t i = 0; i < tries && ok(); i++) {
    plan_faults(true);
    if (open_once(true)) return true;
    if (!ok()) return false;
    end_life();
  }
  if (!plan_.kills && limited_) lift();
  plan_faults(false);
  if (!plan_.kills) planned_.clear();
  if (open_once(false)) {
    if (!plan_.kills) plan_faults(false);
    return true;
  }
  return false;
}

void Simulation::live(bool last) {
  stopped_ = false;
  reconciled_ = false;
  const bool started = start();
  if (started) reconcile();
  running_ = started && !dead() && reconciled_;
  const uint64_t steps = plan_.kills ? (last ? 8 : 30) : 5 + random_.below(50);
  for (uint64_t i = 0; i < steps && running_ && ok() && !dead(); i++) step();
  if (!ok()) return;
  for (auto& [name, index] : indices_) {
    if (running_ && !dead() && index.usable && last) check_search(name);
  }
  if (ok()) end_life();
  life_++;
}

/// Ends a life by a kill, a power cut, or a regular close, unless it has already ended.
void Simulation::end_life() {
  bool power = faults_.below(2) == 0;
  if (plan_.kills) power = life_ < plan_.kills->size() && (*plan_.kills)[life_].power;
  if (running_ && !dead() && !plan_.kills && faults_.below(3) == 0) {
    const int64_t deadline = faults_.below(3) == 0 ? 0 : INT64_MAX;
    note("close");
    const Status closed = node_.engine->close(deadline);
    if (expect(closed, "close")) {
      for (auto& [name, index] : indices_) {
        for (auto& [id, key] : index.keys) key.acknowledged();
      }
    }
  }
  running_ = false;
  if (!ok()) return;
  if (power) {
    note("-- power cut");
    power_cut_ = true;
    node_.cut_power(faults_.next());
    if (limited_) node_.disk->set_capacity(kUnlimited);
    limited_ = false;
  } else {
    note("-- killed");
    node_.revive();
  }
}

}  // namespace quarry::faults
