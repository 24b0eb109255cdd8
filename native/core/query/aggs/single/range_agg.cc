// range, date_range and ip_range: buckets by ranges of numbers, dates or addresses. A range
// includes its lower bound and excludes its upper bound; ranges may overlap.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "json/number.h"
#include "mapping/dates/date_number.h"
#include "mapping/schema/number_types.h"
#include "mapping/values/numeric.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/value_source.h"

namespace quarry {
namespace {

enum class Flavour : uint8_t { kNumber, kDate, kAddress };

constexpr double kOpen = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kAddressBytes = 16;

struct Range {
  double from = kOpen;
  double to = kOpen;
  std::string low;   // addresses: the first one; empty: open
  std::string high;  // addresses: the one after the last; empty: open
  bool holds(double value) const { return !(value < from) && !(value >= to); }
  bool holds(std::string_view address) const {
    return (low.empty() || address >= low) && (high.empty() || address < high);
  }
};

class RangeAggregator final : public BucketAggregator {
 public:
  RangeAggregator(AggContext& context, ValueSource source, Flavour flavour,
                  std::vector<Range> ranges, AggChildren children)
      : BucketAggregator(context, std::move(children)),
        source_(std::move(source)),
        flavour_(flavour),
        ranges_(std::move(ranges)) {}

  void start_leaf(const Leaf& leaf) override {
    source_.start_leaf(leaf);
    BucketAggregator::start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    for (size_t range = 0; range < ranges_.size(); range++) {
      uint32_t last_entry = UINT32_MAX;  // a document counts once per range
      for (size_t i = 0; i < values_.values.size(); i++) {
        const uint32_t entry = values_.entry(i);
        if (entry == last_entry || !holds(ranges_[range], values_.values[i])) continue;
        last_entry = entry;
        route(batch, entry, bucket(batch.owner(entry), range));
      }
      flush_routed(batch.owner_count * ranges_.size());
    }
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    std::vector<uint32_t> buckets;
    for (const uint32_t owner : owners) {
      for (size_t range = 0; range < ranges_.size(); range++)
        buckets.push_back(bucket(owner, range));
    }
    AggWriter::Head head;
    head.op = PlanOp::kAggRange;
    head.kind = source_.kind();
    head.owners = owners.size();
    head.buckets = buckets.size();
    head.extra = static_cast<uint32_t>(ranges_.size());
    head.format = source_.format();
    const size_t node = out.begin(head);
    put_bounds(out);
    out.column(counts_of(buckets));
    emit_children(out, buckets);
    out.end(node);
  }

 private:
  uint32_t bucket(uint32_t owner, size_t range) const {
    return static_cast<uint32_t>(owner * ranges_.size() + range);
  }
  bool holds(const Range& range, int64_t value) const {
    return flavour_ == Flavour::kAddress ? range.holds(source_.term(value))
                                         : range.holds(source_.number(value));
  }
  void put_bounds(AggWriter& out) const {
    if (flavour_ != Flavour::kAddress) {
      std::vector<double> from;
      std::vector<double> to;
      for (const Range& range : ranges_) {
        from.push_back(range.from);
        to.push_back(range.to);
      }
      out.column(from);
      return out.column(to);
    }
    const auto print = [](const std::string& address) {
      return address.size() == kAddressBytes ? format_ip(address) : std::string();
    };
    std::vector<std::string> from;
    std::vector<std::string> to;
    for (const Range& range : ranges_) {
      from.push_back(print(range.low));
      to.push_back(print(range.high));
    }
    out.texts(from);
    out.texts(to);
  }

