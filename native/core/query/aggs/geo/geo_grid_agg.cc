// geohash_grid and geotile_grid: buckets by the cells of a grid. The key of a cell is the number by
// which Elasticsearch orders cells: of a geohash its characters, 5 bits each, and its length in 4
// bits; of a tile its zoom in 6 bits, x and y in 29 bits each.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "mapping/values/geo_point.h"
#include "query/aggs/frame/bucket_table.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/geo/point_source.h"
#include "query/geo/geo_distance.h"
#include "query/geo/geo_request.h"

namespace quarry {
namespace {

constexpr uint32_t kGeohashLength = 12;
constexpr uint32_t kMostZoom = 29;

class GeohashGrid {
 public:
  explicit GeohashGrid(uint32_t length) : length_(length), bits_(5 * length) {}

  int64_t key(int64_t packed) const {
    uint64_t code = 0;
    const uint32_t lon = static_cast<uint32_t>(packed_longitude(packed)) ^ kSign;
    const uint32_t lat = static_cast<uint32_t>(packed_latitude(packed)) ^ kSign;
    for (uint32_t bit = 0; bit < bits_; bit++) {
      const uint32_t from = bit % 2 == 0 ? lon : lat;
      code = code << 1 | (from >> (31 - bit / 2) & 1);
    }
    return static_cast<int64_t>(code << 4 | length_);
  }
  /// The box of the cell that the point is in.
  GeoBox cell(int64_t packed) const {
    const auto side = [](int32_t code, uint32_t bits, double step) {
      const double width = std::ldexp(step, static_cast<int>(32 - bits));
      const double low = std::floor(code * step / width) * width;
      return std::pair(low, low + width);
    };
    const auto [left, right] = side(packed_longitude(packed), (bits_ + 1) / 2, 360 / 4294967296.0);
    const auto [bottom, top] = side(packed_latitude(packed), bits_ / 2, 180 / 4294967296.0);
    return {top, left, bottom, right};
  }

 private:
  static constexpr uint32_t kSign = uint32_t{1} << 31;
  uint32_t length_;
  uint32_t bits_;
};

class TileGrid {
 public:
  explicit TileGrid(uint32_t zoom) : zoom_(zoom), tiles_(std::ldexp(1, static_cast<int>(zoom))) {}

  int64_t key(int64_t packed) const {
    return static_cast<int64_t>(uint64_t{zoom_} << 58 | uint64_t{x(packed)} << 29 | y(packed));
  }
  GeoBox cell(int64_t packed) const {
    const double column = x(packed);
    const double row = y(packed);
    return {latitude(row), column / tiles_ * 360 - 180, latitude(row + 1),
            (column + 1) / tiles_ * 360 - 180};
  }

 private:
  /// Numbers beyond the grid are those of its edge.
  uint32_t clipped(double number) const {
    return static_cast<uint32_t>(std::clamp(std::floor(number), 0.0, tiles_ - 1));
  }
  uint32_t x(int64_t packed) const {
    return clipped((decode_longitude(packed_longitude(packed)) + 180) / 360 * tiles_);
  }
  uint32_t y(int64_t packed) const {
    const double sine =
        std::sin(decode_latitude(packed_latitude(packed)) * (std::numbers::pi / 180));
    return clipped((0.5 - std::log((1 + sine) / (1 - sine)) / (4 * std::numbers::pi)) * tiles_);
  }
  double latitude(double row) const {
    const double n = std::numbers::pi - 2 * std::numbers::pi * row / tiles_;
    return std::atan(std::sinh(n)) * (180 / std::numbers::pi);
  }

  uint32_t zoom_;
  double tiles_;
};

/// Keeps the points in cells of which a part is within bounds; cells that only touch them have
/// none.
class GridBounds {
 public:
  GridBounds() = default;
  explicit GridBounds(const GeoBox& box) : box_(box) {}

  template <typename Grid>
  bool wanted(const Grid& grid, int64_t packed) const {
    if (!box_) return true;
    const GeoBox cell = grid.cell(packed);
    if (box_->top <= cell.bottom || box_->bottom >= cell.top) return false;
    const bool east_of_left = box_->left < cell.right;
    const bool west_of_right = box_->right > cell.left;
    const bool crosses = box_->left > box_->right;
    return crosses ? east_of_left || west_of_right : east_of_left && west_of_right;
  }

 private:
  std::optional<GeoBox> box_;
};

template <typename Grid>
class GridAggregator final : public BucketAggregator {
 public:
  GridAggregator(AggContext& context, PointSource source, Grid grid, GridBounds bounds,
                 uint32_t shard_size, AggChildren children)
      : BucketAggregator(context, std::move(children)),
        source_(std::move(source)),
        grid_(grid),
        bounds_(bounds),
        shard_size_(shard_size),
        table_(context.budget) {}

