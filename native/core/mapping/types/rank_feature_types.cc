// Numbers that raise or lower the score of a document: one in a field (rank_feature), or one for
// each key of an object (rank_features).
#include <cmath>
#include <limits>

#include "mapping/schema/field_maker.h"
#include "mapping/schema/field_type.h"
#include "mapping/types/shared_parameters.h"
#include "mapping/values/feature_value.h"

namespace quarry {

namespace {

constexpr Parameter kPositiveImpact{
    "positive_score_impact", ParameterKind::kBool, "true", false, {}};

constexpr Parameter kRankFeatureParameters[] = {
    kPositiveImpact,
    parameters::kNullValue,
    parameters::kMeta,
};

constexpr Parameter kRankFeaturesParameters[] = {
    kPositiveImpact,
    parameters::kMeta,
};

/// The column of ordinals leads from a document to its values.
Status configure_rank_feature(const Mapper& mapper, const MappingContext& /*context*/,
                              Field& field) {
  field.indexed = true;
  field.doc_values = true;
  field.positive_impact = mapper.effective("positive_score_impact").text() == "true";
  const JsonValue* null_value = mapper.given("null_value");
  if (null_value == nullptr) return {};
  field.null_value = std::string(null_value->text());
  const Result<float> value = parse_feature(*field.null_value);
  if (!value.ok()) {
    return mapper_parsing("Error parsing [null_value] on field [" + field.name +
                          "]: " + value.status().reason());
  }
  if (std::isfinite(*value) && *value >= std::numeric_limits<float>::min()) return {};
  return mapper_parsing("[null_value] of field [" + field.name +
                        "] must be a positive normal float for field of type [rank_feature], got " +
                        *field.null_value);
}

}  // namespace

constinit const FieldTraits kRankFeatureType = {
    .name = "rank_feature",
    .column = ColumnKind::kOrdinal,
    .inverted = InvertedKind::kTerms,
    .features = FeatureKind::kSingle,
    .not_searchable = "Queries on [rank_feature] fields are not supported",
    .no_fielddata = "[rank_feature] fields do not support sorting, scripting or aggregating",
    .parameters = kRankFeatureParameters,
    .configure = configure_rank_feature,
    .value = ValueForm::kFeature,
};

constinit const FieldTraits kRankFeaturesType = {
    .name = "rank_features",
    .column = ColumnKind::kOrdinal,
    .inverted = InvertedKind::kTerms,
    .features = FeatureKind::kKeyed,
    .query = QueryKind::kFeatures,
    .no_exists = "[rank_features] fields do not support [exists] queries",
    .no_fielddata = "[rank_features] fields do not support sorting, scripting or aggregating",
    .source = SourceForm::kObject,
    .in_multi_fields = false,
    .parameters = kRankFeaturesParameters,
    .configure = configure_rank_feature,
    .value = ValueForm::kFeatures,
};

}  // namespace quarry
