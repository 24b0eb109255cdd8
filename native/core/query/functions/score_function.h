// The functions of function_score: a number per document, from a field, a distance, a random value
// or a script.
#pragma once

#include <memory>
#include <string>

#include "query/plan/compiler.h"

namespace quarry {

/// Used by one search on one thread.
class ScoreFunction {
 public:
  ScoreFunction() = default;
  ScoreFunction(const ScoreFunction&) = delete;
  ScoreFunction& operator=(const ScoreFunction&) = delete;
  virtual ~ScoreFunction() = default;

  /// Sets the segment of the following calls; free if it is already current.
  void enter(const Leaf& leaf) {
    if (entered_ == leaf.segment) return;
    entered_ = leaf.segment;
    start_leaf(leaf);
  }
  virtual double score(uint32_t doc, float query_score) = 0;
  virtual Explanation explain(uint32_t doc, const Explanation& query) = 0;

 protected:
  virtual void start_leaf(const Leaf& leaf) = 0;

 private:
  const Segment* entered_ = nullptr;
};

using ScoreFunctionPtr = std::unique_ptr<ScoreFunction>;

/// How several values or distances of a document are combined.
enum class ValueMode : uint8_t { kMin, kMax, kSum, kAvg, kMedian };

// Each reads the payload after the function's kind; see FunctionScore in opcodes.def.
Result<ScoreFunctionPtr> read_field_value_factor(PlanReader& reader, Compiler& compiler);
Result<ScoreFunctionPtr> read_random_score(PlanReader& reader, Compiler& compiler);
Result<ScoreFunctionPtr> read_decay(PlanReader& reader, Compiler& compiler);
Result<ScoreFunctionPtr> read_script_function(PlanReader& reader, Compiler& compiler);

/// Parses "10d" or "500ms" to milliseconds; `what` names the value in the error.
Result<double> parse_duration(std::string_view text, const std::string& what);

}  // namespace quarry
