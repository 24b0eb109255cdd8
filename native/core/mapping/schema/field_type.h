// What the engine asks of a field type. Each type is described by one constant (mapping/types/);
// code outside mapping/ asks these members and does not name types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "mapping/schema/parameter.h"

namespace quarry {

struct Field;
struct IntegerType;
struct Mapper;
struct MappingContext;

enum class FieldType : uint8_t {
#define FIELD_TYPE(id) k##id,
#include "mapping/schema/types.def"
};

inline constexpr size_t kFieldTypeCount = 0
#define FIELD_TYPE(id) +1
#include "mapping/schema/types.def"
    ;

/// The column of a segment; ordinals are numbers of terms, points are encoded by
/// mapping/values/geo_point.h.
enum class ColumnKind : uint8_t { kNone, kNumber, kOrdinal, kVector, kPoint };
/// The dictionary of a segment: whole values, or the tokens of an analyzer.
enum class InvertedKind : uint8_t { kNone, kTerms, kText };
/// What a segment stores with the terms of the dictionary.
enum class TermSection : uint8_t { kNone, kWeights, kGrams };

/// How the int64 of a number column is interpreted.
enum class NumberKind : uint8_t { kInteger, kDouble, kUnsigned, kBoolean, kDate };
/// The precision of the values of NumberKind::kDouble.
enum class FloatKind : uint8_t { kDouble, kSingle, kHalf, kScaled };

/// How values in queries (term, terms, range) are read and searched. kNone: there are no words,
/// numbers or order to query.
enum class QueryKind : uint8_t {
  kNone,
  kTerms,
  kNumbers,
  kBooleans,
  kDates,
  kAddresses,
  kRanges,
  kFeatures,  // a term is the name of a feature; nothing else can be searched
};

/// Values that the query rank_feature scores by: one in the field, or one for each key.
enum class FeatureKind : uint8_t { kNone, kSingle, kKeyed };

/// The form of a value in documents.
enum class ValueForm : uint8_t {
  kObject,
  kPoint,  // an object, an array or a string
  kArray,
  kText,
  kKeyword,
  kConstant,
  kEncoded,  // a string that `codec` encodes
  kNumber,
  kBinary,
  kCompletion,
  kRange,
  kFeature,
  kFeatures,  // an object of such values
};

/// How the option `fields` reads values from the source.
enum class SourceForm : uint8_t {
  kScalar,
  kRange,
  kFlattened,
  kObject,   // a scalar, or an object that is printed unchanged
  kCounted,  // derived from the source, so that a value is never reported as ignored
  kNothing,  // the mapping has the value
  kPoint,
};

/// Columns of links that can have the type: a set of flags.
enum LinkUse : uint8_t { kLinkTerm = 1, kLinkTime = 2, kLinkFlag = 4, kLinkNumber = 8 };

/// Converts between the text of a value and its term, for types whose terms are not the text
/// itself. Terms are ordered by bytes.
struct TermCodec {
  Result<std::string> (*encode)(std::string_view text);
  std::string (*print)(std::string_view term);
};

/// One field type. Messages contain the name of the field for `$`.
struct FieldTraits {
  std::string_view name = {};  // as mappings spell it

  // Storage.
  ColumnKind column = ColumnKind::kNone;
  InvertedKind inverted = InvertedKind::kNone;
  TermSection term_section = TermSection::kNone;
  bool presence_only = false;  // kept in _source, visible to exists, not searchable

  // Numbers.
  NumberKind number = NumberKind::kInteger;
  const IntegerType* integer = nullptr;  // the range of a signed integer type
  FloatKind precision = FloatKind::kDouble;
  bool nanoseconds = false;      // a date column holds nanoseconds
  bool exact_spelling = false;   // white space around a number is not skipped
  bool missing_32_bits = false;  // sort: a missing value is the end of the range of 32 bits

  // Terms.
  const TermCodec* codec = nullptr;  // null: a term is its text
  bool keyword = false;              // whole strings, which queries treat like one word of a text
  bool accepts_normalizer = false;
  bool keyed = false;          // terms start with a key of an object and a zero byte
  bool text_patterns = false;  // prefix, wildcard and regexp
  FeatureKind features = FeatureKind::kNone;

  // Queries, sort and fetch.
  QueryKind query = QueryKind::kNone;
  std::string_view not_searchable = {};  // the error of term queries; empty: searchable
  std::string_view not_sortable = {};    // the error of sort; empty: depends on the column
  std::string_view no_exists = {};       // the error of exists
  std::string_view no_fielddata = {};    // the error where doc values are needed
  bool constant_score = false;           // text: a clause scores its boost, whatever it expands to
  bool collapsible = false;
  bool index_sortable = false;  // a key of `index.sort`
  SourceForm source = SourceForm::kScalar;
  uint8_t link_uses = 0;

  // Definition and documents.
  bool in_mappings = true;                     // false: only derived from another field
  bool in_multi_fields = true;                 // may be a multi-field
  bool has_multi_fields = true;                // may have multi-fields
  std::span<const Parameter> parameters = {};  // in the order in which mappings print them
  /// Sets the properties that depend on the parameters (field_maker.h); null for no field.
  Status (*configure)(const Mapper& mapper, const MappingContext& context, Field& field) = nullptr;
  ValueForm value = ValueForm::kObject;
  FieldType ends = FieldType::kLong;  // ranges: the type of their ends
  bool below_nested = true;           // a field of a nested object can have the type
  /// Whether an object in a document can be a value of the type.
  constexpr bool takes_objects() const {
    return value == ValueForm::kObject || value == ValueForm::kPoint ||
           value == ValueForm::kRange || value == ValueForm::kCompletion ||
           value == ValueForm::kFeatures;
  }
};

#define FIELD_TYPE(id) extern const FieldTraits k##id##Type;
#include "mapping/schema/types.def"

/// By number of the type.
inline constexpr const FieldTraits* kFieldTraits[kFieldTypeCount] = {
#define FIELD_TYPE(id) &k##id##Type,
#include "mapping/schema/types.def"
};

inline const FieldTraits& field_traits(FieldType type) {
  return *kFieldTraits[static_cast<size_t>(type)];
}

inline std::string_view field_type_name(FieldType type) { return field_traits(type).name; }

/// Finds a type that a mapping may name ("flattened_keyed" is not one); false for an unknown name.
bool parse_field_type(std::string_view name, FieldType& type);
/// Whether the name is a type of Elasticsearch that this server does not support.
bool is_unsupported_type(std::string_view name);

}  // namespace quarry
