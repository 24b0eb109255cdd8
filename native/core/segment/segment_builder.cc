#include "segment/segment_builder.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "mapping/schema/version_fields.h"
#include "segment/doc_map.h"
#include "segment/field_buffer.h"
#include "segment/field_inverter.h"
#include "segment/segment_writer.h"
#include "store/stored_source.h"
#include "text/analysis/analysis_budget.h"

namespace quarry {
namespace {

/// A keyword field that is not part of the mapping.
Field internal_field(std::string_view name, bool doc_values = true) {
  Field field;
  field.name = name;
  field.type = FieldType::kKeyword;
  field.doc_values = doc_values;
  return field;
}

/// Bytes of a token or another value, without its characters.
constexpr size_t kTokenBytes = 24;
/// Limit for one document. Multi-fields and copies multiply: a text of 8 MiB in 900 fields would
/// take 20 GiB.
constexpr size_t kMaxDocumentBytes = size_t{256} << 20;

/// What one document has cost so far. It depends on nothing else, so that a document that was taken
/// is taken again from the log.
struct DocumentCost {
  AnalysisBudget analysis;
  size_t bytes = 0;  // of tokens and other values, estimated
};

Status too_costly(const Field& field) {
  return {ErrorType::kDocumentParsing,
          "the values of the document take more than [" + std::to_string(kMaxDocumentBytes) +
              "] bytes in memory, with those of multi-fields and copies, at field [" + field.name +
              "]: shorten its texts, or map fewer multi-fields"};
}

}  // namespace

struct SegmentBuilder::State {
  BufferPool pool;
  Arena documents;  // ids and sources
  /// By field id of the mapping; null: no value yet.
  std::vector<std::unique_ptr<FieldBuffer>> fields;
  FieldBuffer ignored{internal_field("_ignored")};
  FieldBuffer routing{internal_field("_routing")};
  FieldBuffer nested_path{internal_field(kNestedPathField, false)};
  std::unordered_map<uint32_t, uint32_t> block_begins;  // by slot of a document with nested ones
  std::vector<std::string_view> ids;
  std::vector<std::string_view> sources;
  std::vector<DocVersion> versions;
  TokenBuffer tokens;  // scratch memory of add()

