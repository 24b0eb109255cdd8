// Objects of any keys as one field: its values, and its values below each key.
#include "mapping/schema/field_maker.h"
#include "mapping/schema/field_type.h"
#include "mapping/types/shared_parameters.h"

namespace quarry {

namespace {

constexpr Parameter kFlattenedParameters[] = {
    parameters::kIndex,
    parameters::kDocValues,
    {"depth_limit", ParameterKind::kCount, "20", true, {}},
    parameters::kNullValue,
    parameters::kEagerOrdinals,
    parameters::kIgnoreAbove,
    parameters::kTermOptions,
    parameters::kSimilarity,
    parameters::kSplitQueries,
    parameters::kMeta,
    {"time_series_dimensions", ParameterKind::kRefused, {}, false, {}},
};

constexpr FieldTraits kValues = {
    .name = "flattened",
    .column = ColumnKind::kOrdinal,
    .inverted = InvertedKind::kTerms,
    .text_patterns = true,
    .query = QueryKind::kTerms,
    .collapsible = true,
    .index_sortable = true,
    .source = SourceForm::kFlattened,
    .has_multi_fields = false,
    .parameters = kFlattenedParameters,
    .configure = configure_keyword,
};

constexpr FieldTraits below_keys() {
  FieldTraits traits = kValues;
  traits.name = "flattened_keyed";
  traits.keyed = true;
  traits.in_mappings = false;
  return traits;
}

}  // namespace

constinit const FieldTraits kFlattenedType = kValues;
constinit const FieldTraits kFlattenedKeyedType = below_keys();

}  // namespace quarry
