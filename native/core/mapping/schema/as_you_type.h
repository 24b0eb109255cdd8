// search_as_you_type: a text field with additional fields for its runs of two words, three words
// and so on (`._2gram`, `._3gram`) and for the prefixes of its runs (`._index_prefix`).
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

/// Whether `name` is a parameter of `text` that search_as_you_type does not accept.
bool is_no_as_you_type_parameter(std::string_view name);

/// Reads the shingle size, 2 to 4; the error for any other value is mapper_parsing_exception.
Result<JsonValue> read_shingle_size(const JsonValue& value, const std::string& field);

/// Clients may say that the type has no doc values; the error for anything else is
/// mapper_parsing_exception.
Status check_no_doc_values(const JsonValue& value, const std::string& field);

/// One of the additional fields, with analyzers that only it uses.
struct GramField {
  Field field;
  std::shared_ptr<const Analyzer> analyzer;
  std::shared_ptr<const Analyzer> search_analyzer;
};

/// Makes the additional fields of `field`, which `mapper` defines, ordered by name. Their ids are
/// not set.
std::vector<GramField> make_gram_fields(const Mapper& mapper, const Field& field);

}  // namespace quarry
