// What the parts of document parsing share: the scan, the output, and the words of errors.
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
  AnalysisBudget analysis{};  // of what is analysed while the document is read

  /// Of the token just read.
  std::string place() const { return "[" + scanner.position(scanner.start()) + "] "; }
  Status error(ErrorType type, const std::string& reason) const { return {type, place() + reason}; }
  Status error(const std::string& reason) const {
    return error(ErrorType::kDocumentParsing, reason);
  }
  /// Of the scan itself.
  Status malformed() const {
    return Status(ErrorType::kDocumentParsing, "[" + scanner.position(scanner.error_offset()) +
                                                   "] failed to parse: " + scanner.error())
        .with_cause(scanner.error());
  }
  /// A value that does not fit its field, with the start of what was there.
  Status misfit(const Field& field, const std::string& cause) const;
  /// The same of a value that was read on from where it starts.
  Status misfit(const Field& field, const std::string& cause, size_t start) const;
  /// Wraps what is wrong with a name or a write to an alias.
  Status failed(const Status& why) const {
    return error("failed to parse: " + why.reason()).with_cause(why.reason());
  }

 private:
  Status misfit(const Field& field, const std::string& cause, size_t start,
                std::string_view preview) const;
};

}  // namespace quarry
