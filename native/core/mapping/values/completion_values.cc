// Reads the values of completion fields: an input, inputs with a weight, or a list of these.
#include <algorithm>
#include <map>
#include <string>

#include "json/value.h"
#include "mapping/document/completion_entry.h"
#include "mapping/schema/leaf_writer.h"

namespace quarry {
namespace {

using Inputs = std::map<std::string, uint32_t, std::less<>>;  // input to weight

std::string_view kind_name(const JsonValue& value) {
  if (value.is_object()) return "START_OBJECT";
  if (value.is_array()) return "START_ARRAY";
  if (value.is_string()) return "VALUE_STRING";
  if (value.is_null()) return "VALUE_NULL";
  return value.kind() == JsonValue::Kind::kBool ? "VALUE_BOOLEAN" : "VALUE_NUMBER";
}

/// Reads the weight; returns the error message, empty when the weight is valid.
std::string read_weight(const JsonValue& value, uint32_t& weight) {
  const bool number = value.is_string() || kind_name(value) == "VALUE_NUMBER";
  if (!number) {
    return "weight must be a number or string, but was [" + std::string(kind_name(value)) + "]";
  }
  const std::string text(value.text());
  const Result<JsonValue> parsed = JsonValue::parse(text);
  const std::optional<int64_t> whole =
      parsed.ok() && !parsed->is_string() ? parsed->as_int() : std::nullopt;
  if (!whole) return "weight must be an integer, but was [" + text + "]";
  if (*whole < 0 || *whole > int64_t{kMaxCompletionWeight}) {
    return "weight must be in the interval [0..2147483647], but was [" + text + "]";
  }
  weight = static_cast<uint32_t>(*whole);
  return {};
}

std::string read_inputs(const JsonValue& value, std::vector<std::string>& inputs) {
  if (value.is_string()) {
    inputs.emplace_back(value.text());
    return {};
  }
  if (!value.is_array()) {
    return "input must be a string or array, but was [" + std::string(kind_name(value)) + "]";
  }
  for (const JsonValue& item : value.items()) {
    if (!item.is_string()) {
      return "input array must have string values, but was [" + std::string(kind_name(item)) + "]";
    }
    inputs.emplace_back(item.text());
  }
  return {};
}

std::string read_object(const JsonValue& value, Inputs& out) {
  std::vector<std::string> inputs;
  uint32_t weight = 1;
  for (const auto& [name, member] : value.members()) {
    std::string problem;
    if (name == "input") {
      problem = read_inputs(member, inputs);
    } else if (name == "weight") {
      problem = read_weight(member, weight);
    } else if (name == "contexts") {
      problem = "[contexts] are not supported, leave them out";
    } else {
      problem = "unknown field name [" + name + "], must be one of [input, weight]";
    }
    if (!problem.empty()) return problem;
  }
  for (const std::string& input : inputs) {
    uint32_t& held = out.try_emplace(input, weight).first->second;
    held = std::max(held, weight);
  }
  return {};
}

std::string read_value(const JsonValue& value, Inputs& out) {
  if (value.is_object()) return read_object(value, out);
  if (value.is_string()) {
    out.try_emplace(std::string(value.text()), 1);
    return {};
  }
  return "expected text or object, but got " + std::string(kind_name(value));
}

std::string reserved_byte(std::string_view input) {
  const auto at = std::find_if(input.begin(), input.end(), [](char byte) {
    return byte == kCompletionSeparator || byte == kCompletionHole || byte == '\0';
  });
  if (at == input.end()) return {};
  const char* name = *at == kCompletionSeparator ? "0x1f" : *at == kCompletionHole ? "0x1e" : "0x0";
  return "Illegal input [" + std::string(input) + "] UTF-16 codepoint [" + name + "] at position " +
         std::to_string(at - input.begin()) + " is a reserved character";
}

bool is_blank(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char byte) { return static_cast<uint8_t>(byte) <= ' '; });
}

}  // namespace

Status LeafWriter::write_completion(const Field& field) {
  QUARRY_ASSIGN_OR_RETURN(const JsonValue value, whole_value());
  Inputs inputs;
  std::string problem;
  if (value.is_array()) {
    for (const JsonValue& item : value.items())
      if (problem.empty()) problem = read_value(item, inputs);
  } else if (!value.is_null()) {
    problem = read_value(value, inputs);
  }
  if (!problem.empty()) return context_.misfit(field, problem);
  for (const auto& [input, weight] : inputs) {
    QUARRY_RETURN_IF_ERROR(write_input(field, input, weight));
    for (const uint32_t sub : field.multi_fields) {
      const Field& below = context_.mapping.field(sub);
      if (below.type == FieldType::kCompletion) {
        QUARRY_RETURN_IF_ERROR(write_input(below, input, weight));
      } else {
        const std::string_view kept = context_.out.arena.copy(input);
        QUARRY_RETURN_IF_ERROR(write_one(below, {JsonToken::kString, kept}));
      }
    }
  }
  return {};
}

Status LeafWriter::write_input(const Field& field, std::string_view input, uint32_t weight) {
  const std::string problem = reserved_byte(input);
  if (!problem.empty()) return context_.misfit(field, problem);
  if (is_blank(input)) {
    context_.out.ignored.push_back(field.name);
    return {};
  }
  const Result<std::string> term = completion_term(field, input, weight, context_.analysis);
  if (!term.ok()) return context_.misfit(field, term.status().reason());
  if (!term->empty()) put(field, context_.out.arena.copy(*term));
  return {};
}

}  // namespace quarry
