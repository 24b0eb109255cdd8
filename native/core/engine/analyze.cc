#include "engine/analyze.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "json/value.h"
#include "text/analysis/analysis_budget.h"
#include "text/analysis/token.h"
#include "text/analysis/utf16_offsets.h"

namespace quarry {
namespace {

/// The default of Elasticsearch's index.analyze.max_token_count.
constexpr size_t kMaxTokens = 10000;

/// Characters between two values of one field, as in Lucene's analyzers.
constexpr uint32_t kOffsetGap = 1;

std::string quoted(std::string_view name) { return "[" + std::string(name) + "]"; }

/// The error for members that exclude each other.
Status invalid(const std::string& reason) {
  return {ErrorType::kActionRequestValidation, "Validation Failed: 1: " + reason + ";"};
}

struct Request {
  std::optional<std::string> analyzer;
  std::optional<std::string> normalizer;
  std::string field;
  std::vector<std::string> texts;
  std::optional<std::string> tokenizer;
  std::vector<std::string> char_filters;
  std::vector<std::string> filters;
  /// Components that the request defines itself, as settings with dotted names.
  JsonValue components = JsonValue::object();

  /// Whether the request defines a tokenizer or filters of its own.
  bool custom() const { return tokenizer || !char_filters.empty() || !filters.empty(); }
};

Status check_together(const Request& request, bool has_index) {
  if (request.texts.empty()) return invalid("text is missing");
  if (request.normalizer && !has_index)
    return invalid("index is required if normalizer is specified");
  if (request.normalizer && (request.tokenizer || request.analyzer))
    return invalid("tokenizer/analyze should be null if normalizer is specified");
  if (!request.custom()) return {};
  if (request.analyzer) return invalid("cannot define extra components on a named analyzer");
  if (request.normalizer) return invalid("cannot define extra components on a named normalizer");
  if (request.field.empty()) return {};
  return invalid("cannot define extra components on a field-specific analyzer");
}

/// Reads the members of the request.
class Reader {
 public:
  Result<Request> read(const JsonValue& body) {
    if (!body.is_object()) return illegal_argument("the request must be an object");
    for (const auto& [key, value] : body.members()) QUARRY_RETURN_IF_ERROR(member(key, value));
    return std::move(request_);
  }

 private:
  Status member(const std::string& key, const JsonValue& value) {
    if (key == "text") return strings(key, value, request_.texts);
    if (key == "analyzer") return string(key, value, request_.analyzer.emplace());
    if (key == "normalizer") return string(key, value, request_.normalizer.emplace());
    if (key == "field") return string(key, value, request_.field);
    if (key == "tokenizer") return component("tokenizer", value, request_.tokenizer.emplace());
    if (key == "filter") return components("filter", value, request_.filters);
    if (key == "char_filter") return components("char_filter", value, request_.char_filters);
    if (key == "explain" && value.text() == "false") return {};
    if (key == "explain" || key == "attributes") {
      return illegal_argument("[_analyze] does not support " + quoted(key) + ", leave it out");
    }
    return {ErrorType::kXContentParse, "[analyze_request] unknown field " + quoted(key)};
  }

  static Status string(const std::string& key, const JsonValue& value, std::string& out) {
    if (!value.is_string()) return illegal_argument(quoted(key) + " must be a string");
    out = value.text();
    return {};
  }

  static Status strings(const std::string& key, const JsonValue& value,
                        std::vector<std::string>& out) {
    if (!value.is_array()) return string(key, value, out.emplace_back());
    // Numbers and booleans in a list are taken as their JSON text.
    for (const JsonValue& item : value.items()) {
      if (item.is_null() || item.is_object() || item.is_array())
        return illegal_argument(quoted(key) + " must be a list of strings");
      out.emplace_back(item.text());
    }
    return {};
  }

  /// Reads the name of a component, or a definition, which is given a generated name.
  Status component(const char* section, const JsonValue& value, std::string& name) {
    if (value.is_string()) {
      name = value.text();
      return {};
    }
    if (!value.is_object())
      return illegal_argument(quoted(section) + " must be a name or a definition");
    name = "_anonymous_" + std::to_string(anonymous_++);
    request_.components.set("analysis." + std::string(section) + "." + name, value);
    return {};
  }

  Status components(const char* section, const JsonValue& value, std::vector<std::string>& names) {
    if (!value.is_array()) {
      return {ErrorType::kXContentParse,
              "[analyze_request] " + quoted(section) + " must be a list of names or definitions"};
    }
    for (const JsonValue& item : value.items()) {
      QUARRY_RETURN_IF_ERROR(component(section, item, names.emplace_back()));
    }
    return {};
  }

