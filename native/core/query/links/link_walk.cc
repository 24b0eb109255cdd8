// Walks from nodes over their links, hop by hop, and keeps the strongest links.
#include "query/links/link_walk.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "query/links/link_order.h"

namespace quarry {
namespace {

using Names = std::vector<std::string_view>;
/// Number of links by type.
using TypeCounts = std::map<std::string_view, uint32_t>;

/// Counts links by type: one counter per type of the segment, and one for links without a type.
class SegmentTypes {
 public:
  explicit SegmentTypes(const LinkTerms& types) : counts_(size_t{types.size()} + 1) {}
  void count(uint32_t ordinal) { counts_[std::min<size_t>(ordinal, counts_.size() - 1)]++; }
  void drain_into(TypeCounts& out, const LinkTerms& types) {
    for (uint32_t i = 0; i < counts_.size(); i++) {
      if (counts_[i] > 0) out[types.text(i)] += counts_[i];
      counts_[i] = 0;
    }
  }

 private:
  std::vector<uint32_t> counts_;
};

struct WalkSegment {
  WalkSegment(const SegmentView& view, const LinkWalkRequest& request, const LinkSchema& schema)
      : links(view, schema, request.moment),
        seen(view.segment->max_doc()),
        found(links.type),
        retired(links.type),
        future(links.type) {
    if (!request.some_types) return;
    wanted.resize(size_t{links.type.size()} + 1);
    for (const std::string_view type : request.types) {
      if (links.type.inverted() == nullptr) break;
      const auto ordinal = links.type.inverted()->terms().find(type);
      if (ordinal) wanted[*ordinal] = true;
    }
  }
  bool wants(uint32_t type) const {
    return wanted.empty() || wanted[std::min<size_t>(type, wanted.size() - 1)];
  }

  SegmentLinks links;
  Bitset seen;               // links of this hop and the one before, in any state
  std::vector<bool> wanted;  // by type; empty: all
  SegmentTypes found;
  SegmentTypes retired;
  SegmentTypes future;
};

struct HopCounts {
  TypeCounts beyond;   // matched, but not in the reply
  TypeCounts retired;  // retired, and not requested
  TypeCounts future;   // recorded, but not valid yet
};

/// The strings of a reply, each stored once.
class TextTable {
 public:
  uint32_t number(std::string_view text) {
    const auto [at, added] = numbers_.try_emplace(text, static_cast<uint32_t>(texts_.size()));
    if (added) texts_.push_back(text);
    return at->second;
  }
  const Names& texts() const { return texts_; }

 private:
  std::unordered_map<std::string_view, uint32_t> numbers_;
  Names texts_;
};

class LinkWalk {
 public:
  LinkWalk(const LinkWalkRequest& request, const LinkSchema& schema,
           std::span<const SegmentView* const> views, StopCheck& stop)
      : request_(request), stop_(stop) {
    segments_.reserve(views.size());
    for (const SegmentView* view : views) segments_.emplace_back(*view, request, schema);
  }

  std::vector<uint8_t> run() {
    Names from = distinct(request_.seeds);
    for (uint32_t hop = 1; hop <= request_.hops; hop++) {
      const bool last = hop == request_.hops;
      const auto left = static_cast<uint32_t>(request_.limit - shown_.size());
      const bool all = walk_hop(from, last ? left : std::max(left, request_.frontier), left);
      if (!last) from = next_frontier(all);
    }
    if (request_.with_degrees) count_degrees();
    return encode();
  }

 private:
  static Names distinct(const Names& names) {
    Names out;
    std::unordered_set<std::string_view> seen;
    for (const std::string_view name : names) {
      if (seen.insert(name).second) out.push_back(name);
    }
    return out;
  }

