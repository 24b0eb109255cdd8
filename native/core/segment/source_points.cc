#include "segment/source_points.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "json/path_values.h"
#include "mapping/values/geo_point.h"
#include "segment/segment.h"

namespace quarry {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(1);  // between two looks whether to stop

/// Reads the points of the documents of a segment that have the field.
class PointReader {
 public:
  PointReader(const Segment& segment, const SegmentField& field, ColumnWriter& out)
      : segment_(segment), name_(field.name), present_(segment.max_doc()), out_(out) {
    segment.collect_present(field, present_);
  }

  /// False once `expired`.
  bool run(const std::function<bool()>& expired) {
    const NestedDocs* const nested = segment_.nested();
    StoredSource::Cursor sources(segment_.stored());
    for (uint32_t doc = present_.next(0); doc < present_.size();) {
      if (expired && expired()) return false;
      const uint32_t begin = nested == nullptr ? doc : nested->block_begin(doc);
      const uint32_t root = nested == nullptr ? doc : nested->root_of(doc);
      const Result<std::string_view> text = sources.get(root);
      const Result<JsonValue> source =
          text.ok() ? JsonValue::parse(*text) : Result<JsonValue>(text.status());
      // Without a source there are no points.
      if (source.ok()) read_block(*source, begin, root);
      doc = present_.next(root + 1);
    }
    return true;
  }

 private:
  void read_block(const JsonValue& source, uint32_t begin, uint32_t root) {
    for (uint32_t doc = present_.next(begin); doc <= root; doc = present_.next(doc + 1)) {
      if (doc == root) {
        read(source, name_, doc);
      } else {
        read_nested(source, begin, doc);
      }
    }
  }

  /// The objects at one path are in the order of their documents.
  void read_nested(const JsonValue& source, uint32_t begin, uint32_t doc) {
    const std::string_view path = segment_.nested()->path_of(doc);
    const Bitset* const same = segment_.nested()->at(path);
    if (same == nullptr || name_.size() <= path.size()) return;
    uint32_t left = same->count(begin, doc);
    each_object_at(source, path, [&](const JsonValue& object) {
      if (left-- > 0) return true;
      read(object, name_.substr(path.size() + 1), doc);
      return false;
    });
  }

  void read(const JsonValue& object, std::string_view path, uint32_t doc) {
    auto take = [&](const JsonValue& value) { add(value, doc); };
    each_value_at(object, path, take);
  }

  /// Earlier versions dropped third coordinates and refused points beyond their ranges.
  void add(const JsonValue& value, uint32_t doc) {
    if (value.is_array() && !is_coordinate_array(value)) {
      for (const JsonValue& item : value.items()) add(item, doc);
      return;
    }
    const Result<GeoPoint> point = read_point(value, true);
    if (point.ok() && check_coordinates(*point).empty()) out_.add(doc, encode_point(*point));
  }

  const Segment& segment_;
  std::string_view name_;
  Bitset present_;
  ColumnWriter& out_;
};

}  // namespace

const Column* SourcePoints::find(const Segment& segment, const SegmentField& field,
                                 const std::function<bool()>& expired) {
  if (const Column* found = found_.load(std::memory_order_acquire)) return found;
  std::unique_lock lock(building_, std::defer_lock);
  while (!lock.try_lock_for(kPatience)) {
    if (expired && expired()) return nullptr;
  }
  if (const Column* found = found_.load(std::memory_order_acquire)) return found;
  ColumnWriter writer(false);
  if (!PointReader(segment, field, writer).run(expired)) return nullptr;
  bytes_ = writer.finish(segment.max_doc());
  Result<Column> column = Column::open(bytes_, segment.max_doc());
  if (!column.ok()) return nullptr;  // cannot fail: the bytes were just written
  column_ = std::move(*column);
  found_.store(&column_, std::memory_order_release);
  return &column_;
}

}  // namespace quarry
