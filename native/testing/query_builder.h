// Writes query nodes in tests, as src/wire/plan-writer.ts and src/query/ do in the service.
#pragma once

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testing/node_bytes.h"

namespace quarry::testing {

/// Boost and name of the following clauses are set on the builder.
class Query {
 public:
  explicit Query(float boost = 1, std::string name = {}) : boost_(boost), name_(std::move(name)) {}

  NodeBytes match_all() const { return finish(PlanOp::kMatchAll, start()); }
  NodeBytes match_none() const { return finish(PlanOp::kMatchNone, start()); }
  NodeBytes term(std::string_view field, std::string_view value, bool fold = false) const {
    ByteWriter out = start();
    out.put_string(field);
    put_scalar(out, value);
    out.put(uint8_t{fold});
    return finish(PlanOp::kTerm, out);
  }
  NodeBytes terms(std::string_view field, const std::vector<std::string>& values) const {
    ByteWriter out = start();
    out.put_string(field);
    out.put(static_cast<uint32_t>(values.size()));
    for (const std::string& value : values) put_scalar(out, value);
    return finish(PlanOp::kTerms, out);
  }
  /// `bounds` has one scalar for each bit set in `which`, lowest bit first.
  NodeBytes range(std::string_view field, uint8_t which, const std::vector<std::string>& bounds,
                  std::string_view format = {}, std::string_view time_zone = {}) const {
    ByteWriter out = start();
    out.put_string(field);
    out.put(which);
    for (const std::string& bound : bounds) put_scalar(out, bound);
    out.put_string(format);
    out.put_string(time_zone);
    return finish(PlanOp::kRange, out);
  }
  /// `shape`: JSON.
  NodeBytes geo_distance(std::string_view field, std::string_view shape, std::string_view distance,
                         bool ignore_unmapped = false) const {
    ByteWriter out = shape_of(field, shape, ignore_unmapped);
    put_scalar(out, distance);
    out.put_string("");
    return finish(PlanOp::kGeoDistance, out);
  }
  NodeBytes geo_bounding_box(std::string_view field, std::string_view shape) const {
    return finish(PlanOp::kGeoBoundingBox, shape_of(field, shape, false));
  }
  NodeBytes geo_polygon(std::string_view field, std::string_view shape) const {
    return finish(PlanOp::kGeoPolygon, shape_of(field, shape, false));
  }
  NodeBytes exists(std::string_view field) const {
    ByteWriter out = start();
    out.put_string(field);
    return finish(PlanOp::kExists, out);
  }
  NodeBytes prefix(std::string_view field, std::string_view value, bool fold = false) const {
    return pattern(PlanOp::kPrefix, field, value, fold);
  }
  NodeBytes wildcard(std::string_view field, std::string_view value, bool fold = false) const {
    return pattern(PlanOp::kWildcard, field, value, fold);
  }
  NodeBytes regexp(std::string_view field, std::string_view value, bool fold = false,
                   uint32_t max_states = 10000, std::string_view flags = {}) const {
    ByteWriter out = start();
    out.put_string(field);
    out.put_string(value);
    out.put(uint8_t{fold});
    out.put(max_states);
    out.put_string(flags);
    return finish(PlanOp::kRegexp, out);
  }
  NodeBytes fuzzy(std::string_view field, std::string_view value,
                  std::string_view fuzziness = "AUTO", uint32_t max_expansions = 50) const {
    ByteWriter out = start();
    out.put_string(field);
    put_scalar(out, value);
    out.put_string(fuzziness);
    out.put(uint32_t{0});
    out.put(max_expansions);
    out.put(uint8_t{1});
    return finish(PlanOp::kFuzzy, out);
  }
  NodeBytes ids(const std::vector<std::string>& ids) const {
    ByteWriter out = start();
    out.put(static_cast<uint32_t>(ids.size()));
    for (const std::string& id : ids) out.put_string(id);
    return finish(PlanOp::kIds, out);
  }
  NodeBytes match(std::string_view field, std::string_view text,
                  const MatchOptions& options = {}) const {
    return analyzed(PlanOp::kMatch, field, text, options);
  }
  NodeBytes match_bool_prefix(std::string_view field, std::string_view text,
                              const MatchOptions& options = {}) const {
    return analyzed(PlanOp::kMatchBoolPrefix, field, text, options);
  }
  NodeBytes match_phrase(std::string_view field, std::string_view text, uint32_t slop = 0) const {
    return finish(PlanOp::kMatchPhrase, phrase(field, text, slop));
  }
  NodeBytes match_phrase_prefix(std::string_view field, std::string_view text,
                                uint32_t slop = 0) const {
    ByteWriter out = phrase(field, text, slop);
    out.put(uint32_t{50});
    return finish(PlanOp::kMatchPhrasePrefix, out);
  }
  NodeBytes multi_match(const std::vector<std::pair<std::string, float>>& fields,
                        std::string_view text, MultiMatchType type = MultiMatchType::kBestFields,
                        const MatchOptions& options = {},
                        float tie_breaker = std::numeric_limits<float>::quiet_NaN()) const {
    ByteWriter out = start();
    out.put(static_cast<uint32_t>(fields.size()));
    for (const auto& [field, boost] : fields) {
      out.put_string(field);
      out.put(boost);
    }
    put_scalar(out, text);
    out.put(type);
    out.put(tie_breaker);
    out.put(uint32_t{0});
    put_options(out, options);
    out.put_string("");
    return finish(PlanOp::kMultiMatch, out);
  }
  NodeBytes boolean(const std::vector<NodeBytes>& must, const std::vector<NodeBytes>& filter = {},
                    const std::vector<NodeBytes>& should = {},
                    const std::vector<NodeBytes>& must_not = {},
                    std::string_view minimum_should_match = {}) const {
    ByteWriter out = start();
    out.put_string(minimum_should_match);
    for (const auto* list : {&must, &filter, &should, &must_not}) put_nodes(out, *list);
    return finish(PlanOp::kBool, out);
  }
  NodeBytes constant_score(const NodeBytes& filter) const {
    ByteWriter out = start();
    out.put_bytes(Bytes(filter));
    return finish(PlanOp::kConstantScore, out);
  }
  /// `mode`: avg, sum, max, min, none.
  NodeBytes nested(std::string_view path, const NodeBytes& query, uint8_t mode = 0,
                   bool ignore_unmapped = false) const {
    ByteWriter out = start();
    out.put_string(path);
    out.put(mode);
    out.put(uint8_t{ignore_unmapped});
    out.put_bytes(Bytes(query));
    return finish(PlanOp::kNested, out);
  }
  NodeBytes dis_max(const std::vector<NodeBytes>& queries, float tie_breaker = 0) const {
    ByteWriter out = start();
    out.put(tie_breaker);
    put_nodes(out, queries);
    return finish(PlanOp::kDisMax, out);
  }
  NodeBytes boosting(const NodeBytes& positive, const NodeBytes& negative,
                     float negative_boost) const {
    ByteWriter out = start();
    out.put_bytes(Bytes(positive));
    out.put_bytes(Bytes(negative));
    out.put(negative_boost);
    return finish(PlanOp::kBoosting, out);
  }

