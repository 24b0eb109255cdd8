#include "testing/segment_oracle.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "postings/norms.h"
#include "testing/test.h"

namespace quarry::testing {
namespace {

using Positions = std::vector<uint32_t>;

/// A naive model of one field.
struct NaiveField {
  const Field* field = nullptr;
  std::set<uint32_t> present;
  std::map<std::string, std::map<uint32_t, Positions>> terms;
  std::map<uint32_t, uint32_t> lengths;
  std::map<uint32_t, std::vector<int64_t>> numbers;
};

using NaiveFields = std::map<std::string, NaiveField>;

Field internal_field() {
  Field field;
  field.type = FieldType::kKeyword;
  return field;
}

void add_text(NaiveField& out, uint32_t doc, std::string_view text, uint32_t& base) {
  TokenBuffer tokens;
  EXPECT_TRUE(out.field->analyzer->analyze(text, tokens).ok());
  std::set<uint32_t> taken;
  for (const Token& token : tokens.tokens) {
    out.terms[std::string(token.text)][doc].push_back(base + token.position);
    taken.insert(token.position);
  }
  out.lengths[doc] += static_cast<uint32_t>(taken.size());
  base += tokens.end_position + out.field->position_increment_gap;
}

NaiveFields naive_fields(const TestMapping& mapping, const Field& internal,
                         const std::vector<TestDocument>& documents) {
  NaiveFields out;
  for (uint32_t doc = 0; doc < documents.size(); doc++) {
    std::map<uint32_t, uint32_t> bases;
    for (const TestValue& value : documents[doc].values) {
      if (value.field == kUnindexed) continue;
      NaiveField& field = out[mapping.field(value.field).name];
      field.field = &mapping.field(value.field);
      field.present.insert(doc);
      if (field.field->type == FieldType::kText) {
        add_text(field, doc, value.text, bases[value.field]);
      } else if (field.field->type == FieldType::kKeyword) {
        field.terms[value.text][doc].push_back(0);
        field.lengths[doc]++;
      } else if (field.field->type == FieldType::kLong) {
        field.numbers[doc].push_back(value.number);
      }
    }
    const auto add_internal = [&](std::string_view name, const std::string& term) {
      NaiveField& field = out[std::string(name)];
      field.field = &internal;
      field.present.insert(doc);
      field.terms[term][doc].push_back(0);
    };
    for (const std::string& name : documents[doc].ignored) add_internal("_ignored", name);
    if (!documents[doc].routing.empty()) add_internal("_routing", documents[doc].routing);
  }
  return out;
}

void expect_postings(const InvertedField& inverted, uint32_t ordinal, const NaiveField& naive,
                     const std::map<uint32_t, Positions>& docs) {
  PostingsCursor cursor = inverted.postings(ordinal);
  EXPECT_EQ(cursor.doc_freq(), docs.size());
  uint64_t total = 0;
  for (const auto& [doc, positions] : docs) {
    ASSERT_EQ(cursor.next(), doc);
    EXPECT_EQ(cursor.freq(), naive.field->freqs ? positions.size() : 1);
    Positions seen;
    cursor.positions(seen);
    EXPECT_TRUE(seen == (naive.field->positions ? positions : Positions()));
    total += positions.size();
  }
  EXPECT_EQ(cursor.next(), kNoMoreDocs);
  if (naive.field->freqs) EXPECT_EQ(inverted.terms().info(ordinal).total_term_freq, total);
}

void expect_inverted(const SegmentField& field, const NaiveField& naive) {
  ASSERT_TRUE(field.inverted != nullptr);
  const InvertedField& inverted = *field.inverted;
  ASSERT_EQ(inverted.terms().size(), naive.terms.size());
  EXPECT_EQ(inverted.has_freqs(), naive.field->freqs);
  EXPECT_EQ(inverted.has_positions(), naive.field->positions);
  std::set<uint32_t> with_terms;
  uint64_t tokens = 0;
  uint64_t doc_freqs = 0;
  uint32_t ordinal = 0;
  for (const auto& [term, docs] : naive.terms) {
    EXPECT_EQ(inverted.terms().term(ordinal), term);
    if (naive.field->indexed) {
      expect_postings(inverted, ordinal, naive, docs);
    } else {
      EXPECT_EQ(inverted.terms().info(ordinal).doc_freq, 0);
    }
    for (const auto& [doc, positions] : docs) {
      with_terms.insert(doc);
      tokens += positions.size();
    }
    doc_freqs += docs.size();
    ordinal++;
  }
  if (!naive.field->indexed) return;
  EXPECT_EQ(inverted.stats().doc_count, with_terms.size());
  EXPECT_EQ(inverted.stats().sum_doc_freq, doc_freqs);
  if (naive.field->freqs) EXPECT_EQ(inverted.stats().sum_total_term_freq, tokens);
}

/// Values by document: numbers unchanged, terms as distinct ordinals.
std::map<uint32_t, std::vector<int64_t>> naive_column(const NaiveField& naive) {
  std::map<uint32_t, std::vector<int64_t>> values = naive.numbers;
  int64_t ordinal = 0;
  for (const auto& [term, docs] : naive.terms) {
    for (const auto& [doc, positions] : docs) values[doc].push_back(ordinal);
    ordinal++;
  }
  for (auto& [doc, list] : values) std::sort(list.begin(), list.end());
  return values;
}

void expect_column(const SegmentField& field, const NaiveField& naive, uint32_t max_doc) {
  ASSERT_TRUE(field.column != nullptr);
  const std::map<uint32_t, std::vector<int64_t>> values = naive_column(naive);
  for (uint32_t doc = 0; doc < max_doc; doc++) {
    const auto expected = values.find(doc);
    const std::vector<int64_t> wanted =
        expected == values.end() ? std::vector<int64_t>() : expected->second;
    std::vector<int64_t> seen;
    for (uint32_t i = 0; i < field.column->count(doc); i++)
      seen.push_back(field.column->value(doc, i));
    EXPECT_TRUE(seen == wanted);
  }
}

void expect_field(const Segment& segment, const SegmentField& field, const NaiveField& naive) {
  EXPECT_EQ(field.type, naive.field->type);
  const bool inverted =
      naive.field->type == FieldType::kText || naive.field->type == FieldType::kKeyword;
  const bool column = naive.field->type == FieldType::kLong ||
                      (naive.field->type == FieldType::kKeyword && naive.field->doc_values);
  if (inverted) expect_inverted(field, naive);
  EXPECT_EQ(field.inverted != nullptr, inverted);
  if (column) expect_column(field, naive, segment.max_doc());
  EXPECT_EQ(field.column != nullptr, column);
  EXPECT_EQ(field.norms != nullptr, naive.field->norms);
  Bitset present(segment.max_doc());
  segment.collect_present(field, present);
  for (uint32_t doc = 0; doc < segment.max_doc(); doc++) {
    EXPECT_EQ(present.test(doc), naive.present.contains(doc));
    const auto length = naive.lengths.find(doc);
    const uint32_t wanted = length == naive.lengths.end() ? 0 : length->second;
    if (field.norms != nullptr) EXPECT_EQ(field.norms[doc], encode_norm(wanted));
  }
}

void expect_documents(const Segment& segment, const std::vector<TestDocument>& documents) {
  ASSERT_EQ(segment.max_doc(), documents.size());
  uint64_t low = UINT64_MAX;
  uint64_t high = 0;
  for (uint32_t doc = 0; doc < documents.size(); doc++) {
    const TestDocument& wanted = documents[doc];
    IdBuffer buffer;
    EXPECT_EQ(segment.ids().id(doc, buffer), wanted.id);
    EXPECT_TRUE(segment.ids().find(wanted.id) == std::optional<uint32_t>(doc));
    EXPECT_EQ(segment.ids().version(doc).version, wanted.version.version);
    EXPECT_EQ(segment.ids().seq_no(doc), wanted.version.seq_no);
    std::string source;
    EXPECT_OK(segment.stored().get(doc, source));
    EXPECT_EQ(source, wanted.source);
    low = std::min(low, wanted.version.seq_no);
    high = std::max(high, wanted.version.seq_no);
  }
  EXPECT_EQ(segment.min_seq_no(), low);
  EXPECT_EQ(segment.max_seq_no(), high);
}

}  // namespace

void expect_segment_holds(const Segment& segment, const std::vector<TestDocument>& documents) {
  expect_documents(segment, documents);
  const TestMapping mapping;
  const Field internal = internal_field();
  const NaiveFields naive = naive_fields(mapping, internal, documents);
  EXPECT_EQ(segment.fields().size(), naive.size());
  for (const auto& [name, wanted] : naive) {
    const SegmentField* field = segment.field(name);
    ASSERT_TRUE(field != nullptr);
    EXPECT_EQ(field->name, name);
    expect_field(segment, *field, wanted);
  }
  EXPECT_TRUE(segment.field("unindexed") == nullptr);
}

std::shared_ptr<const Segment> build_segment(const std::vector<TestDocument>& documents,
                                             const std::vector<uint32_t>& dead) {
  const TestMapping mapping;
  SegmentBuilder builder;
  for (const TestDocument& document : documents)
    EXPECT_OK(add_document(builder, mapping, document));
  Bitset live(builder.size(), true);
  for (const uint32_t slot : dead) live.clear(slot);
  auto image = builder.build(live);
  EXPECT_OK(image);
  if (!image.ok()) return nullptr;
  auto segment = Segment::open(std::move(*image));
  EXPECT_OK(segment);
  return segment.ok() ? *segment : nullptr;
}

}  // namespace quarry::testing
