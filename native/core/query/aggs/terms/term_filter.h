// include and exclude of a terms aggregation: lists, regular expressions, or a partition.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "query/aggs/frame/agg_plan.h"
#include "query/aggs/frame/value_source.h"
#include "query/automata/automaton.h"

namespace quarry {

struct TermFilterSpec {
  std::vector<Scalar> include;
  std::vector<Scalar> exclude;
  std::string include_regexp;
  std::string exclude_regexp;
  uint32_t partition = 0;
  uint32_t partitions = 0;  // 0: not partitioned
  bool empty() const {
    return include.empty() && exclude.empty() && include_regexp.empty() && exclude_regexp.empty() &&
           partitions == 0;
  }
};

/// Not thread-safe.
class TermFilter {
 public:
  /// Listed values are parsed as values of the field; regular expressions require text.
  static Result<std::unique_ptr<TermFilter>> make(AggContext& context, const AggHead& head,
                                                  const AggSource& agg_source,
                                                  const ValueSource& source,
                                                  const TermFilterSpec& spec);
  bool wants_text(std::string_view text);
  /// `value` is encoded as in the column.
  bool wants_number(int64_t value) const;
  /// An error once a regular expression proved to be too complex.
  Status status() const;

 private:
  struct List {
    bool given = false;
    std::unordered_set<std::string> texts;
    std::unordered_set<int64_t> numbers;
  };
  static Status read_list(AggContext& context, const AggSource& agg_source,
                          const ValueSource& source, const std::vector<Scalar>& scalars,
                          List& list);

  List include_;
  List exclude_;
  std::unique_ptr<TermAutomaton> include_regexp_;
  std::unique_ptr<TermAutomaton> exclude_regexp_;
  uint32_t partition_ = 0;
  uint32_t partitions_ = 0;
};

}  // namespace quarry
