// Iterates over several dictionaries together, term by term.
#pragma once

#include <cstdint>
#include <queue>
#include <string_view>
#include <utility>
#include <vector>

#include "postings/term_dictionary.h"

namespace quarry {

class TermMerge {
 public:
  /// A null dictionary has no terms.
  explicit TermMerge(std::vector<const TermDictionary*> dictionaries)
      : dictionaries_(std::move(dictionaries)) {
    for (uint32_t part = 0; part < dictionaries_.size(); part++) push(part, 0);
  }
  struct Entry {
    std::string_view term;
    uint32_t part;
    uint32_t ordinal;
  };
  /// Stores the entries of the next term, ascending by part, in `out`; false at the end.
  bool next(std::vector<Entry>& out) {
    out.clear();
    while (!heap_.empty() && (out.empty() || heap_.top().term == out.front().term)) {
      const Entry entry = heap_.top();
      heap_.pop();
      push(entry.part, entry.ordinal + 1);
      out.push_back(entry);
    }
    return !out.empty();
  }

 private:
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
      const int order = a.term.compare(b.term);
      return order != 0 ? order > 0 : a.part > b.part;
    }
  };
  void push(uint32_t part, uint32_t ordinal) {
    const TermDictionary* terms = dictionaries_[part];
    if (terms != nullptr && ordinal < terms->size())
      heap_.push({terms->term(ordinal), part, ordinal});
  }

  std::vector<const TermDictionary*> dictionaries_;
  std::priority_queue<Entry, std::vector<Entry>, Later> heap_;
};

}  // namespace quarry
