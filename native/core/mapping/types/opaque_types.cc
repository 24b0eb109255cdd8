// Types without words, numbers or order to query.
#include "mapping/schema/field_maker.h"
#include "mapping/schema/field_type.h"
#include "mapping/types/shared_parameters.h"

namespace quarry {

namespace {

constexpr Parameter kBinaryParameters[] = {
    parameters::kMeta,
    parameters::kStore,
    parameters::kNoDocValues,
};

constexpr Parameter kGeoPointParameters[] = {
    parameters::kDocValues,
    parameters::kIgnoreMalformed,
    {"ignore_z_value", ParameterKind::kFlag, "true", true, {}},
    parameters::kIndex,
    parameters::kMeta,
    {"null_value", ParameterKind::kPoint, {}, false, {}},
    parameters::kStore,
};

// Updates of these are checked together by vector_conflicts().
constexpr Parameter kDenseVectorParameters[] = {
    {"element_type", ParameterKind::kChoice, "\"float\"", false, "float|byte"},
    {"dims", ParameterKind::kCount, {}, false, {}},
    parameters::kIndex,
    {"similarity", ParameterKind::kChoice, "\"cosine\"", false,
     "cosine|dot_product|l2_norm|max_inner_product"},
    parameters::kVectorIndexOptions,
    {"quantization", ParameterKind::kChoice, {}, false, "scalar8"},
    parameters::kMeta,
};

constexpr Parameter kCompletionParameters[] = {
    {"analyzer", ParameterKind::kName, "\"simple\"", false, {}},
    parameters::kSearchAnalyzer,
    {"preserve_separators", ParameterKind::kBool, "true", false, {}},
    {"preserve_position_increments", ParameterKind::kBool, "true", false, {}},
    {"max_input_length", ParameterKind::kCount, "50", true, {}},
    {"contexts", ParameterKind::kRefused, {}, false, {}},
    parameters::kMeta,
};

}  // namespace

constinit const FieldTraits kBinaryType = {
    .name = "binary",
    .presence_only = true,
    .not_searchable = "Binary fields do not support searching",
    .parameters = kBinaryParameters,
    .configure = configure_plain,
    .value = ValueForm::kBinary,
};

constinit const FieldTraits kGeoPointType = {
    .name = "geo_point",
    .column = ColumnKind::kPoint,
    .not_searchable =
        "Geometry fields do not support exact searching, use dedicated geometry "
        "queries instead: [$]",
    .not_sortable =
        "can't sort on geo_point or point field without using specific sorting feature, like "
        "geo_distance",
    .source = SourceForm::kPoint,
    .parameters = kGeoPointParameters,
    .configure = configure_point,
    .value = ValueForm::kPoint,
};

constinit const FieldTraits kDenseVectorType = {
    .name = "dense_vector",
    .column = ColumnKind::kVector,
    .not_searchable = "Field [$] of type [%] doesn't support term queries",
    .not_sortable = "Field [$] of type [%] doesn't support sort",
    .in_multi_fields = false,
    .has_multi_fields = false,
    .parameters = kDenseVectorParameters,
    .configure = configure_vector,
    .value = ValueForm::kArray,
};

constinit const FieldTraits kCompletionType = {
    .name = "completion",
    .inverted = InvertedKind::kTerms,
    .term_section = TermSection::kWeights,
    .not_searchable = "Field [$] of type [%] does not support queries, use a completion suggester",
    .source = SourceForm::kObject,
    .parameters = kCompletionParameters,
    .configure = configure_completion,
    .value = ValueForm::kCompletion,
    .below_nested = false,
};

}  // namespace quarry
