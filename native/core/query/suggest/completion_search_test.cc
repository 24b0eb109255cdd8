// Completions: keys and terms, the section of weights, and the best of many compared with an
// exhaustive search.
#include "query/suggest/completion_search.h"

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "mapping/document/completion_entry.h"
#include "postings/term_dictionary_writer.h"
#include "segment/completion_weights.h"
#include "testing/test_index.h"

namespace quarry::completion_search_test {

using testing::TestIndex;

constexpr std::string_view kMapping = R"({"properties":{
  "c":{"type":"completion"},
  "s":{"type":"completion","analyzer":"stop","preserve_separators":false},
  "p":{"type":"completion","analyzer":"stop","preserve_position_increments":false},
  "w":{"type":"completion","analyzer":"stop","max_input_length":6}}})";

std::string key_of(const TestIndex& index, std::string_view field, std::string_view text) {
  const Field& found = *index.mapping().find(field);
  AnalysisBudget budget;
  std::string key = completion_key(*found.analyzer, found.completion, text, budget).value();
  std::replace(key.begin(), key.end(), kCompletionSeparator, '|');
  std::replace(key.begin(), key.end(), kCompletionHole, '_');
  return key;
}

std::string term_of(const Field& field, std::string_view input, uint32_t weight) {
  AnalysisBudget budget;
  return completion_term(field, input, weight, budget).value();
}

TEST(Completion, AKeyIsTheWordsOfAnInput) {
  const TestIndex index(kMapping);
  EXPECT_EQ(key_of(index, "c", "Foo  Bar 7"), "foo|bar");
  EXPECT_EQ(key_of(index, "c", "7"), "");
  EXPECT_EQ(key_of(index, "s", "Foo Bar"), "foobar");
  EXPECT_EQ(key_of(index, "w", "the Beatles of a"), "_|beatles|_|_");
  EXPECT_EQ(key_of(index, "p", "the Beatles of a"), "beatles");
}

TEST(Completion, ATermIsReadAsItWasMade) {
  const TestIndex index(kMapping);
  const Field& field = *index.mapping().find("c");
  const std::string term = term_of(field, "Foo Bar", 7);
  const auto entry = read_completion(term);
  EXPECT_TRUE(entry.has_value());
  if (!entry) return;
  EXPECT_EQ(entry->key,
            "foo\x1f"
            "bar");
  EXPECT_EQ(entry->input, "Foo Bar");
  EXPECT_EQ(entry->weight, 7U);
  EXPECT_TRUE(term_of(field, "Foo Bar", 8) < term);
  EXPECT_EQ(term_of(field, "!!", 1), "");
  const Field& cut = *index.mapping().find("w");
  const std::string whole = term_of(cut, "abc\xF0\x9F\x98\x80\xC3\xA9gh", 1);
  EXPECT_EQ(read_completion(whole)->input, "abc\xF0\x9F\x98\x80\xC3\xA9");
  const std::string half = term_of(cut, "abcde\xF0\x9F\x98\x80", 1);
  EXPECT_EQ(read_completion(half)->input, "abcde");
  for (size_t size = 0; size < 6; size++)
    EXPECT_FALSE(read_completion(std::string_view(term).substr(0, size)).has_value());
  EXPECT_FALSE(read_completion(std::string_view("\0a\0\0\0\0\0", 7)).has_value());
  EXPECT_FALSE(read_completion(std::string_view("a\0b\0\xff\0\0\0", 8)).has_value());
}

/// An index whose only field has many inputs, over two shards with two segments each.
struct Many {
  TestIndex index{kMapping};
  struct Input {
    std::string id;
    std::string text;
    uint32_t weight;
    size_t order;  // of the document
  };
  std::vector<Input> inputs;
  std::vector<std::string> removed;

  explicit Many(uint32_t seed, size_t documents) {
    std::mt19937 engine(seed);
    const auto random = [&engine] { return static_cast<uint32_t>(engine()); };
    for (size_t i = 0; i < documents; i++) {
      const std::string id = std::to_string(i);
      std::string source;
      std::vector<std::string> seen;
      for (auto n = random() % 2 + 1; n > 0; n--) {
        std::string text;
        for (auto length = random() % 5 + 1; length > 0; length--)
          text += static_cast<char>('a' + random() % 3);
        if (std::find(seen.begin(), seen.end(), text) != seen.end()) continue;
        seen.push_back(text);
        const auto weight = static_cast<uint32_t>(random() % 8);
        inputs.push_back({id, text, weight, i});
        source += (source.empty() ? "" : ",") + std::string(R"({"input":")") + text +
                  R"(","weight":)" + std::to_string(weight) + "}";
      }
      index.add(id, R"({"c":[)" + source + "]}");
      if (i % 97 == 96) index.refresh();
      if (i == documents / 2) {
        index.refresh();
        index.start_shard();
      }
    }
    index.refresh();
    for (size_t i = 0; i < documents; i += 7) {
      index.remove(std::to_string(i));
      removed.push_back(std::to_string(i));
    }
  }

  std::vector<const SegmentView*> segments() const {
    std::vector<const SegmentView*> out;
    for (size_t shard = 0; shard < 2; shard++)
      for (const SegmentView& view : index.shard(shard).segments) out.push_back(&view);
    return out;
  }

  /// Ids with inputs, best first.
  std::string found(const CompleteRequest& request) const {
    const auto views = segments();
    const SystemClock clock;
    StopCheck stop(&clock, 0);
    const Field& field = *index.mapping().find("c");
    std::string out;
    const auto found = best_completions(request, field, *field.analyzer, views, stop).value();
    for (const Completion& one : found) {
      IdBuffer buffer;
      out += std::string(views[one.segment]->segment->ids().id(one.doc, buffer)) + ":" + one.input +
             ":" + std::to_string(static_cast<int>(one.score)) + " ";
    }
    return out;
  }

  std::string naive(const CompleteRequest& request) const {
    std::vector<Input> all;
    for (const Input& input : inputs) {
      const bool gone = std::find(removed.begin(), removed.end(), input.id) != removed.end();
      if (!gone && input.text.starts_with(request.text)) all.push_back(input);
    }
    std::sort(all.begin(), all.end(), [](const Input& a, const Input& b) {
      return std::tuple(b.weight, a.text, a.order) < std::tuple(a.weight, b.text, b.order);
    });
    std::string out;
    std::vector<std::string> ids;
    std::vector<std::string> texts;
    for (const Input& input : all) {
      if (ids.size() == request.size) break;
      if (std::find(ids.begin(), ids.end(), input.id) != ids.end()) continue;
      const bool twice = std::find(texts.begin(), texts.end(), input.text) != texts.end();
      if (request.skip_duplicates && twice) continue;
      ids.push_back(input.id);
      texts.push_back(input.text);
      out += input.id + ":" + input.text + ":" + std::to_string(input.weight) + " ";
    }
    return out;
  }
};

