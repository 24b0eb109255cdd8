// Maps ordinals of segments to numbers of the shard.
#include "query/aggs/terms/term_keys.h"

#include <algorithm>

namespace quarry {
namespace {

constexpr uint64_t kTermBytes = 96;  // a string view, its map entry and its share of the map

}  // namespace

void TermKeys::start_leaf(const ValueSource& source) {
  source_ = &source;
  if (each_once_ && by_ordinal_.size() == source.term_count()) return;
  const size_t before = by_ordinal_.capacity();
  by_ordinal_.assign(source.term_count(), kUnseen);
  budget_->charge((by_ordinal_.capacity() - before) * sizeof(uint32_t));
}

uint32_t TermKeys::known(int64_t ordinal) const {
  const auto at = by_text_.find(source_->term(ordinal));
  return at == by_text_.end() ? kRejected : at->second;
}

uint32_t TermKeys::look_up(int64_t ordinal) {
  if (ordinal == ValueSource::kMissingOrdinal) {
    if (of_missing_ == kUnseen) of_missing_ = intern(source_->term(ordinal));
    return of_missing_;
  }
  const uint32_t key = intern(source_->term(ordinal));
  const auto at = static_cast<uint64_t>(ordinal);
  if (at < by_ordinal_.size()) by_ordinal_[at] = key;
  return key;
}

uint32_t TermKeys::intern(std::string_view text) {
  if (filter_ != nullptr && !filter_->wants_text(text)) return kRejected;
  if (each_once_) {
    texts_.push_back(text);
    budget_->charge(sizeof(text));
    return size() - 1;
  }
  const auto [at, added] = by_text_.try_emplace(text, size());
  if (added) {
    texts_.push_back(text);
    budget_->charge(kTermBytes);
  }
  return at->second;
}

}  // namespace quarry
