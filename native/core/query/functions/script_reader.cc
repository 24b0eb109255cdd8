// Decodes a script from a plan and checks its fields against the mapping and its instructions
// against the stack.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/status.h"
#include "query/fetch/fielddata.h"
#include "query/functions/script.h"
#include "query/vectors/vector_clause.h"

namespace quarry {
namespace {

constexpr uint32_t kMaxInstructions = 16384;
constexpr uint32_t kMaxFields = 1024;
constexpr int32_t kMaxStack = 512;

Result<ScriptField> bind_field(std::string_view name, Compiler& compiler) {
  ResolvedField resolved = compiler.resolve(name);
  if (resolved.kind != ResolvedField::Kind::kField) {
    return illegal_argument("No field found for [" + std::string(name) + "] in mapping");
  }
  const Field& field = *resolved.field;
  ScriptField bound;
  bound.field = &field;
  if (field.has_vectors()) return bound;
  if (field.is_text()) return text_without_fielddata(compiler, field);
  if (field.is_opaque() || !field.doc_values || !resolved.prefix.empty())
    return unsupported_fielddata(field);
  return bound;
}

bool is_valid(const ScriptInstruction& made, size_t fields) {
  switch (made.code) {
    case ScriptCode::kValue:
    case ScriptCode::kSize:
      return made.target < fields;
    case ScriptCode::kCall:
      return script_call_arity(static_cast<ScriptCall>(made.function)) > 0;
    case ScriptCode::kVector:
      return made.target < fields && made.function <= static_cast<uint8_t>(ScriptVector::kL1) &&
             std::all_of(
                 made.vector.begin(), made.vector.end(),
                 [](float value) { return std::isfinite(value); });
    case ScriptCode::kReduce:
      return made.target < fields &&
             made.function <= static_cast<uint8_t>(ScriptReduction::kMedian);
    case ScriptCode::kDate:
      return made.target < fields &&
             made.function <= static_cast<uint8_t>(ScriptDatePart::kYearOfEra);
    default:
      return made.code <= ScriptCode::kDate;
  }
}

void read_operand(PlanReader& reader, ScriptInstruction& made) {
  switch (made.code) {
    case ScriptCode::kNumber:
      made.number = reader.get<double>();
      return;
    case ScriptCode::kWhole:
      made.whole = reader.get<int64_t>();
      return;
    case ScriptCode::kTruth:
      made.whole = reader.get<uint8_t>();
      return;
    case ScriptCode::kText:
      made.text = reader.get_string();
      return;
    case ScriptCode::kValue:
    case ScriptCode::kSize:
      made.target = reader.get<uint16_t>();
      return;
    case ScriptCode::kJump:
    case ScriptCode::kJumpUnless:
      made.target = reader.get<uint32_t>();
      return;
    case ScriptCode::kCall:
      made.function = reader.get<uint8_t>();
      return;
    case ScriptCode::kReduce:
    case ScriptCode::kDate:
      made.function = reader.get<uint8_t>();
      made.target = reader.get<uint16_t>();
      return;
    case ScriptCode::kVector:
      made.function = reader.get<uint8_t>();
      made.target = reader.get<uint16_t>();
      reader.get_floats(made.vector);
      return;
    default:
      return;
  }
}

struct StackUse {
  int32_t takes = 0;
  int32_t leaves = 1;
};

StackUse stack_use(const ScriptInstruction& made) {
  switch (made.code) {
    case ScriptCode::kJump:
      return {0, 0};
    case ScriptCode::kJumpUnless:
      return {1, 0};
    case ScriptCode::kNegate:
    case ScriptCode::kNot:
      return {1, 1};
    case ScriptCode::kCall:
      return {static_cast<int32_t>(script_call_arity(static_cast<ScriptCall>(made.function))), 1};
    default:
      return made.code >= ScriptCode::kAdd && made.code <= ScriptCode::kUnequal ? StackUse{2, 1}
                                                                                : StackUse{0, 1};
  }
}

}  // namespace

uint32_t script_call_arity(ScriptCall function) {
  switch (function) {
    case ScriptCall::kMax:
    case ScriptCall::kMin:
    case ScriptCall::kPow:
    case ScriptCall::kSaturation:
    case ScriptCall::kAtan2:
    case ScriptCall::kLogn:
    case ScriptCall::kBitAnd:
    case ScriptCall::kBitOr:
    case ScriptCall::kBitXor:
    case ScriptCall::kShiftLeft:
    case ScriptCall::kShiftRight:
    case ScriptCall::kShiftRightUnsigned:
      return 2;
    case ScriptCall::kSigmoid:
      return 3;
    case ScriptCall::kHaversin:
      return 4;
    default:
      return function <= ScriptCall::kShiftRightUnsigned ? 1 : 0;
  }
}

Result<std::unique_ptr<Script>> Script::read(PlanReader& reader, Compiler& compiler) {
  auto script = std::make_unique<Script>(compiler.progress());
  script->source_ = std::string(reader.get_string());
  QUARRY_RETURN_IF_ERROR(script->read_fields(reader, compiler));
  QUARRY_RETURN_IF_ERROR(script->read_program(reader));
  QUARRY_RETURN_IF_ERROR(script->check_stack());
  for (const ScriptInstruction& made : script->program_) {
    if (made.code == ScriptCode::kVector)
      QUARRY_RETURN_IF_ERROR(script->check_vector(made, compiler));
    if (made.code == ScriptCode::kDate) QUARRY_RETURN_IF_ERROR(script->check_date(made));
    if ((made.code == ScriptCode::kValue || made.code == ScriptCode::kReduce) &&
        script->fields_[made.target].field->has_vectors()) {
      return illegal_argument("Accessing a vector field's value through [doc['" +
                              script->fields_[made.target].field->name +
                              "'].value] is not supported, use one of the vector functions");
    }
    script->needs_score_ = script->needs_score_ || made.code == ScriptCode::kScore;
  }
  return script;
}

Status Script::read_fields(PlanReader& reader, Compiler& compiler) {
  const auto count = reader.get<uint32_t>();
  if (count > kMaxFields || count > reader.remaining() / 4) return malformed_clause("script");
  for (uint32_t i = 0; i < count; i++) {
    const std::string_view name = reader.get_string();
    if (reader.failed()) return malformed_clause("script");
    QUARRY_ASSIGN_OR_RETURN(ScriptField field, bind_field(name, compiler));
    fields_.push_back(std::move(field));
  }
  return {};
}

Status Script::read_program(PlanReader& reader) {
  const auto count = reader.get<uint32_t>();
  if (count == 0 || count > kMaxInstructions || count > reader.remaining())
    return malformed_clause("script");
  for (uint32_t i = 0; i < count; i++) {
    ScriptInstruction made;
    made.code = reader.get<ScriptCode>();
    read_operand(reader, made);
    if (reader.failed() || !is_valid(made, fields_.size())) return malformed_clause("script");
    program_.push_back(std::move(made));
  }
  return {};
}

/// Checks that all paths to an instruction leave the same number of values, at least as many as it
/// takes.
Status Script::check_stack() const {
  constexpr int32_t kUnknown = -1;
  std::vector<int32_t> depths(program_.size() + 1, kUnknown);
  int32_t depth = 0;
  for (size_t at = 0; at < program_.size(); at++) {
    if (depth == kUnknown) depth = depths[at];
    if (depth == kUnknown || (depths[at] != kUnknown && depths[at] != depth))
      return malformed_clause("script");
    const ScriptInstruction& made = program_[at];
    const StackUse use = stack_use(made);
    if (depth < use.takes) return malformed_clause("script");
    depth += use.leaves - use.takes;
    if (depth > kMaxStack) return malformed_clause("script");
    if (made.code != ScriptCode::kJump && made.code != ScriptCode::kJumpUnless) continue;
    if (made.target <= at || made.target > program_.size()) return malformed_clause("script");
    if (depths[made.target] != kUnknown && depths[made.target] != depth)
      return malformed_clause("script");
    depths[made.target] = depth;
    if (made.code == ScriptCode::kJump) depth = kUnknown;
  }
  const int32_t expected = depths[program_.size()];
  if (depth == kUnknown) depth = expected;
  return depth == 1 && (expected == kUnknown || expected == 1) ? Status()
                                                               : malformed_clause("script");
}

Status Script::check_date(const ScriptInstruction& instruction) const {
  const Field& field = *fields_[instruction.target].field;
  if (field.is_date()) return {};
  return illegal_argument("parts of a date need a field of type [date], [" + field.name +
                          "] is of type [" + std::string(field_type_name(field.type)) + "]");
}

Status Script::check_vector(const ScriptInstruction& instruction, const Compiler& compiler) const {
  const Field& field = *fields_[instruction.target].field;
  if (!field.has_vectors()) {
    return illegal_argument("script vector functions need a field of type [dense_vector], [" +
                            field.name + "] is of type [" +
                            std::string(field_type_name(field.type)) + "]");
  }
  QUARRY_ASSIGN_OR_RETURN(const VectorOptions options, kept_options(compiler, field));
  if (options.dims == 0 || options.dims == instruction.vector.size()) return {};
  return illegal_argument("The query vector has a different number of dimensions [" +
                          std::to_string(instruction.vector.size()) +
                          "] than the document vectors [" + std::to_string(options.dims) + "].");
}

}  // namespace quarry
