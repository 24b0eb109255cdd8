// Segments of documents with semantic_text: the vectors of whole texts and of passages equal those
// of embedding from scratch, also after merges and deletions, with and without codes and graphs.
#include <memory>
#include <string>
#include <vector>

#include "json/value.h"
#include "mapping/vectors/semantic_vectors.h"
#include "segment/segment_builder.h"
#include "segment/segment_merger.h"
#include "testing/semantic_documents.h"
#include "testing/test.h"
#include "vector/vector_search.h"

namespace quarry::semantic_segment_test {

using testing::embedded_unit;

constexpr uint32_t kDims = 16;

struct Part {
  std::shared_ptr<const Segment> segment;
  std::vector<std::string> texts;  // by document
  Bitset live;
};

Part build(Random& random, size_t count) {
  const auto mapping = *Mapping::create(
      R"({"properties":{"body":{"type":"semantic_text","dims":16}}})", *make_mapping_context("{}"));
  LexicalEmbedder embedder;
  BuiltInVectors vectors(embedder);
  SegmentBuilder builder;
  ParsedDocument document;
  Part part;
  for (size_t i = 0; i < count; i++) {
    part.texts.push_back(testing::random_text(random));
    std::string source = "{\"body\":";
    append_json_string(source, part.texts[i]);
    source += '}';
    EXPECT_OK(parse_document(*mapping, source, document));
    EXPECT_OK(embed_document(*mapping, "1", vectors, document));
    EXPECT_OK(builder.add(*mapping, document, std::to_string(i), source, {1, i, 1}));
  }
  part.live = Bitset(static_cast<uint32_t>(count), true);
  part.segment = *Segment::open(*builder.build(part.live));
  return part;
}

void delete_some(Part& part, Random& random, uint64_t one_in) {
  for (uint32_t doc = 0; doc < part.live.size(); doc++) {
    if (random.below(one_in) == 0) part.live.clear(doc);
  }
}

Part merge(const std::vector<Part>& parts, VectorEffort effort) {
  std::vector<MergeInput> inputs;
  Part merged;
  for (const Part& part : parts) {
    inputs.push_back({part.segment.get(), &part.live});
    for (uint32_t doc = 0; doc < part.live.size(); doc++) {
      if (part.live.test(doc)) merged.texts.push_back(part.texts[doc]);
    }
  }
  merged.segment = *Segment::open(*merge_segments(inputs, nullptr, effort));
  merged.live = Bitset(static_cast<uint32_t>(merged.texts.size()), true);
  return merged;
}

std::vector<float> row_of(const VectorColumn& column, uint32_t ordinal) {
  return {column.row(ordinal), column.row(ordinal) + column.dims()};
}

/// The nonzero vectors of the passages of `text`.
std::vector<std::vector<float>> passage_vectors(const std::string& text) {
  std::vector<std::vector<float>> vectors;
  for (const ByteRange& passage : split_passages(text)) {
    const std::string part = text.substr(passage.start, passage.end - passage.start);
    if (auto vector = embedded_unit(part, kDims); !vector.empty()) vectors.push_back(vector);
  }
  return vectors;
}

void expect_from_scratch(const Part& part) {
  const SegmentField* whole = part.segment->field("body_vector");
  const SegmentField* passages = part.segment->field("body_vector.passages");
  ASSERT_TRUE(whole != nullptr && whole->vectors != nullptr);
  ASSERT_TRUE(passages != nullptr && passages->vectors != nullptr);
  EXPECT_TRUE(passages->vectors->repeats());
  EXPECT_FALSE(whole->vectors->repeats());
  uint32_t rows = 0;
  for (uint32_t doc = 0; doc < part.texts.size(); doc++) {
    const std::vector<float> wanted = embedded_unit(part.texts[doc], kDims);
    const uint32_t ordinal = whole->vectors->ordinal(doc);
    EXPECT_EQ(ordinal == kNoVector, wanted.empty());
    if (ordinal != kNoVector) EXPECT_TRUE(row_of(*whole->vectors, ordinal) == wanted);
    const VectorColumn::Rows found = passages->vectors->rows_of(doc);
    const std::vector<std::vector<float>> parts = passage_vectors(part.texts[doc]);
    ASSERT_EQ(size_t{found.end - found.begin}, parts.size());
    for (uint32_t i = found.begin; i < found.end; i++) {
      EXPECT_TRUE(row_of(*passages->vectors, i) == parts[i - found.begin]);
    }
    rows += found.end - found.begin;
  }
  EXPECT_EQ(passages->vectors->size(), rows);
}

TEST(SemanticSegment, HoldsVectorsOfWholeTextsAndPassages) {
  Random random(1);
  const Part part = build(random, 80);
  expect_from_scratch(part);
  Bitset present(80);
  part.segment->collect_present(*part.segment->field("body_vector.passages"), present);
  for (uint32_t doc = 0; doc < 80; doc++) {
    EXPECT_EQ(present.test(doc), !split_passages(part.texts[doc]).empty());
  }
  EXPECT_TRUE(part.segment->field("body")->inverted != nullptr);
  EXPECT_TRUE(part.segment->field("body")->type == FieldType::kSemanticText);
}

TEST(SemanticSegment, MergesKeepTheVectorsOfWhatIsLive) {
  for (uint64_t seed = 1; seed <= 6; seed++) {
    Random random(seed);
    std::vector<Part> parts;
    for (int i = 0; i < 3; i++) parts.push_back(build(random, 40 + random.below(60)));
    delete_some(parts[0], random, 3);
    delete_some(parts[2], random, 2);
    const VectorEffort effort = seed % 2 == 0 ? VectorEffort::kFull : VectorEffort::kRows;
    Part merged = merge(parts, effort);
    expect_from_scratch(merged);
    delete_some(merged, random, 4);
    const Part again = merge({merged, build(random, 30)}, effort);
    expect_from_scratch(again);
  }
}

/// Fraction of the ten best passages that a graph search finds.
double recall(const VectorColumn& column, const std::string& text) {
  const PreparedVector query(column.options(), embedded_unit(text, kDims));
  const auto find = [&](VectorPath path) {
    VectorSearcher searcher;
    TopVectors top(10, {});
    StopCheck stop(nullptr, 0);
    VectorCounters counters;
    searcher.search({&column, 0, nullptr, nullptr}, query, 0, top, stop, counters, path);
    return top.take();
  };
  const std::vector<VectorHit> wanted = find(VectorPath::kRows);
  size_t same = 0;
  for (const VectorHit& hit : find(VectorPath::kFullWalk)) {
    for (const VectorHit& other : wanted) {
      if (other.doc == hit.doc && other.score == hit.score) {
        same++;
        break;
      }
    }
  }
  return static_cast<double>(same) / static_cast<double>(wanted.size());
}

TEST(SemanticSegment, GraphsOfPassagesAreTakenOver) {
  Random random(20);
  std::vector<Part> parts;
  parts.push_back(build(random, 2000));
  parts.push_back(build(random, 200));
  Part built = merge(parts, VectorEffort::kFull);
  const VectorColumn& column = *built.segment->field("body_vector.passages")->vectors;
  ASSERT_TRUE(column.size() >= kMinVectorsForGraph);
  ASSERT_TRUE(column.graph() != nullptr);
  delete_some(built, random, 5);
  const Part again = merge({built, build(random, 50)}, VectorEffort::kFull);
  expect_from_scratch(again);
  const VectorColumn& taken = *again.segment->field("body_vector.passages")->vectors;
  ASSERT_TRUE(taken.graph() != nullptr);
  EXPECT_TRUE(recall(taken, "word7 word13 word99 word150") >= 0.9);
}

}  // namespace quarry::semantic_segment_test
