// The documents of a segment on which the scripts of a clause may run.
#pragma once

#include "query/nested/nested_query.h"
#include "query/plan/compiler.h"

namespace quarry {

/// The level of a clause, with which a scorer finds the documents that are its own.
struct ClauseLevel {
  explicit ClauseLevel(const Compiler& compiler)
      : mapping(compiler.mapping()), level(compiler.level()), searched(compiler.context().level) {}
  const Mapping& mapping;
  uint32_t level;
  uint32_t searched;  // of the documents that the search finds
};

/// Live documents of the clause's level: a script may fail on others, which count as no failure.
class ScriptDocs {
 public:
  ScriptDocs(const ClauseLevel& clause, const Leaf& leaf)
      : live_(leaf.live), inside_(clause.level != clause.searched) {
    if (!inside_) return;
    nested_ = leaf.segment->nested();
    docs_ = nested_ == nullptr ? nullptr : docs_at(clause.mapping, *nested_, clause.level);
    // Nested documents are as live as the whole document that they are in.
    if (clause.searched != 0) live_ = nullptr;
  }
  bool has(uint32_t doc) const {
    if (!inside_) return live_ == nullptr || live_->test(doc);
    if (docs_ == nullptr || !docs_->test(doc)) return false;
    return live_ == nullptr || live_->test(nested_->root_of(doc));
  }

 private:
  const Bitset* live_;
  bool inside_;
  const NestedDocs* nested_ = nullptr;
  const Bitset* docs_ = nullptr;
};

}  // namespace quarry
