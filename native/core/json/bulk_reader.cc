// Splits a bulk body into lines and reads each action line with one scanner.
#include "json/bulk_reader.h"

#include <charconv>

#include "json/scanner.h"
#include "json/utf8_check.h"
#include "json/value.h"

namespace quarry {

namespace {

constexpr std::string_view kSpace = " \t\r";

Status bad_argument(std::string reason) { return {ErrorType::kIllegalArgument, std::move(reason)}; }

std::string malformed_line(uint32_t line) {
  return "Malformed action/metadata line [" + std::to_string(line) + "], expected ";
}

std::optional<OpType> parse_op_type(std::string_view name) {
  if (name == "index") return OpType::kIndex;
  if (name == "create") return OpType::kCreate;
  if (name == "update") return OpType::kUpdate;
  if (name == "delete") return OpType::kDelete;
  return std::nullopt;
}

/// Properties of an action line that are not part of BulkAction.
struct LineOptions {
  std::optional<OpType> op_type;
  bool versioned = false;  // `version` or a version_type other than internal was given
};

/// Reads one action line into a BulkAction.
class ActionLine {
 public:
  ActionLine(std::string_view text, uint32_t line, BulkForm form, BulkBody& body)
      : scanner_(text, kMaxJsonDepth), text_(text), line_(line), form_(form), body_(body) {
    action_.line = line;
  }

  Result<BulkAction> read() {
    if (!valid_utf8(text_)) return bad_argument(malformed_line(line_) + "valid UTF-8");
    QUARRY_RETURN_IF_ERROR(read_action());
    if (scanner_.next() == JsonToken::kObjectStart) {
      QUARRY_RETURN_IF_ERROR(read_metadata());
      scanner_.next();
    } else if (scanner_.token() != JsonToken::kObjectEnd) {
      return unexpected("START_OBJECT or END_OBJECT");
    }
    QUARRY_RETURN_IF_ERROR(skip_rest());
    if (scanner_.next() != JsonToken::kEnd) return unexpected("the end of the line");
    check();
    return action_;
  }

 private:
  Status unexpected(std::string_view what) const {
    if (scanner_.token() == JsonToken::kError) {
      return {ErrorType::kXContentParse, "Malformed action/metadata line [" +
                                             std::to_string(line_) + "]: " + scanner_.error()};
    }
    return bad_argument(malformed_line(line_) + std::string(what) + " but found [" +
                        std::string(json_token_name(scanner_.token())) + "]");
  }

  std::string unknown_parameter(std::string_view name) const {
    return "Action/metadata line [" + std::to_string(line_) + "] contains an unknown parameter [" +
           std::string(name) + "]";
  }

  /// The content of the token just read; if it was escaped, a copy in the strings of the body.
  std::string_view text() {
    if (scanner_.token() == JsonToken::kTrue) return "true";
    if (scanner_.token() == JsonToken::kFalse) return "false";
    const bool quoted =
        scanner_.token() == JsonToken::kString || scanner_.token() == JsonToken::kKey;
    if (!quoted || !scanner_.escaped()) return scanner_.raw();
    std::string& kept = body_.strings.emplace_back(scanner_.raw().size(), '\0');
    kept.resize(unescape_json(scanner_.raw(), kept.data()));
    return kept;
  }

  Status read_action() {
    if (scanner_.next() != JsonToken::kObjectStart) return unexpected("START_OBJECT");
    if (scanner_.next() != JsonToken::kKey) return unexpected("FIELD_NAME");
    const std::string_view name = text();
    const std::optional<OpType> type = parse_op_type(name);
    if (!type) {
      return bad_argument(malformed_line(line_) +
                          "field [create], [delete], [index] or [update] but found [" +
                          std::string(name) + "]");
    }
    action_.type = *type;
    return {};
  }

  /// Skips keys after the action, since some clients add their own metadata there.
  Status skip_rest() {
    while (scanner_.token() == JsonToken::kKey) {
      scanner_.next();
      if (!scanner_.skip_value()) return unexpected("a value");
      scanner_.next();
    }
    return scanner_.token() == JsonToken::kObjectEnd ? Status() : unexpected("END_OBJECT");
  }

