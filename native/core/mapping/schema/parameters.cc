// Looks up a parameter by name. Values are checked in parameter_values.cc.
#include "mapping/schema/parameters.h"

#include <algorithm>

namespace quarry {

const Parameter* TypeParameters::find(std::string_view name) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [name](const Parameter& p) { return p.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

}  // namespace quarry
