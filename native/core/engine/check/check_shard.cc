#include "engine/check/check_shard.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/page_cache.h"
#include "base/routing_hash.h"
#include "engine/check/check_segment.h"
#include "segment/section_file.h"
#include "segment/segment.h"
#include "shard/manifest.h"
#include "shard/routing_field.h"

namespace quarry {
namespace {

struct PartName {
  FileKind kind;
  const char* ending;
};
constexpr std::array<PartName, 4> kParts = {{{FileKind::kData, ".data"},
                                             {FileKind::kSidx, ".sidx"},
                                             {FileKind::kIds, ".ids"},
                                             {FileKind::kVectors, ".vec"}}};

class ShardCheck {
 public:
  ShardCheck(FileSystem& files, const ShardPlace& place,
             const std::function<void(const std::string&)>& before_file, Findings& findings)
      : files_(files), place_(place), before_file_(before_file), findings_(findings) {}

  uint64_t run() {
    if (!read_manifest()) return 0;
    for (const ManifestSegment& listed : manifest_.segments) check_listed(listed);
    check_ids();
    check_strangers();
    return manifest_.covered;
  }

 private:
  struct OpenSegment {
    std::string base;
    std::shared_ptr<const Segment> segment;
    const ManifestSegment* listed;
    bool is_live(uint32_t doc) const { return listed->live == nullptr || listed->live->test(doc); }
    bool is_nested(uint32_t doc) const {
      return segment->nested() != nullptr && !segment->nested()->roots().test(doc);
    }
  };

  std::string out_of_use() const {
    return "shard " + std::to_string(place_.shard) + " of index [" + place_.index +
           "] is out of use: its requests are refused, others are not; salvage its documents";
  }
  std::string base(uint64_t number) const { return place_.dir + "/seg-" + std::to_string(number); }
  bool read_manifest();
  bool check_part(const PartName& part, const std::string& path, std::shared_ptr<ByteSource>& out);
  void check_listed(const ManifestSegment& listed);
  void check_ids();
  void check_document(const OpenSegment& open, uint32_t doc);
  void check_strangers();

