// The highlights of a hit: marks of clauses, fragments, whole values, options.
#include "query/fetch/timed_fetch.h"
#include "testing/highlight_builder.h"
#include "testing/test_index.h"

namespace quarry::highlight_test {

using testing::highlight_node;
using testing::HighlightedField;
using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

constexpr const char* kText =
    "The quick brown fox jumps over the lazy dog. A second sentence about dogs and foxes running "
    "fast! Does the fox care? No. 5 foxes came. Then the brown fox slept near the quick river, and "
    "nothing else of note happened for a very long time in that long sentence about brown things.";

struct Docs {
  TestIndex index{R"({"properties":{
    "title":{"type":"text","fields":{"raw":{"type":"keyword","ignore_above":30}},"copy_to":"all"},
    "all":{"type":"text"},"body":{"type":"text"},"tags":{"type":"keyword"},"n":{"type":"integer"}}})"};
  Docs() {
    index.add("1",
              std::string(R"({"title":"Quick fox","n":7,"tags":["fox","quick fox"],"body":")") +
                  kText + "\"}");
    index.add("2", R"({"title":["none","a fox & <b>","Größe 🦊 fox"],"body":"fox","tags":"cat"})");
    index.refresh();
  }
  std::string show(const NodeBytes& query, const std::vector<HighlightedField>& fields,
                   uint32_t doc = 0) const {
    PlanFrame frame;
    frame.legs.push_back(query);
    frame.more.push_back(highlight_node(fields));
    const auto found = index.fetch(frame, {doc});
    return found.empty() ? "" : found[0].highlight;
  }
};

TEST(Highlight, WhatStartsBeforeTheLimitIsMarked) {
  TestIndex index(R"({"properties":{"t":{"type":"text"}}})");
  index.add("1", R"({"t":["fox fox","fox fox"]})");
  index.refresh();
  const auto show = [&index](uint32_t limit) {
    HighlightedField field{"t"};
    field.fragments = 0;
    field.max_analyzed_offset = limit;
    PlanFrame frame;
    frame.legs.push_back(Query().match("t", "fox"));
    frame.more.push_back(highlight_node({field}));
    return index.fetch(frame, {0})[0].highlight;
  };
  EXPECT_EQ(show(1), R"({"t":["[fox] fox"]})");
  EXPECT_EQ(show(4), R"({"t":["[fox] [fox]"]})");
  EXPECT_EQ(show(8), R"({"t":["[fox] [fox]","[fox] fox"]})");
}

/// Advances by a millisecond at each reading.
class HurryingClock final : public Clock {
 public:
  int64_t wall_ms() const override { return 0; }
  int64_t steady_ns() const override { return ++now_ms_ * 1000000; }

 private:
  mutable int64_t now_ms_ = 0;
};

TEST(Highlight, EndsWithTheTimeOfTheSearch) {
  const Docs docs;
  const HurryingClock clock;
  SearchContext context = docs.index.context();
  context.clock = &clock;
  PlanFrame frame;
  frame.legs.push_back(Query().match_all());
  HighlightedField field{"title"};
  field.no_match_size = 100;
  frame.more.push_back(highlight_node({field}));
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  const std::vector<uint32_t> both{0, 1};
  const auto within = [&](uint64_t timeout_us) {
    Result<TimedFetch> fetched = fetch_within(context, *plan, both, timeout_us);
    EXPECT_OK(fetched);
    return std::move(fetched).value();
  };
  EXPECT_FALSE(within(0).timed_out);
  EXPECT_FALSE(within(10000).timed_out);
  const TimedFetch cut = within(2000);
  EXPECT_TRUE(cut.timed_out);
  ASSERT_EQ(cut.documents.size(), 2);
  EXPECT_EQ(cut.documents[0].highlight, R"({"title":["Quick fox"]})");
  EXPECT_EQ(cut.documents[1].highlight, "");
  EXPECT_EQ(cut.documents[1].id, "2");
}

