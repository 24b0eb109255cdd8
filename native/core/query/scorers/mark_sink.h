// Where the clauses of a query say what in the text of a document they found, for highlighting.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "mapping/schema/field.h"

namespace quarry {

struct PhrasePart;

/// Told of terms as they are indexed. Views are valid during the call only.
class MarkSink {
 public:
  virtual ~MarkSink() = default;
  /// True: clauses tell of all that they look for, whatever they found in the document.
  virtual bool wants_all() const = 0;
  virtual void term(const Field& field, std::string_view term) = 0;
  virtual void phrase(const Field& field, const std::vector<PhrasePart>& parts, uint32_t slop) = 0;
  /// Any term that `accepts`; `pattern` names it.
  virtual void terms(const Field& field, std::string_view pattern,
                     const std::function<bool(std::string_view)>& accepts) = 0;
};

}  // namespace quarry
