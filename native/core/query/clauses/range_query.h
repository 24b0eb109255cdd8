// range: values between two bounds. Numbers, dates and booleans use columns and their zones;
// keyword, address, flattened and text fields use the order of their terms; range fields use their
// ends. The score is the boost.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "query/plan/compiler.h"

namespace quarry {

/// Documents with a column value in [low, high].
WeightPtr make_number_range(const Field& field, int64_t low, int64_t high, float boost);

/// One end of a range of terms. `open`: no limit at this end.
struct TermBound {
  std::string term;
  bool inclusive = true;
  bool open = false;
};
/// Documents with a term between two bounds; works on fields with postings or with ordinals only.
WeightPtr make_term_range(const Field& field, TermBound low, TermBound high, float boost);

/// True if date math in `text` starts from the current time.
bool mentions_now(std::string_view text);

}  // namespace quarry
