// Typed reading of a component's options. The first error is kept and returned by finish(), so a
// factory reads all its options first and checks once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "text/analysis/analyzer.h"

namespace quarry {

/// The name of a component in error messages: "filter [x] of type [shingle]".
std::string component_label(std::string_view kind, std::string_view name,
                            const ComponentSpec& spec);

/// `text` without the white space of ASCII around it.
std::string_view trim_ascii(std::string_view text);

class OptionReader {
 public:
  /// `kind` is "tokenizer", "token filter" … and is used in error messages. `spec` must outlive the
  /// reader.
  OptionReader(std::string_view kind, std::string_view name, const ComponentSpec& spec);

  bool has(std::string_view option) const;
  uint32_t number(std::string_view option, uint32_t fallback, uint32_t lowest, uint32_t highest);
  bool flag(std::string_view option, bool fallback);
  std::string text(std::string_view option, std::string_view fallback);
  /// One of `allowed`; the comparison is case-sensitive.
  std::string choice(std::string_view option, std::string_view fallback,
                     const std::vector<std::string_view>& allowed);
  /// Empty when absent.
  std::vector<std::string> list(std::string_view option);
  /// Records the error that `option` is valid but not supported; `remedy` says what to use instead.
  void refuse(std::string_view option, std::string_view remedy);
  /// Records the error "<kind> [<name>] of type [<type>]: <what>".
  void fail(const std::string& what);

  bool failed() const { return !error_.ok(); }
  Status finish() const { return error_; }

 private:
  const std::vector<std::string>* find(std::string_view option) const;
  /// The single value of an option; null when absent. Several values are recorded as an error.
  const std::string* single(std::string_view option);

  const std::string label_;
  const ComponentSpec& spec_;
  Status error_;
};

}  // namespace quarry
