// Text that analyzers split into words.
#include "mapping/schema/field_maker.h"
#include "mapping/schema/field_type.h"
#include "mapping/types/shared_parameters.h"

namespace quarry {

namespace {

constexpr Parameter kTextParameters[] = {
    parameters::kIndex,
    parameters::kStore,
    {"index_options", ParameterKind::kChoice, "\"positions\"", false,
     "positions|docs|freqs|offsets"},
    parameters::kTextNorms,
    parameters::kTermVector,
    parameters::kAnalyzer,
    parameters::kSearchAnalyzer,
    parameters::kQuoteAnalyzer,
    parameters::kSimilarity,
    parameters::kPositionGap,
    parameters::kFielddata,
    parameters::kFielddataFilter,
    parameters::kEagerOrdinals,
    parameters::kIndexPhrases,
    parameters::kIndexPrefixes,
    parameters::kMeta,
};

// First the parameters of vectors (semantic_parameters.h), then those of text.
constexpr Parameter kSemanticTextParameters[] = {
    {"embedder", ParameterKind::kName, {}, false, {}},
    {"dims", ParameterKind::kCount, {}, false, {}},
    {"inference_id", ParameterKind::kName, {}, false, {}},
    {"inference_endpoint", ParameterKind::kEndpoint, {}, false, {}},
    parameters::kVectorIndexOptions,
    {"chunking_settings", ParameterKind::kRefused, {}, false, {}},
    {"search_inference_id", ParameterKind::kRefused, {}, false, {}},
    {"model_settings", ParameterKind::kRefused, {}, false, {}},
    parameters::kIndex,
    parameters::kStore,
    parameters::kTextNorms,
    parameters::kTermVector,
    parameters::kAnalyzer,
    parameters::kSearchAnalyzer,
    parameters::kQuoteAnalyzer,
    parameters::kSimilarity,
    parameters::kPositionGap,
    parameters::kFielddata,
    parameters::kFielddataFilter,
    parameters::kEagerOrdinals,
    parameters::kIndexPhrases,
    parameters::kIndexPrefixes,
    parameters::kMeta,
};

}  // namespace

constinit const FieldTraits kTextType = {
    .name = "text",
    .inverted = InvertedKind::kText,
    .text_patterns = true,
    .query = QueryKind::kTerms,
    .parameters = kTextParameters,
    .configure = configure_text,
    .value = ValueForm::kText,
};

constinit const FieldTraits kSemanticTextType = {
    .name = "semantic_text",
    .inverted = InvertedKind::kText,
    .text_patterns = true,
    .query = QueryKind::kTerms,
    .parameters = kSemanticTextParameters,
    .configure = configure_semantic_text,
    .value = ValueForm::kText,
    .below_nested = false,
};

}  // namespace quarry
