#include "query/vectors/vector_clause.h"

#include <algorithm>

namespace quarry {
namespace {

// Number of shown components of a refused vector, as in Elasticsearch.
constexpr size_t kPreviewed = 5;

}  // namespace

Status check_knn_limits(std::string_view clause, uint32_t k, uint32_t num_candidates) {
  const std::string name = "[" + std::string(clause) + "] ";
  const std::string limit = " cannot exceed [" + std::to_string(kMaxNearestVectors) + "]";
  const auto illegal = [&name](const std::string& what) {
    return Status(ErrorType::kIllegalArgument, name + what);
  };
  if (k == 0) return illegal("[k] must be greater than 0");
  if (k > kMaxNearestVectors) return illegal("[k]" + limit);
  if (num_candidates > kMaxNearestVectors) return illegal("[num_candidates]" + limit);
  if (num_candidates != 0 && num_candidates < k) {
    return illegal("[num_candidates] cannot be less than [k]");
  }
  return {};
}

std::string vector_preview(std::span<const float> vector) {
  std::string text = " Preview of invalid vector: [";
  for (size_t i = 0; i < std::min(vector.size(), kPreviewed); i++) {
    text += (i > 0 ? ", " : "") + float_text(static_cast<double>(vector[i]));
  }
  return text + (vector.size() > kPreviewed ? ", ...]" : "]");
}

Result<VectorOptions> kept_options(const Compiler& compiler, const Field& field) {
  VectorOptions options = field.vector;
  bool others = false;
  compiler.each_segment([&](const Segment& segment) {
    const SegmentField* held = segment.field(field.name);
    if (held == nullptr || held->vectors == nullptr) return;
    const VectorOptions& kept = held->vectors->options();
    if (options.dims == 0) options.dims = kept.dims;
    others = others || kept.dims != options.dims || kept.similarity != options.similarity;
  });
  if (others) {
    return Status(ErrorType::kInternal,
                  "a segment keeps other vectors than field [" + field.name + "] has");
  }
  return options;
}

bool fill_filter(Weight* filter, const Leaf& leaf, Bitset& out) {
  if (filter == nullptr) return true;
  const ScorerPtr scorer = filter->scorer(leaf, leaf.max_doc);
  if (scorer == nullptr) return false;
  out = Bitset(leaf.max_doc);
  set_matches(*scorer, *leaf.stop, out);
  return true;
}

}  // namespace quarry
