// with_time_zone: a query string whose dates are read in a time zone.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: str time zone, node.
Result<WeightPtr> compile_with_time_zone(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