TEST(Highlight, SentencesAreJoinedToTheSizeOfAFragment) {
  const Docs docs;
  EXPECT_EQ(docs.show(Query().match("body", "fox"), {{"body"}}),
            R"({"body":["The quick brown [fox] jumps over the lazy dog. A second sentence about )"
            R"(dogs and foxes running fast!",)"
            R"("Does the [fox] care? No. 5 foxes came.",)"
            R"("Then the brown [fox] slept near the quick river, and nothing else of note )"
            R"(happened for a very long time"]})");
  HighlightedField small{"body"};
  small.fragment_size = 10;
  EXPECT_EQ(docs.show(Query().match("body", "fox"), {small}),
            R"({"body":["quick brown [fox]","Does the [fox]","the brown [fox]"]})");
  small.fragment_size = 7;
  EXPECT_EQ(docs.show(Query().match("body", "fox"), {small}),
            R"({"body":["brown [fox]","Does the [fox]","brown [fox]"]})");
  HighlightedField best{"body"};
  best.fragments = 1;
  EXPECT_EQ(docs.show(Query().match("body", "fox"), {best}),
            R"({"body":["Does the [fox] care? No. 5 foxes came."]})");
  HighlightedField word{"body"};
  word.scanner = FragmentScanner::kWord;
  EXPECT_EQ(docs.show(Query().match("body", "fox"), {word}),
            R"({"body":["[fox]","[fox]","[fox]"]})");
}

TEST(Highlight, OnlyWhatMatchesInTheFieldIsMarked) {
  const Docs docs;
  const auto both =
      Query().boolean({Query().match("body", "lazy")}, {}, {Query().match("title", "quick")},
                      {Query().term("tags", "dog")});
  EXPECT_EQ(docs.show(both, {{"title"}}), R"({"title":["[Quick] fox"]})");
  EXPECT_EQ(docs.show(Query().boolean({}, {},
                                      {Query().boolean({Query().match("title", "fox"),
                                                        Query().match("title", "cat")}),
                                       Query().match("title", "quick")}),
                      {{"title"}}),
            R"({"title":["[Quick] fox"]})");
  EXPECT_EQ(docs.show(Query().match("title", "fox"), {{"tags"}, {"n"}}), "");
}

TEST(Highlight, PhrasesAreMarkedAsAWhole) {
  const Docs docs;
  HighlightedField whole{"body"};
  whole.fragment_size = 30;
  EXPECT_EQ(
      docs.show(Query().match_phrase("body", "brown fox"), {whole}),
      R"({"body":["The quick [brown fox] jumps over","Then the [brown fox] slept near the"]})");
  EXPECT_EQ(docs.show(Query().match_phrase("body", "quick fox", 1), {whole}),
            R"({"body":["The [quick brown fox] jumps over"]})");
  whole.flags = kHighlightAnyField;
  EXPECT_EQ(docs.show(Query().match_phrase("title", "quick fox"), {{"title", kHighlightAnyField}}),
            R"({"title":["[Quick] [fox]"]})");
}

TEST(Highlight, PatternsTermsAndRanges) {
  const Docs docs;
  const HighlightedField title{"title"};
  EXPECT_EQ(docs.show(Query().prefix("title", "fo"), {title}), R"({"title":["Quick [fox]"]})");
  EXPECT_EQ(docs.show(Query().wildcard("title", "q*k"), {title}), R"({"title":["[Quick] fox"]})");
  EXPECT_EQ(docs.show(Query().regexp("title", "f[ou]x"), {title}), R"({"title":["Quick [fox]"]})");
  EXPECT_EQ(docs.show(Query().fuzzy("title", "fux"), {title}), R"({"title":["Quick [fox]"]})");
  EXPECT_EQ(docs.show(Query().terms("tags", {"fox", "x"}), {{"tags"}}), R"({"tags":["[fox]"]})");
  EXPECT_EQ(docs.show(Query().range("tags", 1, {"g"}), {{"tags"}}), R"({"tags":["[quick fox]"]})");
}

TEST(Highlight, FieldsByPatternMultiFieldsAndCopies) {
  const Docs docs;
  EXPECT_EQ(docs.show(Query().match("all", "fox"), {{"*"}}), R"({"all":["Quick [fox]"]})");
  EXPECT_EQ(docs.show(Query().term("title.raw", "Quick fox"), {{"title*"}}),
            R"({"title.raw":["[Quick fox]"]})");
  HighlightedField matched{"title"};
  matched.matched_fields = {"title", "all"};
  EXPECT_EQ(docs.show(Query().match("all", "fox"), {matched}), R"({"title":["Quick [fox]"]})");
}

