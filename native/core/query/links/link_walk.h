// A walk over links from nodes to what they are joined to, one or two hops, and what it leaves out; degrees of the nodes
// that it shows. Postings of `src` and `dst` lead to links, columns say what they are: no document is read.
//
// Request: u8 sides (1 out, 2 in, 3 both), u8 hops (1 or 2), u8 with retired links, u8 with degrees, u8 one type list
//   follows, u8 has system, f64 world, f64 system (ms), u32 limit, u32 frontier, u32 seeds (str each), u32 types (str each).
// Reply: u32 magic "QLNK" (0x4b4e4c51), u16 version (2), u16 status (error type number, 0 ok); status != 0: str reason,
//   str cause. Else u64 links looked at, u64 blocks of postings decoded, u8 complete, u32 texts (str each), u32 links, each
//   u32 id, src, dst, type, detector (numbers of texts; detector UINT32_MAX: none), u8 flags (1 walked outwards, 2 second
//   hop, 4 evidenced, 8 valid_at, 16 invalid_at, 32 created_at, 64 expired_at are there), f64 confidence, weight, valid_at,
//   invalid_at, created_at, expired_at (0 where absent); then for each hop asked for three lists, beyond, retired and not
//   valid yet: u32 types, each u32 text, u32 links; then u32 nodes with degrees, each u32 text, u32 in, u32 out.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "base/stop_check.h"
#include "query/links/link_fields.h"

namespace quarry {

inline constexpr uint32_t kLinksMagic = 0x4b4e4c51;
inline constexpr uint16_t kLinksVersion = 2;

/// Bits of a request's sides.
inline constexpr uint8_t kLinksOut = 1;
inline constexpr uint8_t kLinksIn = 2;

struct LinkWalkRequest {
  uint8_t sides = kLinksOut | kLinksIn;
  uint32_t hops = 1;
  bool with_retired = false;
  bool with_degrees = false;
  bool some_types = false;  // only those of `types`
  LinkMoment moment;
  uint32_t limit = 0;     // links answered, of both hops together
  uint32_t frontier = 0;  // nodes that a second hop starts from: those over the strongest links
  std::vector<std::string_view> seeds;
  std::vector<std::string_view> types;
};

/// Strings of the request are views into `bytes`. parsing_exception when they are no request.
Result<LinkWalkRequest> decode_link_walk(Bytes bytes);

/// Order of links: hop, then confidence * weight descending, then valid_at descending, then id. A link is walked once, in
/// the first hop that touches it; outwards where it has the choice. The whole reply, errors in the mapping included.
/// `segments`: of all shards of the index; cost follows the links around the nodes, never the size of the index.
/// Once `stop` says so it walks no further.
std::vector<uint8_t> walk_links(const LinkWalkRequest& request, const LinkSchema& schema,
                                std::span<const SegmentView* const> segments, StopCheck& stop);

std::vector<uint8_t> encode_links_error(const Status& status);

}  // namespace quarry
