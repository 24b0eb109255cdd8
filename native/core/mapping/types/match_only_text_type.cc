// Text that is only matched: every matching word or phrase has a constant score, whatever its
// frequency and the length of the text. Positions are indexed, so that phrases match as they do in
// text fields.
#include "mapping/schema/field_maker.h"
#include "mapping/schema/field_type.h"
#include "mapping/types/shared_parameters.h"

namespace quarry {

namespace {

constexpr Parameter kMatchOnlyTextParameters[] = {parameters::kMeta};

Status configure_match_only_text(const Mapper& mapper, const MappingContext& context,
                                 Field& field) {
  field.indexed = true;
  field.doc_values = false;
  field.positions = true;
  field.similarity.model = Similarity::Model::kBoolean;
  QUARRY_RETURN_IF_ERROR(set_analyzers(mapper, *context.analysis, field));
  if (field.analyzer != nullptr)
    field.position_increment_gap = field.analyzer->position_increment_gap();
  return {};
}

}  // namespace

constinit const FieldTraits kMatchOnlyTextType = {
    .name = "match_only_text",
    .inverted = InvertedKind::kText,
    .text_patterns = true,
    .query = QueryKind::kTerms,
    .no_fielddata =
        "% fields do not support sorting and aggregations, use a keyword field "
        "instead of [$]",
    .constant_score = true,
    .parameters = kMatchOnlyTextParameters,
    .configure = configure_match_only_text,
    .value = ValueForm::kText,
};

}  // namespace quarry
