// Counts links segment by segment, then merges the ends, which segments number independently.
#include "query/links/link_counts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "query/links/hour_counts.h"
#include "query/links/link_walk.h"

namespace quarry {
namespace {

/// Number of documents whose columns are decoded at a time.
constexpr uint32_t kBatch = 1024;
constexpr int64_t kAbsent = std::numeric_limits<int64_t>::min();
using Batch = std::array<int64_t, kBatch>;

std::optional<int64_t> known(int64_t value) {
  return value == kAbsent ? std::nullopt : std::optional(value);
}

void decode(const Column* column, uint32_t first, uint32_t count, Batch& out) {
  if (column == nullptr) {
    std::fill_n(out.begin(), count, kAbsent);
  } else {
    column->decode(first, count, kAbsent, out.data());
  }
}

struct TypeTotals {
  uint32_t live = 0;
  uint32_t retired = 0;
};

/// The ends of the links of one segment on one side: its terms, and the number of live links of
/// each.
struct EndCounts {
  const InvertedField* inverted = nullptr;
  bool out = false;
  std::vector<uint32_t> counts;
  uint32_t at = 0;
  std::string_view text;

  /// Moves to the next term with a link; false at the end.
  bool advance() {
    while (at < counts.size() && counts[at] == 0) at++;
    if (at == counts.size()) return false;
    text = inverted->terms().term(at);
    return true;
  }
};

struct NodeDegree {
  std::string_view node;
  uint32_t in = 0;
  uint32_t out = 0;
};

class LinkCounter {
 public:
  LinkCounter(const LinkCountRequest& request, const LinkSchema& schema, StopCheck& stop)
      : request_(request), schema_(schema), stop_(stop) {}

  void add(const SegmentView& view) {
    const SegmentLinks links(view, schema_, request_.moment);
    for (const Column* column : {links.created_at.column(), links.valid_at.column()})
      if (column != nullptr) created_.expect(column->bounds().min, column->bounds().max);
    EndCounts& outs = ends_.emplace_back(EndCounts{links.src.inverted(), true, {}, 0, {}});
    outs.counts.resize(links.src.size());
    EndCounts& ins = ends_.emplace_back(EndCounts{links.dst.inverted(), false, {}, 0, {}});
    ins.counts.resize(links.dst.size());
    types_now_.assign(size_t{links.type.size()} + 1, {});
    detectors_now_.assign(links.detector.size(), 0);
    for (uint32_t first = 0; first < view.segment->max_doc() && !stop_.step(kBatch);
         first += kBatch)
      add_batch(links, first, std::min(kBatch, view.segment->max_doc() - first));
    for (uint32_t i = 0; i < types_now_.size(); i++) {
      if (types_now_[i].live + types_now_[i].retired == 0) continue;
      TypeTotals& totals = types_[links.type.text(i)];
      totals.live += types_now_[i].live;
      totals.retired += types_now_[i].retired;
    }
    for (uint32_t i = 0; i < detectors_now_.size(); i++)
      if (detectors_now_[i] > 0) detectors_[links.detector.text(i)] += detectors_now_[i];
  }

  std::vector<uint8_t> finish(std::span<const SegmentView* const> nodes) {
    for (const SegmentView* segment : nodes) documents_ += segment->live_count;
    join_ends(nodes);
    ByteWriter out;
    out.put(kLinksMagic);
    out.put(kLinksVersion);
    out.put(uint16_t{0});
    for (const uint64_t count : {live_, retired_, future_, detected_})
      out.put(static_cast<double>(count));
    out.put(changes_at_ == std::numeric_limits<int64_t>::max()
                ? std::numeric_limits<double>::infinity()
                : static_cast<double>(changes_at_));
    for (const uint64_t count : {documents_, linked_, missing_, looked_at_})
      out.put(static_cast<double>(count));
    put_lists(out);
    return out.take();
  }

 private:
  void add_batch(const SegmentLinks& links, uint32_t first, uint32_t count) {
    decode(links.src.column(), first, count, src_);
    decode(links.dst.column(), first, count, dst_);
    decode(links.type.column(), first, count, type_);
    decode(links.detector.column(), first, count, detector_);
    decode(links.valid_at.column(), first, count, valid_at_);
    decode(links.invalid_at.column(), first, count, invalid_at_);
    decode(links.created_at.column(), first, count, created_at_);
    decode(links.expired_at.column(), first, count, expired_at_);
    for (uint32_t i = 0; i < count; i++) {
      if (links.is_live(first + i)) add_link(links, first + i, i);
    }
  }

  void add_link(const SegmentLinks& links, uint32_t doc, uint32_t i) {
    looked_at_++;
    const LinkTimes times{known(valid_at_[i]), known(invalid_at_[i]), known(created_at_[i]),
                          known(expired_at_[i])};
    const LinkState state = link_state(times, request_.moment);
    if (state == LinkState::kUnknown) return;
    for (const int64_t at : {valid_at_[i], invalid_at_[i]})
      if (at > request_.moment.world) changes_at_ = std::min(changes_at_, at);
    created_.count(times.created.value_or(times.valid.value_or(0)));
    if (state == LinkState::kFuture) {
      future_++;
      return;
    }
    const size_t no_type = types_now_.size() - 1;
    TypeTotals& type = types_now_[type_[i] == kAbsent ? no_type : static_cast<size_t>(type_[i])];
    if (state == LinkState::kRetired) {
      retired_++;
      type.retired++;
      ended_.count(times.expired.value_or(times.invalid.value_or(0)));
      return;
    }
    live_++;
    type.live++;
    if (links.evidenced(doc)) detected_++;
    if (detector_[i] != kAbsent) detectors_now_[static_cast<size_t>(detector_[i])]++;
    count_end(ends_[ends_.size() - 2], src_[i]);
    count_end(ends_.back(), dst_[i]);
  }

