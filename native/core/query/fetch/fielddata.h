// Errors for fields whose values cannot be read by document.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// "Fielddata is disabled on [f] in [i]. Text fields …" (illegal_argument_exception).
Status text_without_fielddata(const Compiler& compiler, const Field& field);

/// For fields with neither columns nor terms: binary, geo_point, `doc_values: false`.
Status unsupported_fielddata(const Field& field);

}  // namespace quarry
