// One JSON document parsed against a mapping: a flat list of field values, ready for the segment
// builder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/status.h"
#include "mapping/schema/mapping.h"

namespace quarry {

/// One value of one field. Number fields carry `number` (column encoding), all others `text`
/// (text: raw content to analyse; keyword: after its normalizer; ip: 16 bytes; flattened: value,
/// keyed: key \0 value). Objects, copy_to, multi-fields and null_value are already resolved:
/// consumers see leaf fields only.
struct FieldValue {
  uint32_t field = 0;
  int64_t number = 0;
  std::string_view text;
};

/// Reused between documents. Views point into the source or into `arena`.
struct ParsedDocument {
  std::vector<FieldValue> values;  // in document order; grouping by field is the consumer's
  std::vector<std::string_view>
      ignored;  // names of fields dropped by ignore_malformed or ignore_above
  /// Where the caller routed the document; set by the shard, indexed as "_routing". Empty: by its
  /// id.
  std::string_view routing;
  /// Not empty: the document needs these fields first. Merge it into the mapping and parse again.
  std::string dynamic_mapping;
  /// Raw JSON, paths of new fields to names of the dynamic templates that map them, whatever the conditions of these
  /// say; empty: none. Set before parsing, and left as it is by it.
  std::string_view chosen_templates;
  Arena arena;

  void clear() {
    values.clear();
    ignored.clear();
    routing = {};
    dynamic_mapping.clear();
    arena.clear();
  }
};

/// Replaces the content of `out`. `source` is one JSON object; any bytes are safe (they are copied
/// into padded scratch owned by the calling thread where needed). Errors:
/// document_parsing_exception (not an object, malformed, does not fit the mapping: names field,
/// value and type), strict_dynamic_mapping_exception. Nesting limit 100.
/// `id` is only for the wording of errors. A document may ask for dynamic fields more than once (an
/// object that a template maps is looked into when it is known), each time for deeper ones.
Status parse_document(const Mapping& mapping, std::string_view source, ParsedDocument& out,
                      std::string_view id = {});

}  // namespace quarry
