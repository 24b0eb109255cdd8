// Names of the numeric fields that every document has and no mapping lists.
#pragma once

#include <string_view>

namespace quarry {

inline constexpr std::string_view kSeqNoField = "_seq_no";
inline constexpr std::string_view kVersionField = "_version";

}  // namespace quarry
