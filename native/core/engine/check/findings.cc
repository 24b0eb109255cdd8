#include "engine/check/findings.h"

#include <algorithm>
#include <utility>

#include "json/value.h"

namespace quarry {
namespace {

void put_text(std::string& json, std::string_view key, const std::string& value) {
  json.append(",\"").append(key).append("\":");
  append_json_string(json, value);
}

void put_number(std::string& json, std::string_view key, uint64_t value) {
  if (json.back() != '{') json += ',';
  json.append("\"").append(key).append("\":").append(std::to_string(value));
}

std::string finding_json(const Finding& finding) {
  std::string json = finding.severity == Severity::kDamage ? R"({"severity":"damage")"
                                                           : R"({"severity":"warning")";
  put_text(json, "file", finding.file);
  if (!finding.section.empty()) put_text(json, "section", finding.section);
  if (finding.offset) json += ",\"offset\":" + std::to_string(*finding.offset);
  put_text(json, "what", finding.what);
  put_text(json, "consequence", finding.consequence);
  return json + "}";
}

}  // namespace

void Findings::add(Finding finding) {
  if (finding.severity == Severity::kDamage) damages_++;
  const auto alike = std::count_if(list_.begin(), list_.end(), [&finding](const Finding& other) {
    return other.file == finding.file && other.section == finding.section &&
           other.severity == finding.severity;
  });
  if (alike >= kMostAlike) {
    unlisted_++;
  } else {
    list_.push_back(std::move(finding));
  }
}

std::string Findings::members_json() const {
  std::string json = std::string("\"sound\":") + (sound() ? "true" : "false") + ",\"findings\":[";
  for (const Finding& finding : list_) {
    if (json.back() != '[') json += ',';
    json += finding_json(finding);
  }
  json += "],\"unlisted\":" + std::to_string(unlisted_) + ",\"checked\":{";
  put_number(json, "files", counts.files);
  put_number(json, "bytes", counts.bytes);
  put_number(json, "indexes", counts.indexes);
  put_number(json, "shards", counts.shards);
  put_number(json, "segments", counts.segments);
  put_number(json, "documents", counts.documents);
  put_number(json, "terms", counts.terms);
  put_number(json, "postings", counts.postings);
  put_number(json, "values", counts.values);
  put_number(json, "vectors", counts.vectors);
  put_number(json, "log_records", counts.log_records);
  return json + "}";
}

}  // namespace quarry