  Request request_;
  int anonymous_ = 0;
};

/// An analyzer and its owner.
struct Chosen {
  const Analyzer* analyzer = nullptr;
  bool normalizes = false;  // one token: the normalized form
  // Positions between two strings; empty: the gap of the analyzer.
  std::optional<uint32_t> gap;
  std::shared_ptr<const AnalysisRegistry> registry;
  std::unique_ptr<Analyzer> built;
};

Result<std::shared_ptr<const AnalysisRegistry>> registry_of(const Request& request,
                                                            const Mapping* mapping,
                                                            std::string_view settings_json) {
  if (request.components.members().empty()) {
    return mapping == nullptr ? builtin_analysis() : mapping->context().analysis;
  }
  JsonValue settings = JsonValue::object();
  if (!settings_json.empty()) {
    QUARRY_ASSIGN_OR_RETURN(settings, JsonValue::parse(settings_json));
  }
  for (const auto& [name, definition] : request.components.members()) {
    settings.set(name, definition);
  }
  QUARRY_ASSIGN_OR_RETURN(const MappingContext context, make_mapping_context(settings.to_json()));
  return context.analysis;
}

Result<Chosen> choose_by_field(const Request& request, const Mapping& mapping, Chosen chosen) {
  const Field* field = mapping.find(request.field);
  if (field == nullptr) return chosen;
  if (field->is_text()) {
    chosen.analyzer = field->analyzer;
    chosen.gap = field->position_increment_gap;
    return chosen;
  }
  if (!field->traits().accepts_normalizer) {
    return illegal_argument("Can't process field " + quoted(request.field) +
                            ", Analysis requests are only supported on tokenized fields");
  }
  chosen.gap = 0;
  chosen.normalizes = field->normalizer != nullptr;
  chosen.analyzer = chosen.normalizes ? field->normalizer : chosen.registry->analyzer("keyword");
  return chosen;
}

Result<Chosen> choose_custom(const Request& request, Chosen chosen) {
  if (request.tokenizer && request.tokenizer->empty())
    return illegal_argument("failed to find global tokenizer under []");
  QUARRY_ASSIGN_OR_RETURN(
      chosen.built, chosen.registry->combine(request.tokenizer.value_or(""), request.char_filters,
                                             request.filters));
  chosen.analyzer = chosen.built.get();
  return chosen;
}

Result<Chosen> choose(const Request& request, const Mapping* mapping,
                      std::string_view settings_json) {
  Chosen chosen;
  QUARRY_RETURN_IF_ERROR(check_together(request, mapping != nullptr));
  QUARRY_ASSIGN_OR_RETURN(chosen.registry, registry_of(request, mapping, settings_json));
  if (request.normalizer) {
    chosen.analyzer = chosen.registry->normalizer(*request.normalizer);
    chosen.normalizes = true;
    chosen.gap = 0;
    if (chosen.analyzer != nullptr) return chosen;
    return illegal_argument("failed to find normalizer under " + quoted(*request.normalizer));
  }
  if (request.analyzer) {
    chosen.analyzer = chosen.registry->analyzer(*request.analyzer);
    // In Elasticsearch, analyzers used without an index have no position gap.
    if (mapping == nullptr) chosen.gap = 0;
    if (chosen.analyzer != nullptr) return chosen;
    const std::string where = mapping == nullptr ? "global analyzer " : "analyzer ";
    return illegal_argument("failed to find " + where + quoted(*request.analyzer));
  }
  if (request.custom()) return choose_custom(request, std::move(chosen));
  chosen.analyzer = chosen.registry->analyzer("default");
  if (chosen.analyzer == nullptr) chosen.analyzer = chosen.registry->analyzer("standard");
  if (mapping == nullptr) chosen.gap = 0;
  if (request.field.empty()) return chosen;
  if (mapping == nullptr) {
    return illegal_argument("analysis based on a specific field requires an index");
  }
  return choose_by_field(request, *mapping, std::move(chosen));
}

void append_token(std::string& json, const Token& token, uint32_t position, uint32_t start,
                  uint32_t end) {
  if (json.back() == '}') json += ',';
  json += R"({"token":)";
  append_json_string(json, token.text);
  json += R"(,"start_offset":)" + std::to_string(start) + R"(,"end_offset":)" +
          std::to_string(end) + R"(,"type":)";
  append_json_string(json, token.type);
  json += R"(,"position":)" + std::to_string(position);
  if (token.position_length > 1) {
    json += R"(,"positionLength":)" + std::to_string(token.position_length);
  }
  json += '}';
}

}  // namespace

Result<std::string> analyze_json(std::string_view request_json, const Mapping* mapping,
                                 std::string_view settings_json) {
  QUARRY_ASSIGN_OR_RETURN(const JsonValue body, JsonValue::parse(request_json));
  QUARRY_ASSIGN_OR_RETURN(const Request request, Reader().read(body));
  QUARRY_ASSIGN_OR_RETURN(const Chosen chosen, choose(request, mapping, settings_json));
  const uint32_t gap = chosen.gap.value_or(chosen.analyzer->position_increment_gap());
  std::string json = R"({"tokens":[)";
  TokenBuffer buffer;
  AnalysisBudget budget;
  uint32_t position = 0;
  uint32_t offset = 0;
  size_t count = 0;
  for (const std::string& text : request.texts) {
    std::string normal;
    buffer.clear();
    if (chosen.normalizes) {
      QUARRY_ASSIGN_OR_RETURN(normal, chosen.analyzer->normalize(text, budget));
      buffer.tokens.push_back({normal, 0, 1, 0, static_cast<uint32_t>(text.size()), "word", false});
      buffer.end_position = 1;
    } else {
      QUARRY_RETURN_IF_ERROR(chosen.analyzer->analyze(text, buffer, budget));
    }
    count += buffer.tokens.size();
    if (count > kMaxTokens) {
      return illegal_argument(
          "The number of tokens produced by calling _analyze has exceeded the allowed "
          "maximum of [" +
          std::to_string(kMaxTokens) + "].");
    }
    const Utf16Offsets units(text);
    for (const Token& token : buffer.tokens) {
      append_token(json, token, position + token.position, offset + units.at(token.start),
                   offset + units.at(token.end));
    }
    position += buffer.end_position + gap;
    offset += units.length() + kOffsetGap;
  }
  return json + "]}";
}

}  // namespace quarry
