// The parameters that semantic_text fields have beside those of text: which embedder makes their
// vectors, and how many dimensions these have.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "json/value.h"
#include "mapping/document/mapper.h"
#include "mapping/schema/field.h"

namespace quarry {

/// What decides which vectors a field has. Said once; an update that leaves them out changes nothing.
inline constexpr std::string_view kSemanticIdentity[] = {
    "embedder", "dims", "inference_id", "inference_endpoint", "index_options"};

/// Checks an `inference_endpoint`: a URL, or an object ({"url", "model", "api_key_env", "dims"}) and brings its
/// values into their printed form. mapper_parsing_exception names what is wrong.
Result<JsonValue> read_inference_endpoint(const JsonValue& value, const std::string& field);

/// Gives every semantic_text field at or below `mapper` the embedder and dims that follow from what
/// it says, so that they are printed and a later default cannot change them.
void settle_semantic(Mapper& mapper);

/// What a settled definition says in sum, without companions. mapper_parsing_exception for values
/// that do not go together.
Result<SemanticOptions> read_semantic_options(const Mapper& mapper, const std::string& field);

/// Why `to` cannot follow on `from` as far as kSemanticIdentity goes, a line per parameter in
/// Elasticsearch's words and the remedy; empty when it can.
std::string semantic_conflicts(const Mapper& from, const Mapper& to);

}  // namespace quarry
