// State shared by the parts of document parsing: the scanner, the output, and the construction of
// errors.
#pragma once

#include <string>
#include <string_view>

#include "json/scanner.h"
#include "mapping/document/document.h"
#include "mapping/schema/compiled_mapping.h"
#include "text/analysis/analysis_budget.h"

namespace quarry {

struct DocumentContext {
  const CompiledMapping& mapping;
  ParsedDocument& out;
  std::string_view source;
  std::string_view id;
  JsonScanner scanner;
  AnalysisBudget analysis{};           // budget of all analysis while the document is parsed
  std::vector<NestedDocument> open{};  // the nested documents that the value just read is inside of

  size_t value_count = 0;  // of all fields, multi-fields and copies included

  void put(const Field& field, int64_t number, std::string_view text) {
    value_count++;
    values_at(field.level).push_back({field.id, number, text});
  }
  /// The values of the enclosing document of the level.
  std::vector<FieldValue>& values_at(uint32_t level) {
    for (size_t i = open.size(); i-- > 0;) {
      if (open[i].level == level) return open[i].values;
    }
    return out.values;
  }

  /// The position of the token just read, for error messages.
  std::string place() const { return "[" + scanner.position(scanner.start()) + "] "; }
  Status error(ErrorType type, const std::string& reason) const { return {type, place() + reason}; }
  Status error(const std::string& reason) const {
    return error(ErrorType::kDocumentParsing, reason);
  }
  /// The error of the scanner itself.
  Status malformed() const {
    return Status(ErrorType::kDocumentParsing, "[" + scanner.position(scanner.error_offset()) +
                                                   "] failed to parse: " + scanner.error())
        .with_cause(scanner.error());
  }
  /// The error for a value that does not fit its field; it includes the beginning of the value.
  Status misfit(const Field& field, const std::string& cause) const;
  /// The same error for a value that was already read past its start, which is at `start`.
  Status misfit(const Field& field, const std::string& cause, size_t start) const;
  /// Wraps the error of an invalid name or of a write to an alias.
  Status failed(const Status& why) const {
    return error("failed to parse: " + why.reason()).with_cause(why.reason());
  }

 private:
  Status misfit(const Field& field, const std::string& cause, size_t start,
                std::string_view preview) const;
};

}  // namespace quarry