  Status read_metadata() {
    while (scanner_.next() == JsonToken::kKey) {
      const std::string_view name = text();
      switch (scanner_.next()) {
        case JsonToken::kNull:
          break;
        case JsonToken::kObjectStart:
        case JsonToken::kArrayStart:
          QUARRY_RETURN_IF_ERROR(read_container(name));
          break;
        case JsonToken::kError:
          return unexpected("a value");
        default:
          QUARRY_RETURN_IF_ERROR(read_parameter(name));
      }
    }
    return scanner_.token() == JsonToken::kObjectEnd ? Status() : unexpected("END_OBJECT");
  }

  Status read_container(std::string_view name) {
    if (name == "dynamic_templates" && scanner_.token() == JsonToken::kObjectStart) {
      return read_dynamic_templates();
    }
    if (name != "_source") {
      return unexpected("a simple value for field [" + std::string(name) + "]");
    }
    return read_source_filter();
  }

  Status read_dynamic_templates() {
    const size_t start = scanner_.start();
    while (scanner_.next() == JsonToken::kKey) {
      const std::string_view path = text();
      if (scanner_.next() != JsonToken::kString) {
        return unexpected("the name of a template for field [" + std::string(path) + "]");
      }
    }
    if (scanner_.token() != JsonToken::kObjectEnd) return unexpected("END_OBJECT");
    action_.dynamic_templates = text_.substr(start, scanner_.end() - start);
    return {};
  }

  Status read_source_filter() {
    const size_t start = scanner_.start();
    if (!scanner_.skip_value()) return unexpected("a value");
    action_.source_filter = text_.substr(start, scanner_.end() - start);
    return {};
  }

  /// Reads a scalar other than null.
  Status read_parameter(std::string_view name) {
    if (name == "_index") {
      action_.index = text();
      action_.has_index = true;
    } else if (name == "_id") {
      action_.id = text();
      action_.has_id = true;
    } else if (name == "routing") {
      action_.routing = text();
    } else if (name == "_type" && form_.types) {
      return {};
    } else if (name == "op_type") {
      return read_op_type();
    } else if (name == "_source") {
      return read_source_filter();
    } else if (name == "require_alias") {
      return read_bool(name, action_.require_alias);
    } else if (name == "require_data_stream") {
      return read_data_stream();
    } else if (name == "list_executed_pipelines") {
      bool ignored = false;
      return read_bool(name, ignored);
    } else if (name == "pipeline") {
      return read_pipeline();
    } else {
      return read_number_parameter(name);
    }
    return {};
  }

  Status read_number_parameter(std::string_view name) {
    if (name == "version") {
      options_.versioned = true;
      return read_long(name, action_.version);
    }
    if (name == "version_type") return read_version_type();
    if (name == "if_seq_no") return read_long(name, action_.if_seq_no);
    if (name == "if_primary_term") return read_long(name, action_.if_primary_term);
    if (name == "retry_on_conflict") {
      std::optional<int64_t> value;
      QUARRY_RETURN_IF_ERROR(read_long(name, value));
      if (*value < 0 || *value > INT32_MAX) {
        return bad_argument("retry_on_conflict must be 0 or more, got [" + std::to_string(*value) +
                            "]");
      }
      action_.retry_on_conflict = static_cast<uint32_t>(*value);
      return {};
    }
    return bad_argument(unknown_parameter(name));
  }

  Status bad_value(std::string_view name, std::string_view expected) {
    return bad_argument("Action/metadata line [" + std::to_string(line_) + "]: [" +
                        std::string(name) + "] must be " + std::string(expected) + ", got [" +
                        std::string(text()) + "]");
  }

  Status read_long(std::string_view name, std::optional<int64_t>& out) {
    const std::string_view digits = text();
    int64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [at, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || at != end) return bad_value(name, "a whole number");
    out = value;
    return {};
  }

  Status read_bool(std::string_view name, bool& out) {
    const std::string_view value = text();
    if (value != "true" && value != "false") return bad_value(name, "true or false");
    out = value == "true";
    return {};
  }

