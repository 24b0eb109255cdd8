// The `fields` member of hits: doc values by docvalue_fields, values of the source in the mapping's
// terms by `fields`.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "query/plan/compiler.h"

namespace quarry {

/// One requested field, resolved once for all documents of a fetch.
struct RequestedField {
  std::string name;  // as it is printed
  const Field* field = nullptr;
  std::string prefix;                         // of terms, below a flattened field
  std::vector<std::string> paths;             // `fields`: where in the source its values are
  bool vector = false;  // docvalue_fields: all numbers of `paths` are one value
  std::shared_ptr<const DateFormats> format;  // dates; null: the mapping's own
};

/// illegal_argument_exception for formats a field cannot have and for fields without doc values.
/// Unmapped names are left out.
Result<std::vector<RequestedField>> resolve_docvalue_fields(
    Compiler& compiler, const std::vector<FieldAndFormat>& requests);
Result<std::vector<RequestedField>> resolve_source_fields(
    Compiler& compiler, const std::vector<FieldAndFormat>& requests);

/// The values of a document as JSON texts; empty when it has none.
std::vector<std::string> docvalue_texts(const RequestedField& requested, const Segment& segment,
                                        uint32_t doc);
/// The same of the source; `ignored`: values that the index did not take, as they stand there.
struct SourceTexts {
  std::vector<std::string> values;
  std::vector<std::string> ignored;
};
SourceTexts source_texts(const RequestedField& requested, const JsonValue& source);
/// The same as plain text: keywords in their normal form, anything else as it stands.
std::vector<std::string> plain_texts(const RequestedField& requested, const JsonValue& source);

}  // namespace quarry
