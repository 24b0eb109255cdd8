// The first keys of a composite aggregation: tuples with one value of each source, in the order of
// the sources. Only tuples after `after` are kept, and at most one page of them.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/aggs/frame/keyer.h"
#include "query/aggs/frame/value_source.h"
#include "query/aggs/histogram/rounding.h"

namespace quarry {

/// One value of a tuple: a number in sortable form, or a string.
struct CompositeValue {
  bool null = false;
  int64_t number = 0;     // terms of numbers, histograms, dates
  std::string_view text;  // terms of text; lives as long as the search

  bool operator==(const CompositeValue& other) const {
    return null == other.null && number == other.number && text == other.text;
  }
};

/// One value of each source.
using CompositeTuple = std::vector<CompositeValue>;

inline constexpr size_t kMaxSources = 64;

enum class CompositeType : uint8_t { kTerms, kHistogram, kDateHistogram };

struct CompositeSource {
  CompositeType type = CompositeType::kTerms;
  ValueSource source;
  bool descending = false;
  bool missing_bucket = false;
  bool null_first = true;
  NumberKeyer numbers;  // of kHistogram
  Rounding dates;       // of kDateHistogram

  /// Starts no segment, but prepares for all of them.
  void prepare(const std::vector<Leaf>& leaves);
  /// A value of the started segment as tuples hold it.
  CompositeValue value_of(int64_t value) const;
  /// < 0: `a` comes before `b`.
  int compare(const CompositeValue& a, const CompositeValue& b) const;
};

/// < 0: `a` comes before `b`.
int compare_tuples(const std::vector<CompositeSource>& sources, const CompositeTuple& a,
                   const CompositeTuple& b);

// For tables of pointers to tuples.
struct TupleHash {
  size_t operator()(const CompositeTuple* tuple) const;
};
struct TupleEqual {
  bool operator()(const CompositeTuple* a, const CompositeTuple* b) const { return *a == *b; }
};

/// The buckets of one owner. The caller's counter assigns the bucket numbers; none is reused.
class CompositeQueue {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  CompositeQueue(const std::vector<CompositeSource>& sources, size_t size,
                 const CompositeTuple* after, AggBudget& budget);

  /// The bucket of a tuple, or kNone if the tuple is not on the page. A new bucket gets the number
  /// `next`, which is then incremented.
  uint32_t add(const CompositeTuple& tuple, uint32_t& next);
  struct Entry {
    uint32_t bucket = 0;
    const CompositeTuple* tuple = nullptr;
  };
  /// The buckets in the order of their tuples.
  std::vector<Entry> entries() const;

 private:
  struct Before {
    const std::vector<CompositeSource>* sources;
    bool operator()(const CompositeTuple& a, const CompositeTuple& b) const {
      return compare_tuples(*sources, a, b) < 0;
    }
  };
  const std::vector<CompositeSource>* sources_;
  size_t size_;
  const CompositeTuple* after_;  // null: from the start
  AggBudget* budget_;
  std::set<CompositeTuple, Before> tuples_;
  std::unordered_map<const CompositeTuple*, uint32_t, TupleHash, TupleEqual> buckets_;
};

}  // namespace quarry
