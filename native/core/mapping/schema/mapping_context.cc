// Reads the settings that a mapping needs from the index settings (declared in
// mapping/schema/mapping.h). Settings are any mixture of nested objects and dotted names, with or
// without the prefix "index."; they are first converted to one flat list.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "json/value.h"
#include "mapping/schema/mapping.h"

namespace quarry {

namespace {

/// From a dotted name without "index." to its values (one, or the items of a list).
using FlatSettings = std::map<std::string, std::vector<std::string>, std::less<>>;

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The text of a scalar. An object in a list (rules of some filters) stays JSON.
std::string scalar(const JsonValue& value) {
  return value.is_object() || value.is_array() ? value.to_json() : std::string(value.text());
}

/// Whether an option of analysis is a list of words, for which a string is split at its commas.
bool lists_words(std::string_view name) {
  const std::string_view option = name.substr(name.rfind('.') + 1);
  static constexpr std::string_view kLists[] = {"stopwords", "stem_exclusion", "keywords",
                                                "keep_words", "articles"};
  return name.starts_with("analysis.") &&
         std::find(std::begin(kLists), std::end(kLists), option) != std::end(kLists);
}

/// "a, b" gives a and b; an empty string gives none.
std::vector<std::string> words_between_commas(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<std::string> words;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(',', start), text.size());
    std::string_view word = text.substr(start, end - start);
    word.remove_prefix(std::min(word.find_first_not_of(kBlanks), word.size()));
    word = word.substr(0, word.find_last_not_of(kBlanks) + 1);
    if (!word.empty()) words.emplace_back(word);
    start = end + 1;
  }
  return words;
}

/// Recursion is bounded by the depth of the JSON tree.
void flatten(const JsonValue& value, const std::string& path, FlatSettings& out) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.members())
      flatten(member, path.empty() ? key : path + "." + key, out);
    return;
  }
  if (value.is_null()) return;
  std::string name = path.starts_with("index.") ? path.substr(6) : path;
  if (value.is_array()) {
    std::vector<std::string>& list = out[name];
    for (const JsonValue& item : value.items()) list.push_back(scalar(item));
    return;
  }
  // "stopwords.0": "a" is one item of a list.
  const size_t dot = name.rfind('.');
  if (dot != std::string::npos && is_number(std::string_view(name).substr(dot + 1))) {
    out[name.substr(0, dot)].push_back(scalar(value));
  } else if (lists_words(name)) {
    out[name] = words_between_commas(scalar(value));
  } else {
    out[name] = {scalar(value)};
  }
}

const std::string* single(const FlatSettings& settings, std::string_view name) {
  const auto found = settings.find(name);
  return found == settings.end() || found->second.size() != 1 ? nullptr : &found->second.front();
}

Status read_limit(const FlatSettings& settings, std::string_view name, uint32_t least,
                  uint32_t& out, uint32_t most = INT32_MAX) {
  const std::string* text = single(settings, name);
  if (text == nullptr) return {};
  const std::optional<int64_t> value = JsonValue::string(*text).as_int();
  if (!value || *value < least || *value > most) {
    return illegal_argument("Failed to parse value [" + *text + "] for setting [index." +
                            std::string(name) + "] must be >= " + std::to_string(least) +
                            (most < INT32_MAX ? " and <= " + std::to_string(most) : ""));
  }
  out = static_cast<uint32_t>(*value);
  return {};
}

Status read_switch(const FlatSettings& settings, std::string_view name, bool& out) {
  const std::string* text = single(settings, name);
  if (text == nullptr) return {};
  if (*text != "true" && *text != "false") {
    return illegal_argument("Failed to parse value [" + *text +
                            "] as only [true] or [false] are allowed for setting [index." +
                            std::string(name) + "]");
  }
  out = *text == "true";
  return {};
}

Status read_limits(const FlatSettings& settings, MappingLimits& limits) {
  QUARRY_RETURN_IF_ERROR(
      read_limit(settings, "mapping.total_fields.limit", 0, limits.total_fields));
  QUARRY_RETURN_IF_ERROR(
      read_limit(settings, "mapping.depth.limit", 1, limits.depth, kDeepestMapping));
  QUARRY_RETURN_IF_ERROR(
      read_limit(settings, "mapping.field_name_length.limit", 1, limits.field_name_length));
  QUARRY_RETURN_IF_ERROR(
      read_limit(settings, "mapping.nested_fields.limit", 0, limits.nested_fields));
  QUARRY_RETURN_IF_ERROR(
      read_limit(settings, "mapping.nested_objects.limit", 0, limits.nested_objects));
  QUARRY_RETURN_IF_ERROR(
      read_switch(settings, "mapping.ignore_malformed", limits.ignore_malformed));
  return read_switch(settings, "mapping.coerce", limits.coerce);
}