  void start_leaf(const Leaf& leaf) override {
    source_.start_leaf(leaf);
    BucketAggregator::start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    for (size_t entry = 0; entry < batch.docs.size(); entry++) {
      keys_.clear();
      source_.each(batch.docs[entry], [this](int64_t packed) {
        if (bounds_.wanted(grid_, packed)) keys_.push_back(grid_.key(packed));
      });
      if (keys_.size() > 1) {  // a document counts once per cell
        std::sort(keys_.begin(), keys_.end());
        keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
      }
      if (stop_.step(static_cast<uint32_t>(1 + keys_.size())) || budget_.exceeded()) break;
      for (const int64_t key : keys_) route(batch, entry, table_.add(batch.owner(entry), key));
    }
    flush_routed(table_.size());
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    BucketGroups groups = group_buckets(table_, owners, stop_);
    std::vector<uint32_t> kept;
    std::vector<uint32_t> sizes;
    for (size_t i = 0; i < owners.size(); i++) {
      const std::span<uint32_t> group = groups.group(i);
      const size_t keep = std::min<size_t>(group.size(), shard_size_);
      const auto middle = group.begin() + static_cast<std::ptrdiff_t>(keep);
      std::partial_sort(group.begin(), middle, group.end(),
                        [this](uint32_t a, uint32_t b) { return before(a, b); });
      kept.insert(kept.end(), group.begin(), middle);
      sizes.push_back(static_cast<uint32_t>(keep));
    }
    AggWriter::Head head;
    head.op = PlanOp::kAggGeoGrid;
    head.kind = ValueKind::kLong;
    head.owners = owners.size();
    head.buckets = kept.size();
    const size_t node = out.begin(head);
    out.column(sizes);
    std::vector<int64_t> keys;
    for (const uint32_t bucket : kept) keys.push_back(table_.key(bucket));
    out.column(keys);
    out.column(counts_of(kept));
    emit_children(out, kept);
    out.end(node);
  }

 private:
  bool before(uint32_t a, uint32_t b) const {
    const uint64_t count_a = counts_.get(a);
    const uint64_t count_b = counts_.get(b);
    return count_a != count_b ? count_a > count_b : table_.key(a) > table_.key(b);
  }

  PointSource source_;
  Grid grid_;
  GridBounds bounds_;
  uint32_t shard_size_;
  BucketTable table_;
  std::vector<int64_t> keys_;  // of a document
};

/// The length of geohashes whose cells are no larger than `text`, in Elasticsearch's estimate.
Result<uint32_t> length_of_distance(std::string_view text) {
  constexpr double kEquator = 2 * std::numbers::pi * 6378137.0;
  constexpr double kMeridian = std::numbers::pi * 6356752.314245;  // from pole to pole
  QUARRY_ASSIGN_OR_RETURN(const double meters, read_distance(text, 1, "[precision]"));
  if (!(meters > 0))
    return illegal_argument("[precision] [" + std::string(text) + "] must be greater than zero");
  const double width = meters / (1 + kMeridian / kEquator);
  const double parts = std::ceil(kEquator / width);
  const auto bits = static_cast<uint32_t>(std::max(0.0, std::ceil(std::log2(parts))));
  const uint32_t rest = bits % 5;
  const uint32_t length = 2 * (bits / 5) + (rest > 0 ? 1 : 0) + (rest > 3 ? 1 : 0);
  if (length <= kGeohashLength) return std::max(1U, length);
  return illegal_argument("precision too high [" + std::string(text) + "], give a larger one");
}

}  // namespace

Result<AggregatorPtr> make_geo_grid_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  const auto tiles = node.reader.get<uint8_t>();
  uint32_t precision = node.reader.get<uint8_t>();
  const std::string_view distance = node.reader.get_string();
  const auto shard_size = node.reader.get<uint32_t>();
  const std::string_view bounds_json = node.reader.get_string();
  const uint32_t most = tiles == 1 ? kMostZoom : kGeohashLength;
  if (node.reader.failed() || tiles > 1 || precision > most || (tiles == 0 && precision == 0))
    return malformed_agg(node.head);
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node));
  if (!distance.empty()) {
    QUARRY_ASSIGN_OR_RETURN(precision, length_of_distance(distance));
  }
  GridBounds bounds;
  if (!bounds_json.empty()) {
    QUARRY_ASSIGN_OR_RETURN(
        const GeoBox box,
        read_request_box(bounds_json, Validation::kStrict, "[bounds] of [" + node.head.name + "]"));
    bounds = GridBounds(box);
  }
  QUARRY_ASSIGN_OR_RETURN(PointSource points, PointSource::make(node, source));
  if (tiles == 1) {
    return AggregatorPtr(std::make_unique<GridAggregator<TileGrid>>(
        node.context, std::move(points), TileGrid(precision), bounds, shard_size,
        std::move(children)));
  }
  return AggregatorPtr(std::make_unique<GridAggregator<GeohashGrid>>(
      node.context, std::move(points), GeohashGrid(precision), bounds, shard_size,
      std::move(children)));
}

}  // namespace quarry
