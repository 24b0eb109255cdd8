// Addresses of both families, as their 16 bytes.
#include "mapping/schema/field_maker.h"
#include "mapping/schema/field_type.h"
#include "mapping/types/shared_parameters.h"
#include "mapping/values/numeric.h"

namespace quarry {

namespace {

constexpr Parameter kIpParameters[] = {
    parameters::kIndex,           parameters::kDocValues, parameters::kStore,
    parameters::kIgnoreMalformed, parameters::kNullValue, parameters::kScript,
    parameters::kScriptError,     parameters::kMeta,      parameters::kDimension,
};

constexpr TermCodec kAddressCodec = {parse_ip, format_ip};

}  // namespace

constinit const FieldTraits kIpType = {
    .name = "ip",
    .column = ColumnKind::kOrdinal,
    .inverted = InvertedKind::kTerms,
    .codec = &kAddressCodec,
    .query = QueryKind::kAddresses,
    .index_sortable = true,
    .parameters = kIpParameters,
    .configure = configure_plain,
    .value = ValueForm::kEncoded,
};

}  // namespace quarry
