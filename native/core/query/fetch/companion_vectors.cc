#include "query/fetch/companion_vectors.h"

#include <algorithm>
#include <utility>

#include "json/merge.h"
#include "json/number.h"
#include "json/source_filter.h"
#include "json/value.h"

namespace quarry {
namespace {

constexpr uint8_t kFiltered = 2;  // value of FetchSpec::source

bool is_excluded(const FetchSpec& fetch, const std::string& name) {
  return std::any_of(fetch.excludes.begin(), fetch.excludes.end(),
                     [&name](const std::string& pattern) {
                       return simple_match(pattern, name) || simple_match(pattern + ".*", name);
                     });
}

JsonValue numbers(std::span<const float> vector) {
  std::vector<JsonValue> items;
  items.reserve(vector.size());
  for (const float value : vector) items.push_back(JsonValue::number(format_float(value)));
  return JsonValue::array(std::move(items));
}

/// Whether all parts of the name except the last lead to objects of the source, or to nothing.
bool is_open(const Mapping& mapping, const std::string& name, const std::string& source) {
  const size_t last = name.rfind('.');
  if (last == std::string::npos) return true;
  if (!mapping.is_object(name.substr(0, last))) return false;
  // A source that JsonValue rejects (a repeated key) is not examined.
  const Result<JsonValue> parsed = JsonValue::parse(source);
  if (!parsed.ok()) return false;
  const JsonValue* at = &*parsed;
  for (size_t start = 0; start < last;) {
    const size_t dot = name.find('.', start);
    at = at->find(std::string_view(name).substr(start, dot - start));
    if (at == nullptr) return true;
    if (!at->is_object()) return false;
    start = dot + 1;
  }
  return true;
}

}  // namespace

std::vector<const Field*> requested_companions(const Mapping& mapping, const FetchSpec& fetch) {
  std::vector<const Field*> found;
  if (fetch.source != kFiltered || mapping.semantic_fields().empty()) return found;
  for (const std::string& name : fetch.includes) {
    const Field* field = mapping.find(name);
    const bool is_requested = field != nullptr && field->companion && field->name == name;
    if (!is_requested || is_excluded(fetch, name)) continue;
    if (std::find(found.begin(), found.end(), field) == found.end()) found.push_back(field);
  }
  return found;
}

std::span<const float> companion_vector(const Segment& segment, const Field& companion,
                                        uint32_t doc) {
  const SegmentField* field = segment.field(companion.name);
  if (field == nullptr || field->vectors == nullptr) return {};
  const uint32_t ordinal = field->vectors->ordinal(doc);
  if (ordinal == kNoVector) return {};
  return {field->vectors->row(ordinal), field->vectors->dims()};
}

std::vector<std::string> companion_texts(const Segment& segment, const Field& companion,
                                         uint32_t doc) {
  std::vector<std::string> texts;
  for (const float value : companion_vector(segment, companion, doc)) {
    texts.push_back(format_float(value));
  }
  return texts;
}

Status add_companion(const Mapping& mapping, const Field& companion, std::span<const float> vector,
                     std::string& source) {
  if (vector.empty()) return {};
  std::string key = companion.name;
  JsonValue patch = numbers(vector);
  const bool open = is_open(mapping, companion.name, source);
  for (size_t dot = key.rfind('.'); open && dot != std::string::npos; dot = key.rfind('.')) {
    patch = JsonValue::object({{key.substr(dot + 1), std::move(patch)}});
    key.resize(dot);
  }
  patch = JsonValue::object({{key, std::move(patch)}});
  QUARRY_ASSIGN_OR_RETURN(MergedDocument merged, merge_documents(source, patch.to_json()));
  source = std::move(merged.source);
  return {};
}

}  // namespace quarry
