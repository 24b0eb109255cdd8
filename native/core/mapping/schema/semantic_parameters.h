// The parameters of semantic_text fields in addition to those of text: which embedder makes their
// vectors, and how many dimensions these have.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "json/value.h"
#include "mapping/document/mapper.h"
#include "mapping/schema/field.h"

namespace quarry {

/// The parameters that determine which vectors a field has. They are set once; an update that
/// leaves them out keeps them.
inline constexpr std::string_view kSemanticIdentity[] = {"embedder", "dims", "inference_id",
                                                         "inference_endpoint", "index_options"};

/// Checks an `inference_endpoint`, which is a URL or an object ({"url", "model", "api_key_env",
/// "dims"}), and converts its values into their printed form. The error is
/// mapper_parsing_exception, which names the fault.
Result<JsonValue> read_inference_endpoint(const JsonValue& value, const std::string& field);

/// Sets the embedder and dims of every semantic_text field at or below `mapper` explicitly, derived
/// from its parameters, so that they are printed and a later default cannot change them.
void settle_semantic(Mapper& mapper);

/// The options of a settled definition, without companions. The error for values that contradict
/// each other is mapper_parsing_exception.
Result<SemanticOptions> read_semantic_options(const Mapper& mapper, const std::string& field);

/// The reasons why `to` cannot replace `from` regarding kSemanticIdentity, one line per parameter
/// in Elasticsearch's wording with the remedy; empty when it can.
std::string semantic_conflicts(const Mapper& from, const Mapper& to);

}  // namespace quarry
