// Sort values of hits as JSON, as src/wire/sort-column.ts prints them.
#pragma once

#include <span>
#include <string>

#include "query/plan/hits.h"

namespace quarry {

/// Appends the array of one hit's values, one for each key.
void append_sort_values(std::string& out, std::span<const SortColumn> keys, size_t hit);

}  // namespace quarry
