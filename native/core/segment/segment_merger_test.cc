// A merge of segments is equal to a segment of all their live documents.
#include "segment/segment_merger.h"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "testing/segment_oracle.h"
#include "testing/test.h"

namespace quarry::segment_merger_test {

using testing::build_segment;
using testing::expect_segment_holds;
using testing::random_documents;
using testing::TestDocument;
using testing::TestValue;

/// A segment, its live documents, and its content.
struct Input {
  std::shared_ptr<const Segment> segment;
  Bitset live;
  std::vector<TestDocument> documents;
};

/// One document in `one_in` is deleted; 0: none.
Input make_input(uint64_t seed, uint64_t count, uint64_t first_seq_no, uint64_t one_in) {
  Input input;
  input.documents = random_documents(seed, count, first_seq_no);
  input.segment = build_segment(input.documents);
  input.live = Bitset(static_cast<uint32_t>(count), true);
  Random random(seed);
  for (uint32_t doc = 0; one_in > 0 && doc < count; doc++) {
    if (random.below(one_in) == 0) input.live.clear(doc);
  }
  return input;
}

std::vector<TestDocument> live_documents(const std::vector<Input>& inputs) {
  std::vector<TestDocument> out;
  for (const Input& input : inputs) {
    for (uint32_t doc = 0; doc < input.documents.size(); doc++) {
      if (input.live.test(doc)) out.push_back(input.documents[doc]);
    }
  }
  return out;
}

Result<SegmentImage> merge(const std::vector<Input>& inputs, LongWork* work = nullptr,
                           const std::vector<IndexSortKey>& sort = {}) {
  std::vector<MergeInput> list;
  for (const Input& input : inputs) {
    const bool complete = input.live.count() == input.live.size();
    list.push_back({input.segment.get(), complete ? nullptr : &input.live});
  }
  return merge_segments(list, work, VectorEffort::kRows, sort);
}

/// The values of a document that a key compares: numbers, or the texts of keywords.
template <typename Value>
std::optional<Value> key_value(const TestDocument& document, const IndexSortKey& key) {
  std::vector<Value> values;
  for (const TestValue& value : document.values) {
    if constexpr (std::is_same_v<Value, int64_t>) {
      if (value.field == testing::kCount) values.push_back(value.number);
    } else {
      if (value.field == testing::kTag) values.push_back(value.text);
    }
  }
  if (values.empty() || key.field == "absent") return std::nullopt;
  return key.largest ? *std::max_element(values.begin(), values.end())
                     : *std::min_element(values.begin(), values.end());
}

template <typename Value>
int compare_by(const TestDocument& a, const TestDocument& b, const IndexSortKey& key) {
  const std::optional<Value> left = key_value<Value>(a, key);
  const std::optional<Value> right = key_value<Value>(b, key);
  if (left.has_value() != right.has_value()) return left.has_value() == key.missing_first ? 1 : -1;
  if (!left || *left == *right) return 0;
  return (*left < *right) == key.descending ? 1 : -1;
}

/// Documents in the order that an index sort gives them.
std::vector<TestDocument> in_order(std::vector<TestDocument> documents,
                                   const std::vector<IndexSortKey>& sort) {
  std::stable_sort(documents.begin(), documents.end(),
                   [&sort](const TestDocument& a, const TestDocument& b) {
                     for (const IndexSortKey& key : sort) {
                       const int order = key.field == "count" ? compare_by<int64_t>(a, b, key)
                                                              : compare_by<std::string>(a, b, key);
                       if (order != 0) return order < 0;
                     }
                     return false;
                   });
  return documents;
}

void expect_merges(const std::vector<Input>& inputs) {
  auto image = merge(inputs);
  ASSERT_OK(image);
  const auto merged = Segment::open(std::move(*image));
  ASSERT_OK(merged);
  expect_segment_holds(**merged, live_documents(inputs));
}

TEST(SegmentMerger, JoinsSegmentsWithoutDeletions) {
  expect_merges({make_input(1, 120, 0, 0), make_input(2, 300, 120, 0)});
}

TEST(SegmentMerger, DropsDeletedDocuments) {
  expect_merges({make_input(3, 200, 0, 3), make_input(4, 1, 200, 0), make_input(5, 400, 201, 10)});
}

TEST(SegmentMerger, PurgesOneSegment) { expect_merges({make_input(6, 250, 0, 2)}); }

TEST(SegmentMerger, SkipsASegmentThatIsAllDeleted) {
  expect_merges({make_input(7, 40, 0, 0), make_input(8, 40, 40, 1), make_input(9, 40, 80, 0)});
}

TEST(SegmentMerger, JoinsManySmallSegments) {
  std::vector<Input> inputs;
  for (uint64_t i = 0; i < 25; i++) inputs.push_back(make_input(100 + i, 1 + i % 4, i * 10, 0));
  expect_merges(inputs);
}

TEST(SegmentMerger, GivesTheBytesOfBuildingAtOnce) {
  const auto documents = random_documents(20, 60);
  Input first;
  first.documents.assign(documents.begin(), documents.begin() + 30);
  Input second;
  second.documents.assign(documents.begin() + 30, documents.end());
  for (Input* input : {&first, &second}) {
    input->segment = build_segment(input->documents);
    input->live = Bitset(static_cast<uint32_t>(input->documents.size()), true);
  }
  const auto merged = merge({first, second});
  const auto built = build_segment(documents);
  ASSERT_OK(merged);
  ASSERT_TRUE(built != nullptr);
  EXPECT_TRUE(as_text(merged->data) == as_text(built->data_bytes()));
  EXPECT_TRUE(as_text(merged->sidx) == as_text(built->sidx_bytes()));
  EXPECT_TRUE(as_text(merged->ids) == as_text(built->ids_bytes()));
}

TEST(SegmentMerger, GivesASortedIndexTheBytesOfBuildingInItsOrder) {
  const std::vector<std::vector<IndexSortKey>> sorts = {
      {{"count", false, false, false}},
      {{"count", true, true, false}},
      {{"tag", false, false, true}},
      {{"tag", true, false, false}, {"count", false, true, true}},
      {{"absent", false, false, false}},
  };
  for (const std::vector<IndexSortKey>& sort : sorts) {
    const std::vector<Input> inputs = {make_input(50, 130, 0, 5), make_input(51, 90, 130, 0),
                                       make_input(52, 200, 220, 3)};
    const auto merged = merge(inputs, nullptr, sort);
    const auto expected = in_order(live_documents(inputs), sort);
    const auto built = build_segment(expected);
    ASSERT_OK(merged);
    ASSERT_TRUE(built != nullptr);
    EXPECT_TRUE(as_text(merged->data) == as_text(built->data_bytes()));
    EXPECT_TRUE(as_text(merged->sidx) == as_text(built->sidx_bytes()));
    EXPECT_TRUE(as_text(merged->ids) == as_text(built->ids_bytes()));
  }
}

TEST(SegmentMerger, SortsOneSegmentUnlessItIsInOrder) {
  const std::vector<IndexSortKey> sort = {{"count", false, false, false}};
  const Input input = make_input(60, 300, 0, 0);
  const auto sorted = sort_segment(input.segment, sort);
  ASSERT_OK(sorted);
  EXPECT_TRUE(*sorted != input.segment);
  expect_segment_holds(**sorted, in_order(input.documents, sort));
  const auto again = sort_segment(*sorted, sort);
  ASSERT_OK(again);
  EXPECT_TRUE(*again == *sorted);
  EXPECT_TRUE(*sort_segment(input.segment, {}) == input.segment);
}

TEST(SegmentMerger, MergesWhatWasMerged) {
  const Input a = make_input(30, 90, 0, 4);
  const Input b = make_input(31, 90, 90, 4);
  auto image = merge({a, b});
  ASSERT_OK(image);
  auto opened = Segment::open(std::move(*image));
  ASSERT_OK(opened);
  Input both;
  both.segment = *opened;
  both.documents = live_documents({a, b});
  both.live = Bitset(both.segment->max_doc(), true);
  both.live.clear(0);
  expect_merges({both, make_input(32, 50, 180, 0)});
}

TEST(SegmentMerger, StopsWhenAborted) {
  const std::atomic<bool> abort = true;
  AbortFlag work(abort);
  const auto image = merge({make_input(40, 30, 0, 0)}, &work);
  ASSERT_FALSE(image.ok());
  EXPECT_TRUE(image.status().type() == ErrorType::kRejected);
}

TEST(SegmentMerger, NeedsALiveDocument) {
  EXPECT_FALSE(merge({make_input(41, 5, 0, 1)}).ok());
  EXPECT_FALSE(merge({}).ok());
}

}  // namespace quarry::segment_merger_test
