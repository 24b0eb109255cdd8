#include "shard/update_request.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "json/scanner.h"
#include "json/utf8_check.h"
#include "json/value.h"

namespace quarry {
namespace {

Status malformed(const std::string& what) { return {ErrorType::kXContentParse, what}; }

/// The edit distance of two strings.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); i++) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); j++) {
      const size_t substitute = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substitute, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

/// " did you mean [doc]?", or empty when fewer than half of the characters agree with any member.
std::string suggested_member(std::string_view key) {
  constexpr std::string_view kMembers[] = {
      "doc",       "upsert",          "_source", "doc_as_upsert",  "detect_noop",
      "if_seq_no", "if_primary_term", "script",  "scripted_upsert"};
  std::vector<std::pair<size_t, std::string_view>> near;
  for (const std::string_view member : kMembers) {
    const size_t longer = std::max(key.size(), member.size());
    if (longer > 2 * member.size()) continue;
    const size_t distance = edit_distance(key, member);
    if (2 * distance < longer) near.emplace_back(1000 * distance / longer, member);
  }
  if (near.empty()) return "";
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string names;
  for (const auto& [distance, member] : near)
    names.append(names.empty() ? "" : ", ").append(member);
  return " did you mean " + std::string(near.size() == 1 ? "" : "any of ") + "[" + names + "]?";
}

/// Reads the members of one update body.
class Reader {
 public:
  explicit Reader(std::string_view body) : body_(body), scanner_(body, kMaxJsonDepth) {}

  Result<UpdateRequest> read() {
    if (scanner_.next() != JsonToken::kObjectStart) {
      if (scanner_.token() == JsonToken::kError) return malformed(scanner_.error());
      return malformed("[1:1] [UpdateRequest] Expected START_OBJECT but was: " +
                       std::string(json_token_name(scanner_.token())));
    }
    while (scanner_.next() == JsonToken::kKey) {
      const std::string at = scanner_.position(scanner_.start());
      const std::string_view key = scanner_.content(arena_);
      scanner_.next();
      QUARRY_RETURN_IF_ERROR(read_member(key, at));
    }
    if (scanner_.token() != JsonToken::kObjectEnd || scanner_.next() != JsonToken::kEnd) {
      return malformed(scanner_.error());
    }
    return request_;
  }

 private:
  Status read_member(std::string_view key, const std::string& at) {
    if (key == "doc") return read_object(key, at, request_.doc);
    if (key == "upsert") return read_object(key, at, request_.upsert);
    if (key == "_source") return read_raw(request_.source);
    if (key == "doc_as_upsert") return read_bool(key, at, request_.doc_as_upsert);
    if (key == "detect_noop") return read_bool(key, at, request_.detect_noop);
    if (key == "if_seq_no") return read_number(key, at, request_.if_seq_no);
    if (key == "if_primary_term") return read_number(key, at, request_.if_primary_term);
    if (key == "script" || key == "scripted_upsert") {
      return {ErrorType::kIllegalArgument,
              "[UpdateRequest] [" + std::string(key) + "] is not supported, use [doc] or [upsert]"};
    }
    return malformed("[" + at + "] [UpdateRequest] unknown field [" + std::string(key) + "]" +
                     suggested_member(key));
  }

  Status read_raw(std::string_view& out) {
    const size_t start = scanner_.start();
    const bool container =
        scanner_.token() == JsonToken::kObjectStart || scanner_.token() == JsonToken::kArrayStart;
    if (container && !scanner_.skip_value()) return malformed(scanner_.error());
    if (scanner_.token() == JsonToken::kError) return malformed(scanner_.error());
    out = body_.substr(start, scanner_.end() - start);
    return {};
  }

  Status read_object(std::string_view key, const std::string& at, std::string_view& out) {
    if (scanner_.token() == JsonToken::kNull) return {};
    if (scanner_.token() == JsonToken::kObjectStart) return read_raw(out);
    return wrong_type(key, at);
  }

  Status read_bool(std::string_view key, const std::string& at, bool& out) {
    const std::string_view text = scanner_.raw();
    const bool is_true = scanner_.token() == JsonToken::kTrue ||
                         (scanner_.token() == JsonToken::kString && text == "true");
    const bool is_false = scanner_.token() == JsonToken::kFalse ||
                          (scanner_.token() == JsonToken::kString && text == "false");
    if (!is_true && !is_false) return wrong_type(key, at);
    out = is_true;
    return {};
  }

  Status read_number(std::string_view key, const std::string& at, std::optional<int64_t>& out) {
    const std::string_view text = scanner_.raw();
    int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    const bool scalar =
        scanner_.token() == JsonToken::kNumber || scanner_.token() == JsonToken::kString;
    if (!scalar || error != std::errc() || stopped != end) return wrong_type(key, at);
    out = value;
    return {};
  }

