// Scripts of one expression: a checked program for a stack machine, compiled by src/query/script/.
//
// Script: str source (for messages), list<str field>, u32 instructions, then per instruction u8
// code (ScriptCode) and its operand:
//   number f64 | whole i64 | truth u8 | text str | value, size u16 field |
//   jump, jump_unless u32 instruction, forward only | call u8 ScriptCall |
//   vector u8 ScriptVector, u16 field, list<f32> the other vector |
//   reduce u8 ScriptReduction, u16 field | date u8 ScriptDatePart, u16 field
// A program leaves one value on the stack. `jump_unless` pops one. All paths to an instruction
// leave the same number of values.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

enum class ScriptCode : uint8_t {
  kNumber,
  kWhole,
  kTruth,
  kText,
  kScore,
  kValue,
  kSize,
  kNegate,
  kNot,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kUnequal,
  kJump,
  kJumpUnless,
  kCall,
  kVector,
  kReduce,
  kDate
};

enum class ScriptCall : uint8_t {
  kAbs,
  kCeil,
  kExp,
  kFloor,
  kLog,
  kLog10,
  kMax,
  kMin,
  kPow,
  kRound,
  kSignum,
  kSqrt,
  kSaturation,
  kSigmoid,
  kAcos,
  kAcosh,
  kAsin,
  kAsinh,
  kAtan,
  kAtan2,
  kAtanh,
  kCos,
  kCosh,
  kHaversin,
  kLogn,
  kSin,
  kSinh,
  kTan,
  kTanh,
  // On 64 bits, to which numbers are cast as in Java.
  kBitAnd,
  kBitOr,
  kBitXor,
  kBitNot,
  kShiftLeft,
  kShiftRight,
  kShiftRightUnsigned
};

/// Combines all numbers of a document; 0 if it has none.
enum class ScriptReduction : uint8_t { kMin, kMax, kSum, kAvg, kMedian };

/// In UTC; 0 for a document without a date. kMonth counts from 0, kMonthOfYear from 1.
enum class ScriptDatePart : uint8_t {
  kCenturyOfEra,
  kDayOfMonth,
  kDayOfWeek,
  kDayOfYear,
  kEra,
  kHourOfDay,
  kMillisOfDay,
  kMillisOfSecond,
  kMinuteOfDay,
  kMinuteOfHour,
  kMonth,
  kMonthOfYear,
  kSecondOfDay,
  kSecondOfMinute,
  kWeekOfWeekyear,
  kWeekyear,
  kYear,
  kYearOfCentury,
  kYearOfEra
};

enum class ScriptVector : uint8_t { kCosine, kDot, kL2, kL1 };

/// Integers and floating-point numbers are distinct, as in Painless: 7 / 2 is 3, 7 / 2.0 is 3.5.
struct ScriptValue {
  enum class Kind : uint8_t { kWhole, kNumber, kTruth, kText };
  Kind kind = Kind::kNumber;
  int64_t whole = 0;
  double number = 0;
  std::string_view text;  // valid until the next document

  static ScriptValue of(double value) { return {Kind::kNumber, 0, value, {}}; }
  static ScriptValue of_whole(int64_t value) { return {Kind::kWhole, value, 0, {}}; }
  static ScriptValue of_truth(bool value) { return {Kind::kTruth, value ? 1 : 0, 0, {}}; }
  static ScriptValue of_text(std::string_view value) { return {Kind::kText, 0, 0, value}; }
  bool is_text() const { return kind == Kind::kText; }
  double as_number() const { return kind == Kind::kNumber ? number : static_cast<double>(whole); }
  bool is_true() const {
    return kind == Kind::kNumber ? number != 0 && number == number : whole != 0;
  }
};

struct ScriptInstruction {
  ScriptCode code = ScriptCode::kNumber;
  uint8_t function = 0;
  uint32_t target = 0;  // index of a field or an instruction
  int64_t whole = 0;
  double number = 0;
  std::string_view text;
  std::vector<float> vector;
};

/// The values of one field for a script, segment by segment.
struct ScriptField {
  const Field* field = nullptr;
  std::string prefix;  // of terms, below a flattened field
  const Column* column = nullptr;
  const TermDictionary* terms = nullptr;
  const VectorColumn* vectors = nullptr;
};

/// A script bound to the fields of one index. Used by one search on one thread.
class Script {
 public:
  /// illegal_argument_exception for fields that are unmapped or have no values by document, and for
  /// vectors of another length.
  static Result<std::unique_ptr<Script>> read(PlanReader& reader, Compiler& compiler);
  /// Creates a script without a program, which read() fills in.
  explicit Script(SearchProgress& progress) : progress_(progress) {}

  bool needs_score() const { return needs_score_; }
  std::string_view source() const { return source_; }
  /// Sets the segment of the following calls of run(); free if it is already current.
  void enter(const Leaf& leaf) {
    if (entered_ == leaf.segment) return;
    entered_ = leaf.segment;
    start_leaf(leaf);
  }
  /// The value for a document; 0 after a failure, which is reported to the search's progress.
  ScriptValue run(uint32_t doc, float score);
  /// Reports to the search that the script failed. Returns 0.
  ScriptValue fail(const std::string& why);

 private:
  /// Bytes of the strings that a script creates for one document: a chain of sums of long ones
  /// would take as much memory as its length squared.
  static constexpr size_t kMostMade = size_t{1} << 20;
  /// False, after a failure, if the next string is too much.
  bool has_room(size_t bytes);
  ScriptValue make_text(std::string text);
  ScriptValue as_text(const ScriptValue& value);
  void start_leaf(const Leaf& leaf);
  Status read_fields(PlanReader& reader, Compiler& compiler);
  Status read_program(PlanReader& reader);
  Status check_stack() const;
  Status check_date(const ScriptInstruction& instruction) const;
  Status check_vector(const ScriptInstruction& instruction, const Compiler& compiler) const;
  ScriptValue value_of(const ScriptField& field, uint32_t doc);
  ScriptValue reduce(const ScriptField& field, ScriptReduction reduction, uint32_t doc);
  static uint32_t size_of(const ScriptField& field, uint32_t doc);
  static ScriptValue date_part(const ScriptField& field, ScriptDatePart part, uint32_t doc);
  ScriptValue compare_vectors(const ScriptInstruction& instruction, uint32_t doc);
  ScriptValue combine(ScriptCode code, const ScriptValue& a, const ScriptValue& b);
  ScriptValue combine_whole(ScriptCode code, int64_t a, int64_t b);
  ScriptValue call(ScriptCall function, const ScriptValue* args);
  size_t step(size_t at, uint32_t doc, float score);

  SearchProgress& progress_;
  const Segment* entered_ = nullptr;
  std::string source_;
  std::vector<ScriptField> fields_;
  std::vector<ScriptInstruction> program_;
  bool needs_score_ = false;
  std::vector<ScriptValue> stack_;
  std::deque<std::string> made_;  // strings created for the current document
  size_t made_bytes_ = 0;
};

/// As Java prints it.
std::string script_number_text(double value);

/// The number of arguments of a function; 0: there is no such function.
uint32_t script_call_arity(ScriptCall function);

}  // namespace quarry
