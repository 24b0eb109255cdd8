// The `fields` member of hits: doc values for docvalue_fields, and values of the source as the
// mapping interprets them for `fields`.
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
  std::string name;  // the printed name
  const Field* field = nullptr;
  std::string prefix;              // of terms, below a flattened field
  std::vector<std::string> paths;  // `fields`: paths of its values in the source
  // For docvalue_fields: all numbers of `paths` form one value.
  bool vector = false;
  std::shared_ptr<const DateFormats> format;  // for dates; null: the mapping's own
  bool as_wkt = false;                        // for points, which are else GeoJSON
};

/// Counts the bytes of the values that one document shows. A text is a value of each of its
/// multi-fields and copies, so that a document of a few MiB can show gigabytes.
class ShownBytes {
 public:
  /// False when the values are more than a document may show.
  bool add(const std::vector<std::string>& values) {
    for (const std::string& value : values) bytes_ += value.size();
    return !exceeded();
  }
  bool exceeded() const { return bytes_ > kMost; }
  /// `id`: that of the document.
  static Status refusal(std::string_view id);

 private:
  static constexpr size_t kMost = size_t{128} << 20;
  size_t bytes_ = 0;
};

/// illegal_argument_exception for formats that do not fit the field and for fields without doc
/// values. Unmapped names are ignored.
Result<std::vector<RequestedField>> resolve_docvalue_fields(
    Compiler& compiler, const std::vector<FieldAndFormat>& requests);
Result<std::vector<RequestedField>> resolve_source_fields(
    Compiler& compiler, const std::vector<FieldAndFormat>& requests);

/// The values of a document as JSON; empty if it has none.
std::vector<std::string> docvalue_texts(const RequestedField& requested, const Leaf& leaf,
                                        uint32_t doc);
/// The values of the source as JSON; `ignored` has those that the index rejected, unchanged.
struct SourceTexts {
  std::vector<std::string> values;
  std::vector<std::string> ignored;
};
SourceTexts source_texts(const RequestedField& requested, const JsonValue& source);
/// The values as plain text: keywords in their normal form, others unchanged.
std::vector<std::string> plain_texts(const RequestedField& requested, const JsonValue& source);

}  // namespace quarry