  Status wrong_type(std::string_view key, const std::string& at) {
    if (scanner_.token() == JsonToken::kError) return malformed(scanner_.error());
    return malformed(
        "[" + at + "] [UpdateRequest] " + std::string(key) +
        " doesn't support values of type: " + std::string(json_token_name(scanner_.token())));
  }

  std::string_view body_;
  JsonScanner scanner_;
  Arena arena_;
  UpdateRequest request_;
};

Status bad_source_spec() {
  return {ErrorType::kIllegalArgument,
          "[_source] must be a boolean, a field name, a list of field names or an object with "
          "[includes] and [excludes]"};
}

/// Reads a name or a list of names; false for anything else.
bool read_names(const JsonValue& value, std::vector<std::string>& out) {
  if (value.is_string()) {
    out.emplace_back(value.text());
    return true;
  }
  if (!value.is_array()) return false;
  for (const JsonValue& item : value.items()) {
    if (!item.is_string()) return false;
    out.emplace_back(item.text());
  }
  return true;
}

}  // namespace

Result<UpdateRequest> read_update_request(std::string_view body) {
  if (!valid_utf8(body)) return malformed("[1:1] [UpdateRequest] the body is not valid UTF-8");
  QUARRY_ASSIGN_OR_RETURN(UpdateRequest request, Reader(body).read());
  if (!request.doc.empty()) return request;
  return Status(ErrorType::kActionRequestValidation,
                request.doc_as_upsert
                    ? "Validation Failed: 1: script or doc is missing;2: doc must be specified if "
                      "doc_as_upsert is enabled;"
                    : "Validation Failed: 1: script or doc is missing;");
}

Status check_condition(const WriteOperation& operation, const UpdateRequest& request) {
  const bool upserts = request.doc_as_upsert || operation.doc_as_upsert || !request.upsert.empty();
  if (!upserts || !operation.if_seq_no) return {};
  return {
      ErrorType::kActionRequestValidation,
      "Validation Failed: 1: compare and write operations can not be used with upsert;2: upsert "
      "requests don't support `if_seq_no` and `if_primary_term`;"};
}

Result<MergedDocument> apply_update(const WriteOperation& operation, const UpdateRequest& request,
                                    const CurrentDocument& current, std::string_view existing) {
  const bool doc_as_upsert = request.doc_as_upsert || operation.doc_as_upsert;
  if (!current.exists()) {
    if (doc_as_upsert) return MergedDocument{std::string(request.doc), true};
    if (!request.upsert.empty()) return MergedDocument{std::string(request.upsert), true};
    return Status(ErrorType::kDocumentMissing,
                  "[" + std::string(operation.id) + "]: document missing");
  }
  QUARRY_RETURN_IF_ERROR(check_seq_no(operation, current));
  if (existing.empty()) {
    return Status(ErrorType::kIllegalArgument,
                  "[" + std::string(operation.id) +
                      "]: document source missing: [_source] is "
                      "disabled in the mapping, index the whole document");
  }
  QUARRY_ASSIGN_OR_RETURN(MergedDocument merged, merge_documents(existing, request.doc));
  if (!request.detect_noop || !operation.detect_noop) merged.changed = true;
  if (!merged.changed) merged.source = existing;
  return merged;
}

static Result<std::optional<SourceFilter>> optional_filter(
    const std::vector<std::string>& includes, const std::vector<std::string>& excludes) {
  QUARRY_ASSIGN_OR_RETURN(SourceFilter filter, SourceFilter::compile(includes, excludes));
  return std::optional(std::move(filter));
}

Result<std::optional<SourceFilter>> read_source_spec(std::string_view raw) {
  if (raw.empty()) return std::optional<SourceFilter>();
  QUARRY_ASSIGN_OR_RETURN(const JsonValue value, JsonValue::parse(raw));
  if (value.is_null()) return std::optional<SourceFilter>();
  std::vector<std::string> includes;
  std::vector<std::string> excludes;
  if (value.kind() == JsonValue::Kind::kBool || value.text() == "true" || value.text() == "false") {
    const bool wanted = value.is_string() ? value.text() == "true" : value.as_bool();
    if (!wanted) return std::optional<SourceFilter>();
    return optional_filter({}, {});
  }
  if (!value.is_object()) {
    if (!read_names(value, includes)) return bad_source_spec();
    return optional_filter(includes, {});
  }
  for (const auto& [key, names] : value.members()) {
    const bool is_include = key == "includes" || key == "include";
    if (!is_include && key != "excludes" && key != "exclude") return bad_source_spec();
    if (!read_names(names, is_include ? includes : excludes)) return bad_source_spec();
  }
  return optional_filter(includes, excludes);
}

}  // namespace quarry
