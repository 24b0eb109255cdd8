// Parses arbitrary bytes as a plan: it must be rejected or run over a small index.
#include <cstdint>
#include <memory>

#include "mapping/document/document.h"
#include "mapping/vectors/semantic_vectors.h"
#include "query/plan/plan.h"
#include "query/plan/search.h"
#include "segment/segment_builder.h"

namespace {

using namespace quarry;

/// One segment with a field of every type.
struct Index {
  std::shared_ptr<const Mapping> mapping;
  ShardView view;
  SystemClock clock;

  Index() {
    mapping = Mapping::create(
                  R"({"properties":{"title":{"type":"text"},"tag":{"type":"keyword"},
                                "body":{"type":"semantic_text","dims":8},
                                "n":{"type":"long"},"day":{"type":"date"},"ip":{"type":"ip"},"flag":{"type":"boolean"},
                                "flat":{"type":"flattened"},
                                "emb":{"type":"dense_vector","dims":3}}})",
                  make_mapping_context("{}").value())
                  .value();
    SegmentBuilder builder;
    LexicalEmbedder embedder;
    BuiltInVectors vectors(embedder);
    for (int i = 0; i < 20; i++) {
      ParsedDocument document;
      const std::string n = std::to_string(i);
      const std::string source =
          R"({"title":"quick fox )" + n + R"(","body":"a quick brown fox","tag":"k)" + n +
          R"(","n":)" + n +
          R"(,"day":"2024-01-01","ip":"10.0.0.1","flag":true,"flat":{"a":"b"},"emb":[1,)" + n +
          ",0]}";
      if (!parse_document(*mapping, source, document).ok()) continue;
      if (!embed_document(*mapping, n, vectors, document).ok()) continue;
      static_cast<void>(
          builder.add(*mapping, document, n, source, {1, static_cast<uint64_t>(i), 1}));
    }
    SegmentView segment;
    segment.segment = Segment::open(builder.build(Bitset(builder.size(), true)).value()).value();
    segment.live_count = segment.segment->max_doc();
    view.segments.push_back(segment);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Index index;
  Result<Plan> plan = decode_plan({data, size});
  if (!plan.ok()) return 0;
  SearchContext context;
  context.mapping = index.mapping.get();
  context.index_name = "fuzz";
  context.index_number = 4;  // the index number of the documents that the corpus lists
  context.view = &index.view;
  context.clock = &index.clock;
  const Result<ShardHits> hits = execute_search(context, *plan);
  if (!hits.ok() || hits->legs.empty()) return 0;
  static_cast<void>(execute_fetch(context, *plan, hits->legs[0].docs));
  return 0;
}
