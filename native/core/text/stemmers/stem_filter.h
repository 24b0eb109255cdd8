// Stemming. libstemmer objects and the memo of recent words hold mutable state and must not be
// shared between threads, so a filter keeps a pool of them: one is taken for each text, under a
// lock, and returned afterwards.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "text/analysis/components.h"

namespace quarry {

/// The algorithms that are implemented by porter.h and kstem.h and not by libstemmer.
constexpr std::string_view kPorter = "porter";
constexpr std::string_view kKStem = "kstem";

class Stemmer;  // one algorithm with a memo of recent words

class StemFilter final : public TokenFilter {
 public:
  /// `algorithm` is kPorter, kKStem, a light stemmer (text/stemmers/light_stemmers.h), or a
  /// Snowball algorithm of libstemmer ("english", "german" …).
  explicit StemFilter(std::string algorithm);
  ~StemFilter() override;
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  std::unique_ptr<Stemmer> take() const;
  void give_back(std::unique_ptr<Stemmer> stemmer) const;

  const std::string algorithm_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Stemmer>> idle_;  // guarded by mutex_
};

/// Removes a final 's (any apostrophe), as English analysis does before stemming.
class PossessiveFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
};

}  // namespace quarry
