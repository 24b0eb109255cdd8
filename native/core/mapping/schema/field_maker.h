// Sets the properties of a field that depend on the parameters of its definition: one function for
// each group of field types, called through FieldTraits::configure. The error is
// mapper_parsing_exception, which names the part that does not exist or is not valid.
#pragma once

#include "base/status.h"
#include "mapping/document/mapper.h"
#include "mapping/schema/field.h"
#include "mapping/schema/mapping.h"

namespace quarry {

/// Nothing but `similarity` and `null_value`, as far as the type has them.
Status configure_plain(const Mapper& mapper, const MappingContext& context, Field& field);
Status configure_text(const Mapper& mapper, const MappingContext& context, Field& field);
Status configure_semantic_text(const Mapper& mapper, const MappingContext& context, Field& field);
Status configure_keyword(const Mapper& mapper, const MappingContext& context, Field& field);
/// For types that are always indexed and where the score of every match is the boost.
Status configure_unscored(const Mapper& mapper, const MappingContext& context, Field& field);
Status configure_date(const Mapper& mapper, const MappingContext& context, Field& field);
Status configure_range(const Mapper& mapper, const MappingContext& context, Field& field);
Status configure_scaled_float(const Mapper& mapper, const MappingContext& context, Field& field);
Status configure_token_count(const Mapper& mapper, const MappingContext& context, Field& field);
Status configure_vector(const Mapper& mapper, const MappingContext& context, Field& field);
/// A geo_point: a null_value is kept as "lat,lon".
Status configure_point(const Mapper& mapper, const MappingContext& context, Field& field);
Status configure_completion(const Mapper& mapper, const MappingContext& context, Field& field);

/// The analyzers of a text: those that the definition names, else those of the index.
Status set_analyzers(const Mapper& mapper, const AnalysisRegistry& registry, Field& field);

}  // namespace quarry
