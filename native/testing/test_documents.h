// Documents for segment tests without the real mapping and analysis: a fixed set of fields of every
// kind, and an analyzer whose tokens are evident from the text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "mapping/document/document.h"
#include "mapping/schema/field.h"
#include "segment/segment_builder.h"

namespace quarry::testing {

/// Splits at spaces. "_" leaves a gap of one position; "+word" has the same position as the
/// previous word.
class WordAnalyzer final : public Analyzer {
 public:
  Status analyze(std::string_view text, TokenBuffer& out, AnalysisBudget&) const override {
    out.clear();
    uint32_t next = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find(' ', at), text.size());
      const std::string_view word = text.substr(at, end - at);
      at = end + 1;
      if (word.empty()) continue;
      const bool stacked = word[0] == '+' && next > 0;
      if (word != "_") {
        Token token;
        token.text = out.arena.copy(stacked ? word.substr(1) : word);
        token.position = stacked ? next - 1 : next;
        out.tokens.push_back(token);
      }
      if (!stacked) next++;
    }
    out.end_position = next;
    return {};
  }
  Result<std::string> normalize(std::string_view term, AnalysisBudget&) const override {
    return std::string(term);
  }
};

/// The fields of test documents; the numbers are their ids.
enum TestField : uint32_t {
  kBody,       // text with positions and norms
  kTitle,      // text with frequencies only, no norms
  kFlags,      // text, documents only
  kTag,        // keyword, indexed, ordinals
  kPlain,      // keyword with ordinals but no index
  kFound,      // keyword with index and norms but no ordinals
  kCount,      // long
  kBlob,       // binary: presence only
  kUnindexed,  // text without index: stores nothing
  kEmbedding,  // dense_vector of 4 dims; no random document has one
  kTestFields,
};

/// The fields by id, as in a mapping. Not movable, because the fields point to its analyzer.
class TestMapping {
 public:
  TestMapping() {
    Field& body = add("body", FieldType::kText);
    body.norms = body.freqs = body.positions = true;
    add("title", FieldType::kText).freqs = true;
    add("flags", FieldType::kText);
    add("tag", FieldType::kKeyword);
    add("plain", FieldType::kKeyword).indexed = false;
    Field& found = add("found", FieldType::kKeyword);
    found.doc_values = false;
    found.norms = true;
    add("count", FieldType::kLong);
    add("blob", FieldType::kBinary);
    add("unindexed", FieldType::kText).indexed = false;
    add("embedding", FieldType::kDenseVector).vector.dims = 4;
  }
  TestMapping(const TestMapping&) = delete;
  TestMapping& operator=(const TestMapping&) = delete;

  std::span<const Field> fields() const { return fields_; }
  const Field& field(uint32_t id) const { return fields_[id]; }
  Field& change(uint32_t id) { return fields_[id]; }

 private:
  Field& add(std::string_view name, FieldType type) {
    Field& field = fields_.emplace_back();
    field.id = static_cast<uint32_t>(fields_.size() - 1);
    field.name = name;
    field.type = type;
    field.analyzer = &analyzer_;
    return field;
  }

  WordAnalyzer analyzer_;
  std::vector<Field> fields_;
};

struct TestValue {
  uint32_t field = 0;
  std::string text;
  int64_t number = 0;
};

struct TestDocument {
  std::string id;
  std::string source;
  DocVersion version;
  std::vector<TestValue> values;
  std::vector<std::string> ignored;
  std::string routing;
};

inline Status add_document(SegmentBuilder& builder, const TestMapping& mapping,
                           const TestDocument& document) {
  ParsedDocument parsed;
  for (const TestValue& value : document.values) {
    parsed.values.push_back({value.field, value.number, value.text});
  }
  for (const std::string& name : document.ignored) parsed.ignored.push_back(name);
  parsed.routing = document.routing;
  return builder.add(mapping.fields(), parsed, document.id, document.source, document.version);
}

/// `count` words from `vocabulary`, small numbers much more often; some share a position, some are
/// followed by gaps.
inline std::string random_text(Random& random, uint64_t count, uint64_t vocabulary) {
  std::string text;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t word = random.below(random.below(vocabulary) + 1);
    if (random.below(12) == 0) text += "_ ";
    if (random.below(12) == 0) text += '+';
    text += "w" + std::to_string(word) + " ";
  }
  return text;
}

/// Documents with all kinds of fields, some absent, some with several values that are added
/// interleaved.
inline TestDocument random_document(Random& random, uint64_t seq_no) {
  TestDocument document;
  document.id = "id-" + std::to_string(seq_no);
  document.version = {1 + random.below(4), seq_no, 1};
  document.source = "{\"text\":\"" + random_text(random, random.below(40), 40) + "\"}";
  const auto add = [&](uint32_t field, std::string text) {
    document.values.push_back({field, std::move(text), 0});
  };
  const uint64_t rounds = random.below(10) == 0 ? 0 : 1 + random.below(3);
  for (uint64_t round = 0; round < rounds; round++) {
    if (random.below(10) != 0) add(kBody, random_text(random, random.below(60), 400));
    if (random.below(2) == 0) add(kTitle, random_text(random, random.below(6), 50));
    if (random.below(3) == 0) add(kTag, "tag-" + std::to_string(random.below(30)));
    if (random.below(3) == 0) add(kPlain, "plain-" + std::to_string(random.below(20)));
    if (random.below(3) == 0) add(kFound, "found-" + std::to_string(random.below(20)));
    if (random.below(4) != 0) {
      document.values.push_back({kCount, {}, static_cast<int64_t>(random.below(1000)) - 500});
    }
    if (random.below(20) == 0) add(kFlags, random_text(random, 2, 4));
    if (random.below(9) == 0) add(kBlob, "AAAA");
    if (random.below(9) == 0) add(kUnindexed, "never seen");
  }
  if (random.below(30) == 0) document.ignored = {"count", "tag"};
  if (random.below(5) == 0) document.routing = "shard-" + std::to_string(random.below(3));
  return document;
}

inline std::vector<TestDocument> random_documents(uint64_t seed, uint64_t count,
                                                  uint64_t first_seq_no = 0) {
  Random random(seed);
  std::vector<TestDocument> documents;
  for (uint64_t i = 0; i < count; i++)
    documents.push_back(random_document(random, first_seq_no + i));
  return documents;
}

}  // namespace quarry::testing
