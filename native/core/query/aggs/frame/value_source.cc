// Resolves fields to columns and reads their values batch by batch.
#include "query/aggs/frame/value_source.h"

#include <charconv>
#include <limits>

#include "columns/listed_loops.h"
#include "mapping/dates/date_format.h"
#include "mapping/dates/date_number.h"
#include "mapping/values/numeric.h"
#include "query/aggs/frame/value_type.h"
#include "query/fetch/fielddata.h"
#include "query/fetch/metadata_fields.h"
#include "query/geo/point_column.h"

namespace quarry {
namespace {

Status not_supported(const Field& field, const AggHead& head) {
  return {ErrorType::kIllegalArgument,
          "Field [" + field.name + "] of type [" + std::string(field_type_name(field.type)) +
              "] is not supported for aggregation [" + head.type + "]"};
}

bool takes_ranges(const Field& field, ValueSource::Accepts accepts) {
  using Accepts = ValueSource::Accepts;
  return accepts == Accepts::kCounted || (accepts == Accepts::kSpans && field.ends->is_numeric());
}

Status check_field(const Compiler& compiler, const AggHead& head, const Field& field,
                   ValueSource::Accepts accepts) {
  if (field.is_text()) return text_without_fielddata(compiler, field);
  if (!field.traits().no_fielddata.empty()) return unsupported_fielddata(field);
  if (field.has_points() && accepts == ValueSource::Accepts::kCounted)
    return field.doc_values ? Status() : unsupported_fielddata(field);
  if (field.is_opaque() || (field.is_range() && !takes_ranges(field, accepts)))
    return not_supported(field, head);
  if (!field.doc_values || value_kind_of(field) == ValueKind::kUnmapped)
    return unsupported_fielddata(field);
  return {};
}

bool accepted(const Field& field, ValueKind kind, ValueSource::Accepts accepts) {
  switch (accepts) {
    case ValueSource::Accepts::kNumbers:
    case ValueSource::Accepts::kSpans:
      return kind != ValueKind::kString && kind != ValueKind::kEncoded;
    case ValueSource::Accepts::kAddresses:
      return field.traits().query == QueryKind::kAddresses;
    default:
      return true;
  }
}

/// Whether the documents are consecutive and distinct; with owners one may occur several times.
bool is_run(std::span<const uint32_t> docs) {
  uint32_t wrong = 0;
  for (size_t i = 0; i < docs.size(); i++) wrong |= docs[i] ^ (docs[0] + static_cast<uint32_t>(i));
  return wrong == 0;
}

}  // namespace

Result<ValueSource> ValueSource::make(AggContext& context, const AggHead& head,
                                      const AggSource& source, Accepts accepts) {
  ValueSource out;
  ResolvedField resolved = context.compiler.resolve(source.field);
  if (resolved.kind == ResolvedField::Kind::kId) {
    return Status(ErrorType::kIllegalArgument,
                  "Fielddata access on the _id field is disallowed, aggregate on a keyword field "
                  "that holds the same value instead");
  }
  if (is_not_searchable(source.field)) {
    return Status(ErrorType::kIllegalArgument, "Fielddata is not supported on field [" +
                                                   source.field + "] of type [" + source.field +
                                                   "]");
  }
  if (resolved.kind == ResolvedField::Kind::kIndexName) {
    out.kind_ = ValueKind::kString;
    out.constant_ = true;
    out.text_ = std::make_shared<std::string>(context.compiler.context().index_name);
    out.field_ = make_string_field(source.field);
    QUARRY_RETURN_IF_ERROR(check_value_type(*out.field_, out.kind_, source.value_type));
  } else if (resolved.kind == ResolvedField::Kind::kField) {
    QUARRY_RETURN_IF_ERROR(check_field(context.compiler, head, *resolved.field, accepts));
    out.field_ = {std::shared_ptr<const Field>(), resolved.field};
    out.prefix_ = std::move(resolved.prefix);
    // Points are only counted.
    out.kind_ = resolved.field->has_points() ? ValueKind::kLong : value_kind_of(*resolved.field);
    out.nanos_ = resolved.field->traits().nanoseconds;
    // Aggregations count dates in milliseconds.
    if (out.nanos_) out.field_ = std::make_shared<const Field>(in_milliseconds(*resolved.field));
    QUARRY_RETURN_IF_ERROR(check_value_type(*out.field_, out.kind_, source.value_type));
  } else if (source.has_missing()) {
    out.field_ = make_stand_in(source, accepts == Accepts::kNumbers || accepts == Accepts::kSpans);
    out.kind_ = value_kind_of(*out.field_);
  }
  if (out.kind_ == ValueKind::kUnmapped) return out;
  if (!out.ranges() && !accepted(*out.field_, out.kind_, accepts))
    return not_supported(*out.field_, head);
  if (!source.format.empty() && resolved.kind == ResolvedField::Kind::kField &&
      (out.has_ordinals() || out.kind_ == ValueKind::kBoolean) && !out.ranges()) {
    return Status(ErrorType::kIllegalArgument, "Field [" + out.field_->name + "] of type [" +
                                                   std::string(field_type_name(out.field_->type)) +
                                                   "] does not support custom formats");
  }
  if (out.key_kind() == ValueKind::kDate) {
    out.format_ = out.field_->date_format == nullptr ? std::string(kDefaultDateFormat)
                                                     : out.field_->date_format->text();
  }
  if (source.has_missing() && !out.constant_)
    QUARRY_RETURN_IF_ERROR(out.set_missing(context, source));
  return out;
}

Status ValueSource::set_missing(AggContext& context, const AggSource& source) {
  const std::string& text = source.missing.text;
  if (ranges() || field_->has_points()) {
    return {ErrorType::kIllegalArgument, "[missing] is not supported on field [" + field_->name +
                                             "] of type [" +
                                             std::string(field_type_name(field_->type)) + "]"};
  }
  has_missing_ = true;
  if (has_ordinals()) {
    missing_ = kMissingOrdinal;
    std::string indexed = text;
    if (codec() != nullptr) {
      QUARRY_ASSIGN_OR_RETURN(indexed, codec()->encode(text));
    }
    text_ = std::make_shared<std::string>(std::move(indexed));
    return {};
  }
  if (kind_ == ValueKind::kDouble) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end)
      return {ErrorType::kNumberFormat, "For input string: \"" + text + "\""};
    missing_ = sortable_from_double(value);
    return {};
  }
  // A number means milliseconds, whatever format the field's dates have.
  const bool moment = field_->is_date() && !source.missing.quoted();
  QUARRY_ASSIGN_OR_RETURN(const Bound bound,
                          parse_bound(*field_, text, source.missing.quoted(), BoundKind::kExact,
                                      false, moment ? kDateNumberFormat : source.format,
                                      source.time_zone, context.compiler.now_ms()));
  if (bound.none) return {ErrorType::kNumberFormat, "For input string: \"" + text + "\""};
  missing_ = bound.value;
  return {};
}

