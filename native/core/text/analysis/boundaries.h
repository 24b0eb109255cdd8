// Positions at which a text may be cut for display: between sentences and between words, by the
// JDK's rules for all languages, which Elasticsearch uses for highlighted fragments.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace quarry {

/// Positions between characters, ascending, including 0 and the end of the text.
using Boundaries = std::vector<uint32_t>;

/// A sentence includes the white space after it. A full stop ends a sentence only before a
/// character that can start another one.
Boundaries sentence_boundaries(std::u32string_view text);
/// Words, numbers, runs of white space and runs of one East Asian script; every other character is
/// separate.
Boundaries word_boundaries(std::u32string_view text);

/// The last boundary before `place`; 0 when there is none.
uint32_t boundary_before(const Boundaries& boundaries, uint32_t place);
/// The first boundary after `place`; the end of the text when there is none.
uint32_t boundary_after(const Boundaries& boundaries, uint32_t place);

}  // namespace quarry
