// Measures the cost of a document in the engine from a bulk body to a merged segment, without HTTP:
// CPU time of bulk calls (lines, routing, parsing, analysis, log), of a refresh after every
// thousand documents, of flushes and of the last merge; and the bytes written to the disk.
// Documents are the lines of a file (argument 1, JSON objects), or seeded log lines. `--mapping
// FILE`: mappings, otherwise all fields are dynamic. `--refresh`: refreshes after every bulk. The
// number of documents is checked before results are printed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "bench/result_line.h"
#include "engine/engine.h"
#include "engine/item_results.h"
#include "testing/temp_dir.h"

namespace {

using namespace quarry;
using namespace quarry::bench;

constexpr size_t kBatch = 1000;
constexpr ShardId kShard{1, 0};

void require(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Bytes that this process passed to write calls.
double written_mb() {
  std::ifstream io("/proc/self/io");
  std::string name;
  for (double value = 0; io >> name >> value;) {
    if (name == "wchar:") return value / 1e6;
  }
  return 0;
}

/// A message of words with approximately the frequencies of natural text, in addition to the usual
/// fields of log lines.
std::vector<std::string> seeded_lines(size_t count) {
  Random random(1);
  std::vector<std::string> lines(count);
  for (size_t i = 0; i < count; i++) {
    std::string text;
    for (uint64_t words = 5 + random.below(30); words > 0; words--) {
      text += "w" + std::to_string(random.below(uint64_t{1} << random.below(17))) + " ";
    }
    lines[i] = R"({"message":")" + text + R"(","level":"l)" + std::to_string(random.below(5)) +
               R"(","status":)" + std::to_string(random.below(600)) +
               R"(,"at":"2023-11-14T22:13:20.000Z"})";
  }
  return lines;
}

std::vector<std::string> read_lines(const char* path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string read_file(const char* path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> bodies_of(const std::vector<std::string>& lines) {
  std::vector<std::string> bodies;
  for (size_t i = 0; i < lines.size(); i++) {
    if (i % kBatch == 0) bodies.emplace_back();
    bodies.back() += R"({"index":{"_id":"d)" + std::to_string(i) + "\"}}\n" + lines[i] + "\n";
  }
  return bodies;
}

std::vector<uint8_t> header() {
  ByteWriter out;
  out.put(kBulkMagic);
  out.put(uint32_t{0});
  out.put_string("bench");
  out.put(uint8_t{0});
  out.put_string("");
  out.put(uint32_t{1});
  out.put_string("bench");
  out.put(kShard.index);
  return out.take();
}

struct Spent {
  double total = 0;
  std::vector<double> each;
  template <typename Work>
  void add(const Work& work) {
    const double start = cpu_ms();
    work();
    each.push_back(cpu_ms() - start);
    total += each.back();
  }
  double median() {
    if (each.empty()) return 0;
    std::sort(each.begin(), each.end());
    return each[each.size() / 2];
  }
};

}  // namespace

int main(int argc, char** argv) {
  const char* file = nullptr;
  std::string mappings = "{}";
  bool refreshes = false;
  for (int i = 1; i < argc; i++) {
    const std::string_view arg = argv[i];
    if (arg == "--refresh")
      refreshes = true;
    else if (arg == "--mapping" && i + 1 < argc)
      mappings = read_file(argv[++i]);
    else
      file = argv[i];
  }
  const std::vector<std::string> lines = file != nullptr ? read_lines(file) : seeded_lines(100000);
  const std::vector<std::string> bodies = bodies_of(lines);
  const testing::TempDir dir;
  const auto files = make_posix_file_system();
  const SystemClock clock;
  EngineOptions options;
  options.data_dir = dir.path();
  options.file_system = files.get();
  options.clock = &clock;
  auto engine = Engine::open(options);
  require(engine.ok(), "open");
  Engine& node = **engine;
  const auto made = node.create_index(
      R"({"name":"bench","number_of_shards":1,"settings":{},"mappings":)" + mappings + "}");
  require(made.ok() && made->find("\"number\":1") != std::string::npos, "create_index");

  const std::vector<uint8_t> head = header();
  Spent bulk, sync, refresh, flush, merge;
  const double written = written_mb();
  for (const std::string& body : bodies) {
    bulk.add([&] {
      const auto reply = node.bulk(head, as_bytes(body));
      require(reply.ok() && reply->wal_position > 0, "bulk");
    });
    sync.add([&] { require(node.sync_wal().ok(), "sync"); });
    if (refreshes) refresh.add([&] { require(node.refresh(kShard).ok(), "refresh"); });
    if (!node.flush_candidates().empty())
      flush.add([&] { require(node.flush(kShard).ok(), "flush"); });
    while (refreshes && !node.merge_candidates().empty())
      merge.add([&] { require(node.merge(kShard, 0).ok(), "merge"); });
  }
  flush.add([&] { require(node.flush(kShard).ok(), "flush"); });
  const double flushed = written_mb();
  Spent last;
  last.add([&] { require(node.merge(kShard, 1).ok(), "merge"); });
  const double merged = written_mb();
  const auto stats = node.index_stats(kShard.index);
  require(
      stats.ok() && stats->find("\"docs\":" + std::to_string(lines.size())) != std::string::npos,
      stats.ok() ? stats->c_str() : "stats");

  const double k = static_cast<double>(lines.size()) / 1000;
  const double load = bulk.total + sync.total + refresh.total + flush.total + merge.total;
  ResultLine line(false);
  line.number("ms per 1,000 documents: bulk", bulk.total / k, 3)
      .number("(median", bulk.median(), 3);
  line.number(") sync", sync.total / k, 3).number("refresh", refresh.total / k, 3);
  line.number("(median", refresh.median(), 3).number(") flush", flush.total / k, 3);
  line.number("merges", merge.total / k, 3).number("last merge", last.total / k, 3);
  line.print();
  ResultLine sums(false);
  sums.number("documents per CPU second", k * 1e6 / load, 0);
  sums.number("written MB: load", flushed - written, 1).number("last merge", merged - flushed, 1);
  sums.print();
  require(node.close().ok(), "close");
  return 0;
}
