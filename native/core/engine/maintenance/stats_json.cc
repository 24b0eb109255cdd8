#include "engine/maintenance/stats_json.h"

#include <string_view>

#include "json/value.h"

namespace quarry {
namespace {

/// Appends the members of one JSON object.
class Members {
 public:
  explicit Members(std::string& json) : json_(json) { json_ += '{'; }
  void number(std::string_view name, uint64_t value) {
    key(name);
    json_ += std::to_string(value);
  }
  void truth(std::string_view name, bool value) {
    key(name);
    json_ += value ? "true" : "false";
  }
  /// Appends the key; the caller appends the value.
  void key(std::string_view name) {
    if (json_.back() != '{') json_ += ',';
    append_json_string(json_, name);
    json_ += ':';
  }
  void end() { json_ += '}'; }

 private:
  std::string& json_;
};

/// `segments` is left to the caller: a number for an index, a list for a shard.
void put_stats(Members& out, const ShardStats& stats) {
  out.number("docs", stats.docs);
  out.number("deleted", stats.deleted_docs);
  out.number("bytes", stats.disk_bytes + stats.memory_bytes);
  out.number("disk_bytes", stats.disk_bytes);
  out.number("memory_bytes", stats.memory_bytes);
  out.number("segments_in_memory", stats.segments_in_memory);
  out.number("memtable_docs", stats.memtable_docs);
  out.number("memtable_bytes", stats.memtable_bytes);
  out.number("vector_count", stats.vectors.count);
  out.number("vector_row_bytes", stats.vectors.row_bytes);
  out.number("vector_code_bytes", stats.vectors.code_bytes);
  out.number("vector_graph_bytes", stats.vectors.graph_bytes);
  for (size_t i = 0; i < kTotalNames.size(); i++) out.number(kTotalNames[i], stats.totals[i]);
}

void put_segments(std::string& json, const std::vector<SegmentInfo>& segments) {
  json += '[';
  for (const SegmentInfo& segment : segments) {
    if (json.back() != '[') json += ',';
    Members out(json);
    out.number("generation", segment.uid);
    out.number("num_docs", segment.live_count);
    out.number("deleted_docs", segment.docs - segment.live_count);
    out.number("size_in_bytes", segment.bytes);
    out.truth("committed", segment.on_disk);
    out.truth("search", true);
    out.truth("compound", false);
    out.end();
  }
  json += ']';
}

}  // namespace

std::string index_stats_json(Index& index, const ShardTotals& earlier) {
  ShardStats sum = index.stats();
  for (size_t i = 0; i < earlier.size(); i++) sum.totals[i] += earlier[i];
  std::string json;
  Members out(json);
  put_stats(out, sum);
  out.number("segments", sum.segments);
  out.number("seq_no_count", index.seq_no_count());
  out.key("shards");
  json += '[';
  for (uint32_t i = 0; i < index.shard_count(); i++) {
    if (i > 0) json += ',';
    const ShardStats stats = index.shard(i).stats();
    Members shard(json);
    shard.number("shard", i);
    put_stats(shard, stats);
    shard.number("refreshed_below", stats.refreshed_below);
    shard.number("flushed_below", stats.flushed_below);
    shard.key("segments");
    put_segments(json, index.shard(i).segments());
    shard.end();
  }
  json += ']';
  out.end();
  return json;
}

std::string node_stats_json(const IndexTable::Sums& sums, const WalWriter& log,
                            const FilterCache& filters) {
  const WalWriter::Usage usage = log.usage();
  std::string json;
  Members out(json);
  out.number("indices", sums.indices);
  out.number("indices_open", sums.open);
  out.number("shards", sums.shards);
  put_stats(out, sums.stats);
  out.number("segments", sums.stats.segments);
  out.number("wal_files", usage.files);
  out.number("wal_bytes", usage.bytes);
  out.number("wal_position", log.position());
  out.number("wal_unreleased_bytes", log.unreleased());
  out.number("wal_syncs", log.syncs());
  out.number("filter_cache_bytes", filters.bytes());
  out.number("filter_cache_hits", filters.hits());
  out.number("filter_cache_misses", filters.misses());
  out.end();
  return json;
}

}  // namespace quarry