  Status read_op_type() {
    const std::string_view name = text();
    options_.op_type = parse_op_type(name);
    const bool indexing = action_.type == OpType::kIndex || action_.type == OpType::kCreate;
    const bool known = options_.op_type == OpType::kIndex || options_.op_type == OpType::kCreate;
    if (!known) {
      return bad_argument("opType must be 'create' or 'index', found: [" + std::string(name) + "]");
    }
    if (indexing && options_.op_type == OpType::kCreate) action_.type = OpType::kCreate;
    return {};
  }

  Status read_version_type() {
    const std::string_view name = text();
    if (name == "internal") {
      action_.version_type = VersionType::kInternal;
    } else if (name == "external" || name == "external_gt") {
      action_.version_type = VersionType::kExternal;
    } else if (name == "external_gte") {
      action_.version_type = VersionType::kExternalGte;
    } else {
      return bad_argument("No version type match [" + std::string(name) + "]");
    }
    options_.versioned |= action_.version_type != VersionType::kInternal;
    return {};
  }

  Status read_data_stream() {
    bool required = false;
    QUARRY_RETURN_IF_ERROR(read_bool("require_data_stream", required));
    if (required) {
      refuse_line(
          bad_argument("[require_data_stream] is not supported, there are no data streams"));
    }
    return {};
  }

  Status read_pipeline() {
    const std::string_view name = text();
    if (name != "_none") {
      refuse_line(bad_argument("pipeline with id [" + std::string(name) + "] does not exist"));
    }
    return {};
  }

  /// Refuses the line; only the first reason is kept.
  void refuse_line(Status reason) {
    if (action_.refusal != 0) return;
    body_.refusals.push_back(std::move(reason));
    action_.refusal = static_cast<uint32_t>(body_.refusals.size());
  }

  /// Checks that need the whole line.
  void check() {
    if (action_.type == OpType::kUpdate && options_.versioned) {
      refuse_line(bad_argument(
          "Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` "
          "instead"));
    }
    if (!action_.source_filter.empty() && action_.type != OpType::kUpdate) {
      refuse_line(bad_argument(unknown_parameter("_source")));
    }
    const bool writes = action_.type == OpType::kIndex || action_.type == OpType::kCreate;
    if (!action_.dynamic_templates.empty() && !writes) {
      refuse_line(bad_argument("[" + std::string(op_type_name(action_.type)) + "] in line [" +
                               std::to_string(line_) + "] does not accept dynamic_templates"));
    }
  }

  JsonScanner scanner_;
  std::string_view text_;
  uint32_t line_;
  BulkForm form_;
  BulkBody& body_;
  BulkAction action_;
  LineOptions options_;
};

/// Takes the next line from `rest`, without its \n or \r\n.
std::string_view take_line(std::string_view& rest) {
  const size_t newline = rest.find('\n');
  std::string_view line = rest.substr(0, newline);
  rest.remove_prefix(newline + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::string_view op_type_name(OpType type) {
  static constexpr std::string_view kNames[] = {"index", "create", "update", "delete"};
  return kNames[static_cast<size_t>(type)];
}

Result<BulkBody> read_bulk(std::string_view text, BulkForm form) {
  BulkBody body;
  if (!text.empty() && text.back() != '\n') {
    return bad_argument("The bulk request must be terminated by a newline [\\n]");
  }
  uint32_t line = 0;
  while (!text.empty()) {
    const std::string_view action_line = take_line(text);
    ++line;
    if (action_line.find_first_not_of(kSpace) == std::string_view::npos) continue;
    QUARRY_ASSIGN_OR_RETURN(BulkAction action, ActionLine(action_line, line, form, body).read());
    if (action.type != OpType::kDelete) {
      if (text.empty()) {
        return bad_argument("Malformed action/metadata line [" + std::to_string(line) +
                            "], expected a source line after it but the body ends");
      }
      action.source = take_line(text);
      ++line;
    }
    body.actions.push_back(action);
  }
  return body;
}

}  // namespace quarry
