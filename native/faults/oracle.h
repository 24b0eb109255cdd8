// What a client may expect of a node: for every document the states that it can have, given what was acknowledged, what
// was answered without being durable yet, and what was refused in a way that says nothing (a failed write or sync, an
// end in the middle of it).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quarry::faults {

/// Every write has a revision of its own, which its source carries as `"rev":N`.
struct Document {
  uint64_t rev = 0;
  std::string source;    // empty: the answer never came (of an update)
  uint64_t version = 0;  // 0: likewise
};
/// Nothing: no such document.
using State = std::optional<Document>;

uint64_t revision_of(const std::string& source);
/// What was found is what is expected; what is not known of it is not compared.
bool matches(const State& expected, const State& found);
std::string show(const State& state);

/// One document.
struct Key {
  State now;  // as the running node has to show it
  std::vector<State> process = {std::nullopt};  // what an end of the process may leave
  std::vector<State> power = {std::nullopt};    // what a power cut may leave

  /// Answered with success, not yet acknowledged.
  void applied(State state);
  /// Refused with an answer that leaves open what is on the disk, or not answered.
  void attempted(const State& state);
  void acknowledged() { power = {now}; }
  /// Found after a start: that is it from then on. False when it must not be so.
  bool adopt(const State& found, bool power_cut);
};

/// Whether something that is changed durably (an index, a field) is there.
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
