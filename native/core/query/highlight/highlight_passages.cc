// Lucene's PassageScorer and FieldHighlighter as used by Elasticsearch, and the text with tags.
#include "query/highlight/highlight_passages.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "query/highlight/highlight_fragments.h"
#include "text/analysis/utf8.h"

namespace quarry {
namespace {

// Passages score like documents, by BM25, with this fixed average length.
constexpr float kK1 = 1.2F;
constexpr float kB = 0.75F;
constexpr float kPivot = 87;

float weight(size_t text_length, uint32_t freq) {
  const auto passages = static_cast<double>(1 + static_cast<float>(text_length) / kPivot);
  return (kK1 + 1) *
         static_cast<float>(std::log(1 + (passages + 0.5) / (static_cast<double>(freq) + 0.5)));
}

float term_part(uint32_t freq, uint32_t length) {
  const float norm = kK1 * ((1 - kB) + kB * (static_cast<float>(length) / kPivot));
  return static_cast<float>(freq) / (static_cast<float>(freq) + norm);
}

float score_passage(const Passage& passage, size_t text_length) {
  struct Label {
    std::string_view text;
    uint32_t in_text;
    uint32_t in_passage;
  };
  std::vector<Label> labels;  // in order of appearance, which is also the order of the summation
  std::unordered_map<std::string_view, size_t> places;
  for (const TextMatch& match : passage.matches) {
    const auto [place, added] = places.try_emplace(match.label, labels.size());
    if (added) labels.push_back({match.label, match.freq, 0});
    labels[place->second].in_passage++;
  }
  float score = 0;
  for (const Label& label : labels) {
    score += term_part(label.in_passage, passage.span.end - passage.span.start) *
             weight(text_length, label.in_text);
  }
  const auto start = static_cast<float>(passage.span.start);
  return score * (1 + 1 / std::log(kPivot + start));
}

/// The best passages so far, at most `most`: a passage worse than all kept ones is dropped.
class BestPassages {
 public:
  BestPassages(size_t most, size_t text_length) : most_(most), text_length_(text_length) {}

  void add(Passage passage) {
    passage.score = score_passage(passage, text_length_);
    const bool full = kept_.size() == most_;
    if (full && passage.score < kept_.front().score) return;
    kept_.push_back(std::move(passage));
    std::push_heap(kept_.begin(), kept_.end(), is_better);
    if (!full) return;
    std::pop_heap(kept_.begin(), kept_.end(), is_better);
    kept_.pop_back();
  }
  std::vector<Passage> take() { return std::move(kept_); }

 private:
  static bool is_better(const Passage& a, const Passage& b) {
    return a.score != b.score ? a.score > b.score : a.span.start > b.span.start;
  }

  size_t most_;
  size_t text_length_;
  std::vector<Passage> kept_;  // a heap, with the worst passage in front
};

/// Index of the value that contains a place of the text.
size_t value_at(const FieldText& text, uint32_t place) {
  const auto after =
      std::upper_bound(text.spans().begin(), text.spans().end(), place,
                       [](uint32_t at, const TextSpan& span) { return at < span.start; });
  return static_cast<size_t>(after - text.spans().begin()) - 1;
}

class Cutters {
 public:
  Cutters(const FieldText& text, const HighlightSpec& spec, bool whole)
      : text_(text), spec_(spec), whole_(whole) {}

  TextSpan around(TextSpan match) {
    const size_t value = value_at(text_, match.start);
    const TextSpan span = text_.spans()[value];
    if (cutter_ == nullptr || value != current_) {
      const auto view = std::u32string_view(text_.text()).substr(span.start, span.end - span.start);
      cutter_ = std::make_unique<FragmentCutter>(view, spec_, whole_);
      current_ = value;
    }
    const TextSpan inside =
        cutter_->around({match.start - span.start, std::min(match.end, span.end) - span.start});
    return {span.start + inside.start, span.start + inside.end};
  }