  /// A link without this end is not counted for any node.
  static void count_end(EndCounts& ends, int64_t ordinal) {
    if (ordinal != kAbsent) ends.counts[static_cast<size_t>(ordinal)]++;
  }

  /// Merges the lists of ends, which are sorted by text, so that nodes arrive in order.
  void join_ends(std::span<const SegmentView* const> nodes) {
    std::vector<EndCounts*> heap;
    const auto later = [](const EndCounts* a, const EndCounts* b) { return a->text > b->text; };
    for (EndCounts& ends : ends_)
      if (ends.advance()) heap.push_back(&ends);
    std::make_heap(heap.begin(), heap.end(), later);
    while (!heap.empty() && !stop_.step()) {
      NodeDegree node{heap.front()->text, 0, 0};
      while (!heap.empty() && heap.front()->text == node.node) {
        std::pop_heap(heap.begin(), heap.end(), later);
        EndCounts& ends = *heap.back();
        (ends.out ? node.out : node.in) += ends.counts[ends.at++];
        if (ends.advance()) {
          std::push_heap(heap.begin(), heap.end(), later);
        } else {
          heap.pop_back();
        }
      }
      linked_++;
      if (!exists(nodes, node.node)) missing_++;
      offer_hub(node);
    }
    std::sort(hubs_.begin(), hubs_.end(), more);
    if (hubs_.size() > request_.top) hubs_.resize(request_.top);
  }

  static bool exists(std::span<const SegmentView* const> nodes, std::string_view id) {
    const uint64_t hash = hash64(id);
    for (const SegmentView* view : nodes) {
      const std::optional<uint32_t> doc = view->segment->ids().find(id, hash);
      if (doc && (view->live == nullptr || view->live->test(*doc))) return true;
    }
    return false;
  }

  static bool more(const NodeDegree& a, const NodeDegree& b) {
    const uint64_t of_a = uint64_t{a.in} + a.out;
    const uint64_t of_b = uint64_t{b.in} + b.out;
    return of_a != of_b ? of_a > of_b : a.node < b.node;
  }
  /// Keeps the node if it is among the first `top`; the others are dropped from time to time.
  void offer_hub(const NodeDegree& node) {
    if (request_.top == 0) return;
    if (full_ && more(hubs_[request_.top - 1], node)) return;
    hubs_.push_back(node);
    if (hubs_.size() < size_t{request_.top} * 2 + kBatch) return;
    std::nth_element(hubs_.begin(), hubs_.begin() + (request_.top - 1), hubs_.end(), more);
    hubs_.resize(request_.top);
    full_ = true;
  }

  void put_lists(ByteWriter& out) {
    out.put(static_cast<uint32_t>(hubs_.size()));
    for (const NodeDegree& hub : hubs_) {
      out.put_string(hub.node);
      out.put(hub.in);
      out.put(hub.out);
    }
    out.put(static_cast<uint32_t>(types_.size()));
    for (const auto& [type, totals] : types_) {
      out.put_string(type);
      out.put(totals.live);
      out.put(totals.retired);
    }
    out.put(static_cast<uint32_t>(detectors_.size()));
    for (const auto& [detector, links] : detectors_) {
      out.put_string(detector);
      out.put(links);
    }
    created_.put(out);
    ended_.put(out);
  }

  const LinkCountRequest& request_;
  const LinkSchema& schema_;
  StopCheck& stop_;
  Batch src_{}, dst_{}, type_{}, detector_{};
  Batch valid_at_{}, invalid_at_{}, created_at_{}, expired_at_{};
  // Of the current segment, by term; last: links without a type.
  std::vector<TypeTotals> types_now_;
  std::vector<uint32_t> detectors_now_;
  std::vector<EndCounts> ends_;  // two per segment
  std::map<std::string_view, TypeTotals> types_;
  std::map<std::string_view, uint32_t> detectors_;
  HourCounts created_;
  HourCounts ended_;
  std::vector<NodeDegree> hubs_;
  bool full_ = false;
  int64_t changes_at_ = std::numeric_limits<int64_t>::max();
  uint64_t live_ = 0;
  uint64_t retired_ = 0;
  uint64_t future_ = 0;
  uint64_t detected_ = 0;
  uint64_t documents_ = 0;
  uint64_t linked_ = 0;
  uint64_t missing_ = 0;
  uint64_t looked_at_ = 0;
};

}  // namespace

std::vector<uint8_t> count_links(const LinkCountRequest& request, const LinkSchema& schema,
                                 std::span<const SegmentView* const> links,
                                 std::span<const SegmentView* const> nodes, StopCheck& stop) {
  LinkCounter counter(request, schema, stop);
  for (const SegmentView* segment : links) counter.add(*segment);
  std::vector<uint8_t> reply = counter.finish(nodes);
  return stop.cancelled() ? encode_links_error(client_gone()) : reply;
}

}  // namespace quarry
