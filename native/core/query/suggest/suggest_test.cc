// Tokens, candidates and counts for suggesters; invalid requests.
#include <string>
#include <vector>

#include "query/suggest/suggest_run.h"
#include "testing/query_builder.h"
#include "testing/test_index.h"

namespace quarry::suggest_test {

using testing::NodeBytes;
using testing::Query;
using testing::TestIndex;

constexpr std::string_view kMapping =
    R"({"properties":{"t":{"type":"text"},"k":{"type":"keyword"},"n":{"type":"long"}}})";

/// A request for the shards 0 and 1 with one item.
struct RequestBytes {
  ByteWriter bytes;
  explicit RequestBytes(uint8_t kind, std::string_view field, uint32_t shards = 2) {
    bytes.put(0.0);
    bytes.put(shards);
    for (uint32_t i = 0; i < shards; i++) {
      bytes.put(i);
      bytes.put(uint64_t{0});
    }
    bytes.put(uint32_t{1});
    bytes.put(kind);
    bytes.put_string(field);
  }
  /// `filter`: restricts the documents that count.
  std::vector<uint8_t> take(const NodeBytes& filter = {}) {
    bytes.put(uint8_t{!filter.empty()});
    if (!filter.empty()) {
      bytes.put(1700000000000.0);
      bytes.put_bytes(Bytes(filter));
    }
    return bytes.take();
  }
};

RequestBytes analyze(std::string_view field, std::string_view analyzer, std::string_view text) {
  RequestBytes request(1, field);
  request.bytes.put_string(analyzer);
  request.bytes.put_string(text);
  return request;
}

RequestBytes candidates(std::string_view term, uint8_t edits, uint32_t prefix,
                        uint32_t most = 100) {
  RequestBytes request(2, "t");
  request.bytes.put_string(term);
  request.bytes.put(edits);
  request.bytes.put(prefix);
  request.bytes.put(most);
  return request;
}

RequestBytes counts(std::string_view field, const std::vector<std::string_view>& terms) {
  RequestBytes request(3, field);
  request.bytes.put(static_cast<uint32_t>(terms.size()));
  for (const std::string_view term : terms) request.bytes.put_string(term);
  return request;
}

RequestBytes terms(std::string_view field, std::string_view analyzer, uint32_t most, bool sorted,
                   const std::vector<std::string_view>& texts) {
  RequestBytes request(5, field);
  request.bytes.put_string(analyzer);
  request.bytes.put(most);
  request.bytes.put(uint8_t{sorted});
  request.bytes.put(static_cast<uint32_t>(texts.size()));
  for (const std::string_view text : texts) request.bytes.put_string(text);
  return request;
}

struct Docs {
  TestIndex index{kMapping};
  Docs() {
    index.add("1", R"({"t":"lucene lucent","k":"Big Apple"})");
    index.refresh();
    index.add("2", R"({"t":"lucene lucene ulcene"})");
    index.refresh();
    index.start_shard();
    index.add("3", R"({"t":"lucene lumen"})");
    index.refresh();
  }
  std::vector<uint8_t> run(Bytes bytes) const {
    const Result<SuggestRequest> request = decode_suggest(bytes);
    if (!request.ok()) return encode_suggest_error(request.status());
    const SystemClock clock;
    SearchContext context = index.context();
    context.clock = &clock;
    return run_suggest(*request, context, {{0, &index.shard(0)}, {1, &index.shard(1)}});
  }
  /// The content after the list of shards, or the error.
  std::string text(RequestBytes request, std::string (*print)(ByteReader&),
                   const NodeBytes& filter = {}) const {
    const std::vector<uint8_t> bytes = request.take(filter);
    const std::vector<uint8_t> reply = run(bytes);
    ByteReader reader(reply);
    EXPECT_EQ(reader.get<uint32_t>(), kSuggestMagic);
    EXPECT_EQ(reader.get<uint16_t>(), kSuggestVersion);
    if (reader.get<uint16_t>() != 0) return std::string(reader.get_string());
    EXPECT_EQ(reader.get<uint32_t>(), 2U);
    for (int i = 0; i < 2; i++) reader.get_bytes(12);
    std::string out = print(reader);
    EXPECT_EQ(reader.get<uint8_t>(), 1);
    EXPECT_TRUE(reader.done());
    return out;
  }
};

std::string number(double value) { return std::to_string(static_cast<int64_t>(value)); }

std::string print_tokens(ByteReader& reader) {
  std::string out = reader.get<uint8_t>() != 0 ? "" : "unmapped";
  const auto count = reader.get<uint32_t>();
  for (uint32_t i = 0; i < count; i++) {
    out += std::string(reader.get_string()) + "@";
    out += std::to_string(reader.get<uint32_t>()) + "-";
    out += std::to_string(reader.get<uint32_t>()) + "#";
    out += std::to_string(reader.get<uint32_t>()) + "/";
    out += std::to_string(reader.get<uint8_t>()) + " ";
  }
  return out;
}

std::string print_candidates(ByteReader& reader) {
  std::string out;
  const auto count = reader.get<uint32_t>();
  for (uint32_t i = 0; i < count; i++) {
    out += std::string(reader.get_string()) + ":";
    out += std::to_string(reader.get<uint8_t>()) + ":";
    out += number(reader.get<double>()) + ":";
    out += number(reader.get<double>()) + " ";
  }
  return out;
}

std::string print_counts(ByteReader& reader) {
  std::string out = std::to_string(reader.get<uint8_t>());
  for (int i = 0; i < 4; i++) out += " " + number(reader.get<double>());
  const auto count = reader.get<uint32_t>();
  for (uint32_t i = 0; i < count; i++) {
    out += " " + number(reader.get<double>());
    out += "/" + number(reader.get<double>());
  }
  return out;
}

std::string print_terms(ByteReader& reader) {
  std::string out = reader.get<uint8_t>() != 0 ? "" : "unmapped";
  const auto count = reader.get<uint32_t>();
  for (uint32_t i = 0; i < count; i++) {
    out += std::string(reader.get_string()) + ":";
    out += std::to_string(reader.get<uint32_t>()) + " ";
  }
  return out;
}

TEST(Suggest, TokensHavePlacesInUtf16Units) {
  const Docs docs;
  EXPECT_EQ(docs.text(analyze("t", "", "Big \xF0\x9F\x98\x80 Ape"), print_tokens),
            "big@0-3#0/0 \xF0\x9F\x98\x80@4-6#1/0 ape@7-10#2/0 ");
  EXPECT_EQ(docs.text(analyze("t", "keyword", "Big Ape"), print_tokens), "Big Ape@0-7#0/0 ");
  EXPECT_EQ(docs.text(analyze("k", "", "Big Ape"), print_tokens), "Big Ape@0-7#0/0 ");
  EXPECT_EQ(docs.text(analyze("x", "", "Big Ape"), print_tokens), "unmapped");
  EXPECT_EQ(docs.text(analyze("t", "nope", "Big Ape"), print_tokens),
            "analyzer [nope] doesn't exists");
}

TEST(Suggest, ATextOfTooManyWordsIsRefused) {
  const Docs docs;
  std::string text;
  for (size_t i = 0; i <= kMaxSuggestTokens; i++) text += "a ";
  EXPECT_EQ(
      docs.text(analyze("t", "", text), print_tokens),
      "[suggest] a text may have up to 1024 words, the one for field [t] has 1025, shorten it");
}

TEST(Suggest, CandidatesAreCountedOverAllSegmentsAndShards) {
  const Docs docs;
  EXPECT_EQ(docs.text(candidates("lucene", 1, 1), print_candidates), "lucene:0:3:4 lucent:1:1:1 ");
  EXPECT_EQ(docs.text(candidates("lucene", 1, 0), print_candidates),
            "lucene:0:3:4 lucent:1:1:1 ulcene:1:1:1 ");
  EXPECT_EQ(docs.text(candidates("lucene", 2, 0), print_candidates),
            "lucene:0:3:4 lucent:1:1:1 ulcene:1:1:1 lumen:2:1:1 ");
  EXPECT_EQ(docs.text(candidates("lucene", 2, 3), print_candidates), "lucene:0:3:4 lucent:1:1:1 ");
  EXPECT_EQ(docs.text(candidates("lucene", 2, 0, 2), print_candidates),
            "lucene:0:3:4 lucent:1:1:1 ");
  EXPECT_EQ(docs.text(candidates("zzz", 2, 0), print_candidates), "");
}

TEST(Suggest, CountsOfTermsAndFields) {
  const Docs docs;
  EXPECT_EQ(docs.text(counts("t", {"lucene", "nope"}), print_counts), "1 3 3 7 -1 3/4 0/0");
  EXPECT_EQ(docs.text(counts("n", {"lucene"}), print_counts), "0 3 3 0 -1 0/0");
  EXPECT_EQ(docs.text(counts("nope", {}), print_counts), "0 3 3 0 -1");
}

TEST(Suggest, CountsTellLiveDocumentsFromDeletedOnes) {
  Docs docs;
  docs.index.remove("3");
  docs.index.refresh();
  EXPECT_EQ(docs.text(counts("t", {"lumen"}), print_counts), "1 3 2 7 -1 1/1");
}

TEST(Suggest, TermsOfTextsAreThoseThatTheIndexWouldHave) {
  const Docs docs;
  EXPECT_EQ(docs.text(terms("t", "", 0, false, {"The big Ape", "big zoo ape BIG"}), print_terms),
            "the:1 big:3 ape:2 zoo:1 ");
  EXPECT_EQ(docs.text(terms("t", "", 0, true, {"the big", "Ape big"}), print_terms),
            "ape:1 big:2 the:1 ");
  EXPECT_EQ(docs.text(terms("t", "", 2, false, {"a b c", "d a f"}), print_terms), "a:2 b:1 d:1 ");
  EXPECT_EQ(docs.text(terms("t", "keyword", 0, false, {"The big"}), print_terms), "The big:1 ");
  EXPECT_EQ(docs.text(terms("k", "", 0, false, {"Big Apple", "Big Apple"}), print_terms),
            "Big Apple:2 ");
  EXPECT_EQ(docs.text(terms("x", "", 0, false, {"a"}), print_terms), "unmapped");
  EXPECT_EQ(docs.text(terms("t", "nope", 0, false, {"a"}), print_terms),
            "analyzer [nope] doesn't exists");
}

TEST(Suggest, AFilterLeavesOutTermsAndCountsOfOtherDocuments) {
  const Docs docs;
  const NodeBytes of_two = Query().term("t", "lucent");
  EXPECT_EQ(docs.text(candidates("lucene", 2, 0), print_candidates, of_two),
            "lucene:0:1:1 lucent:1:1:1 ");
  EXPECT_EQ(docs.text(counts("t", {"lucene", "ulcene"}), print_counts, of_two),
            "1 1 1 0 -1 1/1 0/0");
  EXPECT_EQ(docs.text(counts("t", {"lucene"}), print_counts, Query().match_none()),
            "1 0 0 0 -1 0/0");
  EXPECT_EQ(docs.text(counts("t", {"lucene"}), print_counts, Query().term("t", "lucene")),
            "1 3 3 0 -1 3/4");
}

TEST(Suggest, ARequestCutShortIsNone) {
  const Docs docs;
  for (RequestBytes request : {analyze("t", "", "a b"), candidates("lucene", 2, 1),
                               counts("t", {"a", "b"}), terms("t", "", 5000, true, {"a b", "c"})}) {
    std::vector<uint8_t> bytes = request.take(Query().term("k", "x"));
    for (size_t size = 0; size < bytes.size(); size++)
      EXPECT_FALSE(decode_suggest(Bytes(bytes).first(size)).ok());
    EXPECT_TRUE(decode_suggest(bytes).ok());
    bytes.push_back(0);
    EXPECT_FALSE(decode_suggest(bytes).ok());
  }
  EXPECT_FALSE(decode_suggest(candidates("a", 3, 0).take()).ok());
  RequestBytes unknown(9, "t");
  EXPECT_FALSE(decode_suggest(unknown.take()).ok());
}

}  // namespace quarry::suggest_test
