// Why a document scores what it scores: a tree that prints as the `_explanation` of a hit.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace quarry {

/// `match` false: the document does not match this part; it prints with value 0.
struct Explanation {
  bool match = false;
  double value = 0;
  std::string description;
  std::vector<Explanation> details;
  bool whole = false;  // a count: prints without a fraction

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

/// Shortest text that reads back as the same float32, with a decimal point.
std::string float_text(double value);

}  // namespace quarry
