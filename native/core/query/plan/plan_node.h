// A node of a plan and the reader of its payload. opcodes.def has the layouts.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/coding.h"
#include "base/status.h"

namespace quarry {

enum class PlanOp : uint16_t {
#define PLAN_OP(id, number, name, layout) k##id = number,
#include "query/plan/opcodes.def"
};

/// Records the payloads that readers read, for tests that compare them with opcodes.def.
struct PlanTrace {
  struct Payload {
    PlanOp op;
    /// One letter for each value: b, h, i, q for integers of 1, 2, 4, 8 bytes, f and d for floats,
    /// s for a str, n for a node.
    std::string kinds;
  };
  std::deque<Payload> payloads;  // never move once added
};

/// A node whose payload is still encoded; each query file decodes its own payload.
struct PlanNode {
  PlanOp op = PlanOp::kMatchNone;
  uint16_t flags = 0;
  Bytes payload;
  PlanTrace* trace = nullptr;  // null, except in tests of layouts
};

/// Reads a payload. Like ByteReader it gives zeros and empty strings after a read beyond the end,
/// and then failed() is true.
class PlanReader {
 public:
  explicit PlanReader(const PlanNode& node)
      : bytes_(node.payload), trace_(node.trace), flags_(node.flags) {
    if (trace_ != nullptr) kinds_ = &trace_->payloads.emplace_back(node.op, std::string()).kinds;
  }
  /// Reads the bytes around nodes; these are not recorded, the nodes are.
  PlanReader(Bytes bytes, PlanTrace* trace) : bytes_(bytes), trace_(trace) {}

  template <typename T>
  T get() {
    record(kind_of<T>());
    return bytes_.get<T>();
  }
  std::string_view get_string() {
    record('s');
    return bytes_.get_string();
  }
  /// Reads list<f32> into `out`. False, with the reader failed, if the list exceeds the payload.
  bool get_floats(std::vector<float>& out) {
    const auto count = get<uint32_t>();
    if (count > 0) record('f');
    const Bytes floats = bytes_.get_bytes(size_t{count} * sizeof(float));
    if (failed()) return false;
    out.resize(count);
    if (count > 0) std::memcpy(out.data(), floats.data(), floats.size());
    return true;
  }
  /// Fails if the node exceeds the payload.
  PlanNode get_node() {
    record('n');
    PlanNode node;
    node.op = static_cast<PlanOp>(bytes_.get<uint16_t>());
    node.flags = bytes_.get<uint16_t>();
    const auto length = bytes_.get<uint32_t>();
    node.payload = bytes_.get_bytes(length);
    node.trace = trace_;
    return node;
  }

  void fail() { bytes_.seek(SIZE_MAX); }
  size_t remaining() const { return bytes_.remaining(); }
  bool done() const { return bytes_.done(); }
  bool failed() const { return bytes_.failed(); }
  /// Of the node.
  uint16_t flags() const { return flags_; }

 private:
  template <typename T>
  static constexpr char kind_of() {
    if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? 'f' : 'd';
    return sizeof(T) == 1 ? 'b' : sizeof(T) == 2 ? 'h' : sizeof(T) == 4 ? 'i' : 'q';
  }
  void record(char kind) {
    if (kinds_ != nullptr) kinds_->push_back(kind);
  }

  ByteReader bytes_;
  PlanTrace* trace_;
  std::string* kinds_ = nullptr;
  uint16_t flags_ = 0;
};

}  // namespace quarry
