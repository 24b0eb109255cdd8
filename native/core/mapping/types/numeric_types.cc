// Numbers, booleans, and numbers of tokens.
#include "mapping/schema/field_maker.h"
#include "mapping/schema/field_type.h"
#include "mapping/schema/number_types.h"
#include "mapping/types/shared_parameters.h"

namespace quarry {

namespace {

constexpr Parameter kNumberParameters[] = {
    parameters::kIndex,  parameters::kDocValues, parameters::kStore,  parameters::kIgnoreMalformed,
    parameters::kCoerce, parameters::kNullValue, parameters::kScript, parameters::kScriptError,
    parameters::kMeta,   parameters::kDimension, parameters::kMetric,
};

constexpr Parameter kScaledFloatParameters[] = {
    parameters::kIndex,  parameters::kDocValues,
    parameters::kStore,  parameters::kIgnoreMalformed,
    parameters::kMeta,   {"scaling_factor", ParameterKind::kNumber, {}, false, {}},
    parameters::kCoerce, parameters::kNullValue,
    parameters::kMetric,
};

constexpr Parameter kUnsignedLongParameters[] = {
    parameters::kIndex,           parameters::kDocValues, parameters::kStore,
    parameters::kIgnoreMalformed, parameters::kNullValue, parameters::kMeta,
    parameters::kDimension,       parameters::kMetric,
};

constexpr Parameter kBooleanParameters[] = {
    parameters::kMeta,        parameters::kDocValues,       parameters::kIndex,
    parameters::kNullValue,   parameters::kStore,           parameters::kScript,
    parameters::kScriptError, parameters::kIgnoreMalformed, parameters::kDimension,
};

constexpr Parameter kTokenCountParameters[] = {
    parameters::kIndex,     parameters::kDocValues,
    parameters::kStore,     {"analyzer", ParameterKind::kName, {}, false, {}},
    parameters::kNullValue, {"enable_position_increments", ParameterKind::kBool, "true", false, {}},
    parameters::kMeta,
};

constexpr FieldTraits number(std::string_view name, NumberKind kind) {
  return {
      .name = name,
      .column = ColumnKind::kNumber,
      .number = kind,
      .query = QueryKind::kNumbers,
      .collapsible = true,
      .index_sortable = true,
      .link_uses = kLinkNumber,
      .parameters = kNumberParameters,
      .configure = configure_plain,
      .value = ValueForm::kNumber,
  };
}

constexpr FieldTraits whole(std::string_view name, const IntegerType& range, bool is_32_bits) {
  FieldTraits traits = number(name, NumberKind::kInteger);
  traits.integer = &range;
  traits.missing_32_bits = is_32_bits;
  return traits;
}

constexpr FieldTraits whole_of_64_bits() {
  FieldTraits traits = whole("long", kLongValues, false);
  traits.exact_spelling = true;
  traits.link_uses = kLinkTime | kLinkNumber;
  return traits;
}

constexpr FieldTraits whole_without_sign() {
  FieldTraits traits = number("unsigned_long", NumberKind::kUnsigned);
  traits.exact_spelling = true;
  traits.parameters = kUnsignedLongParameters;
  return traits;
}

constexpr FieldTraits fraction(std::string_view name, FloatKind precision) {
  FieldTraits traits = number(name, NumberKind::kDouble);
  traits.precision = precision;
  return traits;
}

constexpr FieldTraits scaled() {
  FieldTraits traits = fraction("scaled_float", FloatKind::kScaled);
  traits.parameters = kScaledFloatParameters;
  traits.configure = configure_scaled_float;
  return traits;
}

constexpr FieldTraits truth() {
  FieldTraits traits = number("boolean", NumberKind::kBoolean);
  traits.query = QueryKind::kBooleans;
  traits.collapsible = false;
  traits.link_uses = kLinkFlag | kLinkNumber;
  traits.parameters = kBooleanParameters;
  return traits;
}

constexpr FieldTraits count_of_tokens() {
  FieldTraits traits = whole("token_count", kIntegerValues, false);
  traits.source = SourceForm::kCounted;
  traits.parameters = kTokenCountParameters;
  traits.configure = configure_token_count;
  return traits;
}

}  // namespace

constinit const FieldTraits kLongType = whole_of_64_bits();
constinit const FieldTraits kIntegerType = whole("integer", kIntegerValues, true);
constinit const FieldTraits kShortType = whole("short", kShortValues, true);
constinit const FieldTraits kByteType = whole("byte", kByteValues, true);
constinit const FieldTraits kDoubleType = fraction("double", FloatKind::kDouble);
constinit const FieldTraits kFloatType = fraction("float", FloatKind::kSingle);
constinit const FieldTraits kHalfFloatType = fraction("half_float", FloatKind::kHalf);
constinit const FieldTraits kScaledFloatType = scaled();
constinit const FieldTraits kUnsignedLongType = whole_without_sign();
constinit const FieldTraits kBooleanType = truth();
constinit const FieldTraits kTokenCountType = count_of_tokens();

}  // namespace quarry
