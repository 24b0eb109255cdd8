// One seeded run: a small node with several lives, random requests, disk faults and ends at any
// moment. After every start and while it runs, the state of the node is compared with what it
// acknowledged. The run depends on the seed alone (one thread, a simulated clock, own random
// numbers), so that a failed seed fails again in the same step.
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

/// An end of the process at the `at`-th operation of a life (a disk operation or a kill point of
/// the core).
struct Kill {
  uint64_t at = 0;  // 1: the first; 0: none
  testing::DiskVerdict how = testing::DiskVerdict::kDieBefore;
  bool power = false;
};

struct Plan {
  uint64_t seed = 1;
  /// Replaces random faults: the ends of the first lives. One more life follows that is not cut
  /// short.
  std::optional<std::vector<Kill>> kills;
  std::function<void(const std::string&)> trace;  // null: no trace
};

struct Report {
  std::string finding;  // empty: none
  uint64_t acknowledged = 0;
  uint64_t starts = 0;
  uint64_t faults = 0;
  uint64_t trace_hash = 0;                       // of all operations in order
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
  /// True if an error may be caused by a simulated fault.
  bool excused() const { return dead() || fired_ || stopped_ || limited_; }
  bool expect(const Status& status, const std::string& what);
  void after_request();

  // requests.cc: the actions of clients and of the background
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

  // checks.cc: the state of the node
  void reconcile();
  bool reconcile_index(const std::string& name, const std::map<std::string, IndexSeen>& seen);
  void reconcile_fields(IndexModel& index, const std::string& description);
  void check_key(const std::string& name, const std::string& id);
  void check_search(const std::string& name);
  void check_words(const std::string& name);
  void check_vectors(const std::string& name);
  void check_nested(const std::string& name, const std::map<std::string, Seen>& all);

  const Plan plan_;
  Random random_;  // for requests
  Random faults_;  // for faults
  Node node_;
  Report report_;
  std::map<std::string, IndexModel> indices_;
  std::string picked_;
  uint64_t revision_ = 0;
  uint64_t life_ = 0;
  bool reconciled_ = false;     // the state after the start has been compared
  bool running_ = false;        // this life has not ended
  bool power_cut_ = false;      // since the state was last compared
  bool stopped_ = false;        // writes are rejected until a restart
  bool limited_ = false;        // the disk is small
  bool fired_ = false;          // a fault happened in this life
  bool interruptible_ = false;  // another write may happen during the current step
  uint64_t intrusions_ = 0;

  struct Fault {
    std::string prefix;  // of the operation's name; empty: any
    uint64_t at = 0;     // the number of the matching operation
    testing::DiskVerdict verdict = testing::DiskVerdict::kGo;
  };
  std::vector<Fault> planned_;
  std::vector<uint64_t> counts_;
};

}  // namespace quarry::faults
