// Writes hits as src/api/reply.ts does: the same members in the same order.
#include "query/hit_texts.h"

#include <charconv>
#include <cmath>

#include "json/value.h"
#include "query/plan.h"

namespace quarry {
namespace {

/// Whole numbers below it are printed in full.
constexpr float kWhole = 1e16F;
/// Digits of a float32, at most, and what `scientific` puts around them: "-1.23456789e-45".
constexpr size_t kScientificBytes = 32;
/// Numbers of other sizes are printed with an exponent, as ECMAScript does (Number::toString, 6.1.6.1.20).
constexpr int kLeastExponent = -6;
constexpr int kMostExponent = 21;

struct Decimal {
  std::string_view digits;  // without a point
  int exponent = 0;         // of the first digit
};

/// Of the shortest text that reads back as `score`, above zero. `buffer` holds the digits.
Decimal to_decimal(float score, std::span<char, kScientificBytes> buffer) {
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), score,
                                 std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<size_t>(end.ptr - buffer.data()));
  const size_t mark = text.find('e');
  Decimal out;
  // from_chars() takes no plus.
  const size_t sign = text[mark + 1] == '+' ? 1 : 0;
  std::from_chars(text.data() + mark + 1 + sign, text.data() + text.size(), out.exponent);
  if (mark > 1) buffer[1] = buffer[0];  // over the point
  out.digits = mark > 1 ? text.substr(1, mark - 1) : text.substr(0, 1);
  return out;
}

void append_decimal(std::string& out, const Decimal& decimal) {
  const auto& [digits, exponent] = decimal;
  const auto count = static_cast<int>(digits.size());
  if (exponent < kLeastExponent || exponent >= kMostExponent) {
    out += digits[0];
    if (count > 1) out.append(".").append(digits.substr(1));
    out.append(exponent < 0 ? "e" : "e+").append(std::to_string(exponent));
  } else if (exponent < 0) {
    out.append("0.").append(static_cast<size_t>(-exponent - 1), '0').append(digits);
  } else if (exponent + 1 >= count) {
    out.append(digits).append(static_cast<size_t>(exponent + 1 - count), '0');
  } else {
    const auto whole = static_cast<size_t>(exponent + 1);
    out.append(digits.substr(0, whole)).append(".").append(digits.substr(whole));
  }
}

void append_member(std::string& out, std::string_view name, std::string_view json) {
  if (!json.empty()) out.append(",\"").append(name).append("\":").append(json);
}

void append_hit(std::string& out, const FetchedDocument& document, float score,
                std::string_view index, uint8_t flags) {
  out.append("{\"_index\":");
  append_json_string(out, index);
  out.append(",\"_id\":");
  append_json_string(out, document.id);
  if ((flags & kFetchVersion) != 0)
    append_member(out, "_version", std::to_string(document.version));
  if ((flags & kFetchSeqNo) != 0) {
    append_member(out, "_seq_no", std::to_string(document.seq_no));
    append_member(out, "_primary_term", std::to_string(document.primary_term));
  }
  out.append(",\"_score\":");
  append_score(out, score);
  if (!document.routing.empty()) {
    out.append(",\"_routing\":");
    append_json_string(out, document.routing);
  }
  append_member(out, "_ignored", document.ignored);
  if (document.has_source) append_member(out, "_source", document.source);
  append_member(out, "fields", document.fields);
  append_member(out, "ignored_field_values", document.ignored_values);
  append_member(out, "highlight", document.highlight);
  append_member(out, "matched_queries", document.matched_queries);
  out += '}';
}

}  // namespace

void append_score(std::string& out, float score) {
  if (!std::isfinite(score)) {
    out.append("null");
    return;
  }
  const float size = std::fabs(score);
  if (std::signbit(score) && size != 0) out += '-';
  if (size < kWhole && std::trunc(size) == size) {
    out.append(std::to_string(static_cast<uint64_t>(size))).append(".0");
    return;
  }
  char buffer[kScientificBytes];
  append_decimal(out, to_decimal(size, buffer));
}

std::vector<uint8_t> encode_hit_texts(const TimedFetch& fetched, std::span<const float> scores,
                                      std::string_view index, uint8_t flags) {
  constexpr size_t kMembersBytes = 96;  // of a hit, beside its source
  size_t bytes = 0;
  for (const FetchedDocument& document : fetched.documents)
    bytes += document.source.size() + kMembersBytes;
  std::string hits;
  hits.reserve(bytes);
  for (size_t i = 0; i < fetched.documents.size(); i++) {
    if (i > 0) hits += ',';
    append_hit(hits, fetched.documents[i], scores[i], index, flags);
  }
  return encode_page_text(hits, fetched.documents.size(), fetched.timed_out);
}

}  // namespace quarry
