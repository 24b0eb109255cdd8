// Where a text may be cut for people to read: between sentences and between words, as the JDK's
// rules for all languages have it (Elasticsearch cuts highlighted fragments by them).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace quarry {

/// Places between characters, ascending; 0 and the end of the text are among them.
using Boundaries = std::vector<uint32_t>;

/// A sentence owns the white space behind it. A full stop ends one only before something that can
/// start another.
Boundaries sentence_boundaries(std::u32string_view text);
/// Words and numbers, runs of white space and of one East Asian script; any other character alone.
Boundaries word_boundaries(std::u32string_view text);

/// The last boundary before `place`; 0 when there is none.
uint32_t boundary_before(const Boundaries& boundaries, uint32_t place);
/// The first boundary behind `place`; the end of the text when there is none.
uint32_t boundary_after(const Boundaries& boundaries, uint32_t place);

}  // namespace quarry
