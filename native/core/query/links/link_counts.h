// A whole index of links in numbers: states, ends, types, detectors, and when links came and went. Every link is looked at
// once, by columns.
//
// Request: u8 has system, f64 world, f64 system (ms), u32 top.
// Reply: header as of a walk (link_walk.h); then f64 live, retired, future, detected (live with evidence), changes_at (ms: the
//   next instant at which a link begins or ends, infinity for none), node documents, linked (nodes with a live link), missing
//   (of those without a document), looked_at; u32 hubs (str node, u32 in, u32 out), u32 types (str, u32 live, u32 retired),
//   u32 detectors (str, u32 live links), then twice, for links created and for links ended: u32 hours (f64 hours since the
//   epoch, u32 links), ascending.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/coding.h"
#include "base/stop_check.h"
#include "query/links/link_fields.h"

namespace quarry {

struct LinkCountRequest {
  LinkMoment moment;
  uint32_t top = 0;  // hubs: nodes with the most live links
};

/// parsing_exception when they are no request.
Result<LinkCountRequest> decode_link_count(Bytes bytes);

/// The whole reply, of less once `stop` says so. `links`: segments of all shards; `nodes`: of all shards of the indexes whose documents are nodes.
std::vector<uint8_t> count_links(const LinkCountRequest& request, const LinkSchema& schema,
                                 std::span<const SegmentView* const> links,
                                 std::span<const SegmentView* const> nodes, StopCheck& stop);

}  // namespace quarry
