// A walk of one or two hops over links from nodes to the nodes they are linked to, the counts of
// links that it leaves out, and the degrees of the shown nodes. The postings of `src` and `dst`
// lead to the links, and columns describe them: no document is read.
//
// Request: u8 sides (1 out, 2 in, 3 both), u8 hops (1 or 2), u8 with retired links, u8 with
//   degrees, u8 one type list follows, u8 has system, f64 world, f64 system (ms), u32 limit, u32
//   frontier, u32 seeds (str each), u32 types (str each).
// Reply: u32 magic "QLNK" (0x4b4e4c51), u16 version (2), u16 status (error type number, 0 ok);
//   status != 0: str reason, str cause. Else u64 links visited, u64 blocks of postings decoded, u8
//   complete, u32 strings (str each), u32 links, each u32 id, src, dst, type, detector (indexes of
//   strings; detector UINT32_MAX: none), u8 flags (1 walked outwards, 2 second hop, 4 evidenced,
//   8 valid_at, 16 invalid_at, 32 created_at, 64 expired_at are present), f64 confidence, weight,
//   valid_at, invalid_at, created_at, expired_at (0 if absent); then for each requested hop three
//   lists, beyond, retired and not valid yet: u32 types, each u32 string, u32 links; then u32 nodes
//   with degrees, each u32 string, u32 in, u32 out.
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
  bool some_types = false;  // only types in `types`
  LinkMoment moment;
  uint32_t limit = 0;  // maximum number of links in the reply, over both hops
  // Maximum number of nodes that the second hop starts from, in the order of the links.
  uint32_t frontier = 0;
  std::vector<std::string_view> seeds;
  std::vector<std::string_view> types;
};

/// Strings are views into `bytes`. parsing_exception for malformed input.
Result<LinkWalkRequest> decode_link_walk(Bytes bytes);

/// Returns the whole reply, including errors in the mapping. Order of links: hop, then confidence *
/// weight descending, then valid_at descending, then id. A link is walked once, in the first hop
/// that reaches it, and outwards if both directions are possible. `segments`: of all shards of the
/// index; the cost depends on the links of the nodes, not on the size of the index. Stops early
/// once `stop` expires.
std::vector<uint8_t> walk_links(const LinkWalkRequest& request, const LinkSchema& schema,
                                std::span<const SegmentView* const> segments, StopCheck& stop);

std::vector<uint8_t> encode_links_error(const Status& status);

}  // namespace quarry
