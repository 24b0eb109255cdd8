// Opens a log with arbitrary bytes as its only file: the file must be scanned to its end or
// rejected, and the log must accept new records.
#include <cstdint>
#include <string>

#include "testing/fault_file_system.h"
#include "wal/log_reader.h"
#include "wal/log_writer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quarry;
  constexpr uint64_t kNode = 7;
  const std::string dir = "/wal";
  testing::FaultFileSystem disk;
  if (!disk.create_dirs(dir).ok()) return 0;
  // Mutations rarely result in a valid checksum: half of the inputs get a valid header, so that
  // frames are reached.
  std::vector<uint8_t> bytes(data, data + size);
  if (size > 0 && data[0] % 2 == 0) {
    std::vector<uint8_t> header = encode_file_header({1, 0, 99, kNode});
    header.insert(header.end(), bytes.begin() + 1, bytes.end());
    bytes = std::move(header);
  }
  {
    auto file = disk.create(dir + "/" + wal_file_name(1));
    if (!file.ok() || !(*file)->append(bytes).ok()) return 0;
  }
  size_t sum = 0;
  const auto scan = scan_wal(disk, dir, kNode, [&](const WalRecord& record, uint64_t) {
    for (const std::string_view view : {record.id, record.routing, record.body, record.vectors}) {
      for (const char c : view) sum += static_cast<unsigned char>(c);
    }
    return Status();
  });
  ByteReader reader(Bytes{data, size});
  WalRecord record;
  while (decode_record(reader, record)) sum += record.encoded.size();
  volatile size_t sink = sum;
  static_cast<void>(sink);
  if (!scan.ok()) return 0;
  const DiskSpace space(disk, dir, 0);
  const std::atomic<uint64_t> owed{0};
  const auto writer = WalWriter::start({&disk, dir, kNode, 4096, &space, &owed}, *scan);
  WalFrame frame;
  frame.add(WalRecord());
  if (writer.ok()) static_cast<void>((*writer)->append(frame, false));
  return 0;
}
