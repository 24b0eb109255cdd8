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

/// The buckets of one owner. The caller's counter assigns the bucket numbers; none is reused.
class CompositeQueue {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  CompositeQueue(const std::vector<CompositeSource>& sources, size_t size,
                 const std::vector<CompositeValue>* after, AggBudget& budget);

  /// The bucket of a tuple, or kNone if the tuple is not on the page. A new bucket gets the number
  /// `next`, which is then incremented.
  uint32_t add(const std::vector<CompositeValue>& tuple, uint32_t& next);
  struct Entry {
    uint32_t bucket = 0;
    const std::vector<CompositeValue>* tuple = nullptr;
  };
  /// The buckets in the order of their tuples.
  std::vector<Entry> entries() const;

 private:
  struct Before {
    const std::vector<CompositeSource>* sources;
    bool operator()(const std::vector<CompositeValue>& a,
                    const std::vector<CompositeValue>& b) const {
      return compare(*sources, a, b) < 0;
    }
  };
  struct Hash {
    size_t operator()(const std::vector<CompositeValue>* tuple) const;
  };
  struct Equal {
    bool operator()(const std::vector<CompositeValue>* a,
                    const std::vector<CompositeValue>* b) const {
      return *a == *b;
    }
  };
  static int compare(const std::vector<CompositeSource>& sources,
                     const std::vector<CompositeValue>& a, const std::vector<CompositeValue>& b);

  const std::vector<CompositeSource>* sources_;
  size_t size_;
  const std::vector<CompositeValue>* after_;  // null: from the start
  AggBudget* budget_;
  std::set<std::vector<CompositeValue>, Before> tuples_;
  std::unordered_map<const std::vector<CompositeValue>*, uint32_t, Hash, Equal> buckets_;
};

}  // namespace quarry
