// The documents of one index, collected from damaged files: the newest version of each id and its
// location.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/file.h"
#include "engine/catalog/index_folder.h"
#include "segment/section_file.h"
#include "segment/segment.h"
#include "shard/manifest.h"
#include "wal/log_record.h"

namespace quarry {

/// Not thread-safe. Keeps its files mapped.
class SalvagedIndex {
 public:
  SalvagedIndex(FileSystem& files, std::string dir, IndexMeta meta);

  /// Adds the documents of the shard's segments.
  void add_shard(uint32_t shard);
  /// Adds a log record, whose bytes must outlive this object.
  void add_record(const WalRecord& record);
  /// Writes the files described in salvage.h. Returns the index's part of the report.
  Result<std::string> write(const std::string& out_dir);
  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }

 private:
  /// The files of one segment that could be opened. When `segment` is null, only the ids and the
  /// stored documents are read.
  struct Part {
    std::string base;
    std::vector<std::shared_ptr<ByteSource>> sources;
    std::vector<uint8_t> room;  // extended copy of a file that was cut
    std::shared_ptr<const Segment> segment;
    IdTable ids;
    StoredSource stored;
    bool has_ids = false;
    bool doubtful = false;
  };
  struct Newest {
    uint64_t seq_no = 0;
    bool deleted = false;
    bool from_log = false;
    uint32_t part = 0;
    uint32_t doc = 0;
    std::string_view routing;  // of a log record
    std::string_view body;
  };
  struct Written {
    uint64_t documents = 0;
    uint64_t doubtful = 0;
    uint64_t from_log = 0;
    uint64_t without_ids = 0;
  };

  void add_segment(const std::string& base, const ManifestSegment* listed);
  bool open_part(const std::string& base, Part& part);
  void read_parts(Part& part);
  void add_documents(uint32_t part, const ManifestSegment* listed);
  void keep(std::string_view id, const Newest& candidate);
  Status write_documents(const std::string& path, Written& written);
  Status write_nameless(const std::string& path, Written& written);
  bool read_source(const Newest& at, std::string& out);
  std::string body_json() const;

  FileSystem& files_;
  const std::string dir_;
  const IndexMeta meta_;
  std::string name_;
  std::vector<Part> parts_;
  std::unordered_map<std::string, Newest> newest_;
  std::vector<std::pair<uint32_t, uint32_t>> nameless_;  // part, document
  std::vector<std::string> mapping_changes_;             // from log records
  std::vector<std::string> lost_;
  uint64_t unreadable_ = 0;
};

}  // namespace quarry
