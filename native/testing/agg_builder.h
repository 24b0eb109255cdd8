// Writes aggregation nodes in tests, as src/query/aggs/ does in the service.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "query/aggs/frame/agg_plan.h"
#include "testing/node_bytes.h"

namespace quarry::testing {

inline constexpr double kNoBound = std::numeric_limits<double>::quiet_NaN();

inline void put_scalar_value(ByteWriter& out, const Scalar& scalar) {
  out.put(static_cast<uint8_t>(scalar.kind));
  out.put_string(scalar.text);
}
inline Scalar string_scalar(std::string text) { return {Scalar::Kind::kString, std::move(text)}; }
inline Scalar number_scalar(std::string text) { return {Scalar::Kind::kNumber, std::move(text)}; }

/// Parameters are appended in the order of opcodes.def; finish() adds the children.
class AggBuilder {
 public:
  AggBuilder(PlanOp op, std::string_view type) : op_(op) {
    out_.put_string(type);
    out_.put_string("name");
  }
  AggBuilder& source(std::string_view field, const Scalar& missing = {},
                     std::string_view value_type = {}, std::string_view format = {},
                     std::string_view time_zone = {}) {
    out_.put_string(field);
    put_scalar_value(out_, missing);
    out_.put_string(value_type);
    out_.put_string(format);
    out_.put_string(time_zone);
    return *this;
  }
  template <typename T>
  AggBuilder& put(T value) {
    out_.put(value);
    return *this;
  }
  AggBuilder& text(std::string_view text) {
    out_.put_string(text);
    return *this;
  }
  AggBuilder& scalar(const Scalar& scalar) {
    put_scalar_value(out_, scalar);
    return *this;
  }
  AggBuilder& scalars(const std::vector<Scalar>& scalars) {
    out_.put(static_cast<uint32_t>(scalars.size()));
    for (const Scalar& one : scalars) put_scalar_value(out_, one);
    return *this;
  }
  AggBuilder& rounding(const RoundingSpec& spec) {
    out_.put(spec.unit);
    out_.put(spec.fixed_ms);
    out_.put_string(spec.time_zone);
    out_.put(spec.offset_ms);
    return *this;
  }
  AggBuilder& orders(const std::vector<AggOrder>& orders) {
    out_.put(static_cast<uint32_t>(orders.size()));
    for (const AggOrder& order : orders) {
      out_.put(static_cast<uint8_t>(order.by));
      out_.put(static_cast<uint8_t>(order.descending ? 1 : 0));
      out_.put(static_cast<uint32_t>(order.path.size()));
      for (const uint32_t step : order.path) out_.put(step);
      out_.put(static_cast<uint8_t>(order.property));
      out_.put(order.argument);
    }
    return *this;
  }
  AggBuilder& node(const NodeBytes& node) {
    out_.put_bytes(Bytes(node));
    return *this;
  }
  NodeBytes finish(const std::vector<NodeBytes>& children = {}) {
    out_.put(static_cast<uint32_t>(children.size()));
    for (const NodeBytes& child : children) out_.put_bytes(Bytes(child));
    return raw_node(op_, out_);
  }

 private:
  PlanOp op_;
  ByteWriter out_;
};

inline NodeBytes stats_agg(std::string_view field, const Scalar& missing = {},
                           bool squares = false) {
  return AggBuilder(PlanOp::kAggStats, "stats")
      .source(field, missing)
      .put(static_cast<uint8_t>(squares ? 1 : 0))
      .finish();
}

struct TermsOptions {
  Scalar missing;
  uint32_t shard_size = 10;
  uint32_t exact_limit = 100000;
  uint32_t min_doc_count = 1;
  uint32_t max_doc_count = 0;
  std::vector<AggOrder> orders;
  std::vector<Scalar> include;
  std::vector<Scalar> exclude;
  std::string include_regexp;
  std::string exclude_regexp;
  uint32_t partition = 0;
  uint32_t partitions = 0;
  uint8_t flags = 0;
  NodeBytes background;
  NodeBytes filter;
};

inline NodeBytes terms_agg(std::string_view field, const TermsOptions& options = {},
                           const std::vector<NodeBytes>& children = {}) {
  AggBuilder builder(PlanOp::kAggTerms, "terms");
  builder.source(field, options.missing)
      .put(options.shard_size)
      .put(options.exact_limit)
      .put(options.min_doc_count)
      .put(options.max_doc_count)
      .orders(options.orders)
      .scalars(options.include)
      .scalars(options.exclude)
      .text(options.include_regexp)
      .text(options.exclude_regexp)
      .put(options.partition)
      .put(options.partitions)
      .put(options.flags);
  if ((options.flags & 4) != 0) builder.node(options.background);
  if ((options.flags & 8) != 0) builder.node(options.filter);
  return builder.finish(children);
}

inline NodeBytes histogram_agg(std::string_view field, double interval, double offset = 0,
                               const std::vector<NodeBytes>& children = {}) {
  return AggBuilder(PlanOp::kAggHistogram, "histogram")
      .source(field)
      .put(interval)
      .put(offset)
      .put(kNoBound)
      .put(kNoBound)
      .finish(children);
}

inline NodeBytes date_histogram_agg(std::string_view field, const RoundingSpec& rounding,
                                    const std::vector<NodeBytes>& children = {}) {
  return AggBuilder(PlanOp::kAggDateHistogram, "date_histogram")
      .source(field)
      .rounding(rounding)
      .scalar({})
      .scalar({})
      .scalar({})
      .scalar({})
      .finish(children);
}

inline NodeBytes filters_agg(const std::vector<NodeBytes>& queries, bool other = false,
                             const std::vector<NodeBytes>& children = {}) {
  AggBuilder builder(PlanOp::kAggFilters, "filters");
  builder.put(static_cast<uint8_t>(other ? 1 : 0)).put(static_cast<uint32_t>(queries.size()));
  for (const NodeBytes& query : queries) builder.node(query);
  return builder.finish(children);
}

}  // namespace quarry::testing
