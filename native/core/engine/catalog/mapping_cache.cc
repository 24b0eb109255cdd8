#include "engine/catalog/mapping_cache.h"

#include <algorithm>
#include <utility>

#include "engine/catalog/index_spec.h"

namespace quarry {

Result<std::shared_ptr<const Mapping>> MappingCache::make(const JsonValue& spec,
                                                          std::string_view mappings_json) {
  std::string key = mapping_settings(spec);
  key += '\0';
  key += mappings_json;
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    if (found != known_.end()) {
      if (std::shared_ptr<const Mapping> mapping = found->second.lock()) return mapping;
    }
  }
  QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<const Mapping> mapping,
                          make_mapping(spec, mappings_json));
  const std::lock_guard lock(mutex_);
  if (known_.size() >= sweep_at_) {
    std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
    sweep_at_ = std::max<size_t>(64, 2 * known_.size());
  }
  known_[std::move(key)] = mapping;
  return mapping;
}

}  // namespace quarry