CompleteRequest request_for(std::string_view text, uint32_t size, bool skip_duplicates) {
  CompleteRequest request;
  request.field = "c";
  request.text = text;
  request.size = size;
  request.skip_duplicates = skip_duplicates;
  return request;
}

TEST(Completion, TheBestAreThoseThatLookingAtEverythingFinds) {
  for (uint32_t seed = 1; seed <= 4; seed++) {
    const Many many(seed, 400);
    for (const char* text : {"a", "b", "ab", "cab", "ccc", "abcab", "d"}) {
      for (const uint32_t size : {1U, 5U, 80U, 1000U}) {
        for (const bool skip : {false, true}) {
          const CompleteRequest request = request_for(text, size, skip);
          EXPECT_EQ(many.found(request), many.naive(request));
        }
      }
    }
  }
}

TEST(Completion, FuzzyScoresCountWhatIsCommon) {
  TestIndex index(kMapping);
  index.add("1", R"({"c":{"input":"suggestion","weight":10}})");
  index.add("2", R"({"c":{"input":"sugar","weight":3}})");
  index.add("3", R"({"c":{"input":"usgage","weight":0}})");
  index.refresh();
  CompleteRequest request = request_for("sugge", 10, false);
  request.fuzzy = true;
  request.min_length = 3;
  request.prefix_length = 1;
  const auto run = [&index](const CompleteRequest& requested) {
    const SegmentView* view = &index.shard().segments.front();
    const SystemClock clock;
    StopCheck stop(&clock, 0);
    const Field& field = *index.mapping().find("c");
    std::string out;
    const auto found =
        best_completions(requested, field, *field.analyzer, {&view, 1}, stop).value();
    for (const Completion& one : found)
      out += one.input + ":" + std::to_string(static_cast<int>(one.score)) + " ";
    return out;
  };
  EXPECT_EQ(run(request), "suggestion:40 ");
  request.edits = 2;
  EXPECT_EQ(run(request), "suggestion:30 sugar:9 ");
  request.text = "usgg";
  request.edits = 1;
  EXPECT_EQ(run(request), "usgage:3 ");
  request.min_length = 9;
  EXPECT_EQ(run(request), "");
}

TEST(Completion, TheSectionSaysWhatTheTermsSay) {
  TestIndex index(kMapping);
  for (int i = 0; i < 5000; i++) {
    const std::string text = std::string(1, static_cast<char>('a' + i % 26)) +
                             static_cast<char>('a' + i / 26 % 26) +
                             static_cast<char>('a' + i / 676 % 26);
    index.add(std::to_string(i),
              R"({"c":{"input":")" + text + R"(","weight":)" + std::to_string(i * 7 % 5001) + "}}");
  }
  index.refresh();
  const SegmentField* field = index.shard().segments.front().segment->field("c");
  EXPECT_EQ(field->completions->levels(), 3U);
  EXPECT_EQ(field->completions->count(3), 1U);
  EXPECT_TRUE(same_weights(*field->completions, field->inverted->terms()));
  EXPECT_EQ(field->completions->largest(3, 0), 5000U);
}

TEST(Completion, ASectionThatIsCutOrOfAnotherDictionaryIsCorrupt) {
  TermDictionaryWriter terms(false);
  TermInfo info;
  info.doc_freq = 1;
  for (int i = 0; i < 130; i++) {
    const std::string name = std::to_string(1000 + i);
    terms.add(name + std::string("\0x\0\x7f\0\0", 6) + static_cast<char>(i), info);
  }
  const std::vector<uint8_t> section = terms.finish();
  const Result<std::vector<uint8_t>> weights = write_completion_weights(section);
  EXPECT_OK(weights);
  const Result<CompletionWeights> read = CompletionWeights::open(*weights, 130);
  EXPECT_OK(read);
  EXPECT_EQ(read->count(1), 3U);
  EXPECT_EQ(read->largest(2, 0), kMaxCompletionWeight - 0x7f000000U);
  EXPECT_FALSE(CompletionWeights::open(*weights, 129).ok());
  for (size_t size = 0; size < weights->size(); size++)
    EXPECT_FALSE(CompletionWeights::open(Bytes(*weights).first(size), 130).ok());
  std::vector<uint8_t> longer = *weights;
  longer.push_back(0);
  EXPECT_FALSE(CompletionWeights::open(longer, 130).ok());
}

}  // namespace quarry::completion_search_test
