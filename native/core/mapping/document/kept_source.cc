#include "mapping/document/kept_source.h"

#include "mapping/schema/compiled_mapping.h"

namespace quarry {

Result<std::string_view> kept_source(const Mapping& mapping, std::string_view source,
                                     std::string& buffer) {
  // CompiledMapping is the only implementation of Mapping.
  const auto& compiled = static_cast<const CompiledMapping&>(mapping);
  if (compiled.keeps_whole_source()) return source;
  if (!compiled.stores_source()) return std::string_view();
  buffer.clear();
  SourceFilter filter = compiled.source_filter();
  QUARRY_RETURN_IF_ERROR(filter.apply(source, buffer));
  return std::string_view(buffer);
}

}  // namespace quarry
