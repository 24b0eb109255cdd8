// Ranges between two ends of another type.
#include "mapping/schema/field_maker.h"
#include "mapping/schema/field_type.h"
#include "mapping/types/shared_parameters.h"

namespace quarry {

namespace {

constexpr Parameter kRangeParameters[] = {
    parameters::kIndex,  parameters::kDocValues, parameters::kStore,
    parameters::kCoerce, parameters::kMeta,
};

constexpr Parameter kDateRangeParameters[] = {
    parameters::kIndex,      parameters::kDocValues, parameters::kStore, parameters::kCoerce,
    parameters::kDateFormat, parameters::kLocale,    parameters::kMeta,
};

constexpr FieldTraits range_of(std::string_view name, FieldType ends) {
  return {
      .name = name,
      .column = ColumnKind::kOrdinal,
      .inverted = InvertedKind::kTerms,
      .query = QueryKind::kRanges,
      .not_sortable = "Field [$] of type [%] doesn't support sort: its values are ranges",
      .source = SourceForm::kRange,
      .parameters = kRangeParameters,
      .configure = configure_range,
      .value = ValueForm::kRange,
      .ends = ends,
  };
}

constexpr FieldTraits range_of_dates() {
  FieldTraits traits = range_of("date_range", FieldType::kDate);
  traits.parameters = kDateRangeParameters;
  return traits;
}

}  // namespace

constinit const FieldTraits kIntegerRangeType = range_of("integer_range", FieldType::kInteger);
constinit const FieldTraits kLongRangeType = range_of("long_range", FieldType::kLong);
constinit const FieldTraits kFloatRangeType = range_of("float_range", FieldType::kFloat);
constinit const FieldTraits kDoubleRangeType = range_of("double_range", FieldType::kDouble);
constinit const FieldTraits kDateRangeType = range_of_dates();
constinit const FieldTraits kIpRangeType = range_of("ip_range", FieldType::kIp);

}  // namespace quarry
