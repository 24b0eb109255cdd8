// Software versions in the order of semantic versioning.
#include "mapping/schema/field_maker.h"
#include "mapping/schema/field_type.h"
#include "mapping/types/shared_parameters.h"
#include "mapping/values/version_value.h"

namespace quarry {

namespace {

constexpr Parameter kVersionParameters[] = {parameters::kMeta};

constexpr TermCodec kVersionCodec = {encode_version, decode_version};

Status configure_version(const Mapper& mapper, const MappingContext& context, Field& field) {
  field.indexed = true;
  field.doc_values = true;
  return configure_plain(mapper, context, field);
}

}  // namespace

constinit const FieldTraits kVersionType = {
    .name = "version",
    .column = ColumnKind::kOrdinal,
    .inverted = InvertedKind::kTerms,
    .codec = &kVersionCodec,
    .text_patterns = true,
    .query = QueryKind::kTerms,
    .parameters = kVersionParameters,
    .configure = configure_version,
    .value = ValueForm::kEncoded,
};

}  // namespace quarry
