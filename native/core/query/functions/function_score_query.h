// function_score: a clause's scores combined with functions of each document. script_score: replaced by
// a script's.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payloads: FunctionScore and ScriptScore in opcodes.def.
Result<WeightPtr> compile_function_score(ByteReader& reader, Compiler& compiler, Scope scope);
Result<WeightPtr> compile_script_score(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
