#include "engine/recovery/rename.h"

#include <utility>

#include "text/analysis/analysis_budget.h"
#include "text/analysis/pattern.h"
#include "text/regex/regex.h"

namespace quarry {
namespace {

// Names longer than 255 bytes are refused later; this only bounds the memory of the replacement.
constexpr size_t kMaxCharacters = 65536;

}  // namespace

Result<Renamed> rename(std::string_view pattern, std::string_view replacement,
                       std::string_view name, size_t max_steps) {
  QUARRY_ASSIGN_OR_RETURN(const Regex regex, Regex::compile(pattern));
  QUARRY_ASSIGN_OR_RETURN(const Replacement template_text, Replacement::parse(replacement, regex));
  AnalysisBudget budget;
  budget.start_text(name.size(), kMaxCharacters, max_steps);
  budget.spend(pattern.size() + replacement.size());
  std::string renamed;
  size_t kept = 0;
  regex.for_each_match(name, budget, [&](const Regex::Groups& groups) {
    renamed += name.substr(kept, groups[0].first - kept);
    template_text.append(name, groups, renamed, budget);
    kept = groups[0].second;
  });
  if (budget.exceeded()) return budget.refusal("the pattern [" + std::string(pattern) + "]");
  renamed += name.substr(kept);
  return Renamed{std::move(renamed), budget.steps()};
}

}  // namespace quarry