TEST(Highlight, ValuesStayApartAndTextIsEscaped) {
  const Docs docs;
  HighlightedField whole{"title", kHighlightHtml};
  whole.fragments = 0;
  EXPECT_EQ(docs.show(Query().match("title", "fox"), {whole}, 1),
            R"({"title":["a [fox] &amp; &lt;b&gt;","Größe 🦊 [fox]"]})");
}

TEST(Highlight, BeginningsWithoutMatches) {
  const Docs docs;
  HighlightedField field{"body"};
  field.no_match_size = 12;
  field.query = Query().match("body", "nowhere");
  EXPECT_EQ(docs.show(Query().match_all(), {field}), R"({"body":["The quick brown"]})");
  field.query = Query().match("body", "river");
  field.max_analyzed_offset = 60;
  EXPECT_EQ(docs.show(Query().match_all(), {field}), R"({"body":["The quick brown"]})");
}

TEST(Highlight, ATextBeyondTheLimitOfTheIndexIsRefused) {
  const Docs docs;
  PlanFrame frame;
  frame.legs.push_back(Query().match("body", "fox"));
  frame.more.push_back(highlight_node({{"body"}}, 50));
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  const auto found = execute_fetch(docs.index.context(), *plan, std::vector<uint32_t>{0});
  EXPECT_EQ(found.status().type(), ErrorType::kIllegalArgument);
  EXPECT_TRUE(found.status().reason().find("exceeds the [index.highlight.max_analyzed_offset]") !=
              std::string::npos);
}

TEST(Highlight, ATextBeyondTheLimitIsMarkedWhereTheMappingKeepsOffsets) {
  TestIndex index(R"({"properties":{
    "indexed":{"type":"text","index_options":"offsets"},
    "vectors":{"type":"text","term_vector":"with_positions_offsets"},
    "positions":{"type":"text","term_vector":"with_positions"},
    "bare":{"type":"text"}}})");
  const std::string text = R"("the fox and another fox")";
  index.add("1", R"({"indexed":)" + text + R"(,"vectors":)" + text + R"(,"positions":)" + text +
                     R"(,"bare":)" + text + "}");
  index.refresh();
  const auto show = [&index](HighlightedField field, uint32_t own) {
    field.max_analyzed_offset = own;
    PlanFrame frame;
    frame.legs.push_back(Query().match(field.pattern, "fox"));
    frame.more.push_back(highlight_node({field}, 10));
    const std::vector<uint8_t> bytes = frame.bytes();
    const Result<Plan> plan = decode_plan(bytes);
    const auto found = execute_fetch(index.context(), *plan, std::vector<uint32_t>{0});
    return found.ok() ? found.value()[0].highlight : std::string("refused");
  };
  EXPECT_EQ(show({"indexed"}, 0), R"({"indexed":["the [fox] and another [fox]"]})");
  EXPECT_EQ(show({"indexed"}, 100), R"({"indexed":["the [fox] and another [fox]"]})");
  EXPECT_EQ(show({"indexed"}, 12), R"({"indexed":["the [fox] and another fox"]})");
  EXPECT_EQ(show({"vectors"}, 0), R"({"vectors":["the [fox] and another [fox]"]})");
  EXPECT_EQ(show({"indexed", kHighlightPlain}, 0), "refused");
  EXPECT_EQ(show({"indexed", kHighlightPlain}, 100), "refused");
  EXPECT_EQ(show({"indexed", kHighlightPlain}, 8), R"({"indexed":["the [fox] and another fox"]})");
  EXPECT_EQ(show({"positions"}, 0), "refused");
  EXPECT_EQ(show({"bare"}, 0), "refused");
  EXPECT_EQ(show({"bare"}, 100), "refused");
}

TEST(Highlight, BytesThatAreNoHighlightAreRefused) {
  const NodeBytes node = highlight_node({{"body"}, {"title", 1, 2, 3}});
  const Bytes payload = Bytes(node).subspan(8);
  ASSERT_OK(read_highlight_plan({PlanOp::kHighlight, 0, payload}));
  for (size_t size = 0; size < payload.size(); size++) {
    EXPECT_FALSE(read_highlight_plan({PlanOp::kHighlight, 0, payload.first(size)}).ok());
  }
}

}  // namespace quarry::highlight_test
