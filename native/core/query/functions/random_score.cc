// random_score with Elasticsearch's values: MurmurHash3 of a document's value as text, with a seed
// that is combined with the index name and the shard number. The value does not depend on the
// segment or on merges. A document without a value has the hash of its shard.
#include <algorithm>
#include <utility>

#include "base/murmur3.h"
#include "base/status.h"
#include "json/number.h"
#include "mapping/values/numeric.h"
#include "query/functions/score_function.h"

namespace quarry {
namespace {

/// The finalizer of MurmurHash3 (32 bits).
uint32_t mix(uint32_t value) noexcept {
  value = (value ^ (value >> 16)) * 0x85ebca6bU;
  value = (value ^ (value >> 13)) * 0xc2b2ae35U;
  return value ^ (value >> 16);
}

/// Folds a 64-bit seed to 32 bits; seeds that fit in 32 bits are unchanged.
uint32_t folded(int64_t seed) noexcept {
  const auto bits = static_cast<uint64_t>(seed);
  const bool small = seed >= INT32_MIN && seed <= INT32_MAX;
  return static_cast<uint32_t>(small ? bits : bits ^ (bits >> 32));
}

/// The text of a number that is hashed; dates of both kinds use milliseconds.
std::string number_text(const Field& field, int64_t value) {
  switch (number_kind(field)) {
    case NumberKind::kDouble:
      return format_double(column_to_double(field, value));
    case NumberKind::kUnsigned:
      return column_to_json(field, value);
    case NumberKind::kDate:
      return std::to_string(date_ms(field, value));
    default:
      return std::to_string(value);
  }
}

class RandomScore final : public ScoreFunction {
 public:
  /// `field` null: `name` is _seq_no or _id.
  RandomScore(const Field* field, std::string name, uint32_t seed, uint32_t shard_seed)
      : field_(field), name_(std::move(name)), seed_(seed), shard_seed_(shard_seed) {}

  double score(uint32_t doc, float /*query_score*/) override {
    constexpr uint32_t kBits = (uint32_t{1} << 24) - 1;
    return static_cast<double>(hash(doc) & kBits) / static_cast<double>(kBits + 1);
  }
  Explanation explain(uint32_t doc, const Explanation& /*query*/) override {
    const auto seed = std::to_string(static_cast<int32_t>(seed_));
    return Explanation::matched(score(doc, 0),
                                "random score function (seed: " + seed + ", field: " + name_ + ")");
  }

 protected:
  void start_leaf(const Leaf& leaf) override {
    segment_ = leaf.segment;
    const SegmentField* held = field_ == nullptr ? nullptr : leaf.segment->field(field_->name);
    column_ = held == nullptr ? nullptr : held->column;
    terms_ = held == nullptr || held->inverted == nullptr ? nullptr : &held->inverted->terms();
  }

 private:
  uint32_t hash(uint32_t doc) {
    if (field_ == nullptr) {
      IdBuffer buffer;
      if (name_ == "_id") return murmur3_32(segment_->ids().id(doc, buffer), shard_seed_);
      return murmur3_32(std::to_string(segment_->ids().seq_no(doc)), shard_seed_);
    }
    if (column_ == nullptr || column_->count(doc) == 0) return shard_seed_;
    if (!field_->has_ordinals()) return murmur3_32(least_text(doc), shard_seed_);
    const int64_t value = column_->value(doc);
    if (terms_ == nullptr || value < 0 || value >= terms_->size()) return shard_seed_;
    return murmur3_32(terms_->term(static_cast<uint32_t>(value)), shard_seed_);
  }
  /// The least text of several numbers: "-3" precedes "10", which precedes "5".
  std::string least_text(uint32_t doc) const {
    std::string least;
    column_->each(doc, [&](int64_t value) {
      std::string text = number_text(*field_, value);
      if (least.empty() || text < least) least = std::move(text);
    });
    return least;
  }

  const Field* field_;  // null: sequence numbers or ids
  std::string name_;
  uint32_t seed_;
  uint32_t shard_seed_;
  const Segment* segment_ = nullptr;
  const Column* column_ = nullptr;
  const TermDictionary* terms_ = nullptr;
};

}  // namespace

Result<ScoreFunctionPtr> read_random_score(PlanReader& reader, Compiler& compiler) {
  const auto seeded = reader.get<uint8_t>();
  const auto given = reader.get<int64_t>();
  std::string name(reader.get_string());
  if (reader.failed()) return malformed_clause("random_score");
  if (seeded == 0) compiler.depends_on_now();
  const uint32_t seed = seeded == 0 ? mix(folded(compiler.now_ms())) : folded(given);
  const SearchContext& context = compiler.context();
  const uint32_t salt = (java_hash(context.index_name) << 10) | context.shard;
  const uint32_t shard_seed = mix(seed ^ salt);
  if (name.empty()) name = "_seq_no";
  if (name == "_seq_no" || name == "_id") {
    return ScoreFunctionPtr(
        std::make_unique<RandomScore>(nullptr, std::move(name), seed, shard_seed));
  }
  const ResolvedField resolved = compiler.resolve(name);
  if (resolved.kind != ResolvedField::Kind::kField) {
    return illegal_argument("Field [" + name + "] is not mapped on [" +
                            std::string(context.index_name) +
                            "] and cannot be used as a source of random numbers.");
  }
  const Field& field = *resolved.field;
  if (!field.has_column() || !field.doc_values || !resolved.prefix.empty()) {
    return illegal_argument("[random_score] needs a field with doc values, field [" + name +
                            "] is of type [" + std::string(field_type_name(field.type)) + "]");
  }
  return ScoreFunctionPtr(std::make_unique<RandomScore>(&field, std::move(name), seed, shard_seed));
}

}  // namespace quarry
