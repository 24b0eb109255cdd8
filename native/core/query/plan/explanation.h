// The explanation of a score: a tree that is printed as the `_explanation` of a hit.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace quarry {

/// `match` is false if the document does not match this part, which is then printed with value 0.
struct Explanation {
  bool match = false;
  double value = 0;
  std::string description;
  std::vector<Explanation> details;
  bool whole = false;  // a count, printed without a fraction

  static Explanation no_match(std::string description, std::vector<Explanation> details = {}) {
    return {false, 0, std::move(description), std::move(details), false};
  }
  static Explanation matched(double value, std::string description,
                             std::vector<Explanation> details = {}) {
    return {true, value, std::move(description), std::move(details), false};
  }
  static Explanation counted(uint64_t count, std::string description) {
    return {true, static_cast<double>(count), std::move(description), {}, true};
  }
  /// {"value":…,"description":…,"details":[…]}
  void append_json(std::string& out) const;
};

/// The shortest decimal representation, with a decimal point, that parses to the same float32.
std::string float_text(double value);

}  // namespace quarry
