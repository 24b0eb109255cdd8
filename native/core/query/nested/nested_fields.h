// Values of nested objects for the option `fields`: `{"c":[{"who":["kim"]},…]}`, one object for
// each nested document.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "mapping/schema/mapping.h"
#include "query/fetch/fetch_fields.h"
#include "query/sort/unmapped_values.h"

namespace quarry {

/// The requested fields that nested documents have.
class NestedFields {
 public:
  /// Moves those of `fields` that are inside nested objects out of the list.
  NestedFields(const Mapping& mapping, std::vector<RequestedField>& fields);

  /// Adds the values in `source`, that of a whole document or the part of it that a nested one has,
  /// below its full path. Stops when `shown` is exceeded.
  void add_values(const JsonValue& source, FieldTexts& out, ShownBytes& shown) const;

 private:
  /// The fields of one nested object.
  struct Node {
    std::string path;                    // from the enclosing node
    std::vector<RequestedField> fields;  // names and paths from this node
    std::vector<Node> inner;
  };

  static void add_node(const JsonValue& source, const Node& node, const std::string& name,
                       FieldTexts& out, ShownBytes& shown);
  static Node& node_at(std::vector<Node>& nodes, const std::string& path);

  std::vector<Node> nodes_;
};

/// {"name":[text,…],…}; empty without fields.
std::string print_fields(const FieldTexts& fields);

}  // namespace quarry
