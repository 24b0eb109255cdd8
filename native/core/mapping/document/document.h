// One JSON document parsed against a mapping: a flat list of field values as the input of the
// segment builder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/status.h"
#include "mapping/schema/mapping.h"

namespace quarry {

/// One value of one field. Number and point fields carry `number` (column encoding), all others
/// `text` (text: the raw content to analyze; keyword: the normalized value; ip: 16 bytes;
/// flattened: the value, for keyed fields key \0 value). Objects, copy_to, multi-fields and
/// null_value are already resolved: consumers see leaf fields only.
struct FieldValue {
  uint32_t field = 0;
  int64_t number = 0;
  std::string_view text;
};

/// A document at the path of a nested object.
struct NestedDocument {
  uint32_t level = 0;  // Field::level of its fields
  std::string_view path;
  std::vector<FieldValue> values;
};

/// Reused between documents. Views point into the source or into `arena`.
struct ParsedDocument {
  std::vector<FieldValue> values;  // in document order, not grouped by field
  /// In document order, those inside another one before it.
  std::vector<NestedDocument> nested;
  std::vector<std::string_view>
      ignored;  // fields with a value dropped by ignore_malformed or ignore_above
  /// The routing value of the document, indexed as "_routing" and set by the shard. Empty: the
  /// document is routed by its id.
  std::string_view routing;
  /// If not empty, a `mappings` body with the fields that the document needs. The caller merges it
  /// into the mapping and parses the document again.
  std::string dynamic_mapping;
  /// A raw JSON object from paths of new fields to the names of the dynamic templates that map
  /// them, regardless of the conditions of these templates. Empty: none. The caller sets it before
  /// parsing, which does not change it.
  std::string_view chosen_templates;
  Arena arena;

  void clear() {
    values.clear();
    nested.clear();
    ignored.clear();
    routing = {};
    dynamic_mapping.clear();
    arena.clear();
  }
};

/// Parses `source`, one JSON object, and replaces the content of `out`. Any bytes are safe; they
/// are copied into a padded buffer of the calling thread where needed. Errors:
/// document_parsing_exception (not an object, malformed, does not fit the mapping; names field,
/// value and type), strict_dynamic_mapping_exception. The nesting limit is 100. `id` is used in
/// error messages only. A document may need several rounds of dynamic fields, each for deeper ones,
/// because an object that a template maps is examined only after the object is mapped.
Status parse_document(const Mapping& mapping, std::string_view source, ParsedDocument& out,
                      std::string_view id = {});

}  // namespace quarry
