// Runs the offline check and the salvage on a data folder with modified files: the check must
// report, the salvage must write what it can, and neither may crash.
//
// The input is a list of edits of seven bytes each: file, u32 offset, how (0xff: cut off there),
// value.
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/check/check.h"
#include "engine/engine.h"
#include "engine/item_results.h"
#include "testing/fault_file_system.h"

namespace {

using quarry::ByteReader;
using quarry::Bytes;
using quarry::testing::FaultFileSystem;

struct SampleFile {
  std::string path;
  std::vector<uint8_t> bytes;
};

void must(bool holds) {
  if (!holds) __builtin_trap();
}

void collect(FaultFileSystem& disk, const std::string& dir, std::vector<SampleFile>& files) {
  const auto names = disk.list(dir);
  for (const std::string& name : *names) {
    const std::string path = dir + "/" + name;
    auto bytes = disk.read(path);
    if (name == "node.lock") continue;
    if (bytes.ok()) {
      files.push_back({path, std::move(*bytes)});
    } else {
      collect(disk, path, files);
    }
  }
}

void write(quarry::Engine& engine, const std::string& body) {
  quarry::ByteWriter header;
  header.put(quarry::kBulkMagic);
  header.put(uint32_t{0});
  header.put_string("i");
  header.put(uint8_t{0});
  header.put_string("");
  header.put(uint32_t{1});
  header.put_string("i");
  header.put(uint32_t{1});
  must(engine.bulk(header.view(), quarry::as_bytes(body)).ok());
}

/// Documents in a segment, one of them deleted, and more in the log.
std::vector<SampleFile> build_sample() {
  FaultFileSystem disk;
  const quarry::SystemClock clock;
  quarry::EngineOptions options;
  options.data_dir = "/data";
  options.file_system = &disk;
  options.clock = &clock;
  options.wal_file_bytes = 8192;
  auto engine = quarry::Engine::open(options);
  must(engine.ok());
  must((*engine)
           ->create_index(
               R"({"name":"i","mappings":{"properties":{"v":{"type":"dense_vector","dims":2}}}})")
           .ok());
  for (int i = 0; i < 20; i++) {
    const std::string n = std::to_string(i);
    write(**engine, "{\"index\":{\"_id\":\"" + n + "\"}}\n{\"t\":\"words " + n + "\",\"n\":" + n +
                        ",\"v\":[1," + n + "]}\n");
  }
  must((*engine)->flush({1, 0}).ok());
  write(**engine, "{\"delete\":{\"_id\":\"3\"}}\n");
  must((*engine)->flush({1, 0}).ok());
  write(**engine, "{\"index\":{\"_id\":\"late\"}}\n{\"t\":\"late\"}\n");
  must((*engine)->sync_wal().ok());
  std::vector<SampleFile> files;
  collect(disk, "/data", files);
  return files;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<SampleFile> sample = build_sample();
  std::vector<SampleFile> files = sample;
  ByteReader input(Bytes(data, size));
  while (input.remaining() >= 7) {
    std::vector<uint8_t>& bytes = files[input.get<uint8_t>() % files.size()].bytes;
    const size_t at = input.get<uint32_t>() % (bytes.size() + 1);
    const auto how = input.get<uint8_t>();
    const auto value = input.get<uint8_t>();
    if (how == 0xff) bytes.resize(at);
    if (at < bytes.size())
      bytes[at] = static_cast<uint8_t>(how % 2 == 0 ? value : bytes[at] ^ value);
  }
  FaultFileSystem disk;
  for (const SampleFile& file : files) {
    must(disk.create_dirs(file.path.substr(0, file.path.rfind('/'))).ok());
    auto created = disk.create(file.path);
    must(created.ok() && (*created)->append(file.bytes).ok());
  }
  quarry::CheckOptions options;
  options.data_dir = "/data";
  options.file_system = &disk;
  options.salvage_dir = "/out";
  static_cast<void>(quarry::check_data_folder(options));
  return 0;
}
