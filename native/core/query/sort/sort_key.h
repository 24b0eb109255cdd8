// One key of a field sort: reads its value per document, compares documents with anchors (the worst
// hit kept, the search_after values) in the cheapest encoding of a segment, and writes the column
// of the reply.
#pragma once

#include <charconv>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mapping/schema/index_sort.h"
#include "query/plan/compiler.h"
#include "query/plan/hits.h"
#include "query/plan/query.h"

namespace quarry {

class NestedSortDocs;  // query/nested/nested_sort.h

/// The value of a key for one hit, comparable across segments. Numbers are encoded as an int64 with
/// the same order.
struct SortValue {
  bool null = false;
  int64_t number = 0;
  std::string text;
};

/// 1024 documents of a segment. In the key's order none of them comes before `best`.
struct SortZone {
  int64_t best = 0;
  uint32_t first_doc = 0;
  uint32_t end_doc = 0;
  uint32_t leaf = 0;
};

/// Not thread-safe; one per search. Order is that of the key: smaller comes first, whatever the
/// direction.
class SortSource {
 public:
  enum Anchor : uint8_t { kBottom = 0, kAfter = 1, kSeed = 2 };
  static constexpr size_t kAnchors = 3;

  virtual ~SortSource() = default;
  virtual bool needs_scores() const { return false; }
  /// Anchors stay set and are converted to the new segment.
  virtual void start_leaf(const Leaf& leaf) = 0;
  virtual void set_anchor(Anchor anchor, const SortValue& value) = 0;
  /// < 0: the document comes before the anchor.
  virtual int compare(Anchor anchor, uint32_t doc, float score) = 0;
  virtual SortValue value(uint32_t doc, float score) = 0;
  virtual int compare_values(const SortValue& a, const SortValue& b) const = 0;
  /// First document >= `doc` in a zone that may have a value before the anchor (`or_equal`: or
  /// equal to it).
  virtual uint32_t next_competitive(Anchor /*anchor*/, uint32_t doc, bool /*or_equal*/) {
    return doc;
  }
  /// First document >= `doc` that does not certainly come before the kAfter anchor.
  virtual uint32_t next_after(uint32_t doc) { return doc; }
  /// Adds the zones of the segment that bound the key's values, except those that lie completely
  /// before the kAfter anchor; none if the key has no zones. `leaf` is stored in the zones.
  virtual void add_zones(uint32_t /*leaf*/, std::vector<SortZone>& /*out*/) const {}
  /// Whether the zone may have a value before kSeed.
  virtual bool is_better(const SortZone& /*zone*/) const { return false; }
  /// Whether documents in the order of the key of `index.sort` are in the order of this key.
  virtual bool follows(const IndexSortKey& /*key*/) const { return false; }
  /// Parses a search_after scalar; illegal_argument_exception if it does not have the key's type.
  virtual Result<SortValue> parse(const Scalar& scalar) const = 0;
  /// Appends to the column; `column.kind` is set by make_column().
  virtual SortColumn make_column() const = 0;
  virtual void append(const SortValue& value, SortColumn& column) const = 0;
};

using SortSources = std::vector<std::unique_ptr<SortSource>>;

/// How many leading keys order documents as `index.sort` does.
size_t keys_in_index_order(const SortSources& sources, std::span<const IndexSortKey> index_sort);

/// One source per key. Errors: text fields, fields without doc values, unmapped fields without
/// unmapped_type, modes and numeric types that do not fit.
Result<SortSources> make_sort_sources(Compiler& compiler, const std::vector<SortKey>& keys);

// The kinds, each in its own file.
struct NumberSortSpec {
  const Field* field = nullptr;
  bool descending = false;
  SortMode mode = SortMode::kDefault;
  bool as_double = false;     // numeric_type double on a whole-number field
  bool as_integer = false;    // numeric_type long on a floating-point field
  bool nanoseconds = false;   // numeric_type date_nanos on a date
  bool milliseconds = false;  // numeric_type date on a date_nanos
  bool missing_first = false;
  bool has_missing_value = false;
  bool bits32 = false;                        // a missing number is represented in 32 bits
  int64_t missing_value = 0;                  // in the encoding of SortValue
  std::shared_ptr<const DateFormats> format;  // null: as a number
  std::shared_ptr<NestedSortDocs> nested;     // null: the values of the document itself
};
std::unique_ptr<SortSource> make_number_sort(NumberSortSpec spec);

struct TermSortSpec {
  const Field* field = nullptr;
  std::string prefix;  // of terms, below a flattened field
  bool descending = false;
  bool largest = false;  // of several values the largest is used
  bool missing_first = false;
  bool has_missing_value = false;
  std::string missing_value;               // as indexed
  std::shared_ptr<NestedSortDocs> nested;  // null: the values of the document itself
};
std::unique_ptr<SortSource> make_term_sort(TermSortSpec spec);

/// Null for a key that reads the values of the document itself, which has the field.
Result<std::shared_ptr<NestedSortDocs>> nested_docs_of(Compiler& compiler, const SortKey& key,
                                                       const Field& field);
/// Defined in query/geo/geo_sort.cc.
Result<std::unique_ptr<SortSource>> make_distance_sort(Compiler& compiler, const SortKey& key);
Result<std::unique_ptr<SortSource>> make_script_sort(Compiler& compiler, const SortKey& key);
/// The score of `query`; null for documents that it does not match, which come last.
Result<std::unique_ptr<SortSource>> make_query_sort(Compiler& compiler, const PlanNode& query,
                                                    bool descending);
std::unique_ptr<SortSource> make_score_sort(bool descending);
std::unique_ptr<SortSource> make_doc_sort(bool descending);
/// `index_place`: position of the index among those whose snapshots the plan names.
std::unique_ptr<SortSource> make_shard_doc_sort(bool descending, uint32_t index_place);
std::unique_ptr<SortSource> make_id_sort(bool descending);
/// All documents have the same value (`_index`).
std::unique_ptr<SortSource> make_constant_sort(std::string text);

/// "Failed to parse search_after value for field [f]."
Status bad_search_after(std::string_view field);

/// The whole of `text` as a number; bad_search_after() if it is none of the type T.
template <typename T>
Result<T> search_after_number(std::string_view text, std::string_view field) {
  T value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return bad_search_after(field);
  return value;
}

}  // namespace quarry
