// Selects the passages of a text to show: fragments with matches, by score.
#pragma once

#include <string>
#include <vector>

#include "query/highlight/highlight_matches.h"
#include "query/highlight/highlight_plan.h"

namespace quarry {

struct Passage {
  TextSpan span;
  std::vector<TextMatch> matches;
  float score = 0;
};

/// The best `spec.fragments` passages (0: all), in the order of the text or by score. `whole`:
/// values are not cut.
std::vector<Passage> find_passages(const FieldText& text, std::vector<TextMatch> matches,
                                   const HighlightSpec& spec, bool whole);

/// The passage with tags around its matches, without surrounding white space; UTF-8.
std::string print_passage(const FieldText& text, const Passage& passage, const HighlightSpec& spec);

}  // namespace quarry
