// Dates in milliseconds and in nanoseconds.
#include "mapping/schema/field_maker.h"
#include "mapping/schema/field_type.h"
#include "mapping/types/shared_parameters.h"

namespace quarry {

namespace {

constexpr Parameter kDateParameters[] = {
    parameters::kIndex,           parameters::kDocValues,
    parameters::kStore,           parameters::kDateFormat,
    parameters::kLocale,          parameters::kNullValue,
    parameters::kIgnoreMalformed, parameters::kScript,
    parameters::kScriptError,     parameters::kMeta,
};

constexpr Parameter kDateNanosParameters[] = {
    parameters::kIndex,
    parameters::kDocValues,
    parameters::kStore,
    {"format",
     ParameterKind::kName,
     "\"strict_date_optional_time_nanos||epoch_millis\"",
     false,
     {}},
    parameters::kLocale,
    parameters::kNullValue,
    parameters::kIgnoreMalformed,
    parameters::kScript,
    parameters::kScriptError,
    parameters::kMeta,
};

}  // namespace

constinit const FieldTraits kDateType = {
    .name = "date",
    .column = ColumnKind::kNumber,
    .number = NumberKind::kDate,
    .query = QueryKind::kDates,
    .index_sortable = true,
    .link_uses = kLinkTime | kLinkNumber,
    .parameters = kDateParameters,
    .configure = configure_date,
    .value = ValueForm::kNumber,
};

constinit const FieldTraits kDateNanosType = {
    .name = "date_nanos",
    .column = ColumnKind::kNumber,
    .number = NumberKind::kDate,
    .nanoseconds = true,
    .query = QueryKind::kDates,
    .index_sortable = true,
    .link_uses = kLinkNumber,
    .parameters = kDateNanosParameters,
    .configure = configure_date,
    .value = ValueForm::kNumber,
};

}  // namespace quarry