/// Splits the part of a name after `section` at its last dot into the component (which may have
/// dots) and the option.
bool split_component(std::string_view name, std::string_view section, std::string& component,
                     std::string& option) {
  if (!name.starts_with(section)) return false;
  name.remove_prefix(section.size());
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  component = name.substr(0, dot);
  option = name.substr(dot + 1);
  return true;
}

using Components = std::map<std::string, ComponentSpec, std::less<>>;

/// The version of the analyzers that made the terms of the index.
uint32_t analysis_version(const FlatSettings& settings) {
  const std::string* given = single(settings, "analysis_version");
  if (given == nullptr) return kAnalysisVersion;
  return *given == "1" ? 1 : 2;
}

Result<AnalysisSpec> read_analysis(const FlatSettings& settings) {
  AnalysisSpec spec;
  const std::pair<std::string_view, Components*> sections[] = {
      {"analysis.analyzer.", &spec.analyzers},       {"analysis.normalizer.", &spec.normalizers},
      {"analysis.tokenizer.", &spec.tokenizers},     {"analysis.filter.", &spec.filters},
      {"analysis.char_filter.", &spec.char_filters},
  };
  for (const auto& [name, values] : settings) {
    if (!name.starts_with("analysis.")) continue;
    bool known = false;
    for (const auto& [section, components] : sections) {
      std::string component;
      std::string option;
      if (!split_component(name, section, component, option)) continue;
      known = true;
      ComponentSpec& target = (*components)[component];
      if (option == "type") {
        target.type = values.empty() ? "" : values.front();
      } else {
        target.options[option] = values;
      }
    }
    if (!known) return illegal_argument("unknown setting [index." + name + "]");
  }
  QUARRY_RETURN_IF_ERROR(read_limit(settings, "max_ngram_diff", 0, spec.max_ngram_diff));
  QUARRY_RETURN_IF_ERROR(read_limit(settings, "max_shingle_diff", 0, spec.max_shingle_diff));
  spec.version = analysis_version(settings);
  return spec;
}

/// A parameter of a similarity. Its least value is 0.
struct SimilarityOption {
  std::string_view name;
  Similarity::Model model;
  float Similarity::* member;
  double most;
  std::string_view range;
};

constexpr SimilarityOption kSimilarityOptions[] = {
    {"k1", Similarity::Model::kBm25, &Similarity::k1, 1e6, "of 0 or more"},
    {"b", Similarity::Model::kBm25, &Similarity::b, 1, "between 0 and 1"},
    {"mu", Similarity::Model::kDirichlet, &Similarity::mu, 1e30, "of 0 or more"},
    {"lambda", Similarity::Model::kJelinekMercer, &Similarity::lambda, 1, "above 0 and at most 1"},
};

constexpr std::pair<std::string_view, Similarity::Model> kSimilarityTypes[] = {
    {"BM25", Similarity::Model::kBm25},
    {"boolean", Similarity::Model::kBoolean},
    {"LMDirichlet", Similarity::Model::kDirichlet},
    {"LMJelinekMercer", Similarity::Model::kJelinekMercer},
};

Status read_similarity_option(const std::string& name, const std::string& type,
                              const std::string& option, const std::string& value,
                              Similarity& similarity) {
  const std::string where = "[" + option + "] of similarity [" + name + "]";
  if (option == "discount_overlaps" && !similarity.is_language_model()) {
    if (value == "true") return {};
    return illegal_argument(where + " can only be [true], got [" + value + "]");
  }
  const auto* found =
      std::find_if(std::begin(kSimilarityOptions), std::end(kSimilarityOptions),
                   [&option](const SimilarityOption& known) { return known.name == option; });
  if (found == std::end(kSimilarityOptions)) return illegal_argument("Unknown setting " + where);
  if (found->model != similarity.model)
    return illegal_argument(where + " has no meaning for type [" + type + "]");
  const std::optional<double> number = JsonValue::string(value).as_double();
  const bool positive = found->model == Similarity::Model::kJelinekMercer;
  if (!number || !(*number >= 0) || *number > found->most ||
      (positive && !(static_cast<float>(*number) > 0))) {
    return illegal_argument(where + " must be a number " + std::string(found->range) + ", got [" +
                            value + "]");
  }
  similarity.*found->member = static_cast<float>(*number);
  return {};
}

