// Mappings that indexes share: those of ten thousand namespaces have the same definition and
// settings, so that it is compiled once and held once.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/status.h"
#include "json/value.h"
#include "mapping/schema/mapping.h"

namespace quarry {

/// Thread-safe. Holds no mapping alive.
class MappingCache {
 public:
  /// The same as make_mapping().
  Result<std::shared_ptr<const Mapping>> make(const JsonValue& spec,
                                              std::string_view mappings_json);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<const Mapping>> known_;
  size_t sweep_at_ = 64;  // entries; then those whose mapping is gone are removed
};

}  // namespace quarry