  /// Keeps the first `kept` links in last_hop_ and shows the first `shown` of them. True if it kept
  /// all.
  bool walk_hop(const Names& from, uint32_t kept, uint32_t shown) {
    StrongestLinks strongest(kept, LinkOrder{ids_of_});
    for (uint32_t at = 0; at < segments_.size(); at++) {
      if ((request_.sides & kLinksOut) != 0) walk_side(at, from, true, strongest);
      if ((request_.sides & kLinksIn) != 0) walk_side(at, from, false, strongest);
    }
    HopCounts& counts = hops_.emplace_back();
    for (WalkSegment& segment : segments_) {
      segment.found.drain_into(counts.beyond, segment.links.type);
      segment.retired.drain_into(counts.retired, segment.links.type);
      segment.future.drain_into(counts.future, segment.links.type);
    }
    const uint64_t found = strongest.offered();
    last_hop_ = strongest.take();
    for (uint32_t i = 0; i < std::min<size_t>(shown, last_hop_.size()); i++) {
      FoundLink& link = last_hop_[i];
      link.hop = static_cast<uint8_t>(hops_.size());
      const LinkTerms& type = segments_[link.segment].links.type;
      const auto counted = counts.beyond.find(type.text_at(link.doc));
      if (--counted->second == 0) counts.beyond.erase(counted);
      shown_.push_back(link);
    }
    return found == last_hop_.size();
  }

  void walk_side(uint32_t at, const Names& from, bool out, StrongestLinks& strongest) {
    WalkSegment& segment = segments_[at];
    each_link(segment, from, out, [&](uint32_t, uint32_t doc) {
      if (segment.seen.test(doc)) return;
      segment.seen.set(doc);
      visit(at, doc, out, strongest);
    });
  }

  /// Calls `take` with each of `nodes`, by index, and every live document that has it as its end.
  template <typename Take>
  void each_link(const WalkSegment& segment, const Names& nodes, bool out, Take take) {
    const LinkTerms& ends = out ? segment.links.src : segment.links.dst;
    const InvertedField* inverted = ends.inverted();
    if (inverted == nullptr) return;
    for (uint32_t node = 0; node < nodes.size(); node++) {
      const std::optional<uint32_t> ordinal = inverted->terms().find(nodes[node]);
      if (!ordinal) continue;
      cursor_.reset(inverted->source(), inverted->terms().info(*ordinal));
      for (uint32_t doc = cursor_.next(); doc != kNoMoreDocs; doc = cursor_.next()) {
        looked_at_++;
        if (stop_.step()) return;
        if (segment.links.is_live(doc)) take(node, doc);
      }
      blocks_ += cursor_.work().blocks;
    }
  }

  void visit(uint32_t at, uint32_t doc, bool out, StrongestLinks& strongest) {
    WalkSegment& segment = segments_[at];
    const LinkState state = segment.links.state(doc);
    if (state == LinkState::kUnknown) return;
    const uint32_t type = segment.links.type.ordinal(doc);
    if (!segment.wants(type)) return;
    if (state == LinkState::kFuture) {
      segment.future.count(type);
      return;
    }
    if (state == LinkState::kRetired && !request_.with_retired) {
      segment.retired.count(type);
      return;
    }
    segment.found.count(type);
    FoundLink link;
    link.strength = segment.links.strength(doc);
    link.valid = segment.links.valid_at.at(doc).value_or(0);
    link.segment = at;
    link.doc = doc;
    link.out = out;
    strongest.offer(link);
  }

  /// The far ends of the last hop's links, in their order, without the seeds.
  Names next_frontier(bool all_kept) {
    std::unordered_set<std::string_view> seen(request_.seeds.begin(), request_.seeds.end());
    Names out;
    complete_ = all_kept;
    for (const FoundLink& link : last_hop_) {
      const SegmentLinks& links = segments_[link.segment].links;
      const std::string_view far = (link.out ? links.dst : links.src).text_at(link.doc);
      if (far.empty() || !seen.insert(far).second) continue;  // empty: the link has no such end
      if (out.size() == request_.frontier) {
        complete_ = false;
        break;
      }
      out.push_back(far);
    }
    return out;
  }

  void count_degrees() {
    Names nodes = request_.seeds;
    for (const FoundLink& link : shown_) {
      const SegmentLinks& links = segments_[link.segment].links;
      nodes.push_back(links.src.text_at(link.doc));
      nodes.push_back(links.dst.text_at(link.doc));
    }
    nodes_ = distinct(nodes);
    for (const bool out : {true, false}) {
      std::vector<uint32_t>& counts = out ? outs_ : ins_;
      counts.resize(nodes_.size());
      for (const WalkSegment& segment : segments_) {
        each_link(segment, nodes_, out, [&](uint32_t node, uint32_t doc) {
          if (segment.links.state(doc) == LinkState::kLive) counts[node]++;
        });
      }
    }
  }

