// Cuts a text around its matches: the boundaries of fragments, as Elasticsearch's unified
// highlighter draws them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "query/highlight/highlight_plan.h"
#include "query/highlight/highlight_text.h"
#include "text/analysis/boundaries.h"

namespace quarry {

/// Fragments of one value. Asked for places that ascend.
class FragmentCutter {
 public:
  /// `whole`: the value is one fragment.
  FragmentCutter(std::u32string_view value, const HighlightSpec& spec, bool whole)
      : value_(value), spec_(spec), whole_(whole) {}

  /// The fragment around the match that starts at `place`, in the value.
  TextSpan around(uint32_t place);

 private:
  const Boundaries& sentences();
  const Boundaries& words();
  TextSpan bounded_sentence(uint32_t place);
  void open_window(uint32_t offset);
  TextSpan by_chars(uint32_t place) const;
  bool is_boundary_char(uint32_t at) const;
  uint32_t length() const { return static_cast<uint32_t>(value_.size()); }

  std::u32string_view value_;
  const HighlightSpec& spec_;
  bool whole_;
  std::optional<Boundaries> sentences_;
  std::optional<Boundaries> words_;
  // The run of sentences under way, and the part of it that was handed out last.
  TextSpan window_;
  TextSpan part_;
  uint32_t last_end_ = 0;  // by_chars
};

/// The beginning of the text that stands for a field without matches, cut behind a word.
TextSpan beginning(const FieldText& text, uint32_t size);

}  // namespace quarry
