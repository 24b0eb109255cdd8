// Groups hits by the values of a column and keeps the heads of the best groups in a tree.
#include "query/plan/collapse.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "json/value.h"
#include "mapping/values/numeric.h"

namespace quarry {
namespace {

constexpr std::string_view kNoValue = "null";

Status check_field(const Field& field, std::string_view name, bool by_terms) {
  const std::string quoted = "`" + std::string(name) + "`";
  if (!field.traits().collapsible) {
    return illegal_argument("collapse is not supported for the field [" + std::string(name) +
                            "] of the type [" + std::string(field_type_name(field.type)) + "]");
  }
  if (!field.doc_values) {
    return illegal_argument("cannot collapse on field " + quoted + " without `doc_values`");
  }
  if (by_terms && !field.indexed) {
    return illegal_argument("cannot expand `inner_hits` for collapse field " + quoted +
                            ", only indexed field can retrieve `inner_hits`");
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<GroupSource>> GroupSource::make(Compiler& compiler, std::string_view field,
                                                       bool by_terms) {
  const ResolvedField resolved = compiler.resolve(field);
  if (resolved.kind != ResolvedField::Kind::kField) {
    return illegal_argument("no mapping found for `" + std::string(field) +
                            "` in order to collapse on");
  }
  QUARRY_RETURN_IF_ERROR(check_field(*resolved.field, field, by_terms));
  return std::unique_ptr<GroupSource>(new GroupSource(resolved));
}

Status GroupSource::several_values() const {
  return illegal_argument("failed to collapse on field [" + resolved_.field->name +
                          "]: it has to have a single value, a document has several");
}

void GroupSource::start_leaf(const Leaf& leaf) {
  segment_field_ = leaf.segment->field(resolved_.field->name);
  by_column_value_.clear();
}

uint32_t GroupSource::number_of(std::string value) {
  const auto [at, added] =
      by_value_.try_emplace(std::move(value), static_cast<uint32_t>(values_.size()));
  if (added) values_.push_back(&at->first);
  return at->second;
}

uint32_t GroupSource::group_of(uint32_t doc) {
  const Column* column = segment_field_ == nullptr ? nullptr : segment_field_->column;
  const uint32_t count = column == nullptr ? 0 : column->count(doc);
  if (count == 0) return number_of(std::string(kNoValue));
  saw_several_ = saw_several_ || count > 1;
  const int64_t value = column->value(doc, 0);
  if (const auto known = by_column_value_.find(value); known != by_column_value_.end())
    return known->second;
  std::string text;
  if (resolved_.field->is_numeric()) {
    text = column_to_json(*resolved_.field, value);
  } else {
    const InvertedField* inverted = segment_field_->inverted;
    if (inverted == nullptr || value < 0 || value >= inverted->terms().size())
      return number_of(std::string(kNoValue));
    const std::string_view term = inverted->terms().term(static_cast<uint32_t>(value));
    if (!term.starts_with(resolved_.prefix)) return number_of(std::string(kNoValue));
    append_json_string(text, term.substr(resolved_.prefix.size()));
  }
  const uint32_t group = number_of(std::move(text));
  by_column_value_.emplace(value, group);
  return group;
}

bool GroupCollector::Before::operator()(const Head& a, const Head& b) const {
  for (size_t i = 0; i < sources->size(); i++) {
    const int order = (*sources)[i]->compare_values(a.hit.values[i], b.hit.values[i]);
    if (order != 0) return order < 0;
  }
  return a.hit.doc < b.hit.doc;
}

GroupCollector::GroupCollector(const CollectorOptions& options, SortSources& sources,
                               GroupSource& groups, const std::vector<SortValue>& after,
                               bool track_scores)
    : options_(options),
      counter_(options.track_total_hits),
      sources_(sources),
      groups_(groups),
      has_after_(!after.empty()),
      needs_scores_(track_scores || options.has_min_score),
      heads_(Before{&sources}) {
  for (size_t i = 0; i < sources_.size(); i++) {
    needs_scores_ = needs_scores_ || sources_[i]->needs_scores();
    if (has_after_) sources_[i]->set_anchor(SortSource::kAfter, after[i]);
  }
}

void GroupCollector::start_leaf(const Leaf& leaf, int64_t known_count) {
  base_ = leaf.base;
  counter_.start_leaf(options_.terminate_after == 0 && !options_.has_min_score ? known_count : -1);
  for (const auto& source : sources_) source->start_leaf(leaf);
  groups_.start_leaf(leaf);
}

int GroupCollector::compare(SortSource::Anchor anchor, uint32_t doc, float score) {
  for (const auto& source : sources_) {
    const int order = source->compare(anchor, doc, score);
    if (order != 0) return order;
  }
  return 0;
}

void GroupCollector::collect(uint32_t doc, float score) {
  if (options_.has_min_score && !(score >= options_.min_score)) return;
  counter_.add();
  if (needs_scores_) max_score_ = std::max(max_score_, score);
  const bool wanted =
      options_.window > 0 && (!has_after_ || compare(SortSource::kAfter, doc, score) > 0);
  // A hit that does not come before the last head cannot be the head of a group that is kept.
  const bool full = heads_.size() >= options_.window;
  if (wanted && (!full || compare(SortSource::kBottom, doc, score) < 0)) insert(doc, score);
  if (options_.terminate_after != 0 && ++collected_ >= options_.terminate_after)
    done_ = terminated_ = true;
}

void GroupCollector::insert(uint32_t doc, float score) {
  Head head;
  head.group = groups_.group_of(doc);
  head.hit.doc = base_ + doc;
  head.hit.score = score;
  for (const auto& source : sources_) head.hit.values.push_back(source->value(doc, score));
  if (const auto known = by_group_.find(head.group); known != by_group_.end()) {
    if (!heads_.key_comp()(head, *known->second)) return;
    heads_.erase(known->second);
    by_group_.erase(known);
  } else if (heads_.size() >= options_.window) {
    const auto last = std::prev(heads_.end());
    by_group_.erase(last->group);
    heads_.erase(last);
  }
  const uint32_t group = head.group;
  by_group_[group] = heads_.insert(std::move(head)).first;
  if (heads_.size() < options_.window) return;
  const Head& last = *std::prev(heads_.end());
  for (size_t i = 0; i < sources_.size(); i++)
    sources_[i]->set_anchor(SortSource::kBottom, last.hit.values[i]);
}

std::vector<GroupCollector::Head> GroupCollector::take() {
  std::vector<Head> out;
  while (!heads_.empty()) out.push_back(std::move(heads_.extract(heads_.begin()).value()));
  by_group_.clear();
  return out;
}

}  // namespace quarry
