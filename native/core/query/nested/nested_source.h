// The place of a nested document in its root, and its part of the root's source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "mapping/schema/mapping.h"
#include "segment/nested_docs.h"

namespace quarry {

/// One step from a document to a nested one: the path of its object from there, and its place among
/// the documents at that path.
struct NestedStep {
  std::string path;
  uint32_t offset = 0;
};

/// The steps from the root to `doc`; empty for a root.
std::vector<NestedStep> nested_steps(const Mapping& mapping, const NestedDocs& nested,
                                     uint32_t doc);

/// {"field":…,"offset":…,"_nested":…}, as hits show it.
std::string nested_identity(const std::vector<NestedStep>& steps);

/// The object that the steps lead to; absent when the source does not hold it.
std::optional<JsonValue> nested_object(const JsonValue& source,
                                       const std::vector<NestedStep>& steps);

/// The object below its full path, without everything beside it.
JsonValue below_path(const std::vector<NestedStep>& steps, JsonValue object);

/// Reverses below_path().
const JsonValue* at_path(const JsonValue& wrapped, const std::vector<NestedStep>& steps);

}  // namespace quarry
