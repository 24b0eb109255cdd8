// Which fields have values by document, and the refusals for those that have none.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// "Fielddata is disabled on [f] in [i]. Text fields …" (illegal_argument_exception).
Status text_without_fielddata(const Compiler& compiler, const Field& field);

/// For fields that neither columns nor terms keep: binary, geo_point, `doc_values: false`.
Status unsupported_fielddata(const Field& field);

}  // namespace quarry
