// Each branch sees one token at a time, as in Elasticsearch: filters that join tokens have no
// effect in a branch. The tokens of all branches are in one sequence of positions, so what follows
// a branch that makes several positions stands behind them.
#include "text/filters/multiplexer_filter.h"

#include <cstdint>
#include <utility>

#include "text/filters/word_filters.h"

namespace quarry {
namespace {

constexpr size_t kStepsPerRun = 20;  // of one filter on one token
constexpr size_t kWrittenPerStep = 16;

/// The branches of all tokens, one after the other.
class Branches {
 public:
  Branches(TokenBuffer& out, AnalysisBudget& budget) : out_(out), budget_(budget) {}

  void start_token(const Token& token) {
    increment_ += int64_t{token.position} - before_;
    before_ = token.position;
  }

  void add(const MultiplexerFilter::Branch& branch, const Token& token) {
    scratch_.clear();
    scratch_.source = out_.source;
    scratch_.tokens.push_back(token);
    scratch_.tokens.back().position = 0;
    scratch_.end_position = 1;
    for (const TokenFilterPtr& filter : branch) {
      filter->apply(scratch_, budget_);
      const size_t written = scratch_.tokens.size() + scratch_.arena.used() / kWrittenPerStep;
      if (!budget_.spend(kStepsPerRun + written)) return;
    }
    if (!budget_.allows(tokens_.size() + scratch_.tokens.size(), out_.arena.used())) return;
    uint32_t last = 0;
    for (const Token& made : scratch_.tokens) {
      position_ += increment_ + made.position - last;
      last = made.position;
      increment_ = 0;
      tokens_.push_back(made);
      tokens_.back().position = static_cast<uint32_t>(position_);
      if (!branch.empty()) tokens_.back().text = out_.arena.copy(made.text);
    }
  }

  void finish() {
    const int64_t behind = out_.end_position - before_;
    out_.tokens = std::move(tokens_);
    out_.end_position = static_cast<uint32_t>(position_ + increment_ + behind);
  }

 private:
  TokenBuffer& out_;
  AnalysisBudget& budget_;
  TokenBuffer scratch_;
  std::vector<Token> tokens_;
  int64_t before_ = -1;    // the position of the last token of the input
  int64_t position_ = -1;  // of the last token
  int64_t increment_ = 0;  // not yet given to a token
};

}  // namespace

void MultiplexerFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  Branches branches(out, budget);
  for (const Token& token : out.tokens) {
    branches.start_token(token);
    for (const Branch& branch : branches_) {
      branches.add(branch, token);
      if (budget.exceeded()) return;
    }
  }
  branches.finish();
  UniqueFilter(true).apply(out, budget);
}

}  // namespace quarry
