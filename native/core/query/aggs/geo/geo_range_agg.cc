// geo_distance: buckets by ranges of the distance to an origin, which include their lower end and
// exclude their upper one.
#include <utility>

#include "mapping/values/geo_point.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/geo/point_source.h"
#include "query/geo/geo_distance.h"
#include "query/geo/geo_request.h"

namespace quarry {
namespace {

/// NaN: open.
struct DistanceRange {
  double from = 0;
  double to = 0;
  bool holds(double distance) const { return !(distance < from) && !(distance >= to); }
};

struct DistanceRanges {
  GeoPoint origin;
  DistanceType type = DistanceType::kArc;
  double unit_meters = 1;
  std::vector<DistanceRange> ranges;
};

class GeoRangeAggregator final : public BucketAggregator {
 public:
  GeoRangeAggregator(AggContext& context, PointSource source, DistanceRanges spec,
                     AggChildren children)
      : BucketAggregator(context, std::move(children)),
        source_(std::move(source)),
        spec_(std::move(spec)) {}

  void start_leaf(const Leaf& leaf) override {
    source_.start_leaf(leaf);
    BucketAggregator::start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    distances_.clear();
    for (size_t entry = 0; entry < batch.docs.size(); entry++) {
      source_.each(batch.docs[entry], [&](int64_t packed) {
        const double meters = distance_between(spec_.type, spec_.origin, decode_point(packed));
        distances_.emplace_back(entry, meters / spec_.unit_meters);
      });
    }
    for (size_t range = 0; range < spec_.ranges.size(); range++) {
      if (stop_.step(static_cast<uint32_t>(1 + distances_.size()))) return;
      size_t last_entry = SIZE_MAX;  // a document counts once per range
      for (const auto& [entry, distance] : distances_) {
        if (entry == last_entry || !spec_.ranges[range].holds(distance)) continue;
        last_entry = entry;
        route(batch, entry, bucket(batch.owner(entry), range));
      }
      flush_routed(batch.owner_count * spec_.ranges.size());
    }
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    std::vector<uint32_t> buckets;
    for (const uint32_t owner : owners) {
      for (size_t range = 0; range < spec_.ranges.size(); range++)
        buckets.push_back(bucket(owner, range));
    }
    AggWriter::Head head;
    head.op = PlanOp::kAggGeoDistance;
    head.kind = ValueKind::kDouble;
    head.owners = owners.size();
    head.buckets = buckets.size();
    head.extra = static_cast<uint32_t>(spec_.ranges.size());
    const size_t node = out.begin(head);
    std::vector<double> from;
    std::vector<double> to;
    for (const DistanceRange& range : spec_.ranges) {
      from.push_back(range.from);
      to.push_back(range.to);
    }
    out.column(from);
    out.column(to);
    out.column(counts_of(buckets));
    emit_children(out, buckets);
    out.end(node);
  }

 private:
  uint32_t bucket(uint32_t owner, size_t range) const {
    return static_cast<uint32_t>(owner * spec_.ranges.size() + range);
  }

  PointSource source_;
  DistanceRanges spec_;
  std::vector<std::pair<size_t, double>> distances_;  // of a batch, by entry
};

}  // namespace

Result<AggregatorPtr> make_geo_distance_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  const std::string_view origin = node.reader.get_string();
  const auto plane = node.reader.get<uint8_t>();
  const std::string_view unit = node.reader.get_string();
  DistanceRanges spec;
  for (uint32_t left = read_agg_count(node.reader, 16); left > 0; left--) {
    DistanceRange range;
    range.from = node.reader.get<double>();
    range.to = node.reader.get<double>();
    spec.ranges.push_back(range);
  }
  if (node.reader.failed() || plane > 1 || spec.ranges.size() > kMaxPartialBuckets)
    return malformed_agg(node.head);
  spec.type = plane == 1 ? DistanceType::kPlane : DistanceType::kArc;
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node));
  QUARRY_ASSIGN_OR_RETURN(spec.unit_meters,
                          unit.empty() ? Result<double>(1.0) : meters_of_unit(unit));
  QUARRY_ASSIGN_OR_RETURN(spec.origin, read_request_point(origin, Validation::kStrict,
                                                          "[origin] of [" + node.head.name + "]"));
  QUARRY_ASSIGN_OR_RETURN(PointSource points, PointSource::make(node, source));
  return AggregatorPtr(std::make_unique<GeoRangeAggregator>(node.context, std::move(points),
                                                            std::move(spec), std::move(children)));
}

}  // namespace quarry
