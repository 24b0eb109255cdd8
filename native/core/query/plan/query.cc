// What all scorers share: document-at-a-time fallbacks of the bulk operations, bounds of sums, and
// explanations as JSON.
#include "query/plan/query.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "json/value.h"
#include "query/scorers/term_scorer.h"

namespace quarry {
namespace {

constexpr uint32_t kStopInterval = 256;  // documents between two checks of the clock

}  // namespace

void Scorer::score_window(uint32_t begin, uint32_t end, ScoreWindow& window) {
  for (uint32_t doc = advance_match(begin); doc < end; doc = next_match()) window.add(doc, score());
}

void DocSet::match_window(uint32_t begin, uint32_t end, uint64_t* bits) {
  for (uint32_t doc = advance_match(begin); doc < end; doc = next_match()) {
    bits[(doc - begin) >> 6] |= uint64_t{1} << ((doc - begin) & 63);
  }
}

uint32_t DocSet::list_matches(uint32_t from, uint32_t* out) {
  uint32_t count = 0;
  for (uint32_t doc = advance_match(from); doc != kNoMoreDocs; doc = next_match()) {
    out[count++] = doc;
    if (count == kBlockDocs) break;
  }
  return count;
}

uint32_t DocSet::keep_matches(std::span<uint32_t> docs) {
  uint32_t kept = 0;
  for (const uint32_t doc : docs) {
    docs[kept] = doc;
    kept += advance_to(doc) == doc && matches() ? 1 : 0;
  }
  return kept;
}

void run_scorer(Scorer& scorer, const Leaf& leaf, Collector& collector, StopCheck& stop) {
  const bool scores = collector.needs_scores();
  float threshold = collector.threshold();
  if (threshold != kNoThreshold) scorer.set_threshold(threshold);
  uint32_t left = kStopInterval;
  uint32_t doc = scorer.next();
  while (doc != kNoMoreDocs && !collector.done()) {
    if (--left == 0) {
      if (stop.expired()) return;
      left = kStopInterval;
    }
    const uint32_t competitive = collector.next_competitive(doc);
    if (competitive != doc) {
      doc = competitive == kNoMoreDocs ? kNoMoreDocs : scorer.advance(competitive);
      continue;
    }
    if ((leaf.live == nullptr || leaf.live->test(doc)) && scorer.matches()) {
      if (scores) leaf.counters->docs_scored++;
      const float score = scores ? scorer.score() : 0.0F;
      if (stop.stopped()) return;  // the score may lack a clause
      collector.collect(doc, score);
      if (collector.threshold() > threshold) {
        threshold = collector.threshold();
        scorer.set_threshold(threshold);
      }
    }
    doc = scorer.next();
  }
}

void set_matches(Scorer& scorer, StopCheck& stop, Bitset& bits) {
  for (uint32_t begin = 0; begin < bits.size() && !stop.expired(); begin += ScoreWindow::kDocs) {
    const uint32_t end = std::min(begin + ScoreWindow::kDocs, bits.size());
    scorer.match_window(begin, end, bits.words().data() + begin / 64);
  }
}

float sum_upper_bound(double sum, size_t count) noexcept {
  // n - 1 additions in double err by at most (n - 1) ulps of the result, both here and in the sum
  // that the bound is compared with.
  constexpr double kUlp = 2.220446049250313e-16;
  if (count <= 1) return static_cast<float>(sum);
  return static_cast<float>(sum * (1.0 + 2.0 * static_cast<double>(count) * kUlp));
}

std::string float_text(double value) {
  if (!std::isfinite(value)) return value > 0 ? "Infinity" : "NaN";
  const auto number = static_cast<float>(value);
  char buffer[48];
  const bool plain = number == 0 || (std::fabs(number) >= 1e-3F && std::fabs(number) < 1e7F);
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), number,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific);
  std::string text(buffer, end.ptr);
  if (plain && text.find('.') == std::string::npos) text += ".0";
  return text;
}

void Explanation::append_json(std::string& out) const {
  const bool finite = std::isfinite(value);
  out += "{\"value\":";
  if (whole) {
    out += std::to_string(static_cast<uint64_t>(value));
  } else {
    out += finite ? float_text(value) : "0.0";
  }
  out += ",\"description\":";
  append_json_string(out, description);
  out += ",\"details\":[";
  for (size_t i = 0; i < details.size(); i++) {
    if (i > 0) out += ',';
    details[i].append_json(out);
  }
  out += "]}";
}

}  // namespace quarry
