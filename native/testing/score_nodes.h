// Writes clauses and scripts for computed scores in tests, as src/query/ does in the service.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/functions/script.h"
#include "testing/node_bytes.h"

namespace quarry::testing {

/// Builds a script by hand: instructions in the order of their execution.
class ScriptBytes {
 public:
  ScriptBytes& number(double value) { return add(ScriptCode::kNumber).put(value); }
  ScriptBytes& whole(int64_t value) { return add(ScriptCode::kWhole).put(value); }
  ScriptBytes& text(std::string_view value) {
    add(ScriptCode::kText);
    program_.put_string(value);
    return *this;
  }
  ScriptBytes& value(std::string_view field) { return add(ScriptCode::kValue).put(slot(field)); }
  ScriptBytes& size(std::string_view field) { return add(ScriptCode::kSize).put(slot(field)); }
  ScriptBytes& op(ScriptCode code) { return add(code); }
  ScriptBytes& call(ScriptCall function) { return add(ScriptCode::kCall).put(function); }
  ScriptBytes& date(ScriptDatePart part, std::string_view field) {
    return add(ScriptCode::kDate).put(part).put(slot(field));
  }
  ScriptBytes& jump(ScriptCode code, uint32_t target) { return add(code).put(target); }
  ScriptBytes& vector(ScriptVector function, std::string_view field,
                      const std::vector<float>& values) {
    add(ScriptCode::kVector).put(function).put(slot(field));
    program_.put(static_cast<uint32_t>(values.size()));
    for (const float value : values) program_.put(value);
    return *this;
  }
  std::vector<uint8_t> bytes() const {
    ByteWriter out;
    out.put_string("a script");
    out.put(static_cast<uint32_t>(fields_.size()));
    for (const std::string& field : fields_) out.put_string(field);
    out.put(count_);
    out.put_bytes(program_.view());
    return out.take();
  }

 private:
  ScriptBytes& add(ScriptCode code) {
    count_++;
    return put(code);
  }
  template <typename T>
  ScriptBytes& put(T operand) {
    program_.put(operand);
    return *this;
  }
  uint16_t slot(std::string_view field) {
    fields_.emplace_back(field);
    return static_cast<uint16_t>(fields_.size() - 1);
  }

  std::vector<std::string> fields_;
  ByteWriter program_;
  uint32_t count_ = 0;
};

inline NodeBytes script_score(const NodeBytes& query, const ScriptBytes& script, float boost = 1,
                              float min_score = NAN) {
  ByteWriter out;
  out.put(boost);
  out.put_string({});
  out.put_bytes(Bytes(query));
  out.put(min_score);
  out.put_bytes(Bytes(script.bytes()));
  return raw_node(PlanOp::kScriptScore, out);
}

inline NodeBytes script_query(const ScriptBytes& script, float boost = 1) {
  ByteWriter out;
  out.put(boost);
  out.put_string({});
  out.put_bytes(Bytes(script.bytes()));
  return raw_node(PlanOp::kScript, out);
}

/// One function of a function_score: kind, weight, filter and the parameters of the kind.
struct FunctionBytes {
  uint8_t kind = 0;
  float weight = NAN;
  NodeBytes filter;
  std::vector<uint8_t> rest;
};

inline FunctionBytes weight_function(float weight, NodeBytes filter = {}) {
  return {0, weight, std::move(filter), {}};
}
inline FunctionBytes field_value(std::string_view field, float factor = 1, uint8_t modifier = 0,
                                 double missing = NAN) {
  ByteWriter out;
  out.put_string(field);
  out.put(factor);
  out.put(modifier);
  out.put(missing);
  return {1, NAN, {}, out.take()};
}
inline FunctionBytes random_function(int64_t seed, std::string_view field = {}) {
  ByteWriter out;
  out.put(uint8_t{1});
  out.put(seed);
  out.put_string(field);
  return {2, NAN, {}, out.take()};
}
inline FunctionBytes decay_function(uint8_t shape, std::string_view field, std::string_view origin,
                                    std::string_view scale, std::string_view offset = "0",
                                    double decay = 0.5, uint8_t mode = 0) {
  ByteWriter out;
  out.put(shape);
  out.put_string(field);
  for (const std::string_view text : {origin, scale, offset}) {
    put_scalar(out, text, text.empty() ? Scalar::Kind::kNull : Scalar::Kind::kString);
  }
  out.put(decay);
  out.put(mode);
  return {3, NAN, {}, out.take()};
}

struct FunctionScoreOptions {
  uint8_t score_mode = 0;
  uint8_t boost_mode = 0;
  float max_boost = 3.4e38F;
  float min_score = NAN;
  float boost = 1;
};

inline NodeBytes function_score(const NodeBytes& query, const std::vector<FunctionBytes>& functions,
                                FunctionScoreOptions options = {}) {
  ByteWriter out;
  out.put(options.boost);
  out.put_string({});
  out.put_bytes(Bytes(query));
  out.put(options.score_mode);
  out.put(options.boost_mode);
  out.put(options.max_boost);
  out.put(options.min_score);
  out.put(static_cast<uint32_t>(functions.size()));
  for (const FunctionBytes& function : functions) {
    out.put(function.kind);
    out.put(function.weight);
    out.put(uint8_t{!function.filter.empty()});
    out.put_bytes(Bytes(function.filter));
    out.put_bytes(Bytes(function.rest));
  }
  return raw_node(PlanOp::kFunctionScore, out);
}

inline NodeBytes distance_feature(std::string_view field, std::string_view origin,
                                  std::string_view pivot, float boost = 1) {
  ByteWriter out;
  out.put(boost);
  out.put_string({});
  out.put_string(field);
  put_scalar(out, origin);
  put_scalar(out, pivot);
  return raw_node(PlanOp::kDistanceFeature, out);
}

/// `function`: log, saturation, sigmoid, linear. `pivot` NaN: the default of the index.
inline NodeBytes rank_feature(std::string_view field, uint8_t function,
                              float pivot = std::numeric_limits<float>::quiet_NaN(),
                              float exponent = 1, float boost = 1) {
  ByteWriter out;
  out.put(boost);
  out.put_string({});
  out.put_string(field);
  out.put(function);
  out.put(pivot);
  out.put(exponent);
  return raw_node(PlanOp::kRankFeature, out);
}

}  // namespace quarry::testing
