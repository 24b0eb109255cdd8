// Parses include and exclude, and tests terms.
#include "query/aggs/terms/term_filter.h"

#include <charconv>

#include "base/murmur3.h"
#include "mapping/dates/calendar.h"
#include "mapping/values/numeric.h"
#include "query/automata/regexp_automaton.h"
#include "query/automata/regexp_syntax.h"

namespace quarry {
namespace {

constexpr uint32_t kPartitionSeed = 31;
constexpr uint32_t kMaxStates = 10000;

Result<std::unique_ptr<TermAutomaton>> make_regexp(const std::string& pattern) {
  if (pattern.size() > kMaxPatternLength) {
    return Status(ErrorType::kIllegalArgument,
                  "The length of regex [" + std::to_string(pattern.size()) +
                      "] used in the request has exceeded the allowed maximum of [" +
                      std::to_string(kMaxPatternLength) + "]");
  }
  return make_regexp_automaton(pattern, kRegexpAll, false, kMaxStates);
}

/// The 64-bit mixer with which Elasticsearch partitions terms (David Stafford's ninth variant).
uint64_t mix64(uint64_t value) {
  value = (value ^ (value >> 32)) * 0x4cd6944c5cc20b6dULL;
  value = (value ^ (value >> 29)) * 0xfc12c5b19d3259e9ULL;
  return value ^ (value >> 32);
}

Result<int64_t> read_filter_number(AggContext& context, const AggSource& agg_source,
                                   const ValueSource& source, const Scalar& scalar, bool& none) {
  none = false;
  if (source.kind() == ValueKind::kDouble) {
    double value = 0;
    const char* end = scalar.text.data() + scalar.text.size();
    const auto [rest, error] = std::from_chars(scalar.text.data(), end, value);
    if (error != std::errc() || rest != end)
      return Status(ErrorType::kNumberFormat, "For input string: \"" + scalar.text + "\"");
    return sortable_from_double(value);
  }
  QUARRY_ASSIGN_OR_RETURN(
      const Bound bound,
      parse_bound(*source.field(), scalar.text, scalar.quoted(), BoundKind::kExact, false,
                  agg_source.format, agg_source.time_zone, context.compiler.now_ms()));
  none = bound.none;
  return bound.value;
}

}  // namespace

Status TermFilter::read_list(AggContext& context, const AggSource& agg_source,
                             const ValueSource& source, const std::vector<Scalar>& scalars,
                             List& list) {
  list.given = !scalars.empty();
  for (const Scalar& scalar : scalars) {
    if (source.kind() == ValueKind::kEncoded) {
      QUARRY_ASSIGN_OR_RETURN(std::string term, source.codec()->encode(scalar.text));
      list.texts.insert(std::move(term));
    } else if (source.kind() == ValueKind::kString) {
      list.texts.insert(scalar.text);
    } else if (source.numeric()) {
      bool none = false;
      QUARRY_ASSIGN_OR_RETURN(const int64_t value,
                              read_filter_number(context, agg_source, source, scalar, none));
      if (!none) list.numbers.insert(value);
    }
  }
  return {};
}

Result<std::unique_ptr<TermFilter>> TermFilter::make(AggContext& context, const AggHead& head,
                                                     const AggSource& agg_source,
                                                     const ValueSource& source,
                                                     const TermFilterSpec& spec) {
  auto filter = std::make_unique<TermFilter>();
  const bool regexps = !spec.include_regexp.empty() || !spec.exclude_regexp.empty();
  if (regexps && source.kind() != ValueKind::kString && source.kind() != ValueKind::kUnmapped) {
    return Status(ErrorType::kIllegalArgument,
                  "Aggregation [" + head.name +
                      "] cannot support regular expression style include/exclude settings as "
                      "they can only be applied to string fields. Use an array of values for "
                      "include/exclude clauses");
  }
  if (spec.partitions != 0 && spec.partition >= spec.partitions) {
    return Status(ErrorType::kIllegalArgument, "partition [" + std::to_string(spec.partition) +
                                                   "] of aggregation [" + head.name +
                                                   "] must be below num_partitions [" +
                                                   std::to_string(spec.partitions) + "]");
  }
  QUARRY_RETURN_IF_ERROR(read_list(context, agg_source, source, spec.include, filter->include_));
  QUARRY_RETURN_IF_ERROR(read_list(context, agg_source, source, spec.exclude, filter->exclude_));
  if (!spec.include_regexp.empty()) {
    QUARRY_ASSIGN_OR_RETURN(filter->include_regexp_, make_regexp(spec.include_regexp));
  }
  if (!spec.exclude_regexp.empty()) {
    QUARRY_ASSIGN_OR_RETURN(filter->exclude_regexp_, make_regexp(spec.exclude_regexp));
  }
  filter->partition_ = spec.partition;
  filter->partitions_ = spec.partitions;
  return filter;
}

bool TermFilter::wants_text(std::string_view text) {
  if (partitions_ != 0) {
    const auto hash = static_cast<int32_t>(murmur3_32(text, kPartitionSeed));
    if (floor_mod(hash, partitions_) != partition_) return false;
  }
  const std::string copy(text);
  if (include_.given && !include_.texts.contains(copy)) return false;
  if (exclude_.given && exclude_.texts.contains(copy)) return false;
  if (include_regexp_ != nullptr && !matches_text(*include_regexp_, text)) return false;
  return exclude_regexp_ == nullptr || !matches_text(*exclude_regexp_, text);
}

bool TermFilter::wants_number(int64_t value) const {
  if (partitions_ != 0) {
    const auto hash = static_cast<int64_t>(mix64(static_cast<uint64_t>(value)));
    if (floor_mod(hash, partitions_) != partition_) return false;
  }
  if (include_.given && !include_.numbers.contains(value)) return false;
  return !exclude_.given || !exclude_.numbers.contains(value);
}

Status TermFilter::status() const {
  if (include_regexp_ != nullptr) QUARRY_RETURN_IF_ERROR(include_regexp_->status());
  return exclude_regexp_ == nullptr ? Status() : exclude_regexp_->status();
}

}  // namespace quarry
