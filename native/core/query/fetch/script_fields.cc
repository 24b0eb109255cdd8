// Compiles script fields and prints their values.
#include "query/fetch/script_fields.h"

#include <cmath>
#include <utility>

#include "json/value.h"

namespace quarry {
namespace {

std::string printed(const ScriptValue& value) {
  std::string out;
  switch (value.kind) {
    case ScriptValue::Kind::kWhole:
      return std::to_string(value.whole);
    case ScriptValue::Kind::kTruth:
      return value.whole != 0 ? "true" : "false";
    case ScriptValue::Kind::kText:
      append_json_string(out, value.text);
      return out;
    default:
      break;
  }
  out = script_number_text(value.number);
  return std::isfinite(value.number) ? out : '"' + out + '"';
}

}  // namespace

Result<std::vector<ComputedField>> compile_script_fields(
    Compiler& compiler, const std::vector<ScriptFieldSpec>& specs) {
  std::vector<ComputedField> out;
  for (const ScriptFieldSpec& spec : specs) {
    PlanReader reader(spec.script, nullptr);
    ComputedField field{spec.name, spec.ignore_failure, nullptr};
    QUARRY_ASSIGN_OR_RETURN(field.script, Script::read(reader, compiler));
    if (reader.failed() || !reader.done()) return malformed_clause("script_fields");
    if (field.script->needs_score())
      return illegal_argument("[_score] is not known to [script_fields]");
    out.push_back(std::move(field));
  }
  return out;
}

Status script_field_value(ComputedField& field, const Leaf& leaf, uint32_t doc,
                          SearchProgress& progress, std::string& json) {
  field.script->enter(leaf);
  const ScriptValue value = field.script->run(doc, 0);
  if (progress.failure.ok()) {
    json = printed(value);
    return {};
  }
  Status failure = std::exchange(progress.failure, Status());
  return field.ignore_failure ? Status() : failure;
}

}  // namespace quarry
