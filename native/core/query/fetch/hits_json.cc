// Writes hits like src/api/search/reply.ts: the same members in the same order.
#include "query/fetch/hits_json.h"

#include <cmath>
#include <limits>

#include "json/ecma_number.h"
#include "json/value.h"
#include "query/sort/sort_texts.h"

namespace quarry {
namespace {

/// Whole scores below this value are printed in full.
constexpr float kWhole = 1e16F;

void append_member(std::string& out, std::string_view name, std::string_view json) {
  if (!json.empty()) out.append(",\"").append(name).append("\":").append(json);
}

void append_inner_hits(std::string& out, const FetchedDocument& document, const Plan& plan,
                       std::string_view index);

/// `hit`: index of the hit in the leg.
void append_hit(std::string& out, const FetchedDocument& document, const LegHits& leg, size_t hit,
                const Plan& plan, std::string_view index) {
  const uint8_t flags = plan.fetch.flags;
  out.append("{\"_index\":");
  append_json_string(out, index);
  out.append(",\"_id\":");
  append_json_string(out, document.id);
  append_member(out, "_nested", document.nested);
  if ((flags & kFetchVersion) != 0)
    append_member(out, "_version", std::to_string(document.version));
  if ((flags & kFetchSeqNo) != 0) {
    append_member(out, "_seq_no", std::to_string(document.seq_no));
    append_member(out, "_primary_term", std::to_string(document.primary_term));
  }
  out.append(",\"_score\":");
  append_score(out, leg.scores[hit]);
  if (!document.routing.empty()) {
    out.append(",\"_routing\":");
    append_json_string(out, document.routing);
  }
  append_member(out, "_ignored", document.ignored);
  if (document.has_source) append_member(out, "_source", document.source);
  append_member(out, "fields", document.fields);
  append_member(out, "ignored_field_values", document.ignored_values);
  append_member(out, "highlight", document.highlight);
  if (!leg.sort.empty()) {
    out.append(",\"sort\":");
    append_sort_values(out, leg.sort, hit);
  }
  append_member(out, "matched_queries", document.matched_queries);
  append_inner_hits(out, document, plan, index);
  out += '}';
}

/// The hits of the leg from the first of the plan's page on, separated by commas.
void append_hits(std::string& out, const std::vector<FetchedDocument>& documents,
                 const LegHits& leg, const Plan& plan, std::string_view index) {
  for (size_t i = 0; i < documents.size(); i++) {
    if (i > 0) out += ',';
    append_hit(out, documents[i], leg, plan.from + i, plan, index);
  }
}

void append_inner_hits(std::string& out, const FetchedDocument& document, const Plan& plan,
                       std::string_view index) {
  bool any = false;
  for (size_t i = 0; i < document.inner_hits.size(); i++) {
    const InnerHits& inner = document.inner_hits[i];
    if (inner.hits.legs.empty()) continue;
    const LegHits& leg = inner.hits.legs.front();
    out.append(any ? "," : ",\"inner_hits\":{");
    any = true;
    append_json_string(out, plan.inner_hits[i].name);
    out.append(":{\"hits\":{\"total\":{\"value\":").append(std::to_string(inner.hits.total));
    out.append(",\"relation\":\"").append(inner.hits.total_is_lower_bound ? "gte" : "eq");
    out.append("\"},\"max_score\":");
    append_score(out, leg.has_max_score ? leg.max_score : std::numeric_limits<float>::quiet_NaN());
    out.append(",\"hits\":[");
    append_hits(out, inner.documents, leg, plan.inner_hits[i].plan, index);
    out.append("]}}");
  }
  if (any) out += '}';
}

}  // namespace

void append_score(std::string& out, float score) {
  if (!std::isfinite(score)) {
    out.append("null");
    return;
  }
  if (std::fabs(score) < kWhole && std::trunc(score) == score) {
    append_ecma_number(out, static_cast<double>(score));
    out.append(".0");
  } else {
    append_ecma_number(out, score);
  }
}

std::vector<uint8_t> encode_hits_json(const TimedFetch& fetched, const LegHits& leg,
                                      const Plan& plan, std::string_view index) {
  constexpr size_t kMembersBytes = 96;  // bytes per hit, excluding its source
  size_t bytes = 0;
  for (const FetchedDocument& document : fetched.documents)
    bytes += document.source.size() + kMembersBytes;
  std::string hits;
  hits.reserve(bytes);
  append_hits(hits, fetched.documents, leg, plan, index);
  return encode_page_text(hits, fetched.documents.size(), fetched.timed_out);
}

}  // namespace quarry
