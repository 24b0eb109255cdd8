// The icu_normalizer char filter: the text in a normalization form of Unicode.
#pragma once

#include "text/analysis/components.h"
#include "text/unicode/normalizer.h"

namespace quarry {

/// Normalizes piece by piece, where a piece ends before a letter that nothing joins. Offsets within
/// a piece that becomes longer are those of its start, as in Lucene.
class NormalizerCharFilter final : public CharFilter {
 public:
  NormalizerCharFilter(NormalForm form, bool compose) : form_(form), compose_(compose) {}
  void apply(std::string_view text, std::string& out, OffsetMap& map,
             AnalysisBudget& budget) const override;

 private:
  const NormalForm form_;
  const bool compose_;
};

}  // namespace quarry
