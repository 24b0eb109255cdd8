// Cuts a text around its matches: the boundaries of fragments as in Elasticsearch's unified
// highlighter.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "query/highlight/highlight_plan.h"
#include "query/highlight/highlight_text.h"
#include "text/analysis/boundaries.h"

namespace quarry {

/// The fragments of one value. Matches must be requested in ascending order.
class FragmentCutter {
 public:
  /// `whole`: the value is a single fragment.
  FragmentCutter(std::u32string_view value, const HighlightSpec& spec, bool whole)
      : value_(value), spec_(spec), whole_(whole) {}

  /// The fragment around a match; both are relative to the value.
  TextSpan around(TextSpan match);

 private:
  const Boundaries& sentences();
  const Boundaries& words();
  TextSpan bounded_sentence(uint32_t offset);
  void open_window(uint32_t offset);
  TextSpan by_chars(uint32_t place) const;
  bool is_boundary_char(uint32_t at) const;
  uint32_t length() const { return static_cast<uint32_t>(value_.size()); }

  std::u32string_view value_;
  const HighlightSpec& spec_;
  bool whole_;
  std::optional<Boundaries> sentences_;
  std::optional<Boundaries> words_;
  // The current run of sentences, and the part of it that was returned last.
  TextSpan window_;
  TextSpan part_;
  uint32_t last_end_ = 0;  // for by_chars()
};

/// The start of the text, cut after a word, which replaces the fragments of a field without
/// matches.
TextSpan beginning(const FieldText& text, uint32_t size);

}  // namespace quarry
