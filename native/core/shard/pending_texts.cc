#include "shard/pending_texts.h"

#include <limits>

#include "json/value.h"
#include "mapping/values/semantic_texts.h"

namespace quarry {
namespace {

/// Each round adds the fields of one more level of objects.
constexpr uint32_t kPendingRounds = kMaxJsonDepth + 2;

/// A document that this request wrote has no sequence number yet; no request can match this value.
constexpr uint64_t kUnknownSeqNo = std::numeric_limits<uint64_t>::max();

/// Whether the mapping has fields with an embedder, or templates that create such fields.
bool may_embed(const Mapping& mapping) {
  return !mapping.semantic_fields().empty() ||
         mapping.to_json().find("\"semantic_text\"") != std::string::npos;
}

}  // namespace

void PendingTexts::add(const WriteOperation& operation, uint32_t index_number,
                       const IndexState& index, Shard& shard) {
  auto known = mappings_.find(index_number);
  if (known == mappings_.end()) {
    std::shared_ptr<const Mapping> mapping = index.mapping();
    if (!may_embed(*mapping)) mapping = nullptr;
    known = mappings_.emplace(index_number, std::move(mapping)).first;
  }
  if (known->second == nullptr) return;
  Played& document = played(operation, index_number, shard);
  std::optional<Played> after = play(operation, document);
  if (!after) return;
  const bool removed = after->current.deleted;
  parsed_.chosen_templates = operation.dynamic_templates;
  if (removed || collect(after->source, operation.id, known->second)) document = std::move(*after);
}

/// The document that the operation finds.
PendingTexts::Played& PendingTexts::played(const WriteOperation& operation, uint32_t index_number,
                                           Shard& shard) {
  if (operation.auto_id) {
    unnamed_ = {};
    return unnamed_;
  }
  const auto [at, added] = documents_.try_emplace({index_number, std::string(operation.id)});
  Played& document = at->second;
  if (!added) return document;
  // If the shard cannot be read, the write reports the error.
  Result<std::optional<StoredDocument>> stored = shard.get(operation.id, true);
  if (!stored.ok() || !stored->has_value()) return document;
  document.current = {true, false, (*stored)->version};
  document.source = std::move((*stored)->source);
  return document;
}

/// The document after the operation; empty when the operation stores nothing.
std::optional<PendingTexts::Played> PendingTexts::play(WriteOperation operation,
                                                       const Played& document) {
  std::string source(operation.source);
  if (operation.type == OpType::kUpdate) {
    const Result<UpdateRequest> request = read_update_request(operation.source);
    if (!request.ok()) return std::nullopt;
    if (request->if_seq_no) operation.if_seq_no = request->if_seq_no;
    if (request->if_primary_term) operation.if_primary_term = request->if_primary_term;
    Result<MergedDocument> merged =
        apply_update(operation, *request, document.current, document.source);
    if (!merged.ok() || !merged->changed) return std::nullopt;
    source = std::move(merged->source);
    operation.type = OpType::kIndex;
    operation.if_seq_no.reset();
    operation.if_primary_term.reset();
  }
  const Result<uint64_t> version = next_version(operation, document.current);
  if (!version.ok()) return std::nullopt;
  const bool removes = operation.type == OpType::kDelete;
  if (removes) source.clear();
  return Played{{true, removes, {*version, kUnknownSeqNo, kPrimaryTerm}}, std::move(source)};
}

/// Collects the strings of a document after adding its new fields to the mapping. False when the
/// document does not fit the mapping.
bool PendingTexts::collect(std::string_view source, std::string_view id,
                           std::shared_ptr<const Mapping>& mapping) {
  for (uint32_t round = 0; round < kPendingRounds; round++) {
    if (!parse_document(*mapping, source, parsed_, id).ok()) return false;
    if (parsed_.dynamic_mapping.empty()) break;
    Result<std::shared_ptr<const Mapping>> grown = mapping->merge(parsed_.dynamic_mapping);
    if (!grown.ok()) return false;
    mapping = std::move(grown).value();
  }
  for (const SemanticText& text : semantic_texts(*mapping, parsed_)) {
    if (!text.field->semantic->remote) continue;
    const std::string& embedder = text.field->semantic->embedder;
    const std::string_view all = text.text;
    want(embedder, all);
    for (const ByteRange& passage : text.passages) {
      want(embedder, all.substr(passage.start, passage.end - passage.start));
    }
  }
  return true;
}

void PendingTexts::want(const std::string& embedder, std::string_view text) {
  Texts& wanted = embedders_[embedder];
  const TextHash hash = TextHash::of(text);
  if (wanted.seen.emplace(hash.high, hash.low).second) wanted.texts.emplace_back(text);
}

std::vector<uint8_t> PendingTexts::encode() const {
  ByteWriter out;
  out.put(static_cast<uint32_t>(embedders_.size()));
  for (const auto& [embedder, wanted] : embedders_) {
    out.put_string(embedder);
    out.put(static_cast<uint32_t>(wanted.texts.size()));
    for (const std::string& text : wanted.texts) out.put_string(text);
  }
  return out.take();
}

}  // namespace quarry