  FileSystem& files_;
  const ShardPlace& place_;
  const std::function<void(const std::string&)>& before_file_;
  Findings& findings_;
  Manifest manifest_;
  std::vector<OpenSegment> open_;
};

bool ShardCheck::read_manifest() {
  const std::string path = place_.dir + "/MANIFEST";
  before_file_(path);
  findings_.counts.files++;
  const Result<std::vector<uint8_t>> bytes = files_.read(path);
  if (!bytes.ok()) {
    if (files_.exists(path)) {
      findings_.damage(path, bytes.status().reason(), out_of_use());
      return false;
    }
    if (place_.must_have_manifest) {
      findings_.damage(path, "is missing", out_of_use());
      return false;
    }
    // A shard that was never flushed, in an index made by an earlier version.
    check_strangers();
    return false;
  }
  Result<Manifest> manifest = decode_manifest(*bytes);
  if (!manifest.ok()) {
    findings_.damage(path, manifest.status().reason(), out_of_use());
    return false;
  }
  manifest_ = std::move(*manifest);
  return true;
}

/// True when the file exists and all its checksums are right.
bool ShardCheck::check_part(const PartName& part, const std::string& path,
                            std::shared_ptr<ByteSource>& out) {
  before_file_(path);
  const bool derived = part.kind == FileKind::kVectors;
  const std::string consequence =
      derived ? "searches compare the rows themselves, and the file is made again" : out_of_use();
  if (!files_.exists(path)) {
    if (!derived) findings_.damage(path, "is missing", consequence);
    return false;
  }
  Result<std::shared_ptr<ByteSource>> source = files_.map(path);
  if (!source.ok()) {
    findings_.damage(path, source.status().reason(), consequence);
    return false;
  }
  out = std::move(*source);
  findings_.counts.files++;
  findings_.counts.bytes += out->bytes().size();
  const std::vector<SectionDamage> found =
      SectionFile::find_damage(out->bytes(), part.kind, out->mapped());
  for (const SectionDamage& one : found) {
    findings_.add({Severity::kDamage, path, one.section, one.offset, one.what, consequence});
  }
  return found.empty();
}

void ShardCheck::check_listed(const ManifestSegment& listed) {
  const std::string name = base(listed.file_number);
  std::array<std::shared_ptr<ByteSource>, kParts.size()> sources;
  bool whole = true;
  for (size_t i = 0; i < kParts.size(); i++) {
    const bool sound = check_part(kParts[i], name + kParts[i].ending, sources[i]);
    if (kParts[i].kind == FileKind::kVectors) {
      // The damage is reported above; what remains is to check whether the segment needs the file.
      if (!sound) sources[i] = nullptr;
    } else {
      whole &= sound;
    }
  }
  findings_.counts.segments++;
  if (!whole) return;
  const bool vectors_reported = sources[3] == nullptr && files_.exists(name + ".vec");
  const auto segment = Segment::open(sources[0], sources[1], sources[2], sources[3]);
  if (!segment.ok()) return findings_.damage(name, segment.status().reason(), out_of_use());
  if ((*segment)->max_doc() != listed.docs) {
    return findings_.damage(name,
                            "has " + std::to_string((*segment)->max_doc()) +
                                " documents, the manifest says " + std::to_string(listed.docs),
                            out_of_use());
  }
  check_segment(**segment, name, place_.index, vectors_reported, findings_);
  if (!open_.empty() && open_.back().segment->max_seq_no() >= (*segment)->min_seq_no()) {
    findings_.damage(name, "its sequence numbers do not follow those of " + open_.back().base,
                     "documents of equal score or sort value may change places");
  }
  if ((*segment)->mapped()) release_pages((*segment)->data_bytes());
  open_.push_back({name, *segment, &listed});
}

/// Checks that no id has two live documents, and that each id is in the shard that its routing
/// selects.
void ShardCheck::check_ids() {
  struct Place {
    uint64_t hash;
    uint32_t entry;
    uint32_t doc;
  };
  std::vector<Place> places;
  for (uint32_t i = 0; i < open_.size(); i++) {
    for (uint32_t doc = 0; doc < open_[i].segment->max_doc(); doc++) {
      if (!open_[i].is_live(doc)) continue;
      if (open_[i].is_nested(doc)) continue;
      IdBuffer buffer;
      places.push_back({hash64(open_[i].segment->ids().id(doc, buffer)), i, doc});
      check_document(open_[i], doc);
    }
  }
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.hash < b.hash; });
  const auto id = [this](const Place& at) {
    IdBuffer buffer;
    return std::string(open_[at.entry].segment->ids().id(at.doc, buffer));
  };
  for (size_t i = 1; i < places.size(); i++) {
    if (places[i - 1].hash != places[i].hash || id(places[i - 1]) != id(places[i])) continue;
    findings_.damage(open_[places[i].entry].base,
                     "a document is live here and in " + open_[places[i - 1].entry].base +
                         ", its id is [" + id(places[i]) + "]",
                     "it is found twice");
  }
  for (const auto& [name, tombstone] : manifest_.tombstones) {
    for (const OpenSegment& open : open_) {
      const auto doc = open.segment->ids().find(name);
      if (!doc || !open.is_live(*doc)) continue;
      if (open.segment->ids().seq_no(*doc) > tombstone.version.seq_no) continue;
      findings_.damage(open.base,
                       "a document is live that was deleted later, its id is [" + name + "]",
                       "it is found again");
    }
  }
}

void ShardCheck::check_document(const OpenSegment& open, uint32_t doc) {
  IdBuffer buffer;
  const std::string_view id = open.segment->ids().id(doc, buffer);
  const std::string routing = routing_of(*open.segment, doc);
  const uint32_t shard = route(routing.empty() ? id : std::string_view(routing), place_.shards);
  if (shard == place_.shard) return;
  findings_.damage(
      open.base, "the document [" + std::string(id) + "] belongs to shard " + std::to_string(shard),
      "searches find it, requests by its id do not");
}

void ShardCheck::check_strangers() {
  const auto names = files_.list(place_.dir);
  if (!names.ok()) return findings_.damage(place_.dir, names.status().reason(), out_of_use());
  std::vector<std::string> owned = {"MANIFEST"};
  for (const ManifestSegment& listed : manifest_.segments) {
    for (const PartName& part : kParts) {
      owned.push_back("seg-" + std::to_string(listed.file_number) + part.ending);
    }
  }
  for (const std::string& name : *names) {
    if (std::find(owned.begin(), owned.end(), name) != owned.end()) continue;
    findings_.warning(
        place_.dir + "/" + name, "is named by no manifest",
        "left by a flush or merge that was cut short; it is removed when the shard is opened");
  }
}

}  // namespace

uint64_t check_shard(FileSystem& files, const ShardPlace& place,
                     const std::function<void(const std::string&)>& before_file,
                     Findings& findings) {
  return ShardCheck(files, place, before_file, findings).run();
}

}  // namespace quarry
