// Merges two documents by copying runs of bytes. Values are compared as trees only if both
// documents have them.
#include "json/merge.h"

#include <unordered_map>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "json/scanner.h"
#include "json/utf8_check.h"
#include "json/value.h"

namespace quarry {

namespace {

struct Member {
  std::string_view name;   // unescaped
  std::string_view key;    // as spelled, with quotes
  std::string_view value;  // as spelled
};

/// The members of an object whose syntax is already checked. Names may be stored in `arena`.
std::vector<Member> list_members(std::string_view object, Arena& arena) {
  std::vector<Member> members;
  JsonScanner scanner(object, JsonScanner::kDeepest);
  scanner.next();
  while (scanner.next() == JsonToken::kKey) {
    Member member{scanner.content(arena), {scanner.raw().data() - 1, scanner.raw().size() + 2}, {}};
    scanner.next();
    const size_t start = scanner.start();
    scanner.skip_value();
    member.value = object.substr(start, scanner.end() - start);
    members.push_back(member);
  }
  return members;
}

bool is_object(std::string_view value) { return value.starts_with('{'); }

bool same_value(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const Result<JsonValue> left = JsonValue::parse(a, JsonScanner::kDeepest);
  const Result<JsonValue> right = JsonValue::parse(b, JsonScanner::kDeepest);
  return left.ok() && right.ok() && *left == *right;
}

class Merger {
 public:
  explicit Merger(MergedDocument& out) : out_(out) {}

  /// Appends the merge of two objects. The bytes between the values of `existing` are copied
  /// unchanged.
  void merge(std::string_view existing, std::string_view patch) {
    const std::vector<Member> old_members = list_members(existing, arena_);
    const std::vector<Member> new_members = list_members(patch, arena_);
    std::unordered_map<std::string_view, const Member*> changes;
    for (const Member& member : new_members) changes.emplace(member.name, &member);

    size_t copied = 0;  // bytes of `existing` that are already in the output
    for (const Member& old : old_members) {
      const auto change = changes.find(old.name);
      if (change == changes.end()) continue;
      const auto at = static_cast<size_t>(old.value.data() - existing.data());
      out_.source.append(existing, copied, at - copied);
      merge_value(old.value, change->second->value);
      copied = at + old.value.size();
      changes.erase(change);
    }
    const size_t last =
        old_members.empty() ? existing.find('{') + 1 : end_of(existing, old_members.back());
    if (last > copied) {
      out_.source.append(existing, copied, last - copied);
      copied = last;
    }
    bool first = old_members.empty();
    for (const Member& member : new_members) {
      if (!changes.contains(member.name)) continue;
      if (!std::exchange(first, false)) out_.source += ',';
      out_.source.append(member.key).append(":").append(member.value);
      out_.changed = true;
    }
    out_.source.append(existing, copied);
  }

 private:
  static size_t end_of(std::string_view object, const Member& member) {
    return static_cast<size_t>(member.value.data() - object.data()) + member.value.size();
  }

  void merge_value(std::string_view old_value, std::string_view new_value) {
    if (is_object(old_value) && is_object(new_value)) {
      merge(old_value, new_value);
    } else if (same_value(old_value, new_value)) {
      out_.source += old_value;
    } else {
      out_.source += new_value;
      out_.changed = true;
    }
  }

  MergedDocument& out_;
  Arena arena_;
};

Status check_object(std::string_view text) {
  if (!valid_utf8(text)) {
    return {ErrorType::kDocumentParsing, "failed to parse: Invalid UTF-8 in the document"};
  }
  JsonScanner scanner(text, kMaxJsonDepth);
  const JsonToken first = scanner.next();
  const bool object = first == JsonToken::kObjectStart;
  if (scanner.skip_value()) scanner.next();
  if (scanner.token() == JsonToken::kError) {
    return {ErrorType::kDocumentParsing, "failed to parse: " + scanner.error()};
  }
  if (!object) {
    return {ErrorType::kDocumentParsing, "Malformed content, must start with an object"};
  }
  return {};
}

/// Removes the surrounding white space.
std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

Result<MergedDocument> merge_documents(std::string_view existing, std::string_view patch) {
  QUARRY_RETURN_IF_ERROR(check_object(existing));
  QUARRY_RETURN_IF_ERROR(check_object(patch));
  MergedDocument merged;
  merged.source.reserve(existing.size() + patch.size());
  Merger(merged).merge(existing, trim(patch));
  return merged;
}

}  // namespace quarry