  Status keep(std::span<const Field> known, const ParsedDocument& document, uint32_t slot);
  Status keep(std::span<const Field> known, std::span<const FieldValue> values, uint32_t slot,
              DocumentCost& cost);
  void add_document(std::string_view id, std::string_view source, const DocVersion& version);
  Status keep(const Field& field, const FieldValue& value, uint32_t slot, DocumentCost& cost);
  Status keep_tokens(const Field& field, std::string_view text, uint32_t slot, DocumentCost& cost);
  void drop(std::span<const FieldValue> values, uint32_t slot);
  void drop(const ParsedDocument& document, uint32_t slot);
  FieldBuffer& buffer(const Field& field);
  SegmentSummary summarise(const Bitset& live) const;
  Status invert(const DocMap& docs, VectorEffort effort, SegmentWriter& out) const;
};

FieldBuffer& SegmentBuilder::State::buffer(const Field& field) {
  if (field.id >= fields.size()) fields.resize(field.id + size_t{1});
  auto& held = fields[field.id];
  if (held == nullptr) {
    held = std::make_unique<FieldBuffer>(field);
    pool.bytes += sizeof(FieldBuffer);
  }
  return *held;
}

Status SegmentBuilder::State::keep_tokens(const Field& field, std::string_view text, uint32_t slot,
                                          DocumentCost& cost) {
  const Status status = field.analyzer->analyze(text, tokens, cost.analysis);
  if (status.ok()) {
    cost.bytes += tokens.tokens.size() * kTokenBytes + tokens.arena.used();
    return buffer(field).add_tokens(slot, tokens, field.position_increment_gap, pool);
  }
  return Status(ErrorType::kDocumentParsing,
                "failed to parse field [" + field.name + "] of type [" +
                    std::string(field_type_name(field.type)) + "]: " + status.reason())
      .with_cause(status.reason());
}

Status SegmentBuilder::State::keep(const Field& field, const FieldValue& value, uint32_t slot,
                                   DocumentCost& cost) {
  const FieldBuffer::Kind kind = FieldBuffer::kind_of(field);
  if (kind == FieldBuffer::Kind::kNothing) return {};
  FieldBuffer& held = buffer(field);
  held.restrict_norms(field.norms);
  cost.bytes += kTokenBytes + (kind == FieldBuffer::Kind::kTokens ? 0 : value.text.size());
  if (cost.bytes > kMaxDocumentBytes) return too_costly(field);
  switch (kind) {
    case FieldBuffer::Kind::kTokens:
      return keep_tokens(field, value.text, slot, cost);
    case FieldBuffer::Kind::kTerms:
      return held.add_term(slot, value.text, pool);
    case FieldBuffer::Kind::kNumbers:
      held.add_number(slot, value.number, pool);
      return {};
    case FieldBuffer::Kind::kVectors:
      return held.add_vector(slot, value.text, pool);
    default:
      held.add_presence(slot, pool);
      return {};
  }
}

Status SegmentBuilder::State::keep(std::span<const Field> known, std::span<const FieldValue> values,
                                   uint32_t slot, DocumentCost& cost) {
  for (const FieldValue& value : values) {
    if (value.field >= known.size()) {
      return {ErrorType::kInternal, "a value of a field that its mapping does not have"};
    }
    QUARRY_RETURN_IF_ERROR(keep(known[value.field], value, slot, cost));
  }
  return {};
}

/// `slot`: that of the first nested document, or of the document when it has none.
Status SegmentBuilder::State::keep(std::span<const Field> known, const ParsedDocument& document,
                                   uint32_t slot) {
  DocumentCost cost;
  for (const NestedDocument& nested : document.nested) {
    QUARRY_RETURN_IF_ERROR(keep(known, nested.values, slot, cost));
    QUARRY_RETURN_IF_ERROR(nested_path.add_term(slot, nested.path, pool));
    slot++;
  }
  QUARRY_RETURN_IF_ERROR(keep(known, document.values, slot, cost));
  for (const std::string_view name : document.ignored) {
    QUARRY_RETURN_IF_ERROR(ignored.add_term(slot, name, pool));
  }
  if (!document.routing.empty()) return routing.add_term(slot, document.routing, pool);
  return {};
}

/// Reverts a keep() that failed. Terms that remain in the tables without a document are left out by
/// build().
void SegmentBuilder::State::drop(const ParsedDocument& document, uint32_t slot) {
  slot += static_cast<uint32_t>(document.nested.size());
  drop(document.values, slot);
  ignored.drop(slot);
  routing.drop(slot);
  for (size_t i = document.nested.size(); i-- > 0;) {
    drop(document.nested[i].values, --slot);
    nested_path.drop(slot);
  }
}

void SegmentBuilder::State::drop(std::span<const FieldValue> values, uint32_t slot) {
  for (const FieldValue& value : values) {
    if (value.field >= fields.size() || fields[value.field] == nullptr) continue;
    fields[value.field]->drop(slot);
  }
}

void SegmentBuilder::State::add_document(std::string_view id, std::string_view source,
                                         const DocVersion& version) {
  ids.push_back(documents.copy(id));
  sources.push_back(documents.copy(source));
  versions.push_back(version);
}

SegmentBuilder::SegmentBuilder() : state_(std::make_unique<State>()) {}
SegmentBuilder::~SegmentBuilder() = default;
SegmentBuilder::SegmentBuilder(SegmentBuilder&&) noexcept = default;
SegmentBuilder& SegmentBuilder::operator=(SegmentBuilder&&) noexcept = default;

Status SegmentBuilder::add(const Mapping& mapping, const ParsedDocument& document,
                           std::string_view id, std::string_view source,
                           const DocVersion& version) {
  return add(mapping.fields(), document, id, source, version);
}

Status SegmentBuilder::add(std::span<const Field> fields, const ParsedDocument& document,
                           std::string_view id, std::string_view source,
                           const DocVersion& version) {
  State& state = *state_;
  if (Status status = state.keep(fields, document, size()); !status.ok()) {
    state.drop(document, size());
    return status;
  }
  const uint32_t begin = size();
  for (size_t i = 0; i < document.nested.size(); i++) state.add_document({}, {}, version);
  if (!document.nested.empty()) state.block_begins.emplace(size(), begin);
  state.add_document(id, source, version);
  return {};
}

uint32_t SegmentBuilder::size() const { return static_cast<uint32_t>(state_->ids.size()); }

size_t SegmentBuilder::memory_bytes() const {
  constexpr size_t kPerDocument = 2 * sizeof(std::string_view) + sizeof(DocVersion);
  return state_->pool.bytes + state_->pool.terms.reserved() + state_->documents.reserved() +
         state_->ids.size() * kPerDocument;
}

uint32_t SegmentBuilder::block_begin(uint32_t slot) const {
  if (state_->block_begins.empty()) return slot;
  const auto found = state_->block_begins.find(slot);
  return found == state_->block_begins.end() ? slot : found->second;
}

std::string_view SegmentBuilder::source(uint32_t slot) const { return state_->sources[slot]; }
std::string_view SegmentBuilder::id(uint32_t slot) const { return state_->ids[slot]; }
std::string_view SegmentBuilder::routing(uint32_t slot) const {
  return state_->routing.first_term(slot);
}
std::span<const float> SegmentBuilder::vector(uint32_t field, uint32_t slot) const {
  if (field >= state_->fields.size() || state_->fields[field] == nullptr) return {};
  const FieldBuffer& held = *state_->fields[field];
  const std::vector<uint32_t>& slots = held.slots();
  const auto at = std::lower_bound(slots.begin(), slots.end(), slot);
  const bool there = at != slots.end() && *at == slot;
  if (!there || held.kind() != FieldBuffer::Kind::kVectors) return {};
  return held.vector(static_cast<size_t>(at - slots.begin()));
}
DocVersion SegmentBuilder::version(uint32_t slot) const { return state_->versions[slot]; }

SegmentSummary SegmentBuilder::State::summarise(const Bitset& live) const {
  SegmentSummary summary{live.count(), UINT64_MAX, 0};
  for (uint32_t slot = live.next(0); slot < live.size(); slot = live.next(slot + 1)) {
    summary.min_seq_no = std::min(summary.min_seq_no, versions[slot].seq_no);
    summary.max_seq_no = std::max(summary.max_seq_no, versions[slot].seq_no);
  }
  return summary;
}

Status SegmentBuilder::State::invert(const DocMap& docs, VectorEffort effort,
                                     SegmentWriter& out) const {
  std::vector<const FieldBuffer*> by_name{&ignored, &routing, &nested_path};
  for (const auto& field : fields) {
    if (field != nullptr) by_name.push_back(field.get());
  }
  std::sort(by_name.begin(), by_name.end(),
            [](const FieldBuffer* a, const FieldBuffer* b) { return a->name() < b->name(); });
  for (const FieldBuffer* field : by_name) {
    QUARRY_ASSIGN_OR_RETURN(auto sections, invert_field(*field, docs, effort));
    if (sections) out.add_field(std::move(*sections));
  }
  return {};
}

Result<SegmentImage> SegmentBuilder::build(const Bitset& live, VectorEffort effort) const {
  const State& state = *state_;
  const DocMap docs(live, 0);
  if (live.size() != size() || docs.live_count() == 0) {
    return Status(ErrorType::kInternal,
                  "a segment needs at least one live document of the write buffer");
  }
  SegmentWriter writer;
  QUARRY_RETURN_IF_ERROR(state.invert(docs, effort, writer));
  StoredSourceWriter stored;
  IdTableWriter ids;
  for (uint32_t slot = live.next(0); slot < live.size(); slot = live.next(slot + 1)) {
    stored.add(state.sources[slot]);
    ids.add(state.ids[slot], state.versions[slot]);
  }
  return writer.finish(state.summarise(live), stored.finish(), ids.finish());
}

}  // namespace quarry
