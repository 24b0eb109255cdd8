// An index in memory for tests: shards of segments built from JSON documents, deletions, and
// searches by plan bytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "mapping/document/document.h"
#include "mapping/vectors/semantic_vectors.h"
#include "query/cache/filter_cache.h"
#include "query/plan/search.h"
#include "segment/segment_builder.h"
#include "segment/segment_merger.h"
#include "testing/plan_frame.h"
#include "testing/test.h"

namespace quarry::testing {

class TestIndex {
 public:
  explicit TestIndex(std::string_view mappings = {}, std::string_view settings = "{}") {
    Result<MappingContext> context = make_mapping_context(settings);
    EXPECT_OK(context);
    Result<std::shared_ptr<const Mapping>> mapping =
        Mapping::create(mappings, std::move(context).value());
    EXPECT_OK(mapping);
    if (mapping.ok()) mapping_ = std::move(mapping).value();
    start_shard();
  }

  /// Adds a document to the current segment, with dynamic mapping as in a shard.
  void add(std::string_view id, std::string_view source) {
    ParsedDocument document;
    parse(source, id, document);
    while (!document.dynamic_mapping.empty()) {
      Result<std::shared_ptr<const Mapping>> grown = mapping_->merge(document.dynamic_mapping);
      EXPECT_OK(grown);
      if (!grown.ok()) return;
      mapping_ = std::move(grown).value();
      parse(source, id, document);
    }
    EXPECT_OK(builder_.add(*mapping_, document, id, source, {1, next_seq_no_++, 1}));
  }
  /// Closes the current segment.
  void refresh() {
    if (builder_.size() == 0) return;
    Result<SegmentImage> image = builder_.build(Bitset(builder_.size(), true));
    EXPECT_OK(image);
    Result<std::shared_ptr<const Segment>> segment = Segment::open(std::move(image).value());
    EXPECT_OK(segment);
    segment = sort_segment(std::move(segment).value(), mapping_->context().sort);
    EXPECT_OK(segment);
    ShardView& shard = *shards_.back();
    SegmentView view;
    view.segment = std::move(segment).value();
    view.live_count = view.segment->max_doc();
    if (const NestedDocs* nested = view.segment->nested()) {
      view.live = std::make_shared<Bitset>(nested->roots());
      view.live_count = view.live->count();
    }
    if (!shard.segments.empty()) {
      view.base = shard.segments.back().base + shard.segments.back().segment->max_doc();
    }
    shard.segments.push_back(std::move(view));
    builder_ = SegmentBuilder();
  }
  /// Documents added from now on belong to a new shard.
  void start_shard() {
    shards_.push_back(std::make_unique<ShardView>());
    shards_.back()->generation = 7;
    shard_pointers_.push_back(shards_.back().get());
  }
  void remove(std::string_view id) {
    for (const auto& shard : shards_) {
      for (SegmentView& view : shard->segments) {
        const auto doc = view.segment->ids().find(id);
        if (!doc) continue;
        Bitset live = view.live == nullptr ? Bitset(view.segment->max_doc(), true) : *view.live;
        live.clear(*doc);
        view.live_count = live.count();
        view.live = std::make_shared<Bitset>(std::move(live));
      }
    }
  }

  SearchContext context(size_t shard = 0) const {
    SearchContext context;
    context.mapping = mapping_.get();
    context.index_name = "films";
    context.view = shards_[shard].get();
    context.all_shards = shard_pointers_;
    context.clock = &clock_;
    context.filters = filters_;
    return context;
  }
  Result<ShardHits> run(const PlanFrame& frame, size_t shard = 0) const {
    const std::vector<uint8_t> bytes = frame.bytes();
    QUARRY_ASSIGN_OR_RETURN(const Plan plan, decode_plan(bytes));
    return execute_search(context(shard), plan);
  }
  Result<ShardHits> run(const NodeBytes& query) const {
    PlanFrame frame;
    frame.legs.push_back(query);
    return run(frame);
  }
  /// The ids of the hits joined by spaces, best first; "error: …" when the search fails.
  std::string ids(const PlanFrame& frame, size_t shard = 0) const {
    const Result<ShardHits> hits = run(frame, shard);
    if (!hits.ok()) return "error: " + hits.status().reason();
    std::string out;
    for (const uint32_t doc : hits->legs[0].docs) out += (out.empty() ? "" : " ") + id(doc, shard);
    return out;
  }
  std::string ids(const NodeBytes& query) const {
    PlanFrame frame;
    frame.legs.push_back(query);
    return ids(frame);
  }
  std::string id(uint32_t doc, size_t shard = 0) const {
    for (const SegmentView& view : shards_[shard]->segments) {
      IdBuffer buffer;
      if (doc - view.base < view.segment->max_doc())
        return std::string(view.segment->ids().id(doc - view.base, buffer));
    }
    return "?";
  }
  std::string error(const NodeBytes& query) const {
    const Result<ShardHits> hits = run(query);
    return hits.ok()
               ? ""
               : std::string(error_wire_type(hits.status().type())) + ": " + hits.status().reason();
  }
  float score(const NodeBytes& query) const {
    const Result<ShardHits> hits = run(query);
    return hits.ok() && !hits->legs[0].scores.empty() ? hits->legs[0].scores[0] : -1.0F;
  }
  std::vector<FetchedDocument> fetch(const PlanFrame& frame,
                                     const std::vector<uint32_t>& docs) const {
    const std::vector<uint8_t> bytes = frame.bytes();
    const Result<Plan> plan = decode_plan(bytes);
    EXPECT_OK(plan);
    Result<std::vector<FetchedDocument>> fetched = execute_fetch(context(), *plan, docs);
    EXPECT_OK(fetched);
    return fetched.ok() ? std::move(fetched).value() : std::vector<FetchedDocument>();
  }

  const Mapping& mapping() const { return *mapping_; }
  const ShardView& shard(size_t index = 0) const { return *shards_[index]; }
  void use_cache(FilterCache* filters) { filters_ = filters; }
  /// Sets the source of vectors other than the built-in embedder.
  void use_vectors(VectorSource* vectors) { vectors_ = vectors; }

 private:
  void parse(std::string_view source, std::string_view id, ParsedDocument& document) {
    EXPECT_OK(parse_document(*mapping_, source, document));
    if (!document.dynamic_mapping.empty() || mapping_->semantic_fields().empty()) return;
    LexicalEmbedder embedder(0);
    BuiltInVectors built_in(embedder);
    VectorSource& vectors = vectors_ != nullptr ? *vectors_ : built_in;
    EXPECT_OK(embed_document(*mapping_, id, vectors, document));
  }

  std::shared_ptr<const Mapping> mapping_;
  SegmentBuilder builder_;
  std::vector<std::unique_ptr<ShardView>> shards_;
  std::vector<const ShardView*> shard_pointers_;
  uint64_t next_seq_no_ = 0;
  SystemClock clock_;
  FilterCache* filters_ = nullptr;
  VectorSource* vectors_ = nullptr;
};

}  // namespace quarry::testing
