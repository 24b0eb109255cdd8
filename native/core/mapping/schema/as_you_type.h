// search_as_you_type: a text field with fields beside it that hold its runs of two words, three words …
// (`._2gram`, `._3gram`) and the beginnings of its runs (`._index_prefix`).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/document/mapper.h"
#include "text/analysis/analyzer.h"

namespace quarry {

inline constexpr std::string_view kAsYouType = "search_as_you_type";

/// Parameters of `text` that the type does not take.
bool is_no_as_you_type_parameter(std::string_view name);

/// 2 … 4; mapper_parsing_exception for anything else.
Result<JsonValue> read_shingle_size(const JsonValue& value, const std::string& field);

/// A field beside the one of the type, with analyzers that only it has.
struct GramField {
  Field field;
  std::shared_ptr<const Analyzer> analyzer;
  std::shared_ptr<const Analyzer> search_analyzer;
};

/// In the order of their names; `field` is the one that `mapper` defines. Ids are not given.
std::vector<GramField> make_gram_fields(const Mapper& mapper, const Field& field);

}  // namespace quarry
