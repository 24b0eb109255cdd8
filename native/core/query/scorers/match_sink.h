// Receives from the clauses of a query what they found in the text of a document, for highlighting.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "mapping/schema/field.h"

namespace quarry {

struct PhrasePart;

/// Receives terms as they are indexed. Views are valid during the call only.
class MatchSink {
 public:
  virtual ~MatchSink() = default;
  /// True: clauses report all that they look for, whether or not the document contains it.
  virtual bool wants_all() const = 0;
  virtual void term(const Field& field, std::string_view term) = 0;
  virtual void phrase(const Field& field, const std::vector<PhrasePart>& parts, uint32_t slop) = 0;
  /// Any term that `accepts` returns true for; `pattern` identifies the condition.
  virtual void terms(const Field& field, std::string_view pattern,
                     const std::function<bool(std::string_view)>& accepts) = 0;
};

}  // namespace quarry
