// The tuples of documents: one value of each source, in every combination.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "query/aggs/composite/composite_queue.h"

namespace quarry {

/// Reads the tuples of batches. One per aggregation.
class CompositeTuples {
 public:
  CompositeTuples(AggContext& context, std::vector<CompositeSource> sources)
      : leaves_(context.leaves),
        stop_(context.compiler.progress().stop),
        budget_(context.budget),
        sources_(std::move(sources)),
        read_(sources_.size()),
        at_(sources_.size()),
        values_(sources_.size()),
        tuple_(sources_.size()) {}

  const std::vector<CompositeSource>& sources() const { return sources_; }
  void start_leaf(const Leaf& leaf);
  /// Calls take(entry, tuple) for every tuple of the batch, until the search has to stop or its
  /// memory is used up: a single document may have a million.
  template <typename Take>
  void read(const AggBatch& batch, Take take) {
    for (size_t i = 0; i < sources_.size(); i++) sources_[i].source.read(batch, read_[i]);
    std::fill(at_.begin(), at_.end(), 0);
    for (uint32_t entry = 0; entry < batch.docs.size() && !has_to_end(); entry++) {
      if (read_entry(entry)) each_of_entry(entry, take);
    }
  }
  /// Writes a column for each source.
  void put(AggWriter& out, std::span<const CompositeTuple* const> tuples) const;

 private:
  static constexpr size_t kMaxTuplesOfDocument = 1U << 20;
  static constexpr uint32_t kStepsPerTuple = 32;

  bool has_to_end() const { return stop_.stopped() || budget_.exceeded(); }
  /// Reads the values of an entry; entries must be requested in ascending order. False: a source
  /// has none.
  bool read_entry(uint32_t entry);
  template <typename Take>
  void each_of_entry(uint32_t entry, Take& take) {
    std::vector<size_t> index(values_.size(), 0);
    for (size_t count = 0; count < kMaxTuplesOfDocument; count++) {
      for (size_t i = 0; i < values_.size(); i++) tuple_[i] = values_[i][index[i]];
      take(entry, tuple_);
      if (stop_.step(kStepsPerTuple) || budget_.exceeded()) return;
      size_t i = values_.size();
      while (i > 0 && ++index[i - 1] == values_[i - 1].size()) index[--i] = 0;
      if (i == 0) return;
    }
  }

  const std::vector<Leaf>& leaves_;
  StopCheck& stop_;
  AggBudget& budget_;
  bool prepared_ = false;
  std::vector<CompositeSource> sources_;
  std::vector<ValueList> read_;                      // by source
  std::vector<size_t> at_;                           // by source: the read position in its list
  std::vector<std::vector<CompositeValue>> values_;  // by source, of the current entry
  CompositeTuple tuple_;
};

}  // namespace quarry
