#include "engine/check/salvaged_index.h"

#include <algorithm>
#include <utility>

#include "engine/check/line_file.h"
#include "engine/check/lost_sections.h"
#include "json/utf8_check.h"
#include "json/value.h"
#include "mapping/schema/mapping.h"
#include "segment/unverified_segment.h"
#include "shard/routing_field.h"

namespace quarry {
namespace {

/// Numbers of the segments that have a file in the folder, whether or not the manifest names them.
std::vector<uint64_t> segments_in(FileSystem& files, const std::string& dir) {
  std::vector<uint64_t> numbers;
  const auto names = files.list(dir);
  if (!names.ok()) return numbers;
  for (const std::string& name : *names) {
    if (!name.starts_with("seg-") || !name.ends_with(".data")) continue;
    numbers.push_back(std::strtoull(name.c_str() + 4, nullptr, 10));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

bool is_object(std::string_view source) {
  const Result<JsonValue> json = JsonValue::parse(source, kMaxJsonDepth * 4);
  return json.ok() && json->is_object();
}

/// Line breaks between the members of a document are not significant.
void put_on_one_line(std::string& source) {
  std::replace(source.begin(), source.end(), '\n', ' ');
  std::replace(source.begin(), source.end(), '\r', ' ');
}

}  // namespace

SalvagedIndex::SalvagedIndex(FileSystem& files, std::string dir, IndexMeta meta)
    : files_(files), dir_(std::move(dir)), meta_(std::move(meta)), name_(meta_.name()) {}

void SalvagedIndex::add_shard(uint32_t shard) {
  const std::string dir = dir_ + "/" + std::to_string(shard);
  const std::string path = dir + "/MANIFEST";
  const auto bytes = files_.read(path);
  const Result<Manifest> manifest = bytes.ok() ? decode_manifest(*bytes) : bytes.status();
  if (manifest.ok()) {
    for (const ManifestSegment& listed : manifest->segments) {
      add_segment(dir + "/seg-" + std::to_string(listed.file_number), &listed);
    }
    for (const auto& [id, tombstone] : manifest->tombstones) {
      keep(id, {tombstone.version.seq_no, true, false, 0, 0, {}, {}});
    }
    return;
  }
  const std::vector<uint64_t> numbers = segments_in(files_, dir);
  if (numbers.empty()) return;
  lost_.push_back(
      "[" + path +
      "] cannot be read: all segments of the folder are taken, and documents that had been "
      "deleted may be back");
  for (const uint64_t number : numbers)
    add_segment(dir + "/seg-" + std::to_string(number), nullptr);
}

void SalvagedIndex::add_segment(const std::string& base, const ManifestSegment* listed) {
  Part part;
  part.base = base;
  const bool opened = open_part(base, part);
  if (!opened || part.stored.block_count() == 0) {
    const std::string count =
        listed == nullptr ? "an unknown number of" : std::to_string(listed->live_count);
    lost_.push_back("[" + base + "]: " + count + " documents, its files cannot be read");
    return;
  }
  if (!part.has_ids) lost_.push_back("[" + base + "]: the ids and versions of its documents");
  if (part.segment == nullptr) lost_.push_back("[" + base + "]: the routing of its documents");
  parts_.push_back(std::move(part));
  add_documents(static_cast<uint32_t>(parts_.size() - 1), listed);
}

/// False when the files that hold the documents are missing.
bool SalvagedIndex::open_part(const std::string& base, Part& part) {
  for (const char* ending : {".data", ".sidx", ".ids"}) {
    auto source = files_.map(base + ending);
    part.sources.push_back(source.ok() ? std::move(*source) : make_heap_source({}));
  }
  const auto& sources = part.sources;
  if (auto segment = Segment::open(sources[0], sources[1], sources[2]); segment.ok()) {
    part.segment = std::move(*segment);
  } else {
    part.doubtful = true;
    auto unverified = open_unverified_segment(sources[0], sources[1], sources[2]);
    if (unverified.ok()) part.segment = std::move(*unverified);
  }
  if (part.segment == nullptr) {
    read_parts(part);
    return true;
  }
  part.ids = part.segment->ids();
  part.stored = part.segment->stored();
  part.has_ids = true;
  return true;
}

/// Reads only documents and ids, where the segment as a whole cannot be opened.
void SalvagedIndex::read_parts(Part& part) {
  const SectionFile data = SectionFile::open_remains(part.sources[0]->bytes());
  const SectionFile sidx = SectionFile::open_remains(part.sources[1]->bytes());
  const SectionFile ids = SectionFile::open_remains(part.sources[2]->bytes());
  Bytes index = sidx.find(SectionKind::kSourceIndex, kNoField);
  if (index.empty()) index = find_source_index(part.sources[1]->bytes());
  ByteReader head(index);
  head.seek(8);
  const auto docs = head.get<uint32_t>();  // format of stored_source.cc
  auto stored = StoredSource::open(data.find(SectionKind::kSourceBlocks, kNoField), index, docs);
  if (!stored.ok()) {
    // The table of sections is damaged, but the documents may be intact.
    auto found = find_stored(part.sources[0]->bytes(), index, part.room);
    if (!found) return;
    stored = std::move(*found);
  }
  if (docs == 0) return;
  part.stored = std::move(*stored);
  auto table = IdTable::open(ids.find(SectionKind::kIdTable, kNoField));
  if (!table.ok()) {
    if (auto found = find_id_table(part.sources[2]->bytes())) table = std::move(*found);
  }
  part.has_ids = table.ok() && table->size() == docs;
  if (part.has_ids) part.ids = std::move(*table);
}

namespace {

/// A nested document has neither an id nor a source.
bool has_no_source(const StoredSource& stored, uint32_t doc) {
  std::string source;
  return stored.get(doc, source).ok() && source.empty();
}

}  // namespace

void SalvagedIndex::add_documents(uint32_t number, const ManifestSegment* listed) {
  const Part& part = parts_[number];
  uint32_t docs = 0;
  for (uint32_t i = 0; i < part.stored.block_count(); i++) docs += part.stored.block(i).doc_count;
  for (uint32_t doc = 0; doc < docs; doc++) {
    const bool known = listed != nullptr && listed->live != nullptr && doc < listed->live->size();
    if (known && !listed->live->test(doc)) continue;
    IdBuffer buffer;
    const std::string_view id = part.has_ids ? part.ids.id(doc, buffer) : std::string_view();
    if (part.has_ids && id.empty() && has_no_source(part.stored, doc)) continue;
    if (id.empty() || !valid_utf8(id)) {
      nameless_.emplace_back(number, doc);
    } else {
      keep(id, {part.ids.seq_no(doc), false, false, number, doc, {}, {}});
    }
  }
}

void SalvagedIndex::add_record(const WalRecord& record) {
  if (record.type == WalRecordType::kMapping) {
    mapping_changes_.emplace_back(record.body);
    return;
  }
  const bool deleted = record.type == WalRecordType::kDelete;
  keep(record.id, {record.seq_no, deleted, true, 0, 0, record.routing, record.body});
}

/// Candidates with the same sequence number have the same content. The segment's is kept, unless it
/// is doubtful and the other is from the log.
void SalvagedIndex::keep(std::string_view id, const Newest& candidate) {
  const auto [at, added] = newest_.try_emplace(std::string(id), candidate);
  if (added) return;
  Newest& known = at->second;
  const bool sounder =
      candidate.from_log && !known.from_log && !known.deleted && parts_[known.part].doubtful;
  const bool same = candidate.seq_no == known.seq_no;
  if (candidate.seq_no > known.seq_no || (same && sounder)) known = candidate;
}

/// False when the stored bytes are not a JSON object.
bool SalvagedIndex::read_source(const Newest& at, std::string& out) {
  out.clear();
  if (at.from_log) {
    out = at.body;
  } else if (!parts_[at.part].stored.get(at.doc, out).ok()) {
    return false;
  }
  return is_object(out);
}

Status SalvagedIndex::write_documents(const std::string& path, Written& written) {
  std::vector<std::pair<const std::string*, const Newest*>> order;
  for (const auto& [id, newest] : newest_) {
    if (!newest.deleted) order.emplace_back(&id, &newest);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second->seq_no, *a.first) < std::pair(b.second->seq_no, *b.first);
  });
  QUARRY_ASSIGN_OR_RETURN(LineFile file, LineFile::create(files_, path));
  std::string source;
  for (const auto& [id, newest] : order) {
    if (!read_source(*newest, source)) {
      unreadable_++;
      continue;
    }
    const Part* part = newest->from_log ? nullptr : &parts_[newest->part];
    std::string routing(newest->routing);
    if (part != nullptr && part->segment != nullptr)
      routing = routing_of(*part->segment, newest->doc);
    std::string action = R"({"index":{"_id":)";
    append_json_string(action, *id);
    if (!routing.empty()) {
      action += R"(,"routing":)";
      append_json_string(action, routing);
    }
    put_on_one_line(source);
    QUARRY_RETURN_IF_ERROR(file.add(action + "}}"));
    QUARRY_RETURN_IF_ERROR(file.add(source));
    written.documents++;
    if (newest->from_log) written.from_log++;
    if (part != nullptr && part->doubtful) written.doubtful++;
  }
  return file.finish();
}

Status SalvagedIndex::write_nameless(const std::string& path, Written& written) {
  if (nameless_.empty()) return {};
  QUARRY_ASSIGN_OR_RETURN(LineFile file, LineFile::create(files_, path));
  std::string source;
  for (const auto& [part, doc] : nameless_) {
    if (!read_source({0, false, false, part, doc, {}, {}}, source)) {
      unreadable_++;
      continue;
    }
    put_on_one_line(source);
    QUARRY_RETURN_IF_ERROR(file.add(source));
    written.without_ids++;
  }
  return file.finish();
}

/// The mapping including the mapping changes in the log, as far as both can be read.
std::string SalvagedIndex::body_json() const {
  const JsonValue* settings = meta_.spec.find("settings");
  const JsonValue* aliases = meta_.spec.find("aliases");
  const std::string settings_json = settings == nullptr ? "{}" : settings->to_json();
  std::string mappings = meta_.mappings.empty() ? "{}" : meta_.mappings;
  if (Result<MappingContext> context = make_mapping_context(settings_json); context.ok()) {
    auto mapping = Mapping::create(mappings, std::move(*context));
    for (const std::string& change : mapping_changes_) {
      if (!mapping.ok()) break;
      if (auto merged = (*mapping)->merge(change); merged.ok()) mapping = std::move(merged);
    }
    if (mapping.ok()) mappings = (*mapping)->to_json();
  }
  return "{\"settings\":" + settings_json + ",\"mappings\":" + mappings +
         ",\"aliases\":" + (aliases == nullptr ? "{}" : aliases->to_json()) + "}";
}

Result<std::string> SalvagedIndex::write(const std::string& out_dir) {
  Written written;
  const std::string base = out_dir + "/" + name_;
  QUARRY_RETURN_IF_ERROR(write_documents(base + ".ndjson", written));
  QUARRY_RETURN_IF_ERROR(write_nameless(base + ".without-ids.ndjson", written));
  QUARRY_ASSIGN_OR_RETURN(LineFile body, LineFile::create(files_, base + ".json"));
  QUARRY_RETURN_IF_ERROR(body.add(body_json()));
  QUARRY_RETURN_IF_ERROR(body.finish());
  if (unreadable_ > 0) {
    lost_.push_back(std::to_string(unreadable_) + " documents whose text cannot be read any more");
  }
  std::string json = "{\"index\":";
  append_json_string(json, name_);
  json += ",\"documents\":" + std::to_string(written.documents) +
          ",\"doubtful\":" + std::to_string(written.doubtful) +
          ",\"without_ids\":" + std::to_string(written.without_ids) +
          ",\"from_log\":" + std::to_string(written.from_log) + ",\"lost\":[";
  for (const std::string& lost : lost_) {
    if (json.back() != '[') json += ',';
    append_json_string(json, lost);
  }
  return json + "]}";
}

}  // namespace quarry