 private:
  ByteWriter shape_of(std::string_view field, std::string_view shape, bool ignore_unmapped) const {
    ByteWriter out = start();
    out.put_string(field);
    out.put_string(shape);
    out.put(uint8_t{0});
    out.put(uint8_t{ignore_unmapped});
    return out;
  }
  ByteWriter start() const {
    ByteWriter out;
    out.put(boost_);
    out.put_string(name_);
    return out;
  }
  static NodeBytes finish(PlanOp op, const ByteWriter& payload) { return raw_node(op, payload); }
  NodeBytes pattern(PlanOp op, std::string_view field, std::string_view value, bool fold) const {
    ByteWriter out = start();
    out.put_string(field);
    out.put_string(value);
    out.put(uint8_t{fold});
    return finish(op, out);
  }
  NodeBytes analyzed(PlanOp op, std::string_view field, std::string_view text,
                     const MatchOptions& options) const {
    ByteWriter out = start();
    out.put_string(field);
    put_scalar(out, text);
    put_options(out, options);
    return finish(op, out);
  }
  ByteWriter phrase(std::string_view field, std::string_view text, uint32_t slop) const {
    ByteWriter out = start();
    out.put_string(field);
    put_scalar(out, text);
    out.put(slop);
    out.put_string({});
    out.put(uint8_t{0});
    return out;
  }

  float boost_;
  std::string name_;
};

}  // namespace quarry::testing
