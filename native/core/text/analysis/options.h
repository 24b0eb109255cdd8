// Typed reading of a component's options. The first mistake sticks and is answered by finish(), so
// a factory reads all its options first and checks once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "text/analysis/analyzer.h"

namespace quarry {

/// "filter [x] of type [shingle]": what reasons call a component.
std::string component_label(std::string_view kind, std::string_view name,
                            const ComponentSpec& spec);

class OptionReader {
 public:
  /// `kind`: "tokenizer", "token filter" ...; used in reasons. `spec` must outlive the reader.
  OptionReader(std::string_view kind, std::string_view name, const ComponentSpec& spec);

  bool has(std::string_view option) const;
  uint32_t number(std::string_view option, uint32_t fallback, uint32_t lowest, uint32_t highest);
  bool flag(std::string_view option, bool fallback);
  std::string text(std::string_view option, std::string_view fallback);
  /// One of `allowed`, compared as written.
  std::string choice(std::string_view option, std::string_view fallback,
                     const std::vector<std::string_view>& allowed);
  /// Empty when absent.
  std::vector<std::string> list(std::string_view option);
  /// Records that `option` is known but not supported here; `remedy` says what to use.
  void refuse(std::string_view option, std::string_view remedy);
  /// Records a mistake: "<kind> [<name>] of type [<type>]: <what>".
  void fail(const std::string& what);

  bool failed() const { return !error_.ok(); }
  Status finish() const { return error_; }

 private:
  const std::vector<std::string>* find(std::string_view option) const;
  /// The single value of an option; null when absent, a recorded mistake when there are several.
  const std::string* single(std::string_view option);

  const std::string label_;
  const ComponentSpec& spec_;
  Status error_;
};

}  // namespace quarry
