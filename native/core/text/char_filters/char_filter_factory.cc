// Creates char filters by type.
#include "text/analysis/factories.h"
#include "text/analysis/pattern.h"
#include "text/analysis/pattern_options.h"
#include "text/char_filters/char_filters.h"
#include "text/char_filters/normalizer_char_filter.h"
#include "text/filters/normalization_filter.h"

namespace quarry {
namespace {

using MakeCharFilter = CharFilterPtr (*)(OptionReader& options);

CharFilterPtr make_html_strip_filter(OptionReader& options) {
  const auto tags = options.list("escaped_tags");
  return std::make_shared<HtmlStripCharFilter>(
      std::set<std::string, std::less<>>(tags.begin(), tags.end()));
}

CharFilterPtr make_icu_normalizer_filter(OptionReader& options) {
  const NormalForm form = read_normal_form(options);
  const bool compose = options.choice("mode", "compose", {"compose", "decompose"}) == "compose";
  return std::make_shared<NormalizerCharFilter>(form, compose);
}

CharFilterPtr make_mapping_filter(OptionReader& options) {
  options.refuse("mappings_path", "list the rules in [mappings]");
  const auto lines = options.list("mappings");
  if (lines.empty()) options.fail("mapping requires [mappings]");
  auto mappings = parse_mappings(lines);
  if (!mappings.ok()) {
    options.fail(mappings.status().reason());
    return nullptr;
  }
  return std::make_shared<MappingCharFilter>(std::move(*mappings));
}

CharFilterPtr make_pattern_replace_filter(OptionReader& options) {
  auto read = read_replacement(options);
  if (!read) return nullptr;
  return std::make_shared<PatternReplaceCharFilter>(std::move(read->first),
                                                    std::move(read->second));
}

struct CharFilterType {
  std::string_view type;
  MakeCharFilter make;
};
constexpr CharFilterType kCharFilterTypes[] = {
    {"html_strip", make_html_strip_filter},
    {"icu_normalizer", make_icu_normalizer_filter},
    {"mapping", make_mapping_filter},
    {"pattern_replace", make_pattern_replace_filter},
};

const CharFilterType* find_char_filter_type(std::string_view type) {
  for (const CharFilterType& entry : kCharFilterTypes) {
    if (entry.type == type) return &entry;
  }
  return nullptr;
}

}  // namespace

bool is_char_filter_type(std::string_view type) { return find_char_filter_type(type) != nullptr; }

Result<CharFilterPtr> make_char_filter(std::string_view name, const ComponentSpec& spec) {
  const CharFilterType* entry = find_char_filter_type(spec.type);
  if (entry == nullptr) {
    return Status(ErrorType::kIllegalArgument,
                  "Unknown char_filter type [" + spec.type + "] for [" + std::string(name) + "]");
  }
  OptionReader options("char_filter", name, spec);
  CharFilterPtr filter = entry->make(options);
  QUARRY_RETURN_IF_ERROR(options.finish());
  return filter;
}

}  // namespace quarry