void ValueSource::start_leaf(const Leaf& leaf) {
  column_ = nullptr;
  terms_ = nullptr;
  range_ = {};
  if (constant_ || field_ == nullptr) return;
  if (field_->has_points()) {
    column_ = find_points(leaf, field_->name);
    return;
  }
  const SegmentField* found = leaf.segment->field(field_->name);
  if (found == nullptr || found->column == nullptr) return;
  if (has_ordinals()) {
    if (found->inverted == nullptr) return;
    terms_ = &found->inverted->terms();
    range_ =
        prefix_.empty() ? TermDictionary::Range{0, terms_->size()} : terms_->prefix_range(prefix_);
  }
  column_ = found->column;
}

void ValueSource::read_one_each(const AggBatch& batch, ValueList& out) const {
  out.one_each = true;
  out.values.resize(batch.docs.size());
  const uint32_t first = batch.docs.front();
  const auto span = static_cast<size_t>(batch.docs.back() - first) + 1;
  if (span == batch.docs.size() && is_run(batch.docs)) {
    column_->decode(first, static_cast<uint32_t>(span), 0, out.values.data());
  } else {
    const ColumnCodes codes = column_->codes();
    each_code_of(codes, batch.docs, [&codes, values = out.values.data()](size_t i, uint64_t code) {
      values[i] = static_cast<int64_t>(static_cast<uint64_t>(codes.base) + codes.step * code);
    });
  }
  if (!nanos_) return;
  for (int64_t& value : out.values) value = nanos_to_ms(value);
}

