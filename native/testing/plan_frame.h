// Writes whole plans in tests: legs, sort, search_after and the parts to fetch.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "query/plan/plan.h"
#include "testing/query_builder.h"

namespace quarry::testing {

/// The parts of a plan around its queries.
struct PlanFrame {
  std::vector<NodeBytes> legs;
  NodeBytes post_filter;
  std::vector<SortKey> sort;
  std::vector<Scalar> search_after;
  FetchSpec fetch;
  std::vector<NamedSnapshot> snapshots;
  std::vector<NodeBytes> aggs;
  std::vector<NodeBytes> more;  // whole frame nodes
  uint32_t flags = 0;
  uint32_t track_total_hits = kExactTotal;
  int64_t now_ms = 1700000000000;
  uint64_t timeout_us = 0;
  uint32_t window = 10;
  uint32_t terminate_after = 0;
  float min_score = std::numeric_limits<float>::quiet_NaN();

  std::vector<uint8_t> bytes() const;
};

/// The frame of the nested documents at `path` that every document shows: those that `plan` finds.
inline NodeBytes inner_hits_frame(std::string_view path, const PlanFrame& plan) {
  ByteWriter payload;
  payload.put(uint32_t{1});
  payload.put_string("hits");
  payload.put_string(path);
  payload.put_string(as_text(plan.bytes()));
  return raw_node(PlanOp::kInnerHits, payload);
}

inline std::vector<uint8_t> PlanFrame::bytes() const {
  ByteWriter frames;
  const auto add = [&frames](PlanOp op, const ByteWriter& payload) {
    frames.put_bytes(Bytes(raw_node(op, payload)));
  };
  for (const NodeBytes& leg : legs) {
    ByteWriter payload;
    payload.put_bytes(Bytes(leg));
    add(PlanOp::kLeg, payload);
  }
  if (!post_filter.empty()) {
    ByteWriter payload;
    payload.put_bytes(Bytes(post_filter));
    add(PlanOp::kPostFilter, payload);
  }
  if (!sort.empty()) {
    ByteWriter payload;
    payload.put(static_cast<uint32_t>(sort.size()));
    for (const SortKey& key : sort) {
      payload.put_string(key.field);
      payload.put(uint8_t{key.descending});
      payload.put(static_cast<uint8_t>(static_cast<uint8_t>(key.mode) | (key.has_query ? 64 : 0)));
      payload.put(key.missing);
      put_scalar(payload, key.missing_value.text, key.missing_value.kind);
      payload.put_string(key.unmapped_type);
      payload.put_string(key.numeric_type);
      payload.put_string(key.format);
      if (key.field == kScriptSort || key.field == kDistanceSort)
        payload.put_string(as_text(key.details));
      if (key.has_query) {
        payload.put(static_cast<uint16_t>(key.query.op));
        payload.put(key.query.flags);
        payload.put_string(as_text(key.query.payload));
      }
    }
    add(PlanOp::kSort, payload);
  }
  if (!search_after.empty()) {
    ByteWriter payload;
    payload.put(static_cast<uint32_t>(search_after.size()));
    for (const Scalar& value : search_after) put_scalar(payload, value.text, value.kind);
    add(PlanOp::kSearchAfter, payload);
  }
  ByteWriter payload;
  payload.put(fetch.source);
  for (const auto* names : {&fetch.includes, &fetch.excludes}) {
    payload.put(static_cast<uint32_t>(names->size()));
    for (const std::string& name : *names) payload.put_string(name);
  }
  payload.put(fetch.flags);
  for (const auto* fields : {&fetch.docvalue_fields, &fetch.fields}) {
    payload.put(static_cast<uint32_t>(fields->size()));
    for (const FieldAndFormat& field : *fields) {
      payload.put_string(field.pattern);
      payload.put_string(field.format);
    }
  }
  add(PlanOp::kFetch, payload);
  if (!snapshots.empty()) {
    ByteWriter named;
    named.put(static_cast<uint32_t>(snapshots.size()));
    for (const NamedSnapshot& snapshot : snapshots) {
      named.put(snapshot.index);
      named.put(snapshot.shard);
      named.put(snapshot.generation);
    }
    add(PlanOp::kSnapshots, named);
  }
  if (!aggs.empty()) {
    ByteWriter nodes;
    nodes.put(static_cast<uint32_t>(aggs.size()));
    for (const NodeBytes& agg : aggs) nodes.put_bytes(Bytes(agg));
    add(PlanOp::kAggs, nodes);
  }
  for (const NodeBytes& frame : more) frames.put_bytes(Bytes(frame));

  ByteWriter out;
  out.put(kPlanMagic);
  out.put(kPlanVersion);
  out.put(static_cast<uint16_t>(legs.size()));
  out.put(flags);
  out.put(track_total_hits);
  out.put(now_ms);
  out.put(timeout_us);
  out.put(uint32_t{0});
  out.put(window);
  out.put(window);
  out.put(terminate_after);
  out.put(min_score);
  out.put(static_cast<uint32_t>(frames.size()));
  out.put(uint64_t{0});
  out.put_bytes(frames.view());
  return out.take();
}

}  // namespace quarry::testing