  std::vector<uint8_t> encode() {
    TextTable texts;
    ByteWriter rest;
    rest.put(static_cast<uint32_t>(shown_.size()));
    std::vector<IdBuffer> ids(shown_.size());  // the table of strings keeps views of them
    for (size_t i = 0; i < shown_.size(); i++) put_link(rest, texts, shown_[i], ids[i]);
    for (const HopCounts& hop : hops_) {
      for (const TypeCounts* counts : {&hop.beyond, &hop.retired, &hop.future}) {
        rest.put(static_cast<uint32_t>(counts->size()));
        for (const auto& [type, links] : *counts) {
          rest.put(texts.number(type));
          rest.put(links);
        }
      }
    }
    rest.put(static_cast<uint32_t>(nodes_.size()));
    for (uint32_t i = 0; i < nodes_.size(); i++) {
      rest.put(texts.number(nodes_[i]));
      rest.put(ins_[i]);
      rest.put(outs_[i]);
    }
    ByteWriter out;
    out.put(kLinksMagic);
    out.put(kLinksVersion);
    out.put(uint16_t{0});
    out.put(looked_at_);
    out.put(blocks_);
    out.put(static_cast<uint8_t>(complete_ ? 1 : 0));
    out.put(static_cast<uint32_t>(texts.texts().size()));
    for (const std::string_view text : texts.texts()) out.put_string(text);
    out.put_bytes(rest.view());
    return out.take();
  }

  void put_link(ByteWriter& out, TextTable& texts, const FoundLink& link, IdBuffer& id) const {
    const SegmentLinks& links = segments_[link.segment].links;
    out.put(texts.number(links.segment().ids().id(link.doc, id)));
    out.put(texts.number(links.src.text_at(link.doc)));
    out.put(texts.number(links.dst.text_at(link.doc)));
    out.put(texts.number(links.type.text_at(link.doc)));
    const uint32_t detector = links.detector.ordinal(link.doc);
    out.put(detector == LinkTerms::kNone ? UINT32_MAX
                                         : texts.number(links.detector.text(detector)));
    const LinkTimes times = links.times(link.doc);
    const std::optional<int64_t> instants[] = {times.valid, times.invalid, times.created,
                                               times.expired};
    uint32_t flags =
        (link.out ? 1U : 0U) | (link.hop == 2 ? 2U : 0U) | (links.evidenced(link.doc) ? 4U : 0U);
    for (uint32_t i = 0; i < 4; i++) flags |= instants[i] ? 8U << i : 0U;
    out.put(static_cast<uint8_t>(flags));
    out.put(links.confidence.share_at(link.doc));
    out.put(links.weight.share_at(link.doc));
    for (const std::optional<int64_t>& instant : instants)
      out.put(static_cast<double>(instant.value_or(0)));
  }

  const LinkWalkRequest& request_;
  StopCheck& stop_;
  std::vector<WalkSegment> segments_;
  const LinkIds ids_of_ = [this](const FoundLink& link, IdBuffer& buffer) {
    return segments_[link.segment].links.segment().ids().id(link.doc, buffer);
  };
  PostingsCursor cursor_;
  std::vector<FoundLink> last_hop_;
  std::vector<FoundLink> shown_;
  std::vector<HopCounts> hops_;
  bool complete_ = true;
  Names nodes_;  // nodes with degrees
  std::vector<uint32_t> ins_;
  std::vector<uint32_t> outs_;
  uint64_t looked_at_ = 0;
  uint64_t blocks_ = 0;
};

}  // namespace

std::vector<uint8_t> walk_links(const LinkWalkRequest& request, const LinkSchema& schema,
                                std::span<const SegmentView* const> segments, StopCheck& stop) {
  LinkWalk walk(request, schema, segments, stop);
  std::vector<uint8_t> reply = walk.run();
  return stop.cancelled() ? encode_links_error(client_gone()) : reply;
}

}  // namespace quarry
