// The registry of field types.
#include "mapping/schema/field_type.h"

#include <algorithm>
#include <iterator>

#include "mapping/schema/field.h"
#include "testing/test.h"

namespace quarry::field_type_test {

TEST(FieldType, keeps_its_number_on_disk) {
  EXPECT_EQ(static_cast<int>(FieldType::kText), 1);
  EXPECT_EQ(static_cast<int>(FieldType::kBoolean), 12);
  EXPECT_EQ(static_cast<int>(FieldType::kFlattenedKeyed), 17);
  EXPECT_EQ(static_cast<int>(FieldType::kDateNanos), 23);
  EXPECT_EQ(static_cast<int>(FieldType::kWildcard), 32);
}

TEST(FieldType, is_found_by_its_name) {
  for (size_t i = 0; i < kFieldTypeCount; i++) {
    const auto type = static_cast<FieldType>(i);
    FieldType found{};
    const bool in_mappings = type != FieldType::kFlattenedKeyed;
    EXPECT_EQ(parse_field_type(field_type_name(type), found), in_mappings);
    if (in_mappings) EXPECT_TRUE(found == type);
    EXPECT_TRUE(!is_unsupported_type(field_type_name(type)));
  }
  FieldType found{};
  EXPECT_TRUE(!parse_field_type("join", found));
  EXPECT_TRUE(is_unsupported_type("join"));
  EXPECT_TRUE(!is_unsupported_type("nonsense"));
}

TEST(FieldType, describes_values_and_queries_consistently) {
  for (const FieldTraits* traits : kFieldTraits) {
    const bool ordinals = traits->column == ColumnKind::kOrdinal;
    if (ordinals) EXPECT_TRUE(traits->inverted == InvertedKind::kTerms);
    if (traits->codec != nullptr) EXPECT_TRUE(ordinals);
    const bool numbers = traits->query == QueryKind::kNumbers ||
                         traits->query == QueryKind::kBooleans ||
                         traits->query == QueryKind::kDates;
    EXPECT_EQ(traits->column == ColumnKind::kNumber, numbers);
    EXPECT_EQ(traits->value == ValueForm::kNumber, numbers);
    EXPECT_EQ(traits->number == NumberKind::kDate, traits->query == QueryKind::kDates);
    EXPECT_EQ(traits->features != FeatureKind::kNone,
              traits->value == ValueForm::kFeature || traits->value == ValueForm::kFeatures);
    if (traits->configure != nullptr)
      EXPECT_EQ(traits->query == QueryKind::kNone, !traits->not_searchable.empty());
  }
}

TEST(FieldType, messages_contain_the_names_of_field_and_type) {
  Field field;
  field.name = "a.b";
  field.type = FieldType::kCompletion;
  EXPECT_EQ(field_message("[$] is [%]", field), "[a.b] is [completion]");
}

}  // namespace quarry::field_type_test
