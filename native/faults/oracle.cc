#include "faults/oracle.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace quarry::faults {

uint64_t revision_of(const std::string& source) {
  static constexpr std::string_view kMember = "\"rev\":";
  const size_t at = source.find(kMember);
  uint64_t rev = 0;
  if (at == std::string::npos) return rev;
  std::from_chars(source.data() + at + kMember.size(), source.data() + source.size(), rev);
  return rev;
}

bool matches(const State& expected, const State& found) {
  if (!expected || !found) return !expected && !found;
  return expected->rev == found->rev &&
         (expected->source.empty() || expected->source == found->source) &&
         (expected->version == 0 || expected->version == found->version);
}

std::string show(const State& state) {
  if (!state) return "nothing";
  return "revision " + std::to_string(state->rev) + " version " + std::to_string(state->version);
}

void Key::applied(State state) {
  process = {state};
  power.push_back(state);
  now = std::move(state);
}

void Key::attempted(const State& state) {
  process.push_back(state);
  power.push_back(state);
}

bool Key::adopt(const State& found, bool power_cut) {
  const std::vector<State>& allowed = power_cut ? power : process;
  const bool expected = std::any_of(allowed.begin(), allowed.end(),
                                    [&found](const State& state) { return matches(state, found); });
  now = found;
  process = {found};
  power = {found};
  return expected;
}

}  // namespace quarry::faults
