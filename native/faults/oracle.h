// The states that a client may observe on a node: for every document those that are possible after
// its acknowledged writes, its answered writes that are not yet durable, and its writes with an
// unknown outcome (a failed write or sync, an end of the process during one).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quarry::faults {

/// Every write has a unique revision, which its source contains as `"rev":N`.
struct Document {
  uint64_t rev = 0;
  std::string source;    // empty: unknown, because an update was not answered
  uint64_t version = 0;  // 0: unknown for the same reason
};
/// Nullopt: the document does not exist.
using State = std::optional<Document>;

uint64_t revision_of(const std::string& source);
/// Compares the found state with the expected one; unknown parts of the latter are not compared.
bool matches(const State& expected, const State& found);
std::string show(const State& state);

/// The possible states of one document.
struct Key {
  State now;                                    // the state that the running node must return
  std::vector<State> process = {std::nullopt};  // possible states after an end of the process
  std::vector<State> power = {std::nullopt};    // possible states after a power cut

  /// Records a write that was answered with success, but is not yet acknowledged as durable.
  void applied(State state);
  /// Records a write that was not answered, or failed with an error that leaves its state on the
  /// disk open.
  void attempted(const State& state);
  void acknowledged() { power = {now}; }
  /// Sets the state found after a start as the only possible one. False if it was not allowed.
  bool adopt(const State& found, bool power_cut);
};

/// Whether something that is changed durably (an index, a field) exists.
enum class Presence : uint8_t { kThere, kMaybe, kGone };

struct IndexModel {
  uint32_t number = 0;
  uint32_t shards = 1;
  Presence presence = Presence::kGone;  // on the disk
  bool usable = false;                  // the running node has it
  std::map<std::string, Key> keys;
  std::map<std::string, Presence> fields;  // added by put_mapping
};

}  // namespace quarry::faults
