#include "segment/source_merger.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/page_cache.h"
#include "store/packed_source.h"
#include "store/source_dictionary.h"

namespace quarry {
namespace {

/// Packed sources with at least this many bytes keep their blocks and dictionaries; smaller ones
/// are packed again with the dictionary of the result. This bounds both the number of dictionaries
/// and how often a document is packed.
constexpr uint64_t kKeptBytes = uint64_t{8} << 20;
/// A dictionary has one byte per this many bytes of the sources that it is built for.
constexpr uint64_t kBytesOfDictionary = 64;
/// Smaller blocks are not copied; their documents are written again, together with adjacent ones.
constexpr size_t kWholeBlock = 512;
/// A dictionary smaller than this is omitted.
constexpr uint64_t kLeastDictionary = 1024;
constexpr uint32_t kPollDocs = 256;  // documents between two polls
/// The maximal number of documents that are sampled for a dictionary.
constexpr uint64_t kMostSamples = 4096;

bool all_live(const DocMap& docs, const StoredBlock& block) {
  if (docs.all_live()) return true;
  for (uint32_t i = 0; i < block.doc_count; i++) {
    if (docs[block.first_doc + i] == kDeletedDoc) return false;
  }
  return true;
}

/// Whether blocks are copied, whose documents then stay together.
bool keeps_blocks(const MergePlan& plan, const StoredSource& stored) {
  return plan.order.empty() && stored.packed() && stored.stored_bytes() >= kKeptBytes;
}

/// Adds the documents one by one in the order of an index sort.
template <typename Writer>
Status add_in_order(const MergePlan& plan, const MergeAbort& abort, const SegmentWriter& segment,
                    Writer& out) {
  std::vector<StoredSource::Cursor> cursors;
  for (const MergeSource& source : plan.sources) cursors.emplace_back(source.segment->stored());
  for (uint32_t doc = 0; doc < plan.max_doc; doc++) {
    if (doc % kPollDocs == 0) {
      QUARRY_RETURN_IF_ERROR(abort.check());
      QUARRY_RETURN_IF_ERROR(segment.status());
    }
    const auto& [source, old] = plan.order[doc];
    QUARRY_ASSIGN_OR_RETURN(const std::string_view document, cursors[source].get(old));
    out.add(document);
  }
  return {};
}

/// Adds the live documents of a segment. A block that is completely live is passed to `copied`; if
/// that returns false, its documents are added one by one.
template <typename Writer, typename Copied>
Status merge_blocks(const MergeSource& source, const MergeAbort& abort,
                    const SegmentWriter& segment, Writer& out, Copied copied) {
  const StoredSource& stored = source.segment->stored();
  StoredSource::Cursor cursor(stored);
  PagesBehind behind(source.segment->mapped());
  for (uint32_t index = 0; index < stored.block_count(); index++) {
    QUARRY_RETURN_IF_ERROR(abort.check());
    QUARRY_RETURN_IF_ERROR(segment.status());
    const StoredBlock block = stored.block(index);
    if (block.doc_count == 0) return {ErrorType::kCorrupt, "stored source: a block cannot be read"};
    behind.read(block.bytes);
    if (all_live(source.docs, block) && copied(block)) continue;
    for (uint32_t i = 0; i < block.doc_count; i++) {
      if (source.docs[block.first_doc + i] == kDeletedDoc) continue;
      QUARRY_ASSIGN_OR_RETURN(const std::string_view document, cursor.get(block.first_doc + i));
      out.add(document);
    }
  }
  return {};
}

/// Blocks are copied, except small ones, so that the result does not consist of small blocks.
Result<StoredSections> merge_plain(const MergePlan& plan, SegmentWriter& segment,
                                   const MergeAbort& abort) {
  StoredSourceWriter out(segment.source_sink());
  if (!plan.order.empty()) {
    QUARRY_RETURN_IF_ERROR(add_in_order(plan, abort, segment, out));
    return out.finish();
  }
  for (const MergeSource& source : plan.sources) {
    const bool packed = source.segment->stored().packed();
    const auto copied = [&](const StoredBlock& block) {
      if (packed || block.raw_size < StoredSourceWriter::kBlockBytes / 2) return false;
      out.add_block(block);
      return true;
    };
    QUARRY_RETURN_IF_ERROR(merge_blocks(source, abort, segment, out, copied));
  }
  return out.finish();
}

/// Samples live documents evenly from all sources that do not keep their blocks.
Result<std::string> sample_dictionary(const MergePlan& plan, const MergeAbort& abort) {
  std::vector<const MergeSource*> sampled;
  uint64_t bytes = 0;
  uint64_t docs = 0;
  for (const MergeSource& source : plan.sources) {
    if (keeps_blocks(plan, source.segment->stored())) continue;
    sampled.push_back(&source);
    bytes += source.segment->stored().stored_bytes();
    docs += source.docs.size();
  }
  const uint64_t wanted = std::min<uint64_t>(bytes / kBytesOfDictionary, kLz4Window);
  if (wanted < kLeastDictionary) return std::string();
  SourceDictionary dictionary(wanted);
  std::string text;
  // Steps of the golden section: wherever sampling stops, the samples so far are evenly
  // distributed.
  auto step = static_cast<uint64_t>(static_cast<double>(docs) * 0.6180339887498949);
  while (step > 1 && std::gcd(step, docs) != 1) step--;
  uint64_t at = 0;
  for (uint64_t i = 0; i < std::min(docs, kMostSamples) && !dictionary.full();
       i++, at = (at + step) % docs) {
    QUARRY_RETURN_IF_ERROR(abort.check());
    uint64_t doc = at;
    size_t which = 0;
    for (; doc >= sampled[which]->docs.size(); which++) doc -= sampled[which]->docs.size();
    const auto number = static_cast<uint32_t>(doc);
    if (sampled[which]->docs[number] == kDeletedDoc) continue;
    text.clear();
    QUARRY_RETURN_IF_ERROR(sampled[which]->segment->stored().get(number, text));
    dictionary.add(text);
  }
  return dictionary.take();
}

Result<StoredSections> merge_packed(const MergePlan& plan, SegmentWriter& segment,
                                    const MergeAbort& abort) {
  QUARRY_ASSIGN_OR_RETURN(std::string dictionary, sample_dictionary(plan, abort));
  PackedSourceWriter out(std::move(dictionary), segment.source_sink());
  if (!plan.order.empty()) {
    QUARRY_RETURN_IF_ERROR(add_in_order(plan, abort, segment, out));
    return out.finish();
  }
  for (const MergeSource& source : plan.sources) {
    const StoredSource& stored = source.segment->stored();
    const bool keeps = keeps_blocks(plan, stored);
    const uint32_t added = keeps ? out.add_dictionaries(stored) : 0;
    const auto copied = [&](const StoredBlock& block) {
      if (!keeps || block.bytes.size() + block.runs.size() < kWholeBlock) return false;
      out.add_block(block, added);
      return true;
    };
    QUARRY_RETURN_IF_ERROR(merge_blocks(source, abort, segment, out, copied));
  }
  return out.finish();
}

}  // namespace

Result<StoredSections> merge_stored(const MergePlan& plan, bool packed, SegmentWriter& segment,
                                    const MergeAbort& abort) {
  return packed ? merge_packed(plan, segment, abort) : merge_plain(plan, segment, abort);
}

}  // namespace quarry
