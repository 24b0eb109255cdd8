// The write buffer compared with the oracle, and the documents it rejects.
#include "segment/segment_builder.h"

#include "postings/norms.h"
#include "testing/segment_oracle.h"
#include "testing/test.h"

namespace quarry::segment_builder_test {

using testing::add_document;
using testing::build_segment;
using testing::expect_segment_holds;
using testing::random_documents;
using testing::TestDocument;
using testing::TestMapping;

TestDocument document(uint64_t seq_no, std::vector<testing::TestValue> values) {
  return {"id-" + std::to_string(seq_no), "{}", {1, seq_no, 1}, std::move(values), {}, {}};
}

std::vector<uint32_t> positions_of(const Segment& segment, std::string_view field,
                                   std::string_view term) {
  const InvertedField& inverted = *segment.field(field)->inverted;
  const auto ordinal = inverted.terms().find(term);
  std::vector<uint32_t> positions;
  if (!ordinal) return positions;
  PostingsCursor cursor = inverted.postings(*ordinal);
  if (cursor.next() != kNoMoreDocs) cursor.positions(positions);
  return positions;
}

TEST(SegmentBuilder, HoldsWhatWasAdded) {
  for (const uint64_t count : {1, 2, 63, 64, 700}) {
    const auto documents = random_documents(count, count);
    const auto segment = build_segment(documents);
    ASSERT_TRUE(segment != nullptr);
    expect_segment_holds(*segment, documents);
  }
}

TEST(SegmentBuilder, LeavesDeletedDocumentsOut) {
  const auto documents = random_documents(5, 300);
  Random random(6);
  std::vector<uint32_t> dead;
  std::vector<TestDocument> live;
  for (uint32_t slot = 0; slot < documents.size(); slot++) {
    if (random.below(3) == 0) {
      dead.push_back(slot);
    } else {
      live.push_back(documents[slot]);
    }
  }
  const auto segment = build_segment(documents, dead);
  ASSERT_TRUE(segment != nullptr);
  expect_segment_holds(*segment, live);
}

TEST(SegmentBuilder, ServesWhatItWasGiven) {
  const auto documents = random_documents(9, 50);
  const TestMapping mapping;
  SegmentBuilder builder;
  EXPECT_EQ(builder.size(), 0);
  for (const TestDocument& each : documents) EXPECT_OK(add_document(builder, mapping, each));
  EXPECT_EQ(builder.size(), 50);
  for (uint32_t slot = 0; slot < 50; slot++) {
    EXPECT_EQ(builder.id(slot), documents[slot].id);
    EXPECT_EQ(builder.source(slot), documents[slot].source);
    EXPECT_EQ(builder.routing(slot), documents[slot].routing);
    EXPECT_EQ(builder.version(slot).seq_no, documents[slot].version.seq_no);
  }
  EXPECT_GT(builder.memory_bytes(), 5000);
}

TEST(SegmentBuilder, ValuesOfOneFieldAreAGapApart) {
  const auto segment = build_segment({document(0, {{testing::kBody, "a b", 0},
                                                   {testing::kTitle, "x", 0},
                                                   {testing::kBody, "", 0},
                                                   {testing::kBody, "b _ c", 0}})});
  ASSERT_TRUE(segment != nullptr);
  EXPECT_TRUE(positions_of(*segment, "body", "a") == std::vector<uint32_t>({0}));
  EXPECT_TRUE(positions_of(*segment, "body", "b") == std::vector<uint32_t>({1, 202}));
  EXPECT_TRUE(positions_of(*segment, "body", "c") == std::vector<uint32_t>({204}));
  EXPECT_EQ(segment->field("body")->norms[0], encode_norm(4));
}

TEST(SegmentBuilder, StackedTokensCountOnceInTheLength) {
  const auto segment = build_segment({document(0, {{testing::kBody, "a +b +a c", 0}})});
  ASSERT_TRUE(segment != nullptr);
  EXPECT_TRUE(positions_of(*segment, "body", "a") == std::vector<uint32_t>({0, 0}));
  EXPECT_TRUE(positions_of(*segment, "body", "b") == std::vector<uint32_t>({0}));
  EXPECT_EQ(segment->field("body")->norms[0], encode_norm(2));
}

TEST(SegmentBuilder, AnEmptyTextExistsWithoutTerms) {
  const auto segment = build_segment(
      {document(0, {{testing::kBody, "", 0}, {testing::kTag, "", 0}}), document(1, {})});
  ASSERT_TRUE(segment != nullptr);
  Bitset present(2);
  segment->collect_present(*segment->field("body"), present);
  EXPECT_TRUE(present.test(0));
  EXPECT_FALSE(present.test(1));
  EXPECT_EQ(segment->field("body")->inverted->stats().doc_count, 0);
  EXPECT_TRUE(segment->field("tag")->inverted->terms().find("").has_value());
}

TEST(SegmentBuilder, RefusesAnImmenseTermAndKeepsNothingOfTheDocument) {
  const TestMapping mapping;
  SegmentBuilder builder;
  const TestDocument first = document(0, {{testing::kTag, std::string(32766, 'a'), 0}});
  const TestDocument second = document(2, {{testing::kBody, "later", 0}});
  const std::string immense(32767, 'a');
  EXPECT_OK(add_document(builder, mapping, first));
  for (const uint32_t field : {testing::kTag, testing::kBody}) {
    const Status status = add_document(builder, mapping,
                                       document(1, {{testing::kBody, "lost", 0},
                                                    {testing::kCount, {}, 7},
                                                    {testing::kCount, {}, 8},
                                                    {testing::kTag, "lost", 0},
                                                    {testing::kBlob, "x", 0},
                                                    {field, immense, 0}}));
    EXPECT_TRUE(status.type() == ErrorType::kIllegalArgument);
    EXPECT_TRUE(
        status.reason().starts_with("Document contains at least one immense term in field=\"" +
                                    mapping.field(field).name + "\""));
    EXPECT_TRUE(status.reason().ends_with("97, 97, 97]...'"));
  }
  EXPECT_EQ(builder.size(), 1);
  EXPECT_OK(add_document(builder, mapping, second));
  auto image = builder.build(Bitset(2, true));
  ASSERT_OK(image);
  const auto segment = Segment::open(std::move(*image));
  ASSERT_OK(segment);
  expect_segment_holds(**segment, {first, second});
}

TEST(SegmentBuilder, RefusesADocumentWhoseFieldsTakeTooMuchMemory) {
  const TestMapping mapping;
  SegmentBuilder builder;
  // Views of one text: 8,389 values of 32 KB are more than 256 MiB.
  const std::string text(32000, 'a');
  std::vector<FieldValue> values(8400, {testing::kTag, 0, text});
  ParsedDocument parsed;
  parsed.values = values;
  const Status status = builder.add(mapping.fields(), parsed, "1", "{}", DocVersion{1, 1, 1});
  EXPECT_TRUE(status.type() == ErrorType::kDocumentParsing);
  EXPECT_EQ(status.reason(),
            "the values of the document take more than [268435456] bytes in memory, with those of "
            "multi-fields and copies, at field [" +
                mapping.field(testing::kTag).name +
                "]: shorten its texts, or map fewer multi-fields");
  EXPECT_EQ(builder.size(), 0);
  parsed.values.resize(8300);
  EXPECT_OK(builder.add(mapping.fields(), parsed, "1", "{}", DocVersion{1, 1, 1}));
}

TEST(SegmentBuilder, RefusesPositionsBeyondTheLimit) {
  TestMapping mapping;
  mapping.change(testing::kBody).position_increment_gap = 2000000000;
  SegmentBuilder builder;
  const TestDocument fits = document(0, {{testing::kBody, "a", 0}, {testing::kBody, "b", 0}});
  TestDocument beyond = fits;
  beyond.values.push_back({testing::kBody, "c", 0});
  EXPECT_OK(add_document(builder, mapping, fits));
  const Status status = add_document(builder, mapping, beyond);
  EXPECT_EQ(
      status.reason(),
      "position 4000000002 is too large for field 'body': max allowed position is 2147483519");
  EXPECT_EQ(builder.size(), 1);
}

TEST(SegmentBuilder, NormsGoWhenTheMappingSwitchesThemOff) {
  TestMapping mapping;
  SegmentBuilder builder;
  EXPECT_OK(add_document(builder, mapping, document(0, {{testing::kBody, "a b", 0}})));
  mapping.change(testing::kBody).norms = false;
  EXPECT_OK(add_document(builder, mapping, document(1, {{testing::kBody, "a", 0}})));
  auto image = builder.build(Bitset(2, true));
  ASSERT_OK(image);
  const auto segment = Segment::open(std::move(*image));
  ASSERT_OK(segment);
  EXPECT_TRUE((*segment)->field("body")->norms == nullptr);
}

TEST(SegmentBuilder, NeedsALiveDocument) {
  const TestMapping mapping;
  SegmentBuilder builder;
  EXPECT_OK(add_document(builder, mapping, document(0, {})));
  EXPECT_FALSE(builder.build(Bitset(1)).ok());
  EXPECT_FALSE(builder.build(Bitset(2, true)).ok());
}

TEST(SegmentBuilder, SameDocumentsMakeTheSameBytes) {
  const auto documents = random_documents(11, 80);
  const auto a = build_segment(documents);
  const auto b = build_segment(documents);
  ASSERT_TRUE(a != nullptr && b != nullptr);
  EXPECT_TRUE(as_text(a->data_bytes()) == as_text(b->data_bytes()));
  EXPECT_TRUE(as_text(a->sidx_bytes()) == as_text(b->sidx_bytes()));
  EXPECT_TRUE(as_text(a->ids_bytes()) == as_text(b->ids_bytes()));
}

}  // namespace quarry::segment_builder_test