Status read_similarities(const FlatSettings& settings, MappingContext& context) {
  constexpr std::string_view kSection = "similarity.";
  std::map<std::string, std::map<std::string, std::string>> named;
  for (const auto& [name, values] : settings) {
    std::string similarity;
    std::string option;
    if (!split_component(name, kSection, similarity, option)) continue;
    named[similarity][option] = values.empty() ? "" : values.front();
  }
  for (auto& [name, options] : named) {
    const std::string type = options["type"];
    const auto* found = std::find_if(std::begin(kSimilarityTypes), std::end(kSimilarityTypes),
                                     [&type](const auto& known) { return known.first == type; });
    if (found == std::end(kSimilarityTypes)) {
      return illegal_argument(type.empty()
                                  ? "Similarity [" + name + "] must have an associated type"
                                  : "Similarity [" + name + "] has type [" + type +
                                        "], which is not supported, use [BM25], [boolean], "
                                        "[LMDirichlet] or [LMJelinekMercer]");
    }
    Similarity& similarity = context.similarities[name];
    similarity.model = found->second;
    for (const auto& [option, value] : options) {
      if (option == "type") continue;
      QUARRY_RETURN_IF_ERROR(read_similarity_option(name, type, option, value, similarity));
    }
  }
  return {};
}

/// The values of an option of `index.sort`: a list, or words between commas.
std::vector<std::string> sort_option(const FlatSettings& settings, const std::string& option) {
  const auto found = settings.find("sort." + option);
  if (found == settings.end()) return {};
  return found->second.size() == 1 ? words_between_commas(found->second.front()) : found->second;
}

std::string shown_list(const std::vector<std::string>& values) {
  std::string out = "[";
  for (const std::string& value : values) out += (out.size() > 1 ? ", " : "") + value;
  return out + "]";
}

/// An option of `index.sort` with two values in any case; the second one sets the property.
struct SortOption {
  std::string_view name;
  std::string_view values[2];
  bool IndexSortKey::* member;
};

constexpr SortOption kSortOrder{"order", {"asc", "desc"}, &IndexSortKey::descending};
constexpr SortOption kSortMode{"mode", {"min", "max"}, &IndexSortKey::largest};
constexpr SortOption kSortMissing{"missing", {"_last", "_first"}, &IndexSortKey::missing_first};

bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char left, char right) {
    return (left >= 'A' && left <= 'Z' ? left - 'A' + 'a' : left) == right;
  });
}

Status set_sort_option(const FlatSettings& settings, const SortOption& option,
                       std::vector<IndexSortKey>& keys) {
  const std::string name(option.name);
  const std::vector<std::string> given = sort_option(settings, name);
  if (given.empty()) return {};
  if (given.size() != keys.size()) {
    return illegal_argument("index.sort.field:" + shown_list(sort_option(settings, "field")) +
                            " index.sort." + name + ":" + shown_list(given) + ", size mismatch");
  }
  for (size_t i = 0; i < keys.size(); i++) {
    const bool second = equal_in_any_case(given[i], option.values[1]);
    if (!second && !equal_in_any_case(given[i], option.values[0])) {
      return illegal_argument("Illegal " + name + " value:[" + given[i] + "] of [index.sort." +
                              name + "], must be one of [" + std::string(option.values[0]) + ", " +
                              std::string(option.values[1]) + "]");
    }
    keys[i].*option.member = second;
  }
  return {};
}

Status read_sort(const FlatSettings& settings, std::vector<IndexSortKey>& keys) {
  for (std::string& field : sort_option(settings, "field")) {
    keys.emplace_back();
    keys.back().field = std::move(field);
  }
  QUARRY_RETURN_IF_ERROR(set_sort_option(settings, kSortOrder, keys));
  for (IndexSortKey& key : keys) key.largest = key.descending;
  QUARRY_RETURN_IF_ERROR(set_sort_option(settings, kSortMode, keys));
  return set_sort_option(settings, kSortMissing, keys);
}

bool has_analysis(const FlatSettings& settings) {
  const auto first = settings.lower_bound("analysis.");
  return first != settings.end() && first->first.starts_with("analysis.");
}

}  // namespace

Result<MappingContext> make_mapping_context(std::string_view settings_json) {
  FlatSettings settings;
  if (settings_json.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    QUARRY_ASSIGN_OR_RETURN(const JsonValue json, JsonValue::parse(settings_json));
    if (!json.is_object())
      return illegal_argument("settings must be an object, got " + json.to_json());
    // The body of a create index request has its settings under the key `settings`.
    const JsonValue* inner = json.find("settings");
    flatten(inner != nullptr && inner->is_object() ? *inner : json, "", settings);
  }
  MappingContext context;
  QUARRY_RETURN_IF_ERROR(read_limits(settings, context.limits));
  QUARRY_RETURN_IF_ERROR(read_similarities(settings, context));
  context.sort_settings = read_sort(settings, context.sort);
  if (!context.sort_settings.ok()) context.sort.clear();
  if (!has_analysis(settings)) {
    context.analysis = builtin_analysis(analysis_version(settings));
    return context;
  }
  QUARRY_ASSIGN_OR_RETURN(const AnalysisSpec spec, read_analysis(settings));
  QUARRY_ASSIGN_OR_RETURN(context.analysis, AnalysisRegistry::create(spec));
  return context;
}

}  // namespace quarry
