// Sequence numbers and versions as columns, compared with the table of ids.
#include "segment/version_columns.h"

#include <thread>

#include "testing/segment_oracle.h"
#include "testing/test.h"

namespace quarry::version_columns_test {

using testing::build_segment;
using testing::random_documents;

TEST(VersionColumns, HoldWhatTheIdsSay) {
  const auto segment = build_segment(random_documents(3, 1500));
  ASSERT_TRUE(segment != nullptr);
  const SegmentField* seq_no = segment->field("_seq_no");
  const SegmentField* version = segment->field("_version");
  ASSERT_TRUE(seq_no != nullptr && version != nullptr);
  ASSERT_TRUE(seq_no->column != nullptr && version->column != nullptr);
  EXPECT_TRUE(seq_no->column->dense());
  for (uint32_t doc = 0; doc < segment->max_doc(); doc++) {
    const DocVersion expected = segment->ids().version(doc);
    EXPECT_EQ(seq_no->column->value(doc), static_cast<int64_t>(expected.seq_no));
    EXPECT_EQ(version->column->value(doc), static_cast<int64_t>(expected.version));
  }
  EXPECT_EQ(seq_no->column->bounds().max, static_cast<int64_t>(segment->max_seq_no()));
}

TEST(VersionColumns, AreListedNowhere) {
  const auto segment = build_segment(random_documents(4, 10));
  ASSERT_TRUE(segment != nullptr);
  ASSERT_TRUE(segment->field("_seq_no") != nullptr);
  for (const SegmentField& field : segment->fields()) EXPECT_FALSE(field.name == "_seq_no");
  EXPECT_TRUE(segment->field("_primary_term") == nullptr);
}

TEST(VersionColumns, AreMadeOnceForAllThreads) {
  const auto segment = build_segment(random_documents(5, 2000));
  ASSERT_TRUE(segment != nullptr);
  const SegmentField* found[4] = {};
  std::vector<std::thread> threads;
  for (const SegmentField*& each : found)
    threads.emplace_back([&each, &segment] { each = segment->field("_version"); });
  for (std::thread& thread : threads) thread.join();
  for (const SegmentField* each : found) EXPECT_TRUE(each != nullptr && each == found[0]);
}

}  // namespace quarry::version_columns_test
