// geo_bounds and geo_centroid: the box around the points, and their mean.
#include <algorithm>
#include <limits>

#include "mapping/values/geo_point.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/geo/point_source.h"
#include "query/aggs/metrics/compensated_sum.h"

namespace quarry {
namespace {

/// Columns of the reply: one value for each owner.
template <typename Of>
void put_doubles(AggWriter& out, std::span<const uint32_t> owners, Of of) {
  std::vector<double> column;
  for (const uint32_t owner : owners) column.push_back(of(owner));
  out.column(column);
}

/// Eastern and western longitudes apart, because a box may cross the date line. Ends without a
/// point are infinite.
struct Extent {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  double top = -kNone;
  double bottom = kNone;
  double east_left = kNone;
  double east_right = -kNone;
  double west_left = kNone;
  double west_right = -kNone;

  void add(const GeoPoint& point) {
    top = std::max(top, point.lat);
    bottom = std::min(bottom, point.lat);
    double& left = point.lon >= 0 ? east_left : west_left;
    double& right = point.lon >= 0 ? east_right : west_right;
    left = std::min(left, point.lon);
    right = std::max(right, point.lon);
  }
};

class BoundsAggregator final : public Aggregator {
 public:
  BoundsAggregator(AggContext& context, PointSource source)
      : source_(std::move(source)), extents_(context.budget) {}

  void start_leaf(const Leaf& leaf) override { source_.start_leaf(leaf); }
  void collect(const AggBatch& batch) override {
    extents_.reach(batch.owner_count);
    for (size_t entry = 0; entry < batch.docs.size(); entry++) {
      Extent& extent = extents_[batch.owner(entry)];
      source_.each(batch.docs[entry], [&](int64_t packed) { extent.add(decode_point(packed)); });
    }
  }
  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    AggWriter::Head head;
    head.op = PlanOp::kAggGeoBounds;
    head.owners = owners.size();
    const size_t node = out.begin(head);
    const auto put = [&](double Extent::* member) {
      put_doubles(out, owners, [&](uint32_t owner) { return extents_.get(owner).*member; });
    };
    for (const auto member : {&Extent::top, &Extent::bottom, &Extent::east_left,
                              &Extent::east_right, &Extent::west_left, &Extent::west_right}) {
      put(member);
    }
    out.end(node);
  }

 private:
  PointSource source_;
  BucketArray<Extent> extents_;
};

struct PointSums {
  uint64_t count = 0;
  CompensatedSum lat;
  CompensatedSum lon;
};

class CentroidAggregator final : public Aggregator {
 public:
  CentroidAggregator(AggContext& context, PointSource source)
      : source_(std::move(source)), sums_(context.budget) {}

  void start_leaf(const Leaf& leaf) override { source_.start_leaf(leaf); }
  void collect(const AggBatch& batch) override {
    sums_.reach(batch.owner_count);
    for (size_t entry = 0; entry < batch.docs.size(); entry++) {
      PointSums& sums = sums_[batch.owner(entry)];
      source_.each(batch.docs[entry], [&](int64_t packed) {
        const GeoPoint point = decode_point(packed);
        sums.count++;
        sums.lat.add(point.lat);
        sums.lon.add(point.lon);
      });
    }
  }
  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    AggWriter::Head head;
    head.op = PlanOp::kAggGeoCentroid;
    head.owners = owners.size();
    const size_t node = out.begin(head);
    put_doubles(out, owners,
                [this](uint32_t owner) { return static_cast<double>(sums_.get(owner).count); });
    put_doubles(out, owners, [this](uint32_t owner) { return sums_.get(owner).lat.sum; });
    put_doubles(out, owners, [this](uint32_t owner) { return sums_.get(owner).lat.delta; });
    put_doubles(out, owners, [this](uint32_t owner) { return sums_.get(owner).lon.sum; });
    put_doubles(out, owners, [this](uint32_t owner) { return sums_.get(owner).lon.delta; });
    out.end(node);
  }

 private:
  PointSource source_;
  BucketArray<PointSums> sums_;
};

}  // namespace

Result<AggregatorPtr> make_geo_bounds_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  QUARRY_RETURN_IF_ERROR(check_no_children(node));
  QUARRY_ASSIGN_OR_RETURN(PointSource points, PointSource::make(node, source));
  return AggregatorPtr(std::make_unique<BoundsAggregator>(node.context, std::move(points)));
}

Result<AggregatorPtr> make_geo_centroid_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  QUARRY_RETURN_IF_ERROR(check_no_children(node));
  QUARRY_ASSIGN_OR_RETURN(PointSource points, PointSource::make(node, source));
  return AggregatorPtr(std::make_unique<CentroidAggregator>(node.context, std::move(points)));
}

}  // namespace quarry
