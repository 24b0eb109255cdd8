// Names of fields that documents have and no mapping lists.
#pragma once

#include <string_view>

namespace quarry {

inline constexpr std::string_view kSeqNoField = "_seq_no";
inline constexpr std::string_view kVersionField = "_version";
/// A keyword that nested documents have: the path of their object.
inline constexpr std::string_view kNestedPathField = "_nested_path";

}  // namespace quarry
