// Format of the section. All integers are little-endian; the section should start at a multiple of
// 64 bytes.
//
//   u32 magic "QHNS", u16 version 1, u16 zero
//   u32 nodes N (> 0), u32 m (2 .. 512), u32 ef_construction
//   u32 entry point, u32 top level (0 .. 15), u32 nodes above layer 0 U
//   u64 seed, 24 zero bytes: 64 in all
//   u32 link[N][2 m]   layer 0: node ordinals; unused ones, at the end, repeat the node itself
//   u32 node[U]        ordinals of the nodes above layer 0, ascending
//   u8 level[U]        their highest level, 1 .. top level
//   zero bytes to a multiple of 64
//   u32 link[][m]      a row for each upper node and each of its levels from 1 on: indexes into
//                      node[]; unused ones, at the end, repeat the node's own index. A link leads
//                      to a node of that level
//
// The entry point is on the top level, and no node is on a higher level. The section ends with the
// last row.
#include "vector/hnsw/hnsw_graph.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

namespace quarry {
namespace {

constexpr uint32_t kMagic = 0x534e4851;  // "QHNS"
constexpr uint16_t kVersion = 1;
constexpr size_t kHeadBytes = 64;
constexpr size_t kAlignment = 64;

Status corrupt_graph(const std::string& what) {
  return {ErrorType::kCorrupt, "vector graph: " + what};
}

/// Whether each of `count` numbers is below `limit`. Without early exit, so that it runs at memory
/// speed.
bool all_below(const uint8_t* numbers, size_t count, uint32_t limit) {
  uint32_t largest = 0;
  for (size_t i = 0; i < count; ++i) largest = std::max(largest, load<uint32_t>(numbers + i * 4));
  return count == 0 || largest < limit;
}

}  // namespace

Result<std::unique_ptr<const HnswGraph>> HnswGraph::open(Bytes section, uint32_t size) {
  auto graph = std::make_unique<HnswGraph>();
  QUARRY_RETURN_IF_ERROR(graph->read(section, size));
  return Result<std::unique_ptr<const HnswGraph>>(std::move(graph));
}

Status HnswGraph::read(Bytes section, uint32_t size) {
  ByteReader in(section);
  QUARRY_RETURN_IF_ERROR(read_head(in, size));
  // Products of three 32-bit numbers within their limits fit 64 bits.
  const uint64_t row_numbers = uint64_t{size} * links_per_node();
  if (row_numbers * 4 > in.remaining()) return corrupt_graph("layer 0 ends early");
  layer0_ = in.get_bytes(row_numbers * 4).data();
  if (!all_below(layer0_, row_numbers, size)) return corrupt_graph("a link leads nowhere");
  upper_nodes_ = in.get_bytes(size_t{upper_size_} * 4).data();
  levels_ = in.get_bytes(upper_size_).data();
  in.align(kAlignment);
  if (in.failed()) return corrupt_graph("the upper levels end early");
  uint64_t rows = 0;
  for (uint32_t i = 0; i < upper_size_; ++i) rows += levels_[i];
  if (rows * shape_.m * 4 != in.remaining())
    return corrupt_graph("the upper levels have another length");
  upper_links_ = in.get_bytes(in.remaining()).data();
  bytes_ = section.size();
  QUARRY_RETURN_IF_ERROR(check_upper());
  return find_entry();
}

Status HnswGraph::read_head(ByteReader& in, uint32_t size) {
  const auto magic = in.get<uint32_t>();
  const auto version = in.get<uint16_t>();
  in.get<uint16_t>();
  shape_.size = in.get<uint32_t>();
  shape_.m = in.get<uint32_t>();
  shape_.ef_construction = in.get<uint32_t>();
  shape_.entry_point = in.get<uint32_t>();
  shape_.top_level = in.get<uint32_t>();
  upper_size_ = in.get<uint32_t>();
  shape_.seed = in.get<uint64_t>();
  in.seek(kHeadBytes);
  if (in.failed() || magic != kMagic) return corrupt_graph("not a graph");
  if (version != kVersion)
    return corrupt_graph("version " + std::to_string(version) + " is not known");
  if (size == 0 || shape_.size != size) {
    return corrupt_graph("it has " + std::to_string(shape_.size) + " nodes for " +
                         std::to_string(size) + " vectors");
  }
  if (shape_.m < kMinLinks || shape_.m > kMaxLinks)
    return corrupt_graph("m is " + std::to_string(shape_.m));
  const bool inside =
      shape_.entry_point < size && upper_size_ <= size && shape_.top_level <= kMaxGraphLevel;
  return inside ? Status() : corrupt_graph("the head contradicts itself");
}

Status HnswGraph::check_upper() {
  uint64_t row = 0;
  first_row_.reserve(upper_size_);
  for (uint32_t i = 0; i < upper_size_; ++i) {
    const bool ascending = i == 0 || upper_node(i) > upper_node(i - 1);
    if (!ascending || upper_node(i) >= shape_.size)
      return corrupt_graph("upper nodes are out of order");
    if (levels_[i] == 0 || levels_[i] > shape_.top_level)
      return corrupt_graph("a node has an impossible level");
    first_row_.push_back(static_cast<uint32_t>(row));
    row += levels_[i];
    if (row > UINT32_MAX) return corrupt_graph("too many upper rows");
  }
  for (uint32_t i = 0; i < upper_size_; ++i) {
    for (uint32_t level = 1; level <= levels_[i]; ++level) {
      const LinkList links = upper_links(i, level);
      for (uint32_t j = 0; j < links.size(); ++j) {
        if (links[j] >= upper_size_ || levels_[links[j]] < level)
          return corrupt_graph("an upper link leads nowhere");
      }
    }
  }
  return {};
}

/// Finds the entry point among the upper nodes; there are none if layer 0 is the only layer.
Status HnswGraph::find_entry() {
  if (shape_.top_level == 0)
    return upper_size_ == 0 ? Status() : corrupt_graph("upper nodes without a level");
  uint32_t low = 0;
  uint32_t high = upper_size_;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (upper_node(middle) < shape_.entry_point) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool found = low < upper_size_ && upper_node(low) == shape_.entry_point;
  if (!found || levels_[low] != shape_.top_level)
    return corrupt_graph("the entry point is not on the top level");
  entry_index_ = low;
  return {};
}

HnswGraphWriter::HnswGraphWriter(const GraphShape& shape, std::vector<uint32_t> upper_nodes,
                                 std::vector<uint8_t> levels)
    : shape_(shape), upper_nodes_(std::move(upper_nodes)), levels_(std::move(levels)) {
  size_t upper_rows = 0;
  for (const uint8_t level : levels_) upper_rows += level;
  out_.reserve(kHeadBytes + (size_t{shape.size} * 2 + upper_rows) * shape.m * 4 +
               upper_nodes_.size() * 5 + kAlignment);
  out_.put(kMagic);
  out_.put(kVersion);
  out_.put(uint16_t{0});
  out_.put(shape.size);
  out_.put(shape.m);
  out_.put(shape.ef_construction);
  out_.put(shape.entry_point);
  out_.put(shape.top_level);
  out_.put(static_cast<uint32_t>(upper_nodes_.size()));
  out_.put(shape.seed);
  out_.align(kHeadBytes);
}

void HnswGraphWriter::add_padded(std::span<const uint32_t> links, uint32_t width,
                                 uint32_t padding) {
  assert(links.size() <= width);
  for (const uint32_t link : links) out_.put(link);
  for (size_t i = links.size(); i < width; ++i) out_.put(padding);
}

void HnswGraphWriter::add_row(uint32_t node, std::span<const uint32_t> links) {
  add_padded(links, 2 * shape_.m, node);
  if (node + 1 < shape_.size) return;
  for (const uint32_t upper : upper_nodes_) out_.put(upper);
  out_.put_bytes(levels_);
  out_.align(kAlignment);
}

void HnswGraphWriter::add_upper_row(uint32_t index, std::span<const uint32_t> links) {
  add_padded(links, shape_.m, index);
}

}  // namespace quarry
