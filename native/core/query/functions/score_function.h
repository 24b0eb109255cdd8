// The functions of function_score: a number per document, from a field, a distance, chance or a script.
#pragma once

#include <memory>
#include <string>

#include "query/plan/compiler.h"

namespace quarry {

/// One search, one thread.
class ScoreFunction {
 public:
  ScoreFunction() = default;
  ScoreFunction(const ScoreFunction&) = delete;
  ScoreFunction& operator=(const ScoreFunction&) = delete;
  virtual ~ScoreFunction() = default;

  /// What is asked about from now on; costs nothing where that is so already.
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

/// Which of several values or distances of a document counts.
enum class ValueMode : uint8_t { kMin, kMax, kSum, kAvg, kMedian };

// Each reads what stands behind the function's kind, see FunctionScore in opcodes.def.
Result<ScoreFunctionPtr> read_field_value_factor(ByteReader& reader, Compiler& compiler);
Result<ScoreFunctionPtr> read_random_score(ByteReader& reader, Compiler& compiler);
Result<ScoreFunctionPtr> read_decay(ByteReader& reader, Compiler& compiler);
Result<ScoreFunctionPtr> read_script_function(ByteReader& reader, Compiler& compiler);

/// "10d", "500ms" in milliseconds; `what` names it in the refusal.
Result<double> parse_duration(std::string_view text, const std::string& what);

}  // namespace quarry
