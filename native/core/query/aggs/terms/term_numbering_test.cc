// Ordinals of terms over several segments while segments change and documents are deleted: a cache
// entry of an older list of segments is not used for the new one.
#include "query/aggs/terms/term_numbering.h"

#include <string>

#include "query/cache/filter_cache.h"
#include "testing/agg_builder.h"
#include "testing/agg_text.h"
#include "testing/test_index.h"

namespace quarry::term_numbering_test {

using namespace testing;

struct Tags {
  FilterCache cache;
  TestIndex index{R"({"properties":{"tag":{"type":"keyword"},
                                    "code":{"type":"keyword","index":false}}})"};

  explicit Tags(size_t budget) : cache(budget) { index.use_cache(&cache); }

  void add(const std::string& id, const std::string& tag) {
    index.add(id, R"({"tag":")" + tag + R"(","code":")" + tag + tag + "\"}");
  }
  /// The same result three times: the ordinals are requested the first time, computed the second,
  /// and cached the third.
  std::string terms(const std::string& field) const {
    PlanFrame frame;
    frame.legs.push_back(Query().match_all());
    frame.aggs.push_back(terms_agg(field));
    frame.window = 0;
    std::string first;
    for (int time = 0; time < 3; time++) {
      const Result<ShardHits> hits = index.run(frame);
      EXPECT_OK(hits);
      const std::string text = hits.ok() ? read_aggs(hits->aggs)[0] : hits.status().reason();
      if (time > 0) EXPECT_EQ(text, first);
      first = text;
    }
    return first;
  }
};

void check_changes(size_t budget) {
  Tags tags(budget);
  tags.add("1", "b");
  tags.add("2", "a");
  tags.index.refresh();
  EXPECT_EQ(tags.terms("tag"), "[a=1 b=1]");
  tags.add("3", "b");
  tags.add("4", "c");
  tags.index.refresh();
  EXPECT_EQ(tags.terms("tag"), "[b=2 a=1 c=1]");
  EXPECT_EQ(tags.terms("code"), "[bb=2 aa=1 cc=1]");
  tags.index.remove("1");
  EXPECT_EQ(tags.terms("tag"), "[a=1 b=1 c=1]");
  tags.add("5", "0");
  tags.add("6", "c");
  tags.index.refresh();
  EXPECT_EQ(tags.terms("tag"), "[c=2 0=1 a=1 b=1]");
  EXPECT_EQ(tags.terms("code"), "[cc=2 00=1 aa=1 bb=1]");
  tags.index.remove("6");
  tags.index.remove("4");
  EXPECT_EQ(tags.terms("tag"), "[0=1 a=1 b=1]");
  EXPECT_LE(tags.cache.bytes(), budget);
}

TEST(TermNumbering, FollowsSegmentsAndDeletions) { check_changes(1 << 20); }

TEST(TermNumbering, CountsWithoutACacheThatHoldsIt) { check_changes(10); }

TEST(TermNumbering, IsKeptOnTheSecondUse) {
  Tags tags(1 << 20);
  tags.add("1", "b");
  tags.index.refresh();
  tags.add("2", "a");
  tags.index.refresh();
  EXPECT_EQ(tags.terms("tag"), "[a=1 b=1]");
  EXPECT_GT(tags.cache.bytes(), 0U);
}

}  // namespace quarry::term_numbering_test
