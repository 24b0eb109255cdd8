// Segments of earlier versions, which lack the columns of points: they are read from the sources,
// and a merge stores them.
#include "segment/source_points.h"

#include <string>
#include <utility>
#include <vector>

#include "mapping/schema/version_fields.h"
#include "mapping/values/geo_point.h"
#include "segment/field_inverter.h"
#include "segment/segment.h"
#include "segment/segment_builder.h"
#include "segment/segment_merger.h"
#include "segment/segment_writer.h"
#include "store/id_table.h"
#include "store/stored_source.h"
#include "testing/test.h"

namespace quarry::source_points_test {

/// A document of a segment without columns of points. Nested documents come before their root and
/// have a path.
struct OldDocument {
  std::string source;
  bool present = true;
  std::string path = {};
};

std::shared_ptr<const Segment> old_segment(const std::string& field,
                                           const std::vector<OldDocument>& documents) {
  const auto count = static_cast<uint32_t>(documents.size());
  Field paths;
  paths.name = kNestedPathField;
  paths.type = FieldType::kKeyword;
  paths.doc_values = false;
  FieldBuffer nested(paths);
  BufferPool pool;
  FieldSections points;
  points.name = field;
  points.type = FieldType::kGeoPoint;
  points.presence = Bitset(count);
  StoredSourceWriter stored;
  IdTableWriter ids;
  for (uint32_t doc = 0; doc < count; doc++) {
    if (documents[doc].present) points.presence.set(doc);
    if (!documents[doc].path.empty()) EXPECT_OK(nested.add_term(doc, documents[doc].path, pool));
    stored.add(documents[doc].source);
    const bool root = documents[doc].path.empty();
    ids.add(root ? "id" + std::to_string(doc) : std::string(), {1, doc, 1});
  }
  SegmentWriter writer;
  auto sections = invert_field(nested, DocMap(count, 0), VectorEffort::kRows);
  EXPECT_OK(sections);
  if (*sections) writer.add_field(std::move(**sections));
  writer.add_field(std::move(points));
  auto segment =
      Segment::open(writer.finish({count, 0, count - uint64_t{1}}, stored.finish(), ids.finish()));
  EXPECT_OK(segment);
  return *segment;
}

/// The points of a document as text, in the order of their encoding.
std::string points_of(const Segment& segment, const std::string& name, uint32_t doc) {
  const SegmentField* const field = segment.field(name);
  const Column* const column = field == nullptr ? nullptr : segment.points(*field);
  if (column == nullptr) return "no column";
  std::string out;
  column->each(doc, [&out](int64_t packed) {
    const GeoPoint point = decode_point(packed);
    out +=
        std::to_string(std::lround(point.lat)) + "," + std::to_string(std::lround(point.lon)) + " ";
  });
  return out;
}

TEST(SourcePoints, reads_every_form_at_every_path) {
  const auto segment =
      old_segment("a.p", {{R"({"a":{"p":[2,1]}})"},
                          {R"({"a.p":"1,2"})"},
                          {R"({"a":[{"p":{"lat":5,"lon":6}},{"p":["3,4",[8,7],null]}]})"},
                          {R"({"b":{"p":[2,1]}})", false},
                          {R"({"a":{"p":{"geohash":"s00000000000"}}})"}});
  EXPECT_EQ(points_of(*segment, "a.p", 0), "1,2 ");
  EXPECT_EQ(points_of(*segment, "a.p", 1), "1,2 ");
  EXPECT_EQ(points_of(*segment, "a.p", 2), "3,4 5,6 7,8 ");
  EXPECT_EQ(points_of(*segment, "a.p", 3), "");
  EXPECT_EQ(points_of(*segment, "a.p", 4), "0,0 ");
}

TEST(SourcePoints, leaves_out_what_is_no_point) {
  const auto segment =
      old_segment("p", {{R"({"p":["x y","1,2",[200,1],{"lat":1}]})"}, {""}, {"no json"}});
  EXPECT_EQ(points_of(*segment, "p", 0), "1,2 ");
  EXPECT_EQ(points_of(*segment, "p", 1), "");
  EXPECT_EQ(points_of(*segment, "p", 2), "");
}

TEST(SourcePoints, finds_the_objects_of_nested_documents) {
  const std::string source =
      R"({"p":"9,9","n":[{"p":"1,2"},{"x":1},{"p":["5,6","3,4"],"m":[{"p":"7,8"},{"p":"2,2"}]}]})";
  const auto segment = old_segment("n.p", {{"", true, "n"},
                                           {"", false, "n"},
                                           {"", false, "n.m"},
                                           {"", false, "n.m"},
                                           {"", true, "n"},
                                           {source, false}});
  EXPECT_EQ(points_of(*segment, "n.p", 0), "1,2 ");
  EXPECT_EQ(points_of(*segment, "n.p", 1), "");
  EXPECT_EQ(points_of(*segment, "n.p", 4), "3,4 5,6 ");
  const auto inner = old_segment("n.m.p", {{"", false, "n"},
                                           {"", false, "n"},
                                           {"", true, "n.m"},
                                           {"", true, "n.m"},
                                           {"", false, "n"},
                                           {source, false}});
  EXPECT_EQ(points_of(*inner, "n.m.p", 2), "7,8 ");
  EXPECT_EQ(points_of(*inner, "n.m.p", 3), "2,2 ");
}

TEST(SourcePoints, stops_when_time_is_up_and_starts_again) {
  const auto segment = old_segment("p", {{R"({"p":"1,2"})"}, {R"({"p":"3,4"})"}});
  int polls = 0;
  EXPECT_TRUE(segment->points(*segment->field("p"), [&polls] { return ++polls == 2; }) == nullptr);
  EXPECT_EQ(polls, 2);
  EXPECT_EQ(points_of(*segment, "p", 1), "3,4 ");
}

TEST(SourcePoints, a_merge_with_a_new_segment_has_the_points_of_both) {
  const auto before = old_segment("p", {{R"({"p":"1,2"})"}, {R"({})", false}});
  Result<MappingContext> context = make_mapping_context("{}");
  ASSERT_OK(context);
  const auto mapping =
      Mapping::create(R"({"properties":{"p":{"type":"geo_point"}}})", std::move(context).value());
  ASSERT_OK(mapping);
  SegmentBuilder builder;
  ParsedDocument document;
  const std::string source = R"({"p":["3,4","5,6"]})";
  ASSERT_OK(parse_document(**mapping, source, document, "new"));
  ASSERT_OK(builder.add(**mapping, document, "new", source, {1, 7, 1}));
  auto image = builder.build(Bitset(1, true));
  ASSERT_OK(image);
  const auto after = Segment::open(std::move(image).value());
  ASSERT_OK(after);
  EXPECT_TRUE((*after)->field("p")->column != nullptr);
  const std::vector<MergeInput> inputs{{before.get(), nullptr}, {after->get(), nullptr}};
  auto merged_image = merge_segments(inputs, nullptr, VectorEffort::kRows, {});
  ASSERT_OK(merged_image);
  const auto merged = Segment::open(std::move(merged_image).value());
  ASSERT_OK(merged);
  EXPECT_TRUE((*merged)->field("p")->column != nullptr);
  EXPECT_EQ(points_of(**merged, "p", 0), "1,2 ");
  EXPECT_EQ(points_of(**merged, "p", 1), "");
  EXPECT_EQ(points_of(**merged, "p", 2), "3,4 5,6 ");
  Bitset present(3);
  (*merged)->collect_present(*(*merged)->field("p"), present);
  EXPECT_EQ(present.count(), 2U);
}

}  // namespace quarry::source_points_test
