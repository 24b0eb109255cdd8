// match_phrase and match_phrase_prefix: terms in sequence, or near each other with slop.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

struct PhraseOptions {
  uint32_t slop = 0;
  std::string_view analyzer;
  bool zero_terms_all = false;
  bool lenient = false;
  bool prefix = false;  // the last term is a prefix
  uint32_t max_expansions = 50;
  std::string_view clause = "match_phrase";
};

/// `text` as a phrase on one field; the result for fields other than text depends on the field
/// type.
Result<WeightPtr> make_phrase(Compiler& compiler, const ResolvedField& resolved, const Scalar& text,
                              const PhraseOptions& options, Scope scope);

}  // namespace quarry
