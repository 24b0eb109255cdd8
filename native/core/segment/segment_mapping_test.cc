// JSON documents through the real mapping and analysis into a segment: each type of field creates
// the structures that queries use.
#include "mapping/schema/mapping.h"
#include "mapping/values/numeric.h"
#include "segment/segment_builder.h"
#include "testing/test.h"

namespace quarry::segment_mapping_test {

constexpr std::string_view kMapping = R"({"properties": {
  "title": {"type": "text", "copy_to": "all", "fields": {"raw": {"type": "keyword"}}},
  "all": {"type": "text"},
  "code": {"type": "keyword", "ignore_above": 5},
  "hidden": {"type": "keyword", "index": false},
  "lone": {"type": "keyword", "doc_values": false},
  "price": {"type": "double"},
  "plain": {"type": "long", "doc_values": false},
  "unseen": {"type": "long", "doc_values": false, "index": false},
  "when": {"type": "date"},
  "ok": {"type": "boolean"},
  "addr": {"type": "ip"},
  "labels": {"type": "flattened"},
  "note": {"type": "text", "index": false},
  "short": {"type": "text", "norms": false, "index_options": "docs"}
}})";

std::shared_ptr<const Segment> index_documents(const std::vector<std::string>& sources) {
  auto context = make_mapping_context("{}");
  EXPECT_OK(context);
  if (!context.ok()) return nullptr;
  const auto mapping = Mapping::create(kMapping, std::move(*context));
  EXPECT_OK(mapping);
  if (!mapping.ok()) return nullptr;
  SegmentBuilder builder;
  ParsedDocument parsed;
  for (const std::string& source : sources) {
    EXPECT_OK(parse_document(**mapping, source, parsed));
    EXPECT_OK(builder.add(**mapping, parsed, "id-" + std::to_string(builder.size()), source,
                          {1, builder.size(), 1}));
  }
  auto image = builder.build(Bitset(builder.size(), true));
  EXPECT_OK(image);
  if (!image.ok()) return nullptr;
  auto segment = Segment::open(std::move(*image));
  EXPECT_OK(segment);
  return segment.ok() ? *segment : nullptr;
}

/// Documents with `term` in `field`.
std::vector<uint32_t> docs_with(const Segment& segment, std::string_view field,
                                std::string_view term) {
  std::vector<uint32_t> docs;
  const SegmentField* held = segment.field(field);
  if (held == nullptr || held->inverted == nullptr) return docs;
  const auto ordinal = held->inverted->terms().find(term);
  if (!ordinal) return docs;
  PostingsCursor cursor = held->inverted->postings(*ordinal);
  while (cursor.next() != kNoMoreDocs) docs.push_back(cursor.doc());
  return docs;
}

std::vector<uint32_t> docs_present(const Segment& segment, std::string_view field) {
  std::vector<uint32_t> docs;
  const SegmentField* held = segment.field(field);
  if (held == nullptr) return docs;
  Bitset present(segment.max_doc());
  segment.collect_present(*held, present);
  for (uint32_t doc = present.next(0); doc < present.size(); doc = present.next(doc + 1))
    docs.push_back(doc);
  return docs;
}

using Docs = std::vector<uint32_t>;

TEST(SegmentMapping, TextIsAnalysedCopiedAndKeptRaw) {
  const auto segment =
      index_documents({R"({"title": "The Quick fox"})", R"({"title": ["quick", "Slow"]})",
                       R"({"all": "slow"})", R"({"title": ""})", R"({"title": null})"});
  ASSERT_TRUE(segment != nullptr);
  EXPECT_TRUE(docs_with(*segment, "title", "quick") == Docs({0, 1}));
  EXPECT_TRUE(docs_with(*segment, "all", "slow") == Docs({1, 2}));
  EXPECT_TRUE(docs_with(*segment, "title.raw", "The Quick fox") == Docs({0}));
  EXPECT_TRUE(docs_present(*segment, "title") == Docs({0, 1, 3}));
  EXPECT_TRUE(segment->field("title")->inverted->has_positions());
  EXPECT_TRUE(segment->field("title")->norms != nullptr);
  EXPECT_EQ(segment->field("title")->inverted->stats().doc_count, 2);
}

TEST(SegmentMapping, TextOptionsLeaveOutWhatTheySay) {
  const auto segment = index_documents({R"({"note": "a", "short": "a a"})"});
  ASSERT_TRUE(segment != nullptr);
  EXPECT_TRUE(segment->field("note") == nullptr);
  EXPECT_FALSE(segment->field("short")->inverted->has_freqs());
  EXPECT_TRUE(segment->field("short")->norms == nullptr);
  EXPECT_TRUE(docs_with(*segment, "short", "a") == Docs({0}));
}

TEST(SegmentMapping, KeywordsHaveTermsAndOrdinals) {
  const auto segment =
      index_documents({R"({"code": "b", "hidden": "x", "lone": "l"})",
                       R"({"code": ["a", "b", "b", "too long"]})", R"({"hidden": "w"})"});
  ASSERT_TRUE(segment != nullptr);
  EXPECT_TRUE(docs_with(*segment, "code", "b") == Docs({0, 1}));
  EXPECT_EQ(segment->field("code")->column->count(1), 2);
  EXPECT_TRUE(docs_with(*segment, "_ignored", "code") == Docs({1}));
  EXPECT_TRUE(docs_with(*segment, "hidden", "x").empty());
  EXPECT_EQ(segment->field("hidden")->column->value(0), 1);
  EXPECT_TRUE(segment->field("lone")->column == nullptr);
  EXPECT_TRUE(docs_present(*segment, "lone") == Docs({0}));
}

TEST(SegmentMapping, NumbersDatesAndBooleansHaveColumns) {
  const auto segment = index_documents(
      {R"({"price": [2.5, -1], "plain": 7, "unseen": 7, "when": "1970-01-01T00:00:01Z"})",
       R"({"ok": true})"});
  ASSERT_TRUE(segment != nullptr);
  EXPECT_EQ(double_from_sortable(segment->field("price")->column->value(0, 0)), -1.0);
  EXPECT_EQ(double_from_sortable(segment->field("price")->column->value(0, 1)), 2.5);
  EXPECT_EQ(segment->field("plain")->column->value(0), 7);
  EXPECT_TRUE(segment->field("unseen") == nullptr);
  EXPECT_EQ(segment->field("when")->column->value(0), 1000);
  EXPECT_EQ(segment->field("ok")->column->value(1), 1);
  EXPECT_TRUE(docs_present(*segment, "price") == Docs({0}));
}

TEST(SegmentMapping, AddressesAndFlattenedObjectsAreTerms) {
  const auto segment =
      index_documents({R"({"addr": "10.0.0.1", "labels": {"env": "prod", "deep": {"n": 5}}})"});
  ASSERT_TRUE(segment != nullptr);
  const auto address = parse_ip("10.0.0.1");
  ASSERT_OK(address);
  EXPECT_TRUE(docs_with(*segment, "addr", *address) == Docs({0}));
  EXPECT_TRUE(docs_with(*segment, "labels", "prod") == Docs({0}));
  EXPECT_TRUE(docs_with(*segment, "labels", "5") == Docs({0}));
  bool keyed = false;
  for (const SegmentField& field : segment->fields()) {
    keyed = keyed || docs_with(*segment, field.name, std::string_view("env\0prod", 8)) == Docs({0});
  }
  EXPECT_TRUE(keyed);
}

}  // namespace quarry::segment_mapping_test
