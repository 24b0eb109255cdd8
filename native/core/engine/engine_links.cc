// Calls on links: walks around nodes, and counts over whole indexes of links.
#include <string>
#include <utility>

#include "engine/catalog/index_view.h"
#include "engine/engine_impl.h"
#include "query/links/link_counts.h"
#include "query/links/link_walk.h"

namespace quarry {
namespace {

/// A view of an index of links, and the schema of its link fields.
struct LinksView {
  IndexView view;
  LinkSchema schema;
};

Result<IndexView> view_of(const std::shared_ptr<Index>& index, uint32_t number) {
  return take_view(index, number, {});
}

Result<LinksView> links_of(const std::shared_ptr<Index>& index, uint32_t number) {
  QUARRY_ASSIGN_OR_RETURN(IndexView view, view_of(index, number));
  QUARRY_ASSIGN_OR_RETURN(const LinkSchema schema, LinkSchema::of(*view.mapping, view.name));
  return LinksView{std::move(view), schema};
}

/// The statistics of a shard count a call on links as a search.
void count_search(const IndexView& view, int64_t nanos) {
  for (uint32_t i = 0; i < view.shards.size(); i++) {
    view.index->shard(i).count(Total::kSearches);
    view.index->shard(i).count(Total::kSearchNanos, static_cast<uint64_t>(nanos));
  }
}

}  // namespace

std::vector<uint8_t> EngineImpl::walk_links(uint32_t number, Bytes bytes, CallLimits limits) {
  const WorkPace::Search searching(pace_);
  const Result<LinkWalkRequest> request = decode_link_walk(bytes);
  if (!request.ok()) return encode_links_error(request.status());
  const Result<std::shared_ptr<Index>> index = find_index(number);
  if (!index.ok()) return encode_links_error(index.status());
  const Result<LinksView> links = links_of(*index, number);
  if (!links.ok()) return encode_links_error(links.status());
  const int64_t started = options_.clock->steady_ns();
  StopCheck stop(options_.clock, 0, &cancels_, limits);
  if (stop.expired() && stop.cancelled()) return encode_links_error(client_gone());
  std::vector<uint8_t> reply =
      quarry::walk_links(*request, links->schema, links->view.segments(), stop);
  const Status read = links->view.verify_read();
  if (!read.ok()) return encode_links_error(read);
  count_search(links->view, options_.clock->steady_ns() - started);
  return reply;
}

std::vector<uint8_t> EngineImpl::count_links(uint32_t number, const std::vector<uint32_t>& nodes,
                                             Bytes bytes, CallLimits limits) {
  const WorkPace::Search searching(pace_);
  const Result<LinkCountRequest> request = decode_link_count(bytes);
  if (!request.ok()) return encode_links_error(request.status());
  const Result<std::shared_ptr<Index>> index = find_index(number);
  if (!index.ok()) return encode_links_error(index.status());
  const Result<LinksView> links = links_of(*index, number);
  if (!links.ok()) return encode_links_error(links.status());
  std::vector<IndexView> node_views;
  std::vector<const SegmentView*> node_segments;
  for (const uint32_t one : nodes) {
    const Result<std::shared_ptr<Index>> found = find_index(one);
    if (!found.ok()) return encode_links_error(found.status());
    Result<IndexView> view = view_of(*found, one);
    if (!view.ok()) return encode_links_error(view.status());
    for (const SegmentView* segment : view->segments()) node_segments.push_back(segment);
    node_views.push_back(std::move(view).value());
  }
  const int64_t started = options_.clock->steady_ns();
  StopCheck stop(options_.clock, 0, &cancels_, limits);
  if (stop.expired() && stop.cancelled()) return encode_links_error(client_gone());
  std::vector<uint8_t> reply =
      quarry::count_links(*request, links->schema, links->view.segments(), node_segments, stop);
  Status read = links->view.verify_read();
  for (const IndexView& view : node_views) {
    if (read.ok()) read = view.verify_read();
  }
  if (!read.ok()) return encode_links_error(read);
  count_search(links->view, options_.clock->steady_ns() - started);
  return reply;
}

}  // namespace quarry
