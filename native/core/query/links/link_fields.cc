// Finds the fields of links in a mapping, and their columns in a segment.
#include "query/links/link_fields.h"

#include <string>

#include "mapping/values/numeric.h"

namespace quarry {
namespace {

/// What a column must be: `use` is one of the uses of its type.
struct Requirement {
  LinkUse use;
  bool indexed;
  std::string_view wanted;
};

constexpr Requirement kEnd{kLinkTerm, true, "an indexed keyword with doc values"};
constexpr Requirement kTerm{kLinkTerm, false, "a keyword with doc values"};
constexpr Requirement kTime{kLinkTime, false, "a date or a long with doc values"};
constexpr Requirement kFlag{kLinkFlag, false, "a boolean with doc values"};
constexpr Requirement kNumber{kLinkNumber, false, "a number with doc values"};

struct Row {
  std::string_view name;
  const Requirement& must_be;
  const Field* LinkSchema::* field;
};

constexpr Row kRows[] = {
    {"src", kEnd, &LinkSchema::src},
    {"dst", kEnd, &LinkSchema::dst},
    {"type", kTerm, &LinkSchema::type},
    {"detector", kTerm, &LinkSchema::detector},
    {"confidence", kNumber, &LinkSchema::confidence},
    {"weight", kNumber, &LinkSchema::weight},
    {"asserted", kFlag, &LinkSchema::asserted},
    {"evidence.source", kTerm, &LinkSchema::evidence_source},
    {"evidence.offset", kNumber, &LinkSchema::evidence_offset},
    {"valid_at", kTime, &LinkSchema::valid_at},
    {"invalid_at", kTime, &LinkSchema::invalid_at},
    {"created_at", kTime, &LinkSchema::created_at},
    {"expired_at", kTime, &LinkSchema::expired_at},
};

bool fits(const Field& field, const Requirement& must_be) {
  return field.doc_values && (field.indexed || !must_be.indexed) &&
         (field.traits().link_uses & must_be.use) != 0;
}

}  // namespace

Result<LinkSchema> LinkSchema::of(const Mapping& mapping, std::string_view index_name) {
  LinkSchema schema;
  for (const Row& row : kRows) {
    const Field* field = mapping.find(row.name);
    if (field != nullptr && !fits(*field, row.must_be)) {
      return Status(ErrorType::kIllegalArgument,
                    "index [" + std::string(index_name) + "] cannot hold links: field [" +
                        std::string(row.name) + "] of type [" +
                        std::string(field_type_name(field->type)) + "] must be " +
                        std::string(row.must_be.wanted));
    }
    schema.*row.field = field;
  }
  return schema;
}

LinkNumbers::LinkNumbers(const Segment& segment, const Field* field) : field_(field) {
  const SegmentField* there = field == nullptr ? nullptr : segment.field(field->name);
  if (there != nullptr) column_ = there->column;
}

std::optional<int64_t> LinkNumbers::at(uint32_t doc) const {
  if (column_ == nullptr || !column_->has(doc)) return std::nullopt;
  return column_->value(doc);
}

double LinkNumbers::share_at(uint32_t doc) const {
  const std::optional<int64_t> value = at(doc);
  return value ? column_to_double(*field_, *value) : 1.0;
}

LinkTerms::LinkTerms(const Segment& segment, const Field* field) {
  const SegmentField* there = field == nullptr ? nullptr : segment.field(field->name);
  if (there == nullptr || there->column == nullptr) return;
  inverted_ = there->inverted;
  column_ = there->column;
}

uint32_t LinkTerms::ordinal(uint32_t doc) const {
  if (inverted_ == nullptr || !column_->has(doc)) return kNone;
  return static_cast<uint32_t>(column_->value(doc));
}

std::string_view LinkTerms::text(uint32_t ordinal) const {
  return ordinal >= size() ? std::string_view() : inverted_->terms().term(ordinal);
}

SegmentLinks::SegmentLinks(const SegmentView& view, const LinkSchema& schema,
                           const LinkMoment& moment)
    : src(*view.segment, schema.src),
      dst(*view.segment, schema.dst),
      type(*view.segment, schema.type),
      detector(*view.segment, schema.detector),
      confidence(*view.segment, schema.confidence),
      weight(*view.segment, schema.weight),
      asserted(*view.segment, schema.asserted),
      evidence_offset(*view.segment, schema.evidence_offset),
      evidence_source(*view.segment, schema.evidence_source),
      valid_at(*view.segment, schema.valid_at),
      invalid_at(*view.segment, schema.invalid_at),
      created_at(*view.segment, schema.created_at),
      expired_at(*view.segment, schema.expired_at),
      view_(&view),
      moment_(moment) {
  some_unknown_ =
      moment.system && created_at.any() && created_at.column()->bounds().max > *moment.system;
  some_future_ = valid_at.any() && valid_at.column()->bounds().max > moment.world;
  some_over_ = invalid_at.any() && invalid_at.column()->bounds().min <= moment.world;
}

LinkState SegmentLinks::state(uint32_t doc) const {
  LinkTimes known;
  if (some_unknown_) known.created = created_at.at(doc);
  if (some_future_) known.valid = valid_at.at(doc);
  if (some_over_) known.invalid = invalid_at.at(doc);
  if (known.invalid && moment_.system) known.expired = expired_at.at(doc);
  return link_state(known, moment_);
}

bool SegmentLinks::evidenced(uint32_t doc) const {
  return asserted.at(doc) == 0 || evidence_source.ordinal(doc) != LinkTerms::kNone ||
         evidence_offset.at(doc).has_value();
}

}  // namespace quarry
