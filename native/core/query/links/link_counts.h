// Statistics of a whole index of links: states, ends, types, detectors, and when links started and
// ended. Every link is read once, from columns.
//
// Request: u8 has system, f64 world, f64 system (ms), u32 top.
// Reply: header as of a walk (link_walk.h); then f64 live, retired, future, detected (live with
//   evidence), changes_at (ms: the next instant at which a link starts or ends, infinity for none),
//   node documents, linked (nodes with a live link), missing (linked nodes without a document),
//   looked_at; u32 hubs (str node, u32 in, u32 out), u32 types (str, u32 live, u32 retired),
//   u32 detectors (str, u32 live links), then twice, for created and for ended links: u32 hours
//   (f64 hours since the epoch, u32 links), ascending.
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
  uint32_t top = 0;  // number of hubs: nodes with the most live links
};

/// parsing_exception for malformed input.
Result<LinkCountRequest> decode_link_count(Bytes bytes);

/// The whole reply; incomplete once `stop` expires. `links`: segments of all shards; `nodes`:
/// segments of all shards of the indexes whose documents are nodes.
std::vector<uint8_t> count_links(const LinkCountRequest& request, const LinkSchema& schema,
                                 std::span<const SegmentView* const> links,
                                 std::span<const SegmentView* const> nodes, StopCheck& stop);

}  // namespace quarry
