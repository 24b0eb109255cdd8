// The `script_fields` of hits: values that scripts compute from the columns of a document.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "query/functions/script.h"
#include "query/plan/plan.h"

namespace quarry {

/// One script field, compiled once for all documents of a fetch.
struct ComputedField {
  std::string name;
  bool ignore_failure = false;  // documents on which the script fails have no value
  std::unique_ptr<Script> script;
};

Result<std::vector<ComputedField>> compile_script_fields(Compiler& compiler,
                                                         const std::vector<ScriptFieldSpec>& specs);
/// Sets `json` to the value for a document, or leaves it empty. The error is that of the script.
Status script_field_value(ComputedField& field, const Leaf& leaf, uint32_t doc,
                          SearchProgress& progress, std::string& json);

}  // namespace quarry
