// Parses options and words the errors.
#include "text/analysis/options.h"

#include <algorithm>
#include <charconv>

namespace quarry {

std::string component_label(std::string_view kind, std::string_view name,
                            const ComponentSpec& spec) {
  return std::string(kind) + " [" + std::string(name) + "] of type [" + spec.type + "]";
}

std::string_view trim_ascii(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\f\v";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

OptionReader::OptionReader(std::string_view kind, std::string_view name, const ComponentSpec& spec)
    : label_(component_label(kind, name, spec)), spec_(spec) {}

bool OptionReader::has(std::string_view option) const {
  return spec_.options.find(option) != spec_.options.end();
}

const std::vector<std::string>* OptionReader::find(std::string_view option) const {
  const auto at = spec_.options.find(option);
  return at == spec_.options.end() ? nullptr : &at->second;
}

const std::string* OptionReader::single(std::string_view option) {
  const auto* values = find(option);
  if (values == nullptr) return nullptr;
  if (values->size() == 1) return &values->front();
  fail("option [" + std::string(option) + "] needs one value but has " +
       std::to_string(values->size()));
  return nullptr;
}

uint32_t OptionReader::number(std::string_view option, uint32_t fallback, uint32_t lowest,
                              uint32_t highest) {
  const std::string* value = single(option);
  if (value == nullptr) return fallback;
  int64_t parsed = 0;
  const char* end = value->data() + value->size();
  const auto [stop, error] = std::from_chars(value->data(), end, parsed);
  if (error != std::errc{} || stop != end || value->empty()) {
    fail("option [" + std::string(option) + "] must be an integer but was [" + *value + "]");
    return fallback;
  }
  if (parsed < int64_t{lowest} || parsed > int64_t{highest}) {
    fail("option [" + std::string(option) + "] must be between " + std::to_string(lowest) +
         " and " + std::to_string(highest) + " but was [" + *value + "]");
    return fallback;
  }
  return static_cast<uint32_t>(parsed);
}

bool OptionReader::flag(std::string_view option, bool fallback) {
  const std::string* value = single(option);
  if (value == nullptr) return fallback;
  if (*value == "true") return true;
  if (*value != "false") {
    fail("option [" + std::string(option) + "] must be [true] or [false] but was [" + *value + "]");
  }
  return false;
}

std::string OptionReader::text(std::string_view option, std::string_view fallback) {
  const std::string* value = single(option);
  return value == nullptr ? std::string(fallback) : *value;
}

std::string OptionReader::choice(std::string_view option, std::string_view fallback,
                                 const std::vector<std::string_view>& allowed) {
  std::string value = text(option, fallback);
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
    std::string names;
    for (const std::string_view name : allowed)
      names.append(names.empty() ? "" : ", ").append(name);
    fail("option [" + std::string(option) + "] must be one of [" + names + "] but was [" + value +
         "]");
  }
  return value;
}

std::vector<std::string> OptionReader::list(std::string_view option) {
  const auto* values = find(option);
  return values == nullptr ? std::vector<std::string>{} : *values;
}

void OptionReader::refuse(std::string_view option, std::string_view remedy) {
  if (find(option) == nullptr) return;
  fail("option [" + std::string(option) + "] is not supported" +
       std::string(remedy.empty() ? "" : ": ") + std::string(remedy));
}

void OptionReader::fail(const std::string& what) {
  if (error_.ok()) error_ = Status(ErrorType::kIllegalArgument, label_ + ": " + what);
}

}  // namespace quarry
