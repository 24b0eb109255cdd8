// One field of a mapping, with the properties that indexing and searching need.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/schema/field_type.h"
#include "mapping/vectors/vector_options.h"
#include "text/analysis/analyzer.h"
#include "text/embedder/lexical_recipe.h"

namespace quarry {

class DateFormats;

/// How the matches of a word are scored. kBoolean: every match scores the boost; kDirichlet and
/// kJelinekMercer are language models (query/vectors/language_model.h).
struct Similarity {
  enum class Model : uint8_t { kBm25, kBoolean, kDirichlet, kJelinekMercer };
  Model model = Model::kBm25;
  float k1 = 1.2F;  // kBm25
  float b = 0.75F;
  float mu = 2000;      // kDirichlet
  float lambda = 0.1F;  // kJelinekMercer
  bool is_boolean() const { return model == Model::kBoolean; }
  bool is_language_model() const { return model >= Model::kDirichlet; }
};

/// Semantic search in a semantic_text field: its embedder, and the fields that store the vectors.
/// Those fields are created by the compiled mapping and not printed.
struct SemanticOptions {
  std::string embedder;  // identity with version
  bool remote = false;   // not the built-in embedder (text/embedder/lexical_embedder.h)
  LexicalRecipe recipe = LexicalRecipe::kFirst;  // of the built-in one
  uint32_t dims = 0;                             // 0: those of the first vector
  uint32_t vector = 0;    // field id of `<name>_vector`: the whole text, one row per document
  uint32_t passages = 0;  // field id of `<name>_vector.passages`: several rows per document
};

/// How inputs of a completion field become the keys that prefixes are compared with
/// (mapping/document/completion_entry.h).
struct CompletionOptions {
  bool separators = true;
  bool position_increments = true;
  uint32_t max_input_length = 50;  // UTF-16 units
};

/// Immutable once its Mapping is published. The analyzers are owned by the index's registry or by
/// its Mapping.
struct Field {
  uint32_t id = 0;   // dense within an index, never reused
  std::string name;  // full dotted path, also for multi-fields ("title.raw")
  FieldType type = FieldType::kObject;

  bool indexed = true;
  bool doc_values = true;
  bool norms = false;  // text: on by default; keyword: off by default
  bool freqs = false;  // text index_options
  bool positions = false;
  bool offsets = false;  // text: the mapping keeps them, by index_options or term_vector
  bool ignore_malformed = false;
  bool ignore_z = true;  // geo_point: a third coordinate is dropped, not refused
  bool coerce = true;
  std::optional<std::string>
      null_value;                      // a scalar as JSON text without quotes; geo_point: "lat,lon"
  uint32_t ignore_above = UINT32_MAX;  // characters; keyword
  double scaling_factor = 1.0;         // scaled_float
  VectorOptions vector;                // dense_vector
  std::optional<SemanticOptions> semantic;  // semantic_text, always set there
  CompletionOptions completion;
  std::vector<std::string> formats;  // date: patterns and names, in order
  const Analyzer* analyzer = nullptr;
  const Analyzer* search_analyzer = nullptr;
  const Analyzer* search_quote_analyzer = nullptr;
  const Analyzer* normalizer = nullptr;  // keyword
  uint32_t position_increment_gap = 100;
  Similarity similarity;
  std::vector<uint32_t> copy_to;       // field ids
  std::vector<uint32_t> multi_fields;  // field ids fed with the same value

  bool stored = false;  // `store`: the API may return it by stored_fields, from _source
  std::shared_ptr<const DateFormats> date_format;  // date: `formats`, compiled
  uint32_t depth_limit = 20;                       // flattened: objects in objects
  std::shared_ptr<const Field> ends;  // ranges: a field of the type of their ends, never null there
  std::optional<std::string> constant;  // constant_keyword: the value, once there is one
  bool counts_gaps = true;              // token_count: positions without a token count
  bool positive_impact = true;          // rank features: a larger value raises scores
  bool inferred = false;                // not in the definition: flattened_keyed, companions
  bool companion = false;               // stores vectors made from a semantic_text field
  bool several_vectors = false;         // several consecutive vectors per document: passages
  uint32_t level = 0;                   // Mapping::nested_objects(): the documents that have it

  const FieldTraits& traits() const { return field_traits(type); }

  bool is_text() const { return traits().inverted == InvertedKind::kText; }    // analysed
  bool is_terms() const { return traits().inverted == InvertedKind::kTerms; }  // whole values
  bool has_column() const { return doc_values && (is_numeric() || has_ordinals() || has_points()); }
  bool has_ordinals() const { return traits().column == ColumnKind::kOrdinal; }
  bool is_numeric() const { return traits().column == ColumnKind::kNumber; }
  bool has_vectors() const { return traits().column == ColumnKind::kVector; }
  bool has_points() const { return traits().column == ColumnKind::kPoint; }
  bool is_date() const { return traits().query == QueryKind::kDates; }
  bool is_boolean() const { return traits().query == QueryKind::kBooleans; }
  /// Numeric, except dates and booleans.
  bool is_plain_number() const { return traits().query == QueryKind::kNumbers; }
  /// Terms made of two ends (range_value.h).
  bool is_range() const { return traits().query == QueryKind::kRanges; }
  /// A date, or a range whose ends are dates.
  bool holds_dates() const { return is_date() || (ends != nullptr && ends->is_date()); }
  bool is_keyword() const { return traits().keyword; }
  bool presence_only() const { return traits().presence_only; }
  /// No words, numbers or order to query.
  bool is_opaque() const {
    return traits().query == QueryKind::kNone || traits().query == QueryKind::kFeatures;
  }
};

/// A message of the field's traits: `$` becomes the name of the field and `%` that of its type.
std::string field_message(std::string_view pattern, const Field& field);

}  // namespace quarry
