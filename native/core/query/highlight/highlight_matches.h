// Finds the places in a text that the clauses of the query match.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_check.h"
#include "query/highlight/highlight_text.h"
#include "query/scorers/match_sink.h"

namespace quarry {

/// One place. Passages score by the frequency of a label in them; `freq`: the frequency in the
/// whole text, if it is counted per label.
struct TextMatch {
  TextSpan span;
  std::string label;
  uint32_t freq = 1;
};

/// Collects matches in the tokens of one field. With `any_field`, all terms of every field match
/// and the words of a phrase are marked one by one, like Elasticsearch's require_field_match:
/// false. Otherwise only terms of this field that matched the document are marked, and phrases as a
/// whole. The result is incomplete once `stop` expires.
class MatchFinder final : public MatchSink {
 public:
  MatchFinder(const FieldTokens& tokens, const Field& field, bool any_field, uint32_t phrase_limit,
              StopCheck& stop, std::vector<TextMatch>& out)
      : stop_(stop),
        tokens_(tokens),
        field_(field),
        any_field_(any_field),
        phrase_limit_(phrase_limit),
        out_(out) {}

  bool wants_all() const override { return any_field_; }
  void term(const Field& field, std::string_view term) override;
  void phrase(const Field& field, const std::vector<PhrasePart>& parts, uint32_t slop) override;
  void terms(const Field& field, std::string_view pattern,
             const std::function<bool(std::string_view)>& accepts) override;

 private:
  bool takes(const Field& field) const { return any_field_ || field.name == field_.name; }
  void add_token(uint32_t token, std::string_view label, uint32_t freq);
  void add_phrase(const std::vector<uint32_t>& tokens, const std::string& label);

  StopCheck& stop_;
  const FieldTokens& tokens_;
  const Field& field_;
  bool any_field_;
  uint32_t phrase_limit_;  // 0: none
  uint32_t phrases_ = 0;
  std::vector<TextMatch>& out_;
};

}  // namespace quarry
