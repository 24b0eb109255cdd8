// One seeded run: a small node, several lives, random requests, faults of the disk and ends at any moment. After every
// start, and all the time, what the node shows is compared with what it acknowledged. Nothing but the seed decides:
// one thread, a clock and random numbers of its own, so that a seed that failed fails again, step by step.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "faults/node.h"
#include "faults/oracle.h"

namespace quarry::faults {

/// An end of the process at the `at`-th operation of a life (of the disk, or kill points of the core).
struct Kill {
  uint64_t at = 0;  // 1: the first; 0: none
  testing::DiskVerdict how = testing::DiskVerdict::kDieBefore;
  bool power = false;
};

struct Plan {
  uint64_t seed = 1;
  /// Instead of random faults: the ends of the first lives. The one that follows is complete.
  std::optional<std::vector<Kill>> kills;
  std::function<void(const std::string&)> trace;  // null: nobody listens
};

struct Report {
  std::string finding;  // empty: none
  uint64_t acknowledged = 0;
  uint64_t starts = 0;
  uint64_t faults = 0;
  uint64_t trace_hash = 0;  // of all operations in order
  std::vector<std::vector<std::string>> events;  // by life; with `kills` only
};

Report simulate(const Plan& plan);

class Simulation {
 public:
  explicit Simulation(const Plan& plan);
  Report run();

 private:
  // simulation.cc: lives
  void live(bool last);
  bool start();
  bool open_once(bool faulty);
  void end_life();
  void plan_faults(bool starting);
  testing::DiskVerdict on_event(const testing::DiskEvent& event);
  void note(const std::string& what);
  void fail(const std::string& what);
  bool ok() const { return report_.finding.empty(); }
  bool dead() const { return node_.disk->dead(); }
  /// A failure has a reason that is not ours.
  bool excused() const { return dead() || fired_ || stopped_ || limited_; }
  bool expect(const Status& status, const std::string& what);
  void after_request();

  // requests.cc: what clients and the background do
  void step();
  void write();
  void intrude(std::string_view point);
  struct Operation {
    std::string id;
    std::string kind;
    State next;
  };
  std::string line_of(IndexModel& index, Operation& operation);
  std::string source(uint64_t rev);
  void settle(IndexModel& index, const Operation& operation, const Item& item);
  void settle_failure(IndexModel& index, const Operation& operation, const Item& item);
  void sync();
  void flush();
  void merge();
  void maintain();
  void rest();
  void create();
  void drop();
  void put_mapping();
  void limit();
  void lift();
  std::string* pick_index();
  std::string pick_key();

  // checks.cc: what the node shows
  void reconcile();
  bool reconcile_index(const std::string& name, const std::map<std::string, IndexSeen>& seen);
  void reconcile_fields(IndexModel& index, const std::string& description);
  void check_key(const std::string& name, const std::string& id);
  void check_search(const std::string& name);
  void check_words(const std::string& name);
  void check_vectors(const std::string& name);

  const Plan plan_;
  Random random_;        // requests
  Random faults_;        // faults
  Node node_;
  Report report_;
  std::map<std::string, IndexModel> indices_;
  std::string picked_;
  uint64_t revision_ = 0;
  uint64_t life_ = 0;
  bool reconciled_ = false; // what there is after the start has been compared
  bool running_ = false;    // and nothing has ended it
  bool power_cut_ = false;  // since the state was last compared
  bool stopped_ = false;    // writes are refused until a restart
  bool limited_ = false;    // the disk is small
  bool fired_ = false;      // a fault in this life
  bool interruptible_ = false;  // a write may come in the middle of what is done now
  uint64_t intrusions_ = 0;

  struct Fault {
    std::string prefix;  // of the operation's name; empty: any
    uint64_t at = 0;     // which of them
    testing::DiskVerdict verdict = testing::DiskVerdict::kGo;
  };
  std::vector<Fault> planned_;
  std::vector<uint64_t> counts_;
};

}  // namespace quarry::faults
