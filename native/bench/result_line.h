// Formats one result as one line: JSON for programs, text for people.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "vector/vector_search.h"

namespace quarry::bench {

class ResultLine {
 public:
  explicit ResultLine(bool json) : json_(json), text_(json ? "{" : "") {}

  ResultLine& text(std::string_view key, std::string_view value) {
    name(key);
    text_ += json_ ? '"' + std::string(value) + '"' : std::string(value);
    return *this;
  }
  ResultLine& number(std::string_view key, double value, int digits = 2) {
    name(key);
    char out[40];
    std::snprintf(out, sizeof out, "%.*f", digits, value);
    text_ += out;
    return *this;
  }
  ResultLine& count(std::string_view key, uint64_t value) {
    name(key);
    text_ += std::to_string(value);
    return *this;
  }
  /// Adds the counters per query.
  ResultLine& counters(const VectorCounters& total, double queries) {
    number("sketchDistances", static_cast<double>(total.sketch_distances) / queries, 1);
    number("fullDistances", static_cast<double>(total.full_distances) / queries, 1);
    number("exactDistances", static_cast<double>(total.exact_distances) / queries, 1);
    number("hops", static_cast<double>(total.hops) / queries, 1);
    return number("bytesRead", static_cast<double>(total.bytes_read) / queries, 0);
  }
  void print() const {
    std::printf("%s%s\n", text_.c_str(), json_ ? "}" : "");
    std::fflush(stdout);
  }

 private:
  void name(std::string_view key) {
    if (text_.size() > 1) text_ += json_ ? "," : "  ";
    text_ += json_ ? '"' + std::string(key) + "\":" : std::string(key) + " ";
  }

  bool json_;
  std::string text_;
};

}  // namespace quarry::bench
