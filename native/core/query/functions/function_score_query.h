// function_score combines a clause's scores with functions of each document; script_score replaces
// them by the value of a script.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payloads: FunctionScore and ScriptScore in opcodes.def.
Result<WeightPtr> compile_function_score(ByteReader& reader, Compiler& compiler, Scope scope);
Result<WeightPtr> compile_script_score(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