 private:
  const FieldText& text_;
  const HighlightSpec& spec_;
  bool whole_;
  size_t current_ = 0;
  std::unique_ptr<FragmentCutter> cutter_;
};

/// Removes surrounding blanks, and the paragraph separator that a sentence may end with.
void trim(std::string& text) {
  constexpr std::string_view kSeparator = "\u2029";
  if (text.ends_with(kSeparator)) text.resize(text.size() - kSeparator.size());
  const auto is_text = [](char c) { return static_cast<unsigned char>(c) > ' '; };
  text.erase(std::find_if(text.rbegin(), text.rend(), is_text).base(), text.end());
  text.erase(text.begin(), std::find_if(text.begin(), text.end(), is_text));
}

std::string_view entity_of(char32_t c) {
  switch (c) {
    case U'"':
      return "&quot;";
    case U'&':
      return "&amp;";
    case U'<':
      return "&lt;";
    case U'>':
      return "&gt;";
    case U'\'':
      return "&#x27;";
    case U'/':
      return "&#x2F;";
    default:
      return {};
  }
}

void append_passage_text(std::u32string_view text, bool html, std::string& out) {
  for (const char32_t c : text) {
    const std::string_view entity = html ? entity_of(c) : std::string_view();
    if (entity.empty()) {
      append_utf8(out, static_cast<uint32_t>(c));
    } else {
      out += entity;
    }
  }
}

}  // namespace

std::vector<Passage> find_passages(const FieldText& text, std::vector<TextMatch> matches,
                                   const HighlightSpec& spec, bool whole) {
  std::stable_sort(matches.begin(), matches.end(), [](const TextMatch& a, const TextMatch& b) {
    return a.span.start != b.span.start ? a.span.start < b.span.start : a.span.end < b.span.end;
  });
  BestPassages best(spec.fragments == 0 ? SIZE_MAX : spec.fragments, text.text().size());
  Cutters cutters(text, spec, whole);
  Passage passage;
  for (TextMatch& match : matches) {
    if (passage.matches.empty() || match.span.start >= passage.span.end) {
      if (!passage.matches.empty()) best.add(std::move(passage));
      passage = {cutters.around(match.span), {}, 0};
    }
    passage.matches.push_back(std::move(match));
  }
  if (!passage.matches.empty()) best.add(std::move(passage));
  std::vector<Passage> out = best.take();
  const bool by_score = (spec.flags & kHighlightByScore) != 0;
  std::stable_sort(out.begin(), out.end(),
                   [](const Passage& a, const Passage& b) { return a.span.start < b.span.start; });
  if (by_score) {
    std::stable_sort(out.begin(), out.end(),
                     [](const Passage& a, const Passage& b) { return a.score > b.score; });
  }
  return out;
}

std::string print_passage(const FieldText& text, const Passage& passage,
                          const HighlightSpec& spec) {
  // A match may extend beyond the fragment that it starts in.
  TextSpan shown = passage.span;
  for (const TextMatch& match : passage.matches) shown.end = std::max(shown.end, match.span.end);
  const std::u32string_view all = text.text();
  const bool html = (spec.flags & kHighlightHtml) != 0;
  std::string out;
  size_t at = shown.start;
  for (size_t i = 0; i < passage.matches.size(); i++) {
    const size_t from = std::max<size_t>(at, passage.matches[i].span.start);
    size_t to = passage.matches[i].span.end;
    // Overlapping matches are marked as one.
    while (i + 1 < passage.matches.size() && passage.matches[i + 1].span.start < to)
      to = std::max<size_t>(to, passage.matches[++i].span.end);
    if (to <= from) continue;
    append_passage_text(all.substr(at, from - at), html, out);
    out += spec.pre_tag;
    append_passage_text(all.substr(from, to - from), html, out);
    out += spec.post_tag;
    at = to;
  }
  append_passage_text(all.substr(at, shown.end - at), html, out);
  trim(out);
  return out;
}

}  // namespace quarry