  ValueSource source_;
  Flavour flavour_;
  std::vector<Range> ranges_;
  ValueList values_;
};

Status read_bound_number(const ValueSource& values, const Scalar& scalar, double& out) {
  if (scalar.kind == Scalar::Kind::kNull) return {};
  if (values.kind() == ValueKind::kBoolean && (scalar.text == "true" || scalar.text == "false")) {
    out = scalar.text == "true" ? 1 : 0;
    return {};
  }
  const std::optional<double> number = parse_double(trimmed_number(scalar.text));
  if (!number || !std::isfinite(*number))
    return {ErrorType::kNumberFormat, "For input string: \"" + scalar.text + "\""};
  out = *number;
  return {};
}

Status read_moment(const AggNode& node, const AggSource& source, const Field& field,
                   const Scalar& scalar, double& out) {
  if (scalar.kind == Scalar::Kind::kNull) return {};
  // Numbers are read by the format as well, after their fraction is removed.
  std::string text = scalar.text;
  const std::optional<int64_t> number = read_date_number(text);
  if (!scalar.quoted() && number) text = std::to_string(*number);
  QUARRY_ASSIGN_OR_RETURN(
      const Bound bound,
      parse_bound(field, text, scalar.quoted(), BoundKind::kExact, false, source.format,
                  source.time_zone, node.context.compiler.now_ms()));
  out = static_cast<double>(bound.value);
  return {};
}

/// The address after `address`; empty for the last address.
std::string next_address(std::string address) {
  for (size_t i = address.size(); i-- > 0;) {
    const auto byte = static_cast<uint8_t>(address[i]);
    address[i] = static_cast<char>(byte + 1);
    if (byte != 0xff) return address;
  }
  return {};
}

Status read_addresses(const Scalar& from, const Scalar& to, std::string_view mask, Range& range) {
  if (!mask.empty()) {
    QUARRY_ASSIGN_OR_RETURN(IpRange network, parse_ip_range(mask));
    range.low = std::move(network.low);
    range.high = next_address(std::move(network.high));
    return {};
  }
  if (from.kind != Scalar::Kind::kNull) {
    QUARRY_ASSIGN_OR_RETURN(range.low, parse_ip(from.text));
  }
  if (to.kind != Scalar::Kind::kNull) {
    QUARRY_ASSIGN_OR_RETURN(range.high, parse_ip(to.text));
  }
  return {};
}

struct RangeText {
  Scalar from;
  Scalar to;
  std::string mask;
};

Result<std::vector<Range>> read_ranges(const AggNode& node, const AggSource& source,
                                       const ValueSource& values, Flavour flavour,
                                       const std::vector<RangeText>& texts) {
  const bool dates = values.kind() == ValueKind::kDate && values.field() != nullptr;
  const Field& field = dates ? *values.field() : default_date_field();
  // A date_range on a number field is a range of numbers. A range on a date field reads strings as
  // dates, and numbers as the milliseconds that it compares, whatever the format is.
  const bool moments = flavour == Flavour::kDate
                           ? values.field() == nullptr || values.key_kind() == ValueKind::kDate
                           : dates;
  const auto read_side = [&](const Scalar& side, double& out) {
    const bool moment = moments && (flavour == Flavour::kDate || side.quoted());
    return moment ? read_moment(node, source, field, side, out)
                  : read_bound_number(values, side, out);
  };
  std::vector<Range> ranges;
  for (const RangeText& text : texts) {
    Range range;
    if (flavour == Flavour::kAddress) {
      QUARRY_RETURN_IF_ERROR(read_addresses(text.from, text.to, text.mask, range));
    } else {
      QUARRY_RETURN_IF_ERROR(read_side(text.from, range.from));
      QUARRY_RETURN_IF_ERROR(read_side(text.to, range.to));
    }
    ranges.push_back(std::move(range));
  }
  return ranges;
}

}  // namespace

Result<AggregatorPtr> make_range_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  const auto flavour_number = node.reader.get<uint8_t>();
  std::vector<RangeText> texts;
  for (uint32_t left = read_agg_count(node.reader, 14); left > 0; left--) {
    RangeText text;
    text.from = read_scalar(node.reader);
    text.to = read_scalar(node.reader);
    text.mask = std::string(node.reader.get_string());
    texts.push_back(std::move(text));
  }
  if (flavour_number > 2 || texts.size() > kMaxPartialBuckets) return malformed_agg(node.head);
  const auto flavour = static_cast<Flavour>(flavour_number);
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node));
  const auto accepts = flavour == Flavour::kAddress ? ValueSource::Accepts::kAddresses
                                                    : ValueSource::Accepts::kNumbers;
  QUARRY_ASSIGN_OR_RETURN(ValueSource values,
                          ValueSource::make(node.context, node.head, source, accepts));
  QUARRY_ASSIGN_OR_RETURN(std::vector<Range> ranges,
                          read_ranges(node, source, values, flavour, texts));
  return AggregatorPtr(std::make_unique<RangeAggregator>(node.context, std::move(values), flavour,
                                                         std::move(ranges), std::move(children)));
}

}  // namespace quarry