/// Reads a batch of consecutive documents, some of which lack a value, by decoding them together.
/// False if the documents are not consecutive.
bool ValueSource::read_run(const AggBatch& batch, ValueList& out) const {
  const size_t count = batch.docs.size();
  const Column::Zone zone = column_->bounds();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  if (batch.docs.back() - batch.docs.front() + 1 != count || zone.min == kLeast ||
      !is_run(batch.docs)) {
    return false;
  }
  out.values.resize(count);
  out.entries.resize(count);
  // A value that no document has marks documents without a value.
  column_->decode(batch.docs.front(), static_cast<uint32_t>(count), kLeast, out.values.data());
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    const int64_t value = out.values[i];
    out.values[kept] = as_read(value);
    out.entries[kept] = static_cast<uint32_t>(i);
    kept += value != kLeast ? 1 : 0;
  }
  out.values.resize(kept);
  out.entries.resize(kept);
  return true;
}

void ValueSource::read(const AggBatch& batch, ValueList& out) const {
  out.entries.clear();
  out.values.clear();
  out.one_each = false;
  if (batch.docs.empty()) return;
  if (constant_ || column_ == nullptr) {
    if (!constant_ && !has_missing_) return;
    out.one_each = true;
    out.values.assign(batch.docs.size(), constant_ ? 0 : missing_);
    return;
  }
  const bool whole = terms_ == nullptr || (range_.begin == 0 && range_.end == terms_->size());
  if (column_->dense() && !column_->multi_valued() && whole) return read_one_each(batch, out);
  if (!column_->multi_valued() && whole && !has_missing_ && read_run(batch, out)) return;
  for (uint32_t entry = 0; entry < batch.docs.size(); entry++) {
    const size_t before = out.values.size();
    column_->each(batch.docs[entry], [&](int64_t value) {
      if (!whole && (value < range_.begin || value >= range_.end)) return;
      out.values.push_back(as_read(value));
      out.entries.push_back(entry);
    });
    if (has_missing_ && out.values.size() == before) {
      out.values.push_back(missing_);
      out.entries.push_back(entry);
    }
  }
}

ValueKind ValueSource::key_kind() const {
  if (!ranges()) return kind_;
  return field_->holds_dates() ? ValueKind::kDate : ValueKind::kDouble;
}

Column::Zone ValueSource::bounds() const {
  const Column::Zone zone = column_->bounds();
  return {as_read(zone.min), as_read(zone.max)};
}

Column::Zone ValueSource::bounds_of(const std::vector<Leaf>& leaves) {
  Column::Zone all;
  const auto add = [&all](const Column::Zone& zone) {
    all = {std::min(all.min, zone.min), std::max(all.max, zone.max)};
  };
  if (has_missing_) add({missing_, missing_});
  for (const Leaf& leaf : leaves) {
    start_leaf(leaf);
    if (column_ != nullptr && column_->doc_count() > 0) add(bounds());
  }
  return all;
}

std::string_view ValueSource::term(int64_t ordinal) const {
  if (constant_ || ordinal == kMissingOrdinal) return *text_;
  if (terms_ == nullptr || ordinal < 0 || ordinal >= terms_->size()) return {};
  return terms_->term(static_cast<uint32_t>(ordinal)).substr(prefix_.size());
}

}  // namespace quarry
